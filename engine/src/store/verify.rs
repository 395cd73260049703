//! Checks every file of a data directory that is not in use, and says what is right, torn or damaged.
//!
//! A start reads what it needs: the end of the journal, the heads of the index. This reads everything: each record and
//! whether its event can be understood, each block of each run, each row and snapshot. It changes nothing, except that
//! the engine of the tables does what it does whenever it opens them.

mod journal;
mod small;
pub mod touched;

use std::io;
use std::sync::Arc;

use crate::store::Seq;
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

/// What to do about damage that a start cannot make good.
pub const RESTORE: &str = "restore the whole data directory from a backup; without one, keep a copy of this directory before anything else";
/// What to do about damage that a start makes good.
pub const REBUILD: &str = "nothing is lost: the index is made again from the journal, by the next start that meets the damage, or now with `switchboard verify --rebuild-index`";
/// What to do about a part of the index while the journal, from which it is made, is damaged.
pub const RESTORE_FIRST: &str =
    "restore the damaged files first: the index can be made again only from a complete journal";
/// How a file is; the later in this list, the worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileState {
    /// Everything in it is as it was written.
    Sound,
    /// It is not part of the data: left over from something that was interrupted, kept for a person, or not ours.
    Other,
    /// It ends in something that was never finished and never promised; the next start cuts that off.
    Torn,
    /// It is damaged, and can be rebuilt from the journal.
    Rebuildable,
    /// It is damaged, and what was in it is nowhere else.
    Damaged,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// One entry for each file, and one for each directory that is checked as a whole.
    pub files: Vec<FileReport>,
    /// How many records could be read.
    pub records: u64,
    /// How many of them were erased on order.
    pub erased: u64,
}

/// What is true of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileReport {
    /// Its path from the data directory.
    pub file: String,
    /// Its length.
    pub bytes: u64,
    /// How it is.
    pub state: FileState,
    /// What is in it, or why it is as it is; for people.
    pub note: String,
    /// Where it is damaged or torn.
    pub damage: Vec<Damage>,
}

/// A damaged place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Where it begins.
    pub offset: u64,
    /// How many bytes cannot be used.
    pub bytes: u64,
    /// What is wrong.
    pub reason: String,
    /// The first and the last record that are gone with it, as far as that is known.
    pub records: Option<(Seq, Seq)>,
    /// Whose records they are, as far as that can still be read.
    pub touched: Vec<Touched>,
    /// What to do.
    pub advice: &'static str,
}

/// A stream that lost records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touched {
    /// What the stream is about, as [`Describe`] says it.
    pub stream: String,
    /// To whom it belongs, when that is known.
    pub owner: Option<String>,
    /// False when the name was read from the damaged bytes themselves.
    pub certain: bool,
}

/// How far the work is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyProgress {
    /// The file that is being checked.
    pub file: String,
    /// How many bytes of the journal were read.
    pub done: u64,
    /// How many there are.
    pub total: u64,
}

impl VerifyReport {
    /// The worst state of any file.
    #[must_use]
    pub fn verdict(&self) -> FileState {
        let states = self.files.iter().map(|file| file.state);
        let worst = states.max().unwrap_or(FileState::Sound);
        // What is not part of the data says nothing about it.
        if worst == FileState::Other {
            FileState::Sound
        } else {
            worst
        }
    }

    /// What is true of a damaged index alone, that nothing is lost, is not true beside a damaged journal.
    fn advise_to_restore_first(&mut self) {
        let damage = self.files.iter_mut().flat_map(|file| &mut file.damage);
        for damage in damage.filter(|damage| damage.advice == REBUILD) {
            damage.advice = RESTORE_FIRST;
        }
    }
}

impl FileReport {
    /// A file with nothing wrong in it.
    #[must_use]
    pub fn sound(file: impl Into<String>, bytes: u64, note: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            bytes,
            state: FileState::Sound,
            note: note.into(),
            damage: Vec::new(),
        }
    }

    /// A file that is not part of the data.
    #[must_use]
    pub fn other(file: impl Into<String>, bytes: u64, note: impl Into<String>) -> Self {
        Self {
            state: FileState::Other,
            ..Self::sound(file, bytes, note)
        }
    }

    /// A file that is unusable as a whole.
    #[must_use]
    pub fn damaged(file: impl Into<String>, bytes: u64, reason: impl Into<String>) -> Self {
        let mut report = Self::sound(file, bytes, "");
        report.add(FileState::Damaged, Damage::whole(bytes, reason, RESTORE));
        report
    }

    /// A part of the index that is unusable.
    #[must_use]
    pub fn rebuildable(file: impl Into<String>, bytes: u64, reason: impl Into<String>) -> Self {
        let mut report = Self::sound(file, bytes, "");
        report.add(
            FileState::Rebuildable,
            Damage::whole(bytes, reason, REBUILD),
        );
        report
    }

    /// Adds a damaged place; the file is at least in this state.
    pub fn add(&mut self, state: FileState, damage: Damage) {
        self.state = self.state.max(state);
        self.damage.push(damage);
    }
}

impl Damage {
    /// Damage of a file as a whole.
    #[must_use]
    pub fn whole(bytes: u64, reason: impl Into<String>, advice: &'static str) -> Self {
        Self {
            offset: 0,
            bytes,
            reason: reason.into(),
            records: None,
            touched: Vec::new(),
            advice,
        }
    }
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
    let stored = index::manifest(disk.as_ref(), installation)?;
    let journal = journal(disk.as_ref(), schema, describe, hear)?;
    report.records = journal.records;
    report.erased = journal.erased;
    report.files.extend(journal.files);
    small::exchanged(disk.as_ref(), &mut report.files)?;
    report.files.extend(small::commit(disk.as_ref(), &names)?);
    let index = index::check(disk.as_ref(), tables, schema, &stored, &journal.ends)?;
    report.files.extend(index);
    for name in &names {
        let known = report.files.iter().any(|file| file.file == *name);
        if !known {
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
