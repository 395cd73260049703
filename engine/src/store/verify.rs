//! Checks every file of a data directory that is not in use, and says what is right, torn or damaged.
//!
//! A start reads what it needs: the end of the journal, the heads of the index. This reads everything: each record and
//! whether its event can be understood, each block of each run, each row and snapshot. It changes nothing, except that
//! the engine of the tables does what it does whenever it opens them.

mod journal;
pub(in crate::store) mod report;
mod small;
pub mod touched;

pub use self::report::{
    Damage, FileReport, FileState, REBUILD, RESTORE, RESTORE_FIRST, Touched, VerifyReport,
};

use std::io;
use std::sync::Arc;

use crate::store::disk::Disk;
use crate::store::erasure::{self, list};
use crate::store::identity;
use crate::store::identity::content::{self, InstallationTag};
use crate::store::index::Index;
use crate::store::index::check as index;
use crate::store::schema::Schema;
use crate::store::tables::TablesHome;
use crate::store::verify::journal::{JournalCheck, JournalFindings};
use crate::store::verify::touched::Describe;

/// The progress of the work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyProgress {
    /// The file that is being checked.
    pub file: String,
    /// The bytes of the journal read so far.
    pub done: u64,
    /// The bytes of the whole journal.
    pub total: u64,
}

/// Looks at everything on this disk, and at the tables if there are any; says of damaged records what `describe` says.
///
/// # Errors
/// When the operating system refuses to list or to read; what could be read says nothing then.
pub fn verify(
    disk: &Arc<dyn Disk>,
    tables: Option<&dyn TablesHome>,
    schema: &Schema,
    describe: &mut dyn Describe,
    hear: &mut dyn FnMut(&VerifyProgress),
) -> io::Result<VerifyReport> {
    refuse_another_format(disk)?;
    let names = disk.names()?;
    let mut report = VerifyReport::default();
    report.files.extend(small::identity(disk, &names)?);
    // A damaged identity, or an exchanged one, says nothing about the index.
    let installation = match report.verdict() {
        FileState::Damaged => InstallationTag::default(),
        FileState::Sound | FileState::Other | FileState::Torn | FileState::Rebuildable => {
            content::tag_on(disk.as_ref())?
        }
    };
    let manifest = index::manifest(disk.as_ref(), installation)?;
    let journal = journal(disk.as_ref(), schema, describe, hear)?;
    report.records = journal.records;
    report.erased = journal.erased;
    report.files.extend(journal.files);
    small::exchanged(disk.as_ref(), &mut report.files)?;
    report.files.extend(small::commit(disk.as_ref(), &names)?);
    let index = index::check(disk.as_ref(), tables, schema, &manifest, &journal.ends)?;
    report.files.extend(index);
    for name in &names {
        let is_listed = report.files.iter().any(|file| file.file == *name);
        if !is_listed {
            report.files.push(unlisted(disk.as_ref(), name)?);
        }
    }
    if report.verdict() == FileState::Damaged {
        report.advise_to_restore_first();
    }
    Ok(report)
}

/// Looks at the journal alone: what is wrong with it, none of it when it is whole.
///
/// # Errors
/// As of [`verify`].
pub fn journal_damage(
    disk: &dyn Disk,
    schema: &Schema,
    hear: &mut dyn FnMut(&VerifyProgress),
) -> io::Result<Vec<FileReport>> {
    let mut files = journal(disk, schema, &mut &*schema, hear)?.files;
    files.retain(|file| file.state == FileState::Damaged);
    Ok(files)
}

fn journal(
    disk: &dyn Disk,
    schema: &Schema,
    describe: &mut dyn Describe,
    hear: &mut dyn FnMut(&VerifyProgress),
) -> io::Result<JournalFindings> {
    let proven = Index::known(disk)?.proven;
    JournalCheck::new(disk, schema, proven, describe, hear).run()
}

/// Data of another format says nothing to this version: it would call right files damaged.
///
/// # Errors
/// When the data is of another format.
pub fn refuse_another_format(disk: &Arc<dyn Disk>) -> io::Result<()> {
    match identity::check(disk) {
        Err(error) if error.is_of_another_format() => Err(io::Error::other(error)),
        // What else is wrong is in the report.
        Ok(()) | Err(_) => Ok(()),
    }
}

/// A file that neither the journal nor the index asks for.
fn unlisted(disk: &dyn Disk, name: &str) -> io::Result<FileReport> {
    let bytes = disk.open(name)?.length()?;
    if list::number(name).is_none() {
        return Ok(other(name, bytes));
    }
    match list::read(disk, name) {
        Ok(list) => {
            let (erased, replaced) = (list.erased.count(), list.replaced.count());
            let note = format!("{erased} records erased, {replaced} replaced");
            Ok(FileReport::sound(name, bytes, note))
        }
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            Ok(FileReport::damaged(name, bytes, error.to_string()))
        }
        Err(error) => Err(error),
    }
}

/// A file that no part of the store asks for.
fn other(name: &str, bytes: u64) -> FileReport {
    let note = if name == "lock" {
        "the lock of the directory"
    } else if name == index::REBUILD_MARK {
        "says that the next start rebuilds the index"
    } else if name.contains(".damaged-") {
        "moved aside when it was found damaged; not used any more"
    } else if name.ends_with(".new") || index::is_run(name) || erasure::is_prepared(name) {
        "left over from something that was interrupted; the next start removes it"
    } else {
        "not a file of the store"
    };
    FileReport::other(name, bytes, note)
}
