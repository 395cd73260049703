//! Opens an index: goes on from the last checkpoint, or rebuilds everything from the journal.

use std::io;
use std::sync::Arc;

use super::config::{IndexConfig, IndexOpenError, OpenReport, OpenedIndex};
use super::core::Core;
use super::error::IndexError;
use super::manifest::{self, Manifest};
use super::rebuild_mark::{ASIDE, REBUILD_MARK, mark, unmark};
use super::replay::replay;
use super::snapshot;
use super::sorted_run::SortedRun;
use super::sorted_run::id::{RunNumbers, is_run};
use super::sorted_runs::SortedRuns;
use crate::store::disk::Disk;
use crate::store::identity::content::InstallationTag;
use crate::store::lock::lock;
use crate::store::tables::{Tables, TablesHome};
use crate::store::{ReadJournal, Seq};

/// The number of sets of damaged files that are kept for a person to inspect.
const DAMAGED_KEPT: usize = 2;

/// Opens an index, rebuilding it when it is unusable.
pub(super) fn open(
    config: &IndexConfig,
    journal: &Arc<dyn ReadJournal>,
) -> Result<(Arc<Core>, OpenReport), IndexOpenError> {
    match resume(config, journal) {
        Ok(opened) => Ok(opened),
        Err(IndexError::Damaged { file, reason }) => {
            rebuild(config, journal, format!("{file}: {reason}"))
        }
        Err(failure) => Err(failure.into()),
    }
}

fn resume(
    config: &IndexConfig,
    journal: &Arc<dyn ReadJournal>,
) -> Result<(Arc<Core>, OpenReport), IndexError> {
    let disk = config.disk.as_ref();
    let names = disk
        .names()
        .map_err(|error| IndexError::io("names", &error))?;
    if names.iter().any(|name| name == REBUILD_MARK) {
        return Err(IndexError::damaged("the index", "damage was met before"));
    }
    let last_manifest = Manifest::read(disk, config.installation)
        .map_err(|error| IndexError::io("manifest", &error))?;
    let origin = match last_manifest {
        Some(_) => OpenedIndex::Resumed,
        None => OpenedIndex::Fresh,
    };
    let manifest = last_manifest.unwrap_or_else(|| Manifest::empty(config.installation));
    let runs = open_runs(config, &names, &manifest)?;
    let tables = config.tables.open(config.schema.tables())?;
    check_tables(tables.as_ref(), &manifest, config.installation)?;
    fill(config, tables, journal, manifest, runs, origin)
}

fn rebuild(
    config: &IndexConfig,
    journal: &Arc<dyn ReadJournal>,
    reason: String,
) -> Result<(Arc<Core>, OpenReport), IndexOpenError> {
    let moved_aside = move_aside(config.disk.as_ref(), config.tables.as_ref())?;
    let outcome = OpenedIndex::Rebuilt {
        reason,
        moved_aside,
    };
    let tables = config.tables.open(config.schema.tables())?;
    let manifest = Manifest::empty(config.installation);
    let runs = SortedRuns::default();
    Ok(fill(config, tables, journal, manifest, runs, outcome)?)
}

/// Moves all parts of the index out of the way, and says to where.
pub(super) fn move_aside(
    disk: &dyn Disk,
    tables: &dyn TablesHome,
) -> Result<Vec<String>, IndexOpenError> {
    let io_error = |error| IndexError::io("the index", &error);
    // Whatever interrupts this, the mark stays until all parts are out of the way.
    mark(disk).map_err(io_error)?;
    let mut moved_aside = move_files_aside(disk).map_err(io_error)?;
    moved_aside.extend(tables.move_aside()?);
    unmark(disk).map_err(io_error)?;
    Ok(moved_aside)
}

