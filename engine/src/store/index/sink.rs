//! The sink of the committer: the index takes each batch first, then listeners get its notices.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use super::Index;
use super::config::Listener;
use crate::store::{Batch, CommitSink, Notice};

/// Adds every batch to the index, and passes its notices to listeners. Clones share it.
pub struct Indexing<N> {
    index: Index,
    listeners: Listeners<N>,
}

type Listeners<N> = Arc<RwLock<Vec<Arc<dyn Listener<N>>>>>;

impl<N> Indexing<N> {
    /// A sink without listeners.
    #[must_use]
    pub fn new(index: Index) -> Self {
        Self {
            index,
            listeners: Arc::default(),
        }
    }

    /// Passes all notices to this listener from now on.
    pub fn listen(&self, listener: Arc<dyn Listener<N>>) {
        let listeners = self.listeners.write();
        listeners
            .unwrap_or_else(PoisonError::into_inner)
            .push(listener);
    }
}

impl<N> Clone for Indexing<N> {
    fn clone(&self) -> Self {
        Self {
            index: self.index.clone(),
            listeners: Arc::clone(&self.listeners),
        }
    }
}

impl<N: Notice> CommitSink<N> for Indexing<N> {
    fn committed(&self, batch: Batch<N>) {
        self.index.add(batch.records, || {
            if !batch.notices.is_empty() {
                let listeners = self.listeners.read();
                for listener in listeners.unwrap_or_else(PoisonError::into_inner).iter() {
                    listener.committed(&batch.notices);
                }
            }
        });
    }
}

impl<N> fmt::Debug for Indexing<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Indexing")
            .field("index", &self.index)
            .finish_non_exhaustive()
    }
}
