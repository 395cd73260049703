//! Checkpoints of a replay on a thread of their own: the replay goes on meanwhile, so that a rebuild uses two cores.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

use crate::store::index::config::Checkpoints;
use crate::store::index::core::Core;
use crate::store::index::error::IndexError;
use crate::store::index::overlay::Overlay;
use crate::store::index::throttle::BackgroundThrottle;

/// Writes checkpoints while a replay goes on. Memory stays bounded: the replay waits for one before it wants the next.
pub(super) struct CheckpointsAside<'c> {
    core: &'c Core,
    /// Takes an order for a checkpoint, and gives what became of it; `None`: they are written by the replay itself.
    thread: Option<(SyncSender<()>, Receiver<Result<(), IndexError>>)>,
    /// The replayed records of the checkpoint that is being written.
    writing: Option<Arc<Overlay>>,
}

impl CheckpointsAside<'_> {
    /// Runs a replay, and waits for the checkpoint that is being written at its end.
    pub(super) fn during(
        core: &Core,
        replay: impl FnOnce(&mut CheckpointsAside<'_>) -> Result<(), IndexError>,
    ) -> Result<(), IndexError> {
        if core.config.checkpoints == Checkpoints::Inline {
            let mut inline = CheckpointsAside {
                core,
                thread: None,
                writing: None,
            };
            return replay(&mut inline);
        }
        thread::scope(|threads| {
            let (order, orders) = mpsc::sync_channel::<()>(1);
            let (report, reports) = mpsc::sync_channel(1);
            thread::Builder::new()
                .name("replay-checkpoint".to_owned())
                .spawn_scoped(threads, move || {
                    while orders.recv().is_ok() {
                        let result = core.try_checkpoint(&mut BackgroundThrottle::none());
                        if report.send(result).is_err() {
                            return;
                        }
                    }
                })
                .map_err(|error| IndexError::io("a thread", &error))?;
            let mut aside = CheckpointsAside {
                core,
                thread: Some((order, reports)),
                writing: None,
            };
            replay(&mut aside)?;
            aside.settle()
        })
    }

    /// Has a checkpoint written of what was replayed so far. Ends when its thread is about to begin.
    pub(super) fn write(&mut self) -> Result<(), IndexError> {
        let Some((order, reports)) = &self.thread else {
            return self.core.try_checkpoint(&mut BackgroundThrottle::none());
        };
        if let Some(writing) = self.writing.take() {
            // The thread has not begun as long as the memtable is still the same one.
            let has_begun = !Arc::ptr_eq(&writing, &self.core.view().current);
            let report = match (reports.try_recv(), has_begun) {
                (Ok(report), _) => report,
                (Err(_still_writing), true) => reports.recv().unwrap_or(Ok(())),
                (Err(_not_begun), false) => {
                    self.writing = Some(writing);
                    return Ok(());
                }
            };
            report?;
            if !self.core.is_overdue() {
                return Ok(());
            }
        }
        let current = Arc::clone(&self.core.view().current);
        // Its thread ends behind this only.
        self.writing = order.send(()).is_ok().then_some(current);
        Ok(())
    }

    /// Waits for the checkpoint that is being written.
    fn settle(&mut self) -> Result<(), IndexError> {
        match (self.writing.take(), &self.thread) {
            // A panic in its thread ends the replay as well.
            (Some(_), Some((_, reports))) => reports.recv().unwrap_or(Ok(())),
            (None, _) | (_, None) => Ok(()),
        }
    }
}
