-- The extension, and a way to show an error as a row: SQLSTATE, message and hint.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS pg_sketch;
CREATE FUNCTION attempt(statement text, OUT code text, OUT message text, OUT hint text)
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
    code := '00000';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS
        code = RETURNED_SQLSTATE, message = MESSAGE_TEXT, hint = PG_EXCEPTION_HINT;
END
$$;
