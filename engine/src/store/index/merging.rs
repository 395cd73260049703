//! Tidying up behind a checkpoint: runs of similar size become one, and files that no manifest names are removed.

use std::ops::Range;
use std::sync::atomic::Ordering;

use super::core::Core;
use super::error::IndexError;
use super::manifest::Manifest;
use super::sorted_run::id::Family;
use super::throttle::BackgroundThrottle;
use super::view::View;

/// While a caller waits for the checkpoint, a merge of more bytes than this is left for a later one.
const WAITED_FOR_BYTES: u64 = 64 * 1024 * 1024;
/// A merge leaves so much of the disk to others, the journal among them.
const RESERVED_BYTES: u64 = 512 * 1024 * 1024;
/// A merge of at most this size needs no reserve.
const LITTLE_BYTES: u64 = 16 * 1024 * 1024;

impl Core {
    /// Merges what is due, and removes what is left over. After a failure nothing is removed: the manifest on disk may
    /// be the one that could not be put into force.
    pub(super) fn tidy(
        &self,
        manifest: &mut Manifest,
        throttle: &mut BackgroundThrottle<'_>,
    ) -> Result<(), IndexError> {
        for family in Family::ALL {
            self.merge(family, manifest, throttle)?;
        }
        self.remove_dead_files(manifest)
    }

    /// Removes runs that no manifest names any more.
    pub(super) fn remove_dead_files(&self, manifest: &Manifest) -> Result<(), IndexError> {
        let disk = &self.config.disk;
        let names = disk
            .names()
            .map_err(|error| IndexError::io("names", &error))?;
        for name in names.iter().filter(|name| manifest.leaves_out(name)) {
            disk.remove(name)
                .map_err(|error| IndexError::io(name, &error))?;
        }
        Ok(())
    }

    fn merge(
        &self,
        family: Family,
        manifest: &mut Manifest,
        throttle: &mut BackgroundThrottle<'_>,
    ) -> Result<(), IndexError> {
        while let Some(group) = self.view().runs.due(family) {
            if !self.is_room_for(family, &group)? {
                break;
            }
            let target = self.run_target();
            let runs = (self.view().runs).merged(target, family, group, throttle)?;
            let mut next = manifest.clone();
            next.runs = runs.ids();
            self.install(manifest, next)?;
            self.change_view(|view| View {
                runs,
                ..view.clone()
            });
            self.counts.merges.fetch_add(1, Ordering::AcqRel);
        }
        Ok(())
    }

    /// Returns whether there is time and disk space for the merge of these runs, which are there until it is done.
    fn is_room_for(&self, family: Family, group: &Range<usize>) -> Result<bool, IndexError> {
        let free = self
            .config
            .disk
            .free_bytes()
            .map_err(|error| IndexError::io("the disk", &error))?;
        let bytes = self.view().runs.bytes(family, group);
        Ok(is_room(bytes, free, self.is_waited_for()))
    }
}

fn is_room(bytes: u64, free: u64, is_waited_for: bool) -> bool {
    let takes_long = bytes > WAITED_FOR_BYTES && is_waited_for;
    let fits = bytes <= LITTLE_BYTES || free > bytes.saturating_add(RESERVED_BYTES);
    fits && !takes_long
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A merge leaves room on the disk, and a long one waits until the load is low.
    #[test]
    fn a_merge_leaves_disk_space_and_a_long_one_waits_for_low_load() {
        const MIB: u64 = 1024 * 1024;
        assert!(is_room(10 * MIB, 20 * MIB, true));
        assert!(!is_room(60 * MIB, 560 * MIB, true));
        assert!(is_room(60 * MIB, 600 * MIB, true));
        assert!(!is_room(700 * MIB, u64::MAX, true));
        assert!(is_room(700 * MIB, 2_000 * MIB, false));
        assert!(!is_room(u64::MAX, u64::MAX, false));
    }
}
