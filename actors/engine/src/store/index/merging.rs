//! Tidying up behind a checkpoint: runs of similar size become one, and files that no manifest names are removed.

use std::ops::Range;
use std::sync::atomic::Ordering;

use super::breath::Breath;
use super::checkpoint::names_of;
use super::core::Core;
use super::failure::Failure;
use super::manifest::Manifest;
use super::view::View;

/// While somebody waits for the checkpoint, row runs that take more than this are left for another one.
const WAITED_FOR_BYTES: u64 = 64 * 1024 * 1024;
/// So much of the disk a merge leaves to others, the journal among them ...
const RESERVED_BYTES: u64 = 512 * 1024 * 1024;
/// ... unless it takes no more than this.
const LITTLE_BYTES: u64 = 16 * 1024 * 1024;

impl Core {
    /// Merges what is due, and removes what is left over. After a failure nothing is removed: the manifest on disk may
    /// be the one that could not be put into force.
    pub(super) fn tidy(
        &self,
        manifest: &mut Manifest,
        breath: &mut Breath<'_>,
    ) -> Result<(), Failure> {
        self.merge_keys(manifest, breath)?;
        self.merge_rows(manifest, breath)?;
        self.remove_dead_files(manifest)
    }

    /// Removes runs that no manifest names any more.
    pub(super) fn remove_dead_files(&self, manifest: &Manifest) -> Result<(), Failure> {
        let disk = &self.config.disk;
        let names = disk.names().map_err(|error| Failure::io("names", &error))?;
        for name in names.iter().filter(|name| manifest.leaves_out(name)) {
            disk.remove(name)
                .map_err(|error| Failure::io(name, &error))?;
        }
        Ok(())
    }

    fn merge_keys(&self, manifest: &mut Manifest, breath: &mut Breath<'_>) -> Result<(), Failure> {
        let disk = self.config.disk.as_ref();
        while let Some(group) = self.view().runs.due() {
            let merged = self.view().runs.merged(disk, group, breath);
            let Some(runs) = merged.map_err(|error| Failure::io("a run", &error))? else {
                break;
            };
            let mut next = manifest.clone();
            next.runs = names_of(&runs);
            self.put_into_force(manifest, next)?;
            self.change_view(|view| View {
                runs,
                ..view.clone()
            });
            self.counts.merges.fetch_add(1, Ordering::AcqRel);
        }
        Ok(())
    }

    fn merge_rows(&self, manifest: &mut Manifest, breath: &mut Breath<'_>) -> Result<(), Failure> {
        let prefixes = self.config.schema.prefixes();
        let disk = self.config.disk.as_ref();
        while let Some(group) = self.view().rows.due() {
            if !self.is_room_for(&group)? {
                break;
            }
            let number = self.run_numbers.next();
            let rows = self
                .view()
                .rows
                .merged(disk, prefixes, group, number, breath)?;
            let mut next = manifest.clone();
            next.rows = rows.numbers();
            self.put_into_force(manifest, next)?;
            self.change_view(|view| View {
                rows,
                ..view.clone()
            });
            self.counts.merges.fetch_add(1, Ordering::AcqRel);
        }
        Ok(())
    }

    /// Whether there is time and disk for the merge of these row runs, which are there until it is done.
    fn is_room_for(&self, group: &Range<usize>) -> Result<bool, Failure> {
        let free = self.config.disk.free_bytes();
        let free = free.map_err(|error| Failure::io("the disk", &error))?;
        let bytes = self.view().rows.bytes(group);
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

    #[test]
    fn a_merge_leaves_room_on_the_disk_and_a_long_one_waits_for_a_quiet_moment() {
        const MIB: u64 = 1024 * 1024;
        assert!(is_room(10 * MIB, 20 * MIB, true));
        assert!(!is_room(60 * MIB, 560 * MIB, true));
        assert!(is_room(60 * MIB, 600 * MIB, true));
        assert!(!is_room(700 * MIB, u64::MAX, true));
        assert!(is_room(700 * MIB, 2_000 * MIB, false));
        assert!(!is_room(u64::MAX, u64::MAX, false));
    }
}
