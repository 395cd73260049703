//! Connections that go on from one round of the service to the next. The process keeps them meanwhile, with what their clients
//! have sent: a client gets an answer as long as it does not know that its connection is closed.

use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The connections that the process keeps. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct KeptConnections(Arc<Kept>);

#[derive(Debug, Default)]
struct Kept {
    is_open: AtomicBool,
    connections: Mutex<Vec<KeptConnection>>,
}

/// A connection on which no request is in progress.
#[derive(Debug)]
pub struct KeptConnection {
    pub(crate) stream: TcpStream,
    /// The bytes of the next request that have been read.
    pub(crate) read: Vec<u8>,
    /// True when an earlier round has had it.
    pub(crate) is_kept: bool,
}

impl KeptConnection {
    /// Returns the bytes of the next request that have been read.
    pub fn read(&self) -> &[u8] {
        &self.read
    }
}

impl KeptConnections {
    /// A round ends, and another one follows: connections are kept from now on once no request is in progress on them.
    pub fn open(&self) {
        self.0.is_open.store(true, Ordering::Release);
    }

    /// Returns whether connections are kept now.
    pub(crate) fn are_wanted(&self) -> bool {
        self.0.is_open.load(Ordering::Acquire)
    }

    pub(crate) fn keep(&self, connection: KeptConnection) {
        self.connections().push(connection);
    }

    /// The connections for the next round. Further ones are not kept.
    pub fn take(&self) -> Vec<KeptConnection> {
        self.0.is_open.store(false, Ordering::Release);
        std::mem::take(&mut *self.connections())
    }

    /// The number of connections that wait for the next round.
    pub fn count(&self) -> usize {
        self.connections().len()
    }

    fn connections(&self) -> MutexGuard<'_, Vec<KeptConnection>> {
        let connections = self.0.connections.lock();
        connections.unwrap_or_else(PoisonError::into_inner)
    }
}
