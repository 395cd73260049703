//! Reads everything that the index has on disk, for [`verify`](crate::store::verify): a start reads its heads only.

use std::collections::BTreeMap;
use std::io;

use super::failure::Failure;
use super::fold::Folders;
use super::manifest::Manifest;
pub(in crate::store) use super::open::REBUILD_MARK;
use super::open::check_tables;
use super::run::{BLOCK_BYTES, Run, block_offset, decode, file_name};
use super::snapshot::{self, SnapshotError};
use crate::domain::index::Table;
use crate::store::disk::Disk;
use crate::store::segment::FIRST_OFFSET;
use crate::store::tables::{KeyRange, Order, Tables, TablesError, TablesHome};
use crate::store::verify::{Damage, FileReport, REBUILD, State};
use crate::store::{Position, Seq};

/// Rows are read in pages of this size.
const PAGE_ROWS: usize = 1000;
const MANIFEST: &str = "manifest";
const TABLES: &str = "tables";

/// What the manifest says, if it is there and can be read.
pub(in crate::store) struct Stored {
    manifest: Result<Option<Manifest>, String>,
    marked: bool,
}

/// Reads the manifest.
pub(in crate::store) fn manifest(disk: &dyn Disk) -> io::Result<Stored> {
    let marked = disk.names()?.iter().any(|name| name == REBUILD_MARK);
    let manifest = match Manifest::read(disk) {
        Ok(manifest) => Ok(manifest),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(error.to_string()),
        Err(error) => return Err(error),
    };
    Ok(Stored { manifest, marked })
}

impl Stored {
    /// The last record that the index has seen on disk; 0 when it has seen none, or is not going to be used.
    pub(in crate::store) fn applied(&self) -> Seq {
        match &self.manifest {
            Ok(Some(manifest)) if !self.marked => manifest.applied_seq(),
            Ok(_) | Err(_) => Seq(0),
        }
    }
}

/// Looks at manifest, runs and tables; `ends` are the lengths of the journal's segments.
pub(in crate::store) fn check(
    disk: &dyn Disk,
    tables: Option<&dyn TablesHome>,
    folders: &Folders,
    stored: &Stored,
    ends: &BTreeMap<u32, u64>,
) -> io::Result<Vec<FileReport>> {
    let names = disk.names()?;
    let mut files = Vec::new();
    let there = names.iter().any(|name| name == MANIFEST);
    let bytes = if there {
        disk.open(MANIFEST)?.length()?
    } else {
        0
    };
    let manifest = match &stored.manifest {
        Ok(Some(manifest)) => {
            let note = format!(
                "{} runs, snapshots up to record {}",
                manifest.runs.len(),
                manifest.applied_seq().0
            );
            files.push(FileReport::sound(MANIFEST, bytes, note));
            manifest.clone()
        }
        Ok(None) => Manifest::default(),
        Err(reason) => {
            files.push(FileReport::rebuildable(MANIFEST, bytes, reason));
            Manifest::default()
        }
    };
    for (first, last) in &manifest.runs {
        let name = file_name(*first, *last);
        files.push(if names.contains(&name) {
            run(disk, *first, *last, ends)?
        } else {
            FileReport::rebuildable(name, 0, "it is missing")
        });
    }
    if let Some(home) = tables {
        let known = stored.manifest.as_ref().ok().map(|_| &manifest);
        files.push(tables_of(home, known, folders)?);
    } else if manifest.applied_seq() > Seq(0) {
        files.push(FileReport::rebuildable(TABLES, 0, "it is missing"));
    }
    Ok(files)
}

