//! Lets commands in until the system stops, and knows when the last one has gone.

use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::{RwLock, RwLockReadGuard};
use tokio::time::{Instant, timeout_at};

use crate::error::Unavailable;

/// Lets commands in until it is closed. A command holds its pass until it is answered.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    closed: AtomicBool,
    /// Every command reads; who closes the gate wants to write, and gets to when all have gone.
    inside: RwLock<()>,
}

impl Gate {
    /// Lets a command in.
    pub(crate) fn enter(&self) -> Result<RwLockReadGuard<'_, ()>, Unavailable> {
        if self.closed.load(Ordering::Acquire) {
            return Err(Unavailable::Stopping);
        }
        match self.inside.try_read() {
            Ok(pass) => Ok(pass),
            Err(_being_closed) => Err(Unavailable::Stopping),
        }
    }

    /// Lets nobody in any more, and waits until all who are inside have gone, at most until `deadline`. Returns whether
    /// they have.
    pub(crate) async fn close(&self, deadline: Instant) -> bool {
        self.closed.store(true, Ordering::Release);
        timeout_at(deadline, self.inside.write()).await.is_ok()
    }
}
