//! The report of a verification: files, their states, and what is to be done about damage.

use crate::store::Seq;

/// The advice about damage that a start cannot make good.
pub const RESTORE: &str = "restore the whole data directory from a backup; without one, keep a copy of this directory before anything else";
/// The advice about damage that a start makes good.
pub const REBUILD: &str = "no data is lost; the next start that finds the damage rebuilds the index from the journal. To rebuild it now, run `switchboard verify --rebuild-index`";
/// The advice about a part of the index while the journal, from which it is made, is damaged.
pub const RESTORE_FIRST: &str =
    "restore the damaged files first: the index can be rebuilt only from a complete journal";
/// The state of a file; the later in this list, the worse.
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

/// The result of a verification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// One entry for each file, and one for each directory that is checked as a whole.
    pub files: Vec<FileReport>,
    /// The number of readable records.
    pub records: u64,
    /// The number of records erased on order.
    pub erased: u64,
}

/// The findings about one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileReport {
    /// Its path from the data directory.
    pub file: String,
    /// Its length.
    pub bytes: u64,
    /// Its state.
    pub state: FileState,
    /// Its content, or the reason for its state; for people.
    pub note: String,
    /// The places at which it is damaged or torn.
    pub damage: Vec<Damage>,
}

/// A damaged place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Its beginning.
    pub offset: u64,
    /// The number of bytes that cannot be used.
    pub bytes: u64,
    /// The damage.
    pub reason: String,
    /// The first and the last record that are gone with it, as far as that is known.
    pub records: Option<(Seq, Seq)>,
    /// The streams of the records, as far as they can still be read.
    pub touched: Vec<Touched>,
    /// The advice.
    pub advice: &'static str,
}

/// A stream that lost records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touched {
    /// The subject of the stream, as [`Describe`](super::touched::Describe) says it.
    pub stream: String,
    /// To whom it belongs, when that is known.
    pub owner: Option<String>,
    /// False when the name was read from the damaged bytes themselves.
    pub certain: bool,
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

    /// Replaces the advice for a damaged index: that nothing is lost is not true beside a damaged journal.
    pub(super) fn advise_to_restore_first(&mut self) {
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
