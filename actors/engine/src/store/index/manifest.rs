//! The manifest: which runs are in force and from where the journal is replayed.
//!
//! A small file that is replaced as a whole. Whatever is written before it counts for nothing until it names
//! it, so a checkpoint that is cut short at any point leaves the former one in force.

use std::io;

use serde::{Deserialize, Serialize};

use super::place::Place;
use super::row_run;
use super::run::file_name;
use crate::store::disk::Disk;
use crate::store::{Position, Seq};

/// Its file's name.
pub(super) const NAME: &str = "manifest";
const PASSING_NAME: &str = "manifest.new";
/// Written first and checked first.
const HEADING: &str = "switchboard-index ";
/// Longer files are not read: a manifest has at most a few hundred runs.
const BYTES_MAX: u64 = 1024 * 1024;

/// What the index is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Manifest {
    /// The last record that everything, snapshots included, covers: the replay begins behind it.
    pub(super) applied: Option<Place>,
    /// The last record whose keys and rows are in runs and tables. May be ahead of `applied`: then snapshots in
    /// the tables may be ahead as well, up to here.
    pub(super) covered: Seq,
    /// First and last record of each run, newest first.
    pub(super) runs: Vec<(Seq, Seq)>,
    /// The number of each row run, newest first.
    pub(super) rows: Vec<u64>,
}

/// The manifest in its stored form.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    applied: Option<StoredPlace>,
    covered: u64,
    runs: Vec<(u64, u64)>,
    rows: Vec<u64>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredPlace {
    seq: u64,
    segment: u32,
    offset: u32,
}

impl Manifest {
    /// The last record that is covered in full; 0 before the first.
    pub(super) fn applied_seq(&self) -> Seq {
        self.applied.map_or(Seq(0), |place| place.seq)
    }

    /// Reads the manifest; `None` when there is none yet. [`io::ErrorKind::InvalidData`] when it is damaged.
    pub(super) fn read(disk: &dyn Disk) -> io::Result<Option<Self>> {
        if !disk.names()?.iter().any(|name| name == NAME) {
            return Ok(None);
        }
        Self::read_file(disk, NAME).map(Some)
    }

    /// Reads the manifest that is in this file. [`io::ErrorKind::InvalidData`] when it is damaged.
    pub(super) fn read_file(disk: &dyn Disk, name: &str) -> io::Result<Self> {
        let file = disk.open(name)?;
        let length = file.length()?;
        let mut bytes = vec![0; usize::try_from(length.min(BYTES_MAX)).unwrap_or(0)];
        let read = file.read_at(0, &mut bytes)?;
        bytes.truncate(read);
        let damaged = || io::Error::new(io::ErrorKind::InvalidData, "the manifest is damaged");
        decode(&bytes).ok_or_else(damaged)
    }

    /// Puts the manifest into force.
    pub(super) fn write(&self, disk: &dyn Disk) -> io::Result<()> {
        let bytes = encode(self)?;
        let file = disk.open(PASSING_NAME)?;
        file.truncate(0)?;
        file.write_at(0, &bytes)?;
        file.sync()?;
        disk.rename(PASSING_NAME, NAME)?;
        disk.sync_names()
    }

    /// Whether a file of the index is neither the manifest nor named by it.
    pub(super) fn leaves_out(&self, name: &str) -> bool {
        let passing = name.ends_with(".new");
        let is_run = name.starts_with("run-") || name.starts_with(row_run::PREFIX);
        if name.contains(".damaged-") || !(is_run || name == PASSING_NAME) {
            return false;
        }
        let is_named = self
            .runs
            .iter()
            .any(|(first, last)| file_name(*first, *last) == name)
            || self
                .rows
                .iter()
                .any(|number| row_run::file_name(*number) == name);
        passing || !is_named
    }
}

fn encode(manifest: &Manifest) -> io::Result<Vec<u8>> {
    let stored = Stored {
        applied: manifest.applied.map(|place| StoredPlace {
            seq: place.seq.0,
            segment: place.position.segment,
            offset: place.position.offset,
        }),
        covered: manifest.covered.0,
        runs: manifest
            .runs
            .iter()
            .map(|(first, last)| (first.0, last.0))
            .collect(),
        rows: manifest.rows.clone(),
    };
    let body = serde_json::to_string(&stored)?;
    let crc = crc32fast::hash(body.as_bytes());
    Ok(format!("{HEADING}{crc:08x}\n{body}").into_bytes())
}

fn decode(bytes: &[u8]) -> Option<Manifest> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (crc, body) = text.strip_prefix(HEADING)?.split_once('\n')?;
    if u32::from_str_radix(crc, 16).ok()? != crc32fast::hash(body.as_bytes()) {
        return None;
    }
    let stored: Stored = serde_json::from_str(body).ok()?;
    Some(Manifest {
        applied: stored.applied.map(|place| Place {
            seq: Seq(place.seq),
            position: Position {
                segment: place.segment,
                offset: place.offset,
            },
        }),
        covered: Seq(stored.covered),
        runs: stored
            .runs
            .into_iter()
            .map(|(first, last)| (Seq(first), Seq(last)))
            .collect(),
        rows: stored.rows,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        Manifest {
            applied: Some(Place {
                seq: Seq(9),
                position: Position {
                    segment: 2,
                    offset: 77,
                },
            }),
            covered: Seq(12),
            runs: vec![(Seq(5), Seq(12)), (Seq(1), Seq(4))],
            rows: vec![7, 9, 2],
        }
    }

    #[test]
    fn every_changed_byte_of_a_manifest_is_noticed() {
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
    fn a_damaged_manifest_is_told_from_one_that_is_not_there() {
        let disk = crate::store::disk::memory::MemoryDisk::default();
        let reason = |bytes: &[u8]| {
            let file = disk.open(NAME).unwrap();
            file.truncate(0).unwrap();
            file.write_at(0, bytes).unwrap();
            let error = Manifest::read(&disk).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidData);
            error.to_string()
        };
        assert_eq!(Manifest::read(&disk).unwrap(), None);
        assert!(reason(b"switchboard-index 00000000\n{}").contains("damaged"));
        assert!(reason(b"").contains("damaged"));
    }

    #[test]
    fn only_runs_and_passing_names_that_it_does_not_name_are_left_out() {
        let manifest = manifest();
        assert!(!manifest.leaves_out(&file_name(Seq(5), Seq(12))));
        assert!(manifest.leaves_out(&file_name(Seq(5), Seq(11))));
        assert!(manifest.leaves_out(&format!("{}.new", file_name(Seq(5), Seq(12)))));
        assert!(manifest.leaves_out("manifest.new"));
        assert!(!manifest.leaves_out(&row_run::file_name(9)));
        assert!(manifest.leaves_out(&row_run::file_name(8)));
        assert!(manifest.leaves_out(&format!("{}.new", row_run::file_name(9))));
        for other in ["manifest", "journal-00000001", "run-1-2.damaged-1", "lock"] {
            assert!(!manifest.leaves_out(other), "{other}");
        }
    }
}
