//! The failures of a server, in sentences that name a remedy and never a password.

use std::error::Error as _;
use std::fmt;
use std::time::Duration;

use tokio_postgres::error::{Severity, SqlState};

use super::settings::PostgresSettingsError;
use crate::shared_log::log::LogError;

/// The failure of a statement.
#[derive(Debug)]
pub(super) enum StatementError {
    /// There is no server to ask.
    NoServer(PostgresSettingsError),
    /// The server did not answer in this time.
    Late(Duration),
    /// It answered, and it said that a commit may not be on the standby.
    Warned(String),
    /// It refused, or the connection was lost.
    Error(tokio_postgres::Error),
}

impl StatementError {
    /// Returns whether the server says that another row has the position.
    pub(super) fn is_taken(&self) -> bool {
        self.refusal() == Some(&SqlState::UNIQUE_VIOLATION)
    }

    /// Returns whether a table is missing: the log has not begun.
    pub(super) fn is_absent(&self) -> bool {
        self.refusal() == Some(&SqlState::UNDEFINED_TABLE)
    }

    /// Returns whether the server has run out of something, or the statement is beyond a limit: nothing is stored.
    pub(super) fn is_limit(&self) -> bool {
        let class = self.refusal().and_then(|code| code.code().get(..2));
        matches!(class, Some("53" | "54"))
    }

    /// The reason for which the server has refused the statement and rolled it back. An error that ends the session says nothing of that.
    fn refusal(&self) -> Option<&SqlState> {
        let Self::Error(error) = self else {
            return None;
        };
        let answer = error.as_db_error()?;
        (answer.parsed_severity() == Some(Severity::Error)).then(|| answer.code())
    }
}

impl From<tokio_postgres::Error> for StatementError {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Error(error)
    }
}

impl From<StatementError> for LogError {
    fn from(failed: StatementError) -> Self {
        Self(failed.to_string())
    }
}

impl fmt::Display for StatementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoServer(reason) => reason.fmt(f),
            Self::Warned(reason) => f.write_str(reason),
            Self::Late(patience) => write!(
                f,
                "PostgreSQL did not answer within {patience:?}; it may wait for the standby that synchronous_standby_names names"
            ),
            Self::Error(error) => f.write_str(&innermost(error)),
        }
    }
}

/// The words of the server or of the operating system.
pub(super) fn innermost(error: &tokio_postgres::Error) -> String {
    if let Some(answer) = error.as_db_error() {
        return answer.message().to_owned();
    }
    let mut reason = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        reason = error.to_string();
        cause = error.source();
    }
    reason
}

/// The reason for which there is no connection to a server, and the remedy.
pub(super) fn unconnected(
    error: &tokio_postgres::Error,
    user: &str,
    database: &str,
) -> PostgresSettingsError {
    let message = innermost(error);
    let Some(code) = error.code().map(SqlState::code) else {
        return PostgresSettingsError::Now(format!("it cannot be connected to ({message})"));
    };
    match code {
        "28P01" | "28000" => PostgresSettingsError::Settings(format!(
            "it refuses the user {user:?} ({code}): correct the name and the password in the URL, or let the user in by \
             pg_hba.conf"
        )),
        "3D000" => PostgresSettingsError::Settings(format!(
            "it has no database {database:?}: create it, or correct the URL"
        )),
        "53300" => PostgresSettingsError::Now(format!(
            "it takes no more connections ({message}): raise max_connections"
        )),
        _ => PostgresSettingsError::Now(format!("it refuses the connection ({message})")),
    }
}
