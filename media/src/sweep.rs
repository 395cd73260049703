//! Unsent files are removed after a while: one directory of the 256 at a time, a bounded number of files each.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, UNIX_EPOCH};

use switchboard_actors::System;
use switchboard_actors::domain::id::MediaId;
use switchboard_actors::domain::time::UnixMillis;

use super::{Inner, MediaStore, blocking};

/// The interval between sweeps of one directory; all of them are swept within four and a half hours.
const EVERY: Duration = Duration::from_secs(60);
/// The largest number of files of one directory that go at once.
const REMOVED_MAX: usize = 1_000;

impl MediaStore {
    /// Removes unsent files until the task is aborted.
    pub async fn sweep(self, system: System) {
        let mut every = tokio::time::interval(EVERY);
        for shard in (0..=u8::MAX).cycle() {
            every.tick().await;
            match self.sweep_shard(shard, system.now()).await {
                Ok(0) => {}
                Ok(gone) => tracing::info!(gone, "removed uploads that were not sent in time"),
                Err(error) => {
                    tracing::warn!(%error, "cannot remove uploads that were not sent in time")
                }
            }
        }
    }

    /// Removes the old unsent files of one directory, and returns how many.
    pub(super) async fn sweep_shard(&self, shard: u8, now: UnixMillis) -> io::Result<usize> {
        let inner = Arc::clone(&self.0);
        blocking(move || sweep(&inner, shard, now)).await
    }
}

fn sweep(inner: &Inner, shard: u8, now: UnixMillis) -> io::Result<usize> {
    let entries = match fs::read_dir(inner.place.shard(shard)) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(error),
    };
    let mut count = 0;
    let mut ids = BTreeSet::new();
    for entry in entries {
        let path = entry?.path();
        let id = path.file_stem().and_then(|stem| stem.to_str());
        let Some(id) = id.and_then(|stem| stem.split('.').next()?.parse::<MediaId>().ok()) else {
            continue;
        };
        if !ids.insert(id) || inner.place.is_kept(id) {
            continue;
        }
        // Another thread may mark the file as kept at this moment: it holds this lock as well.
        let mut unsent = inner.unsent.lock().unwrap_or_else(PoisonError::into_inner);
        let about = match inner.place.about(id) {
            // For a person to look at, and for a backup to put right.
            Err(error) if error.kind() == io::ErrorKind::InvalidData => continue,
            about => about?,
        };
        let since = match &about {
            Some(about) => about.at,
            None => written(&path).unwrap_or(now),
        };
        let old = since.plus(inner.limits.unsent_age) < now;
        if old && !inner.place.is_kept(id) && !inner.is_kept_elsewhere(id)? {
            inner.unshare(id)?;
            inner.place.remove(id)?;
            if let Some(uploader) = about.and_then(|about| about.uploader()) {
                unsent.give_back(uploader);
            }
            count += 1;
            if count >= REMOVED_MAX {
                break;
            }
        }
    }
    Ok(count)
}

/// Returns the time of a file's last change.
fn written(path: &Path) -> Option<UnixMillis> {
    let modified = fs::metadata(path).ok()?.modified().ok()?;
    let since = modified.duration_since(UNIX_EPOCH).ok()?;
    Some(UnixMillis::new(u64::try_from(since.as_millis()).ok()?))
}
