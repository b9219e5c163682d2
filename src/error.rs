//! Errors for the user: SQLSTATE, message, hint.

use pgrx::{PgLogLevel, PgSqlErrorCode, pg_sys::panic::ErrorReport};
use sketch::ErrorKind;

/// An error that becomes an `ERROR` of the server.
#[derive(Debug)]
pub struct SqlError {
    code: PgSqlErrorCode,
    message: String,
    hint: Option<String>,
}

/// The result of everything that a SQL function does.
pub type SqlResult<T> = Result<T, SqlError>;

impl SqlError {
    /// An error with a hint.
    pub fn new(code: PgSqlErrorCode, message: String, hint: impl Into<String>) -> Self {
        SqlError { code, message, hint: Some(hint.into()) }
    }

    /// The same error under another SQLSTATE.
    pub fn with_code(self, code: PgSqlErrorCode) -> Self {
        SqlError { code, ..self }
    }

    /// Raises the error.
    pub fn raise(self) -> ! {
        let mut report = ErrorReport::new(self.code, self.message, "");
        if let Some(hint) = self.hint {
            report = report.set_hint(hint);
        }
        report.report(PgLogLevel::ERROR);
        unreachable!("an ERROR does not return")
    }
}

impl From<sketch::Error> for SqlError {
    fn from(error: sketch::Error) -> Self {
        let code = match error.kind() {
            ErrorKind::InvalidParameter => PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE,
            ErrorKind::InvalidBytes => PgSqlErrorCode::ERRCODE_INVALID_BINARY_REPRESENTATION,
            ErrorKind::Mismatch => PgSqlErrorCode::ERRCODE_DATA_EXCEPTION,
            ErrorKind::Limit => PgSqlErrorCode::ERRCODE_PROGRAM_LIMIT_EXCEEDED,
        };
        SqlError {
            code,
            message: error.message().to_owned(),
            hint: error.hint().map(str::to_owned),
        }
    }
}
