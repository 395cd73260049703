//! The manifest: which runs are in force and from where the journal is replayed.
//!
//! A small file that is replaced as a whole. Files that are written before it count only once it names them, so a
//! checkpoint that is cut short at any point leaves the former one in force.

use std::io;

use serde::{Deserialize, Serialize};

use super::rebuild_mark::ASIDE;
use super::record_location::RecordLocation;
use super::sorted_run::id::{RunId, is_run};
use crate::store::disk::{self, Disk};
use crate::store::identity::content::InstallationTag;
use crate::store::{Position, Seq};

/// Its file's name.
pub(super) const NAME: &str = "manifest";
const PASSING_NAME: &str = "manifest.new";
/// Written first and checked first. The number counts the forms that the index has had.
const HEADING: &str = "switchboard-index 4 ";
/// Longer files are not read: a manifest has at most a few hundred runs.
const BYTES_MAX: u64 = 1024 * 1024;

/// The parts of the index that are in force.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Manifest {
    /// The installation whose index this is.
    pub(super) installation: InstallationTag,
    /// The last record that everything, snapshots included, covers: the replay begins behind it.
    pub(super) applied: Option<RecordLocation>,
    /// The last record whose keys and rows are in runs and tables. May be ahead of `applied`: then snapshots in
    /// the tables may be ahead as well, up to here.
    pub(super) covered: Seq,
    /// The runs, newest first in each family.
    pub(super) runs: Vec<RunId>,
}

/// The manifest in its stored form.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ManifestForm {
    installation: InstallationTag,
    applied: Option<StoredPlace>,
    covered: u64,
    /// Their names.
    runs: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredPlace {
    seq: u64,
    segment: u32,
    offset: u32,
}

/// Returns whether this is the name of a manifest, in force or not.
pub(super) fn is_manifest(name: &str) -> bool {
    name == NAME || name == PASSING_NAME
}

impl Manifest {
    /// The last record that is covered in full; 0 before the first.
    pub(super) fn applied_seq(&self) -> Seq {
        self.applied.map_or(Seq(0), |place| place.seq)
    }

    /// The manifest of an index that has nothing yet.
    pub(super) fn empty(installation: InstallationTag) -> Self {
        Self {
            installation,
            ..Self::default()
        }
    }

    /// Reads the manifest; `None` when there is none yet. [`io::ErrorKind::InvalidData`] when it is damaged, or of another
    /// installation.
    pub(super) fn read(disk: &dyn Disk, installation: InstallationTag) -> io::Result<Option<Self>> {
        if !disk.names()?.iter().any(|name| name == NAME) {
            return Ok(None);
        }
        Self::read_file(disk, NAME, installation).map(Some)
    }

    /// Reads the manifest that is in this file. Errors as of [`Self::read`].
    pub(super) fn read_file(
        disk: &dyn Disk,
        name: &str,
        installation: InstallationTag,
    ) -> io::Result<Self> {
        let file = disk.open(name)?;
        let length = file.length()?;
        let mut bytes = vec![0; usize::try_from(length.min(BYTES_MAX)).unwrap_or(0)];
        let read = file.read_at(0, &mut bytes)?;
        bytes.truncate(read);
        let reason = "the manifest is damaged, or of another version";
        let damaged = || io::Error::new(io::ErrorKind::InvalidData, reason);
        let manifest = decode(&bytes).ok_or_else(damaged)?;
        manifest.installation.check(installation, "the manifest")?;
        Ok(manifest)
    }

    /// Puts the manifest into force.
    pub(super) fn write(&self, disk: &dyn Disk) -> io::Result<()> {
        let bytes = encode(self)?;
        let file = disk.open(PASSING_NAME)?;
        file.truncate(0)?;
        file.write_at(0, &bytes)?;
        disk::publish(disk, &*file, PASSING_NAME, NAME)
    }

    /// Returns whether a file of the index is neither the manifest nor named by it.
    pub(super) fn leaves_out(&self, name: &str) -> bool {
        let is_of_index = is_run(name) || name == PASSING_NAME;
        let is_named = self.runs.iter().any(|run| run.name() == name);
        is_of_index && !is_named && !name.contains(ASIDE)
    }
}

