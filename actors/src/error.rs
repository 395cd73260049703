//! Why the system may say «not now»: never the caller's fault, always worth another try unless it says otherwise.

use std::time::Duration;

use crate::store::ReadError;

/// Why something cannot be done now.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unavailable {
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
    #[error("the request was interrupted and may or may not have been carried out; repeating it is safe")]
    Interrupted,
    /// Something that was stored cannot be read back.
    #[error(transparent)]
    Damaged(#[from] ReadError),
}

impl Unavailable {
    /// After how long another try makes sense.
    #[must_use]
    pub fn retry_after(&self) -> Duration {
        match self {
            Self::Busy | Self::Interrupted => Duration::from_secs(1),
            Self::DiskFull | Self::Stopping => Duration::from_secs(5),
            Self::Damaged(_) => Duration::from_secs(60),
        }
    }
}

/// The answer to a command: the reply, the caller's mistake, or «not now».
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused<R: std::error::Error> {
    /// The rules forbid it.
    #[error("{0}")]
    Rejected(R),
    /// Not now.
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
}