fn run(
    disk: &dyn Disk,
    first: Seq,
    last: Seq,
    ends: &BTreeMap<u32, u64>,
) -> io::Result<FileReport> {
    let name = file_name(first, last);
    let bytes = disk.open(&name)?.length()?;
    let run = match Run::open(disk, first, last) {
        Ok(run) => run,
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            return Ok(FileReport::rebuildable(name, bytes, error.to_string()));
        }
        Err(error) => return Err(error),
    };
    let note = format!(
        "{} keys of records {} to {}",
        run.plate().entries,
        first.0,
        last.0
    );
    let mut file = FileReport::sound(name, bytes, note);
    let is_there = |position: Position| {
        let end = ends.get(&position.segment);
        position.offset >= FIRST_OFFSET && end.is_some_and(|end| u64::from(position.offset) < *end)
    };
    let mut block = Box::new([0; BLOCK_BYTES]);
    let mut previous = None;
    for number in 0..usize::try_from(run.plate().blocks()).unwrap_or(usize::MAX) {
        let offset = block_offset(super::run::number(number));
        let mut bad = |reason: String| {
            file.state = State::Rebuildable;
            file.damage.push(Damage {
                offset,
                bytes: super::run::number(BLOCK_BYTES),
                reason,
                records: None,
                touched: Vec::new(),
                advice: REBUILD,
            });
        };
        let entries = match run.read_block(number, &mut block) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                bad(error.to_string());
                continue;
            }
            Err(error) => return Err(error),
        };
        for entry in entries {
            let (key, position) = decode(entry);
            if previous.is_some_and(|previous| previous >= key) {
                bad("its keys are not in order".to_owned());
            } else if !is_there(position) {
                bad(format!(
                    "it names a place that is not in the journal: segment {}, offset {}",
                    position.segment, position.offset
                ));
            }
            previous = Some(key);
        }
    }
    Ok(file)
}

fn tables_of(
    home: &dyn TablesHome,
    manifest: Option<&Manifest>,
    folders: &Folders,
) -> io::Result<FileReport> {
    let refused = |place: String, reason: String| io::Error::other(format!("{place}: {reason}"));
    let tables = match home.open() {
        Ok(tables) => tables,
        Err(TablesError::Damaged { reason, .. }) => {
            return Ok(FileReport::rebuildable(TABLES, 0, reason));
        }
        Err(TablesError::Refused { place, reason }) => return Err(refused(place, reason)),
    };
    let bytes = tables.size_bytes();
    let looked = match manifest {
        Some(manifest) => check_tables(tables.as_ref(), manifest),
        None => Ok(()),
    };
    match looked.and_then(|()| rows(tables.as_ref(), folders)) {
        Ok((snapshots, rows)) => {
            let note = format!("{snapshots} snapshots, {rows} rows");
            Ok(FileReport::sound(TABLES, bytes, note))
        }
        Err(Failure::Damaged { reason, .. }) => Ok(FileReport::rebuildable(TABLES, bytes, reason)),
        Err(Failure::Refused { file, reason }) => Err(refused(file, reason)),
        Err(Failure::Journal(error)) => Err(io::Error::other(error)),
    }
}

/// Reads all rows of all tables, and every snapshot as a start would.
fn rows(tables: &dyn Tables, folders: &Folders) -> Result<(u64, u64), Failure> {
    let (mut snapshots, mut count) = (0_u64, 0_u64);
    for table in Table::ALL {
        let mut rest = KeyRange::all();
        loop {
            let page = tables.scan(table, &rest, Order::Ascending, PAGE_ROWS)?;
            let Some((last, _)) = page.last() else {
                break;
            };
            rest = rest.behind(last.clone(), Order::Ascending);
            for (key, _) in &page {
                if table != Table::Snapshots {
                    count = count.saturating_add(1);
                    continue;
                }
                let Some(stream) = snapshot::first_piece_of(key) else {
                    continue;
                };
                let broken = |reason: &str| {
                    Failure::damaged("tables", format!("the snapshot of {stream:?} {reason}"))
                };
                match snapshot::read(tables, &stream) {
                    Ok(Some(stored)) => folders
                        .start(&stream, Some(&stored.json))
                        .map(drop)
                        .map_err(|_unreadable| broken("cannot be understood"))?,
                    Ok(None) => {}
                    Err(SnapshotError::Broken) => return Err(broken("is not what was written")),
                    Err(SnapshotError::Tables(error)) => return Err(error.into()),
                }
                snapshots = snapshots.saturating_add(1);
            }
        }
    }
    Ok((snapshots, count))
}
