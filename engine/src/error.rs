//! Reasons for which something may not be done «now»: never the caller's fault, always worth another try unless it says otherwise.

use std::time::Duration;

use crate::store::ReadError;
use crate::store::committer::SubmitError;

/// The reason for which something cannot be done now.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnavailableError {
    /// More work waits than is allowed to; nothing was written.
    #[error("the service is busy; try again in a moment")]
    Busy,
    /// The disk has no room left; nothing was written. Reading goes on.
    #[error("the disk is full: free some space, writing goes on by itself afterwards")]
    DiskFull,
    /// The service is being stopped.
    #[error("the service is stopping")]
    Stopping,
    /// The command may or may not have happened: its group could not be written, or its owner died.
    #[error(
        "the request was interrupted and may or may not have been carried out; repeating it is safe"
    )]
    Interrupted,
    /// The record can never be stored, whatever the state of the disk.
    #[error("this cannot be stored: {0}")]
    Unfit(String),
    /// Something that was stored cannot be read back.
    #[error(transparent)]
    Damaged(ReadError),
    /// A part of the index is damaged. Nothing is lost: the next start on the same data makes it again.
    #[error(transparent)]
    IndexDamaged(ReadError),
}

impl UnavailableError {
    /// Returns whether a record of the journal is damaged: asking again does not help, and the other records are not touched.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Damaged(ReadError::Damaged { .. }))
    }

    /// After how long another try makes sense.
    #[must_use]
    pub fn retry_after(&self) -> Duration {
        match self {
            Self::Busy | Self::Interrupted => Duration::from_secs(1),
            Self::DiskFull | Self::Stopping => Duration::from_secs(5),
            Self::IndexDamaged(_) => Duration::from_secs(10),
            Self::Damaged(_) | Self::Unfit(_) => Duration::from_secs(60),
        }
    }
}

impl From<ReadError> for UnavailableError {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Closed => Self::Stopping,
            ReadError::Damaged { .. } | ReadError::Io { .. } => Self::Damaged(error),
            ReadError::Index { .. } => Self::IndexDamaged(error),
        }
    }
}

impl From<SubmitError> for UnavailableError {
    fn from(error: SubmitError) -> Self {
        match error {
            SubmitError::Busy => Self::Busy,
            SubmitError::DiskFull => Self::DiskFull,
            SubmitError::Stopping => Self::Stopping,
            SubmitError::Stale => Self::Interrupted,
            SubmitError::Unfit(unfit) => Self::Unfit(unfit.to_string()),
        }
    }
}

/// The answer to a command: the reply, the caller's mistake, or «not now».
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError<R: std::error::Error> {
    /// The rules forbid it.
    #[error("{0}")]
    Rejected(R),
    /// Not now.
    #[error(transparent)]
    Unavailable(#[from] UnavailableError),
}

impl<R: std::error::Error> CommandError<R> {
    /// The same answer, with the mistake said in the words of another command.
    pub fn map<T: std::error::Error>(self, with: impl FnOnce(R) -> T) -> CommandError<T> {
        match self {
            Self::Rejected(rejection) => CommandError::Rejected(with(rejection)),
            Self::Unavailable(unavailable) => CommandError::Unavailable(unavailable),
        }
    }

    /// The caller's error: either what `with` makes of the rejection, or the caller's form of `UnavailableError`.
    pub fn into_error<E: From<UnavailableError>>(self, with: impl FnOnce(R) -> E) -> E {
        match self {
            Self::Rejected(rejection) => with(rejection),
            Self::Unavailable(unavailable) => unavailable.into(),
        }
    }
}
