//! Counts the callbacks queued at the start, and the scopes that they belong to.

use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::Duration;

use crate::shared::Kernel;
use crate::shared::admission::Admission;
use crate::shared::hook_version::version_of;
use switchboard_domain::id::ScopeId;
use switchboard_domain::tables;
use switchboard_engine::store::ReadError;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};

/// The number of rows that are counted while commits wait: about a millisecond.
const ROWS: usize = 2_048;
/// The pause between two such pieces.
const PAUSE: Duration = Duration::from_micros(200);

impl Admission {
    /// Notes the callback version of the scope: a new one, or its first one.
    pub fn moved(&self, kernel: &Kernel, scope: &ScopeId) {
        if let Some(version) = version_of(kernel, scope) {
            self.counts().speaks(scope, version);
        }
    }

    /// Counts the queued callbacks on a thread of its own: only commands that queue a callback wait for it.
    pub fn count_in_background(kernel: &Kernel) -> std::io::Result<JoinHandle<()>> {
        let kernel = kernel.clone();
        std::thread::Builder::new()
            .name("queue-count".to_owned())
            .spawn(move || Self::count(&kernel))
    }

    /// Counts what is queued.
    pub fn count(kernel: &Kernel) {
        if let Err(error) = Self::try_count(kernel) {
            tracing::error!(%error, "the queue of callbacks cannot be counted; quotas count only what comes from now on");
        }
        kernel.shared.admission.counts().all_counted();
        let mute = kernel.shared.admission.counts().mute_scopes();
        for scope in mute {
            if kernel.shared.admission.stopped.load(Ordering::Relaxed) {
                return;
            }
            kernel.shared.admission.moved(kernel, &scope);
        }
        kernel.shared.admission.counted.send_replace(true);
    }

    fn try_count(kernel: &Kernel) -> Result<(), ReadError> {
        let mut range = KeyRange::all();
        while !kernel.shared.admission.stopped.load(Ordering::Relaxed) {
            let last = kernel.index.with_commits_paused(|| {
                let rows = kernel
                    .index
                    .scan(tables::QUEUED, &range, ScanOrder::Ascending, ROWS)?;
                let last = rows.last().map(|(key, _)| key.clone());
                let mut counts = kernel.shared.admission.counts();
                counts.counted(rows.into_iter().map(|(key, _)| key));
                if last.is_none() {
                    counts.all_counted();
                }
                Ok::<_, ReadError>(last)
            })?;
            match last {
                Some(last) => range = range.behind(last, ScanOrder::Ascending),
                None => break,
            }
            // A waiting commit must get its turn between two pieces; on one thread no commit can wait.
            if !kernel.shared.config.threads.is_one() {
                std::thread::sleep(PAUSE);
            }
        }
        Ok(())
    }
}
