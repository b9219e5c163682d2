//! Errors for the user: SQLSTATE, message, hint.

use pgrx::{PgLogLevel, PgSqlErrorCode, pg_sys::panic::ErrorReport};
use sketch::ErrorKind;

/// An error that becomes an `ERROR` of the server. Boxed, since results pass through the busiest
/// functions.
#[derive(Debug)]
pub struct SqlError(Box<Report>);

#[derive(Debug)]
struct Report {
    code: PgSqlErrorCode,
    message: String,
    hint: Option<String>,
}

/// The result of everything that a SQL function does.
pub type SqlResult<T> = Result<T, SqlError>;

impl SqlError {
    /// An error with a hint.
    #[cold]
    pub fn new(code: PgSqlErrorCode, message: String, hint: impl Into<String>) -> Self {
        SqlError(Box::new(Report { code, message, hint: Some(hint.into()) }))
    }

    /// The same error under another SQLSTATE.
    pub fn with_code(mut self, code: PgSqlErrorCode) -> Self {
        self.0.code = code;
        self
    }

    /// Raises the error.
    #[cold]
    pub fn raise(self) -> ! {
        let Report { code, message, hint } = *self.0;
        let mut report = ErrorReport::new(code, message, "");
        if let Some(hint) = hint {
            report = report.set_hint(hint);
        }
        report.report(PgLogLevel::ERROR);
        unreachable!("an ERROR does not return")
    }
}

impl From<sketch::Error> for SqlError {
    #[cold]
    fn from(error: sketch::Error) -> Self {
        let code = match error.kind() {
            ErrorKind::InvalidParameter => PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE,
            ErrorKind::InvalidBytes => PgSqlErrorCode::ERRCODE_INVALID_BINARY_REPRESENTATION,
            ErrorKind::Limit => PgSqlErrorCode::ERRCODE_PROGRAM_LIMIT_EXCEEDED,
            // Operands that do not fit each other.
            _ => PgSqlErrorCode::ERRCODE_DATA_EXCEPTION,
        };
        SqlError(Box::new(Report {
            code,
            message: error.message().to_owned(),
            hint: error.hint().map(str::to_owned),
        }))
    }
}
