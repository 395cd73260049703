//! The bounds that an index on disk sets to the journal: it has seen only records that were on disk, so each record
//! that a part of it names was there. That stays true of parts that are damaged, moved aside or to be rebuilt.

use std::io;

use super::manifest::{self, Manifest};
use super::rebuild_mark::{ASIDE, REBUILD_MARK};
use super::sorted_run;
use super::sorted_run::id::RunId;
use crate::store::disk::Disk;
use crate::store::identity::content::{self, InstallationTag};
use crate::store::recovery::RecoveryBounds;

/// Reads manifests, and names and footers of runs. Those of another installation say nothing about this journal.
pub(super) fn known(disk: &dyn Disk) -> io::Result<RecoveryBounds> {
    let names = disk.names()?;
    let is_marked = names.iter().any(|name| name == REBUILD_MARK);
    let installation = content::tag_on(disk)?;
    let mut bounds = RecoveryBounds::default();
    for name in &names {
        let plain = name
            .split_once(ASIDE)
            .map_or(name.as_str(), |(plain, _)| plain);
        if plain == manifest::NAME {
            let Some(manifest) = readable(disk, name, installation)? else {
                continue;
            };
            bounds.proven = bounds.proven.max(manifest.covered);
            if let Some(place) = manifest.applied {
                bounds.proven = bounds.proven.max(place.seq);
                if plain == name && !is_marked {
                    bounds.from = Some((place.position, place.seq));
                }
            }
        } else if let Some(run) = RunId::parse(plain)
            && !sorted_run::is_foreign(disk, name, installation)?
        {
            bounds.proven = bounds.proven.max(run.last);
        }
    }
    Ok(bounds)
}

fn readable(
    disk: &dyn Disk,
    name: &str,
    installation: InstallationTag,
) -> io::Result<Option<Manifest>> {
    match Manifest::read_file(disk, name, installation) {
        Ok(manifest) => Ok(Some(manifest)),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::disk::memory::MemoryDisk;
    use crate::store::index::record_location::RecordLocation;
    use crate::store::index::sorted_run::id::Family;
    use crate::store::{Position, Seq};

    fn disk(applied: u64, covered: u64) -> MemoryDisk {
        let disk = MemoryDisk::default();
        let position = Position {
            segment: 2,
            offset: 77,
        };
        let manifest = Manifest {
            applied: Some(RecordLocation {
                seq: Seq(applied),
                position,
            }),
            covered: Seq(covered),
            ..Manifest::default()
        };
        manifest.write(&disk).unwrap();
        disk
    }

    /// The part of the journal that a manifest has seen is known even when the index is about to be rebuilt or was moved aside.
    #[test]
    fn the_manifest_bounds_the_journal_even_before_a_rebuild() {
        let disk = disk(9, 12);
        let bounds = super::known(&disk).unwrap();
        assert_eq!(bounds.from.map(|(_, seq)| seq), Some(Seq(9)));
        assert_eq!(bounds.proven, Seq(12));
        disk.open(REBUILD_MARK).unwrap();
        let proven_alone = RecoveryBounds {
            from: None,
            proven: Seq(12),
        };
        assert_eq!(super::known(&disk).unwrap(), proven_alone);
        disk.remove(REBUILD_MARK).unwrap();
        let aside = format!("{}{ASIDE}1", manifest::NAME);
        disk.rename(manifest::NAME, &aside).unwrap();
        assert_eq!(super::known(&disk).unwrap(), proven_alone);
    }

    /// The names of the sorted runs say how far the journal has to reach, if the manifest is damaged or missing.
    #[test]
    fn run_names_bound_the_journal_without_a_sound_manifest() {
        let disk = disk(9, 12);
        let run = |number, last| RunId {
            family: Family::Rows,
            number,
            last: Seq(last),
        };
        let unfinished = format!("{}.new", run(6, 99).name());
        let run = run(5, 40).name();
        for name in [&run, &unfinished, "rows-of-somebody"] {
            disk.open(name).unwrap();
        }
        let manifest = disk.open(manifest::NAME).unwrap();
        manifest.truncate(20).unwrap();
        let bounds = super::known(&disk).unwrap();
        assert_eq!((bounds.from, bounds.proven), (None, Seq(40)));
        disk.remove(manifest::NAME).unwrap();
        assert_eq!(super::known(&disk).unwrap().proven, Seq(40));
        disk.rename(&run, &format!("{run}{ASIDE}3")).unwrap();
        assert_eq!(super::known(&disk).unwrap().proven, Seq(40));
        assert_eq!(
            super::known(&MemoryDisk::default()).unwrap(),
            RecoveryBounds::default()
        );
    }
}