/// Removes all parts of the index, and what was moved aside of earlier ones.
pub(super) fn remove(disk: &dyn Disk, tables: &dyn TablesHome) -> Result<(), IndexOpenError> {
    let io_error = |error| IndexError::io("the index", &error);
    for name in disk.names().map_err(io_error)? {
        let plain = name.split_once(ASIDE).map_or(&*name, |(plain, _)| plain);
        if is_run(plain) || manifest::is_manifest(plain) || plain == REBUILD_MARK {
            disk.remove(&name).map_err(io_error)?;
        }
    }
    disk.sync_names().map_err(io_error)?;
    Ok(tables.remove()?)
}

/// Replays what the parts do not have yet.
fn fill(
    config: &IndexConfig,
    tables: Arc<dyn Tables>,
    journal: &Arc<dyn ReadJournal>,
    manifest: Manifest,
    runs: SortedRuns,
    origin: OpenedIndex,
) -> Result<(Arc<Core>, OpenReport), IndexError> {
    let journal = Arc::clone(journal);
    let names = (config.disk.names()).map_err(|error| IndexError::io("names", &error))?;
    let numbers = RunNumbers::behind(&names);
    let core = Core::new(config.clone(), tables, journal, manifest, runs, numbers);
    let (replayed, indexed_upto) = replay(&core)?;
    let start = {
        let manifest = lock(&core.manifest);
        core.remove_dead_files(&manifest)?;
        manifest.applied
    };
    let report = OpenReport {
        opened: origin,
        replayed,
        indexed_upto,
        start,
    };
    Ok((Arc::new(core), report))
}

fn open_runs(
    config: &IndexConfig,
    names: &[String],
    manifest: &Manifest,
) -> Result<SortedRuns, IndexError> {
    let (disk, installation) = (config.disk.as_ref(), config.installation);
    let mut list = Vec::with_capacity(manifest.runs.len());
    for id in &manifest.runs {
        let name = id.name();
        if !names.contains(&name) {
            return Err(IndexError::damaged(name, "it is missing"));
        }
        let run = SortedRun::open(disk, *id, installation)
            .map_err(|error| IndexError::io(name, &error))?;
        list.push(Arc::new(run));
    }
    Ok(SortedRuns::new(list))
}

/// The tables must fit the manifest: they are of the same installation, and neither older nor newer.
pub(super) fn check_tables(
    tables: &dyn Tables,
    manifest: &Manifest,
    installation: InstallationTag,
) -> Result<(), IndexError> {
    let up_to = snapshot::up_to(tables, installation)?;
    let fits = |up_to: &Seq| (manifest.applied_seq()..=manifest.covered).contains(up_to);
    match up_to.filter(fits) {
        Some(_) => Ok(()),
        None => Err(IndexError::damaged(
            "the tables",
            "they do not fit the manifest",
        )),
    }
}

/// Moves the manifest and the runs out of the way.
fn move_files_aside(disk: &dyn Disk) -> io::Result<Vec<String>> {
    let names = disk.names()?;
    let epoch = |name: &String| name.rsplit_once(ASIDE)?.1.parse::<u64>().ok();
    let mut generations: Vec<u64> = names.iter().filter_map(epoch).collect();
    generations.sort_unstable();
    generations.dedup();
    let next = generations
        .last()
        .map_or(1, |number| number.saturating_add(1));
    let oldest_kept = generations.iter().rev().take(DAMAGED_KEPT - 1).min();
    let mut moves = Vec::new();
    for name in &names {
        if let Some(number) = epoch(name) {
            if oldest_kept.is_none_or(|oldest| number < *oldest) {
                disk.remove(name)?;
            }
        } else if name == manifest::NAME || is_run(name) {
            let aside = format!("{name}{ASIDE}{next}");
            disk.rename(name, &aside)?;
            moves.push(disk.describe(&aside));
        }
    }
    disk.sync_names()?;
    Ok(moves)
}

impl From<IndexError> for IndexOpenError {
    fn from(failure: IndexError) -> Self {
        match failure {
            IndexError::Journal(error) => Self::Journal(error),
            IndexError::Damaged { file, reason } | IndexError::Refused { file, reason } => {
                Self::Index { file, reason }
            }
        }
    }
}