fn encode(manifest: &Manifest) -> io::Result<Vec<u8>> {
    let form = ManifestForm {
        installation: manifest.installation,
        applied: manifest.applied.map(|place| StoredPlace {
            seq: place.seq.0,
            segment: place.position.segment,
            offset: place.position.offset,
        }),
        covered: manifest.covered.0,
        runs: manifest.runs.iter().map(RunId::name).collect(),
    };
    let body = serde_json::to_string(&form)?;
    let crc = crc32fast::hash(body.as_bytes());
    Ok(format!("{HEADING}{crc:08x}\n{body}").into_bytes())
}

fn decode(bytes: &[u8]) -> Option<Manifest> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (crc, body) = text.strip_prefix(HEADING)?.split_once('\n')?;
    if u32::from_str_radix(crc, 16).ok()? != crc32fast::hash(body.as_bytes()) {
        return None;
    }
    let form: ManifestForm = serde_json::from_str(body).ok()?;
    let runs = form.runs.iter().map(|name| RunId::parse(name));
    Some(Manifest {
        installation: form.installation,
        applied: form.applied.map(|place| RecordLocation {
            seq: Seq(place.seq),
            position: Position {
                segment: place.segment,
                offset: place.offset,
            },
        }),
        covered: Seq(form.covered),
        runs: runs.collect::<Option<_>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::index::sorted_run::id::Family;

    const OWN: InstallationTag = InstallationTag::from_bytes([7; 8]);

    fn manifest() -> Manifest {
        Manifest {
            installation: OWN,
            applied: Some(RecordLocation {
                seq: Seq(9),
                position: Position {
                    segment: 2,
                    offset: 77,
                },
            }),
            covered: Seq(12),
            runs: vec![keys(8, 12), keys(3, 4), rows(9, 12), rows(2, 4)],
        }
    }

    fn keys(number: u64, last: u64) -> RunId {
        RunId {
            family: Family::Keys,
            number,
            last: Seq(last),
        }
    }

    fn rows(number: u64, last: u64) -> RunId {
        RunId {
            family: Family::Rows,
            ..keys(number, last)
        }
    }

    #[test]
    fn every_changed_byte_of_a_manifest_is_detected() {
        let bytes = encode(&manifest()).unwrap();
        assert_eq!(decode(&bytes), Some(manifest()));
        for index in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[index] ^= 1;
            assert_ne!(decode(&flipped), Some(manifest()), "byte {index}");
            assert_eq!(decode(&bytes[..index]), None, "cut at {index}");
        }
    }

    #[test]
    fn a_damaged_manifest_is_distinguished_from_a_missing_one() {
        let disk = crate::store::disk::memory::MemoryDisk::default();
        let reason = |bytes: &[u8]| {
            let file = disk.open(NAME).unwrap();
            file.truncate(0).unwrap();
            file.write_at(0, bytes).unwrap();
            let error = Manifest::read(&disk, OWN).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidData);
            error.to_string()
        };
        assert_eq!(Manifest::read(&disk, OWN).unwrap(), None);
        assert!(reason(b"switchboard-index 4 00000000\n{}").contains("damaged"));
        assert!(reason(b"").contains("damaged"));
        let older = String::from_utf8(encode(&manifest()).unwrap())
            .unwrap()
            .replacen("index 4", "index 3", 1);
        assert!(reason(older.as_bytes()).contains("of another version"));
        let foreign_manifest = Manifest {
            installation: InstallationTag::from_bytes([8; 8]),
            ..manifest()
        };
        let bytes = encode(&foreign_manifest).unwrap();
        assert!(reason(&bytes).contains("different installations"));
    }

    /// Only sorted runs and temporary files that the manifest does not list count as left over.
    #[test]
    fn only_unlisted_runs_and_temporary_files_are_left_over() {
        let manifest = manifest();
        for run in &manifest.runs {
            assert!(!manifest.leaves_out(&run.name()));
            assert!(manifest.leaves_out(&format!("{}.new", run.name())));
        }
        for run in [keys(9, 12), rows(8, 12), keys(8, 11)] {
            assert!(manifest.leaves_out(&run.name()));
        }
        assert!(manifest.leaves_out("manifest.new"));
        for other in ["manifest", "journal-00000001", "keys-1-2.damaged-1", "lock"] {
            assert!(!manifest.leaves_out(other), "{other}");
        }
    }
}
