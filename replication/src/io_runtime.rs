//! A runtime with one thread for the requests of a client whose callers block.

use std::future::Future;
use std::io;

use tokio::runtime::{Builder, Handle, Runtime};

/// The runtime. Callers wait for it on threads that run no tasks. It ends beside the thread that drops it, which may be one of
/// another runtime.
#[derive(Debug)]
pub(crate) struct IoRuntime {
    handle: Handle,
    runtime: Option<Runtime>,
}

impl Drop for IoRuntime {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl IoRuntime {
    /// Starts its thread, with this name.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub(crate) fn start(name: &str) -> io::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name(name)
            .enable_all()
            .build()?;
        Ok(Self {
            handle: runtime.handle().clone(),
            runtime: Some(runtime),
        })
    }

    /// Waits for this work.
    pub(crate) fn block_on<T>(&self, work: impl Future<Output = T>) -> T {
        self.handle.block_on(work)
    }
}
