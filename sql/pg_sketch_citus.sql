-- Citus sends an aggregate to the shards only where the type that it declares for an argument is
-- that of the expression, which a polymorphic one never is. So here every aggregate of pg_sketch
-- over values is there again for each type that people count, on the same functions of the library.
--
-- A value must not change its class: where a type has an implicit cast to one of these, a call
-- would take the overload and cast the value (citext to text, real to double precision). So the
-- types that have such a cast in this database get overloads too. approx_count_distinct takes
-- sketches besides.

DO LANGUAGE plpgsql $do$
DECLARE
    common CONSTANT oid[] := ARRAY[
        'boolean', 'smallint', 'integer', 'bigint', 'numeric', 'double precision', 'text',
        'varchar', 'bytea', 'uuid', 'inet', 'date', 'timestamp', 'timestamptz'
    ]::regtype[]::oid[];
    extension CONSTANT oid := (SELECT oid FROM pg_extension WHERE extname = 'pg_sketch');
    library_schema CONSTANT text := (
        SELECT quote_ident(nspname)
        FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = extnamespace
        WHERE e.oid = extension
    );
    hll CONSTANT oid := (library_schema || '.hll')::regtype;
    value_type oid;
    declared pg_proc;
    traits pg_aggregate;
    of_aggregate text;
BEGIN
    FOR value_type IN
        SELECT unnest(common || hll)
        UNION SELECT castsource FROM pg_cast WHERE casttarget = ANY (common) AND castcontext = 'i'
    LOOP
        -- The functions that take a value: of a state, a value, and what else there is.
        FOR declared IN
            SELECT p.*
            FROM pg_proc AS p
            JOIN pg_depend ON classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e'
            WHERE refclassid = 'pg_extension'::regclass AND refobjid = extension
                AND proargtypes[1] = 'anycompatible'::regtype AND p.oid IN (
                    SELECT unnest(ARRAY[aggtransfn, aggmtransfn, aggminvtransfn]::oid[])
                    FROM pg_aggregate
                )
                AND (value_type <> hll OR proname = '_approx_count_distinct_trans')
        LOOP
            EXECUTE format(
                'CREATE FUNCTION %I(%s) RETURNS %s AS %L, %L LANGUAGE C IMMUTABLE PARALLEL SAFE %s',
                declared.proname,
                (
                    SELECT string_agg(
                        format_type(
                            CASE arg WHEN 'anycompatible'::regtype THEN value_type ELSE arg END,
                            NULL
                        ), ', ' ORDER BY place
                    )
                    FROM unnest(declared.proargtypes) WITH ORDINALITY AS args (arg, place)
                ),
                format_type(declared.prorettype, NULL),
                declared.probin,
                declared.prosrc,
                CASE WHEN declared.proisstrict THEN 'STRICT' ELSE '' END
            );
        END LOOP;

        FOR declared IN
            SELECT p.*
            FROM pg_proc AS p
            JOIN pg_depend ON classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e'
            WHERE refclassid = 'pg_extension'::regclass AND refobjid = extension
                AND prokind = 'a' AND 'anycompatible'::regtype = ANY (proargtypes)
        LOOP
            SELECT * INTO STRICT traits FROM pg_aggregate WHERE aggfnoid = declared.oid;
            IF value_type = hll
                AND traits.aggtransfn::text NOT LIKE '%\_approx_count_distinct_trans'
            THEN
                CONTINUE;
            END IF;
            -- What no aggregate of pg_sketch has, and what would be lost here.
            IF traits.aggkind <> 'n' OR traits.aggserialfn <> 0 OR traits.agginitval IS NOT NULL
                OR traits.aggfinalextra OR traits.aggmfinalextra OR declared.provariadic <> 0
            THEN
                RAISE EXCEPTION 'cannot overload %', declared.oid::regprocedure;
            END IF;
            of_aggregate := format(
                '%I(%s)',
                declared.proname,
                (
                    SELECT string_agg(
                        format('%I %s', declared.proargnames[place], format_type(
                            CASE arg WHEN 'anycompatible'::regtype THEN value_type ELSE arg END,
                            NULL
                        )), ', ' ORDER BY place
                    )
                    FROM unnest(declared.proargtypes) WITH ORDINALITY AS args (arg, place)
                )
            );
            EXECUTE 'CREATE AGGREGATE ' || of_aggregate || '(PARALLEL = SAFE' || (
                SELECT string_agg(format(', %s = %s', trait, setting), '')
                FROM (VALUES
                    ('SFUNC', (
                        SELECT quote_ident(proname) FROM pg_proc WHERE oid = traits.aggtransfn)),
                    ('STYPE', format_type(traits.aggtranstype, NULL)),
                    ('SSPACE', traits.aggtransspace::text),
                    ('FINALFUNC', library_schema || '.' || (
                        SELECT quote_ident(proname) FROM pg_proc WHERE oid = traits.aggfinalfn)),
                    ('COMBINEFUNC', library_schema || '.' || (
                        SELECT quote_ident(proname) FROM pg_proc WHERE oid = traits.aggcombinefn)),
                    ('MSFUNC', (
                        SELECT quote_ident(proname) FROM pg_proc WHERE oid = traits.aggmtransfn)),
                    ('MINVFUNC', (
                        SELECT quote_ident(proname) FROM pg_proc
                        WHERE oid = traits.aggminvtransfn)),
                    ('MSTYPE', format_type(nullif(traits.aggmtranstype, 0), NULL)),
                    ('MSSPACE', nullif(traits.aggmtransspace, 0)::text),
                    ('MFINALFUNC', library_schema || '.' || (
                        SELECT quote_ident(proname) FROM pg_proc WHERE oid = traits.aggmfinalfn))
                ) AS traits_set (trait, setting)
                WHERE setting IS NOT NULL
            ) || ')';
            EXECUTE format(
                'COMMENT ON AGGREGATE %s IS %L',
                of_aggregate, obj_description(declared.oid, 'pg_proc')
            );
        END LOOP;
    END LOOP;
END
$do$;
