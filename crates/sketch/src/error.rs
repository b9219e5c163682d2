//! What can go wrong: one small error type, with the numbers and the way out in its text.

use std::borrow::Cow;
use std::fmt;

/// The result of every operation that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// What sort of mistake an [`Error`] reports; the SQL layer gives each its SQLSTATE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A parameter lies outside its range.
    InvalidParameter,
    /// Bytes that are no sketch of the expected type.
    InvalidBytes,
    /// Two operands that cannot be combined: other parameters, or another value class.
    Mismatch,
    /// More than the sketch, or any value, can hold.
    Limit,
}

/// An error: its kind, a lower-case message that names the numbers, and a hint that says the fix.
///
/// Boxed, since results pass through the busiest loops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<Report>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Report {
    kind: ErrorKind,
    message: Cow<'static, str>,
    hint: Option<Cow<'static, str>>,
}

impl Error {
    /// An error without a hint.
    #[cold]
    pub fn new(kind: ErrorKind, message: impl Into<Cow<'static, str>>) -> Self {
        Error(Box::new(Report { kind, message: message.into(), hint: None }))
    }

    /// Bytes that are not what they should be.
    pub(crate) fn bytes(message: impl Into<Cow<'static, str>>) -> Self {
        Error::new(ErrorKind::InvalidBytes, message)
    }

    /// The same error with a hint.
    pub fn with_hint(mut self, hint: impl Into<Cow<'static, str>>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// What sort of mistake this is.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The primary message.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// How to put it right, where there is something to say.
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Error {}
