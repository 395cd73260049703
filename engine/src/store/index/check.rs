//! Reads everything that the index has on disk, for [`verify`](crate::store::verify): a start reads its heads only.

mod runs;

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use super::error::IndexError;
use super::manifest::{Manifest, NAME as MANIFEST};
use super::open::check_tables;
pub(in crate::store) use super::rebuild_mark::REBUILD_MARK;
use super::snapshot::{self, SnapshotError};
use super::sorted_run::id::Family;
pub(in crate::store) use super::sorted_run::id::is_run;
use super::sorted_runs::SortedRuns;
use super::stored_rows;
use crate::store::Seq;
use crate::store::disk::Disk;
use crate::store::identity::content::InstallationTag;
use crate::store::schema::Schema;
use crate::store::tables::{KeyRange, ScanOrder, Tables, TablesError, TablesHome};
use crate::store::verify::report::FileReport;
use crate::stream::StreamKey;

/// Rows are read in pages of this size.
const PAGE_ROWS: usize = 1000;
const TABLES: &str = "tables";

/// The manifest, if it is there and can be read.
pub(in crate::store) struct StoredManifest {
    installation: InstallationTag,
    manifest: Result<Option<Manifest>, String>,
}

/// Reads the manifest of the index of this installation.
pub(in crate::store) fn manifest(
    disk: &dyn Disk,
    installation: InstallationTag,
) -> io::Result<StoredManifest> {
    let manifest = match Manifest::read(disk, installation) {
        Ok(manifest) => Ok(manifest),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(error.to_string()),
        Err(error) => return Err(error),
    };
    Ok(StoredManifest {
        installation,
        manifest,
    })
}

/// Checks manifest, runs and tables; `ends` are the lengths of the journal's segments.
pub(in crate::store) fn check(
    disk: &dyn Disk,
    tables: Option<&dyn TablesHome>,
    schema: &Schema,
    stored: &StoredManifest,
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
            let runs = manifest.runs.iter();
            let of_rows = runs.filter(|run| run.family == Family::Rows).count();
            let note = format!(
                "{} runs, {of_rows} of rows, snapshots up to record {}",
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
    let mut rows = Some(Vec::new());
    for id in &manifest.runs {
        let (file, run) = runs::run(disk, *id, &names, stored.installation, ends)?;
        files.push(file);
        if id.family == Family::Rows {
            rows = rows.zip(run).map(|(mut list, run)| {
                list.push(Arc::new(run));
                list
            });
        }
    }
    if let Some(home) = tables {
        let manifest_check = CheckedManifest {
            installation: stored.installation,
            manifest: stored.manifest.is_ok().then_some(&manifest),
        };
        files.push(tables_of(
            home,
            &manifest_check,
            rows.map(SortedRuns::new),
            schema,
        )?);
    } else if manifest.applied_seq() > Seq(0) {
        files.push(FileReport::rebuildable(TABLES, 0, "it is missing"));
    }
    Ok(files)
}

/// The manifest that the tables have to fit; none when it is damaged itself.
struct CheckedManifest<'a> {
    installation: InstallationTag,
    manifest: Option<&'a Manifest>,
}

fn tables_of(
    home: &dyn TablesHome,
    checked: &CheckedManifest<'_>,
    runs: Option<SortedRuns>,
    schema: &Schema,
) -> io::Result<FileReport> {
    let failure = |place: String, reason: String| io::Error::other(format!("{place}: {reason}"));
    let tables = match home.open(schema.tables()) {
        Ok(tables) => tables,
        Err(TablesError::Damaged { reason, .. }) => {
            return Ok(FileReport::rebuildable(TABLES, 0, reason));
        }
        Err(TablesError::Refused { place, reason }) => return Err(failure(place, reason)),
        Err(TablesError::Closed) => return Err(io::Error::other(TablesError::Closed)),
    };
    let bytes = tables.size_bytes();
    let looked = match checked.manifest {
        Some(manifest) => check_tables(tables.as_ref(), manifest, checked.installation),
        None => Ok(()),
    };
    match looked.and_then(|()| rows(tables.as_ref(), runs.as_ref(), schema)) {
        Ok((snapshots, rows)) => {
            let note = format!("{snapshots} snapshots, {rows} rows");
            Ok(FileReport::sound(TABLES, bytes, note))
        }
        Err(IndexError::Damaged { reason, .. }) => {
            Ok(FileReport::rebuildable(TABLES, bytes, reason))
        }
        Err(IndexError::Refused { file, reason }) => Err(failure(file, reason)),
        Err(IndexError::Journal(error)) => Err(io::Error::other(error)),
    }
}

/// Reads all rows of all lists, and every snapshot as a start would; not those in runs when these are damaged.
fn rows(
    tables: &dyn Tables,
    runs: Option<&SortedRuns>,
    schema: &Schema,
) -> Result<(u64, u64), IndexError> {
    let none = SortedRuns::default();
    let rows = stored_rows::StoredRows {
        runs: runs.unwrap_or(&none),
        tables,
    };
    let (mut snapshots, mut count) = (0_u64, 0_u64);
    for table in schema.tables().iter().copied() {
        let mut rest = KeyRange::all();
        loop {
            let page = rows.scan(table, &rest, ScanOrder::Ascending, PAGE_ROWS)?;
            let Some((last, _)) = page.last() else {
                break;
            };
            rest = rest.behind(last.clone(), ScanOrder::Ascending);
            for (key, _) in &page {
                if !table.has_snapshots() {
                    count = count.saturating_add(1);
                } else if let Some(stream) = snapshot::first_piece_of(key) {
                    check_snapshot(rows, &stream, schema)?;
                    snapshots = snapshots.saturating_add(1);
                }
            }
        }
    }
    Ok((snapshots, count))
}

fn check_snapshot(
    stored: stored_rows::StoredRows<'_>,
    stream: &StreamKey,
    schema: &Schema,
) -> Result<(), IndexError> {
    let damage = |reason: &str| {
        IndexError::damaged(
            "tables",
            format!("the snapshot of {} {reason}", schema.name(stream)),
        )
    };
    match snapshot::read(stored, schema.snapshots_of(stream), stream) {
        Ok(Some(stored)) => schema
            .start(stream, Some(&stored.json))
            .map(drop)
            .map_err(|_unreadable| damage("cannot be understood")),
        Ok(None) => Ok(()),
        Err(SnapshotError::Broken) => Err(damage("is not what was written")),
        Err(SnapshotError::Rows(failure)) => Err(failure),
    }
}
