//! A disk that keeps exactly what it promised, and fails on request. For tests.
//!
//! What was written but not synced is kept apart; [`FaultyDisk::crash`] gives the disk as it may be after a
//! power cut: any subset of the unsynced sectors is there, one of them torn, and names that were not synced
//! are there or not. The same seed gives the same disk.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, ErrorKind};
use std::sync::{Arc, Mutex};

use crate::store::disk::memory::{copy_in, copy_out};
use crate::store::disk::{Disk, DiskFile};
use crate::store::lock::lock;
use crate::store::width::{narrow, wide};
use crate::testkit::dice::Dice;

/// The bytes that a disk writes whole or not at all, but for those it was writing when the power went.
const SECTOR_BYTES: usize = 512;

/// A disk in memory that can lose what was not synced and fail on order. Clones are the same disk.
#[derive(Clone, Debug, Default)]
pub struct FaultyDisk {
    state: Arc<Mutex<State>>,
}

/// The counts of operations on the disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    /// Calls that change a file: writes.
    pub writes: u64,
    /// Calls that sync a file or the names.
    pub syncs: u64,
    /// Calls that read from a file.
    pub reads: u64,
    /// All calls that change something: writes, syncs, cuts, new, other and fewer names.
    pub changes: u64,
    /// All calls, and those of [`FaultyDisk::operation`].
    pub all: u64,
}

#[derive(Debug, Default)]
struct State {
    files: BTreeMap<u64, Content>,
    next_file: u64,
    names: BTreeMap<String, u64>,
    synced_names: BTreeMap<String, u64>,
    unsynced_names: Vec<NameChange>,
    done: Operations,
    quota: Option<u64>,
    fail_write: Option<u64>,
    /// The file and the offset of the write that failed last on order, until something else happens to the file.
    failed_at: Option<(u64, u64)>,
    refuses_writes: bool,
    fail_sync: Option<u64>,
    power_until: Option<u64>,
    /// The operation that fails, counted from the first one, and whether all behind it fail as well.
    fail_operation: Option<(u64, bool)>,
}

#[derive(Clone, Debug, Default)]
struct Content {
    now: Vec<u8>,
    synced: Vec<u8>,
    unsynced: Vec<Change>,
}

#[derive(Clone, Debug)]
enum Change {
    Write(u64, Vec<u8>),
    Truncate(u64),
}

#[derive(Clone, Debug)]
enum NameChange {
    Made(String, u64),
    Renamed(String, String),
    Removed(String),
}

impl FaultyDisk {
    /// An empty disk without faults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The disk as it may be after the power went now; this one goes on as if nothing had been.
    #[must_use]
    pub fn crash(&self, seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let old = lock(&self.state);
        let mut names = old.synced_names.clone();
        for change in &old.unsynced_names {
            if dice.one_in(2) {
                change.apply(&mut names);
            }
        }
        let named_ids: BTreeSet<u64> = names.values().copied().collect();
        let mut files = BTreeMap::new();
        for (id, content) in &old.files {
            if named_ids.contains(id) {
                let remains = content.after_power_cut(&mut dice);
                files.insert(*id, Content::on_disk(remains));
            }
        }
        Self {
            state: Arc::new(Mutex::new(State {
                files,
                next_file: old.next_file,
                synced_names: names.clone(),
                names,
                ..State::default()
            })),
        }
    }

    /// The disk as a process leaves it that is killed now: what was not synced is there, and may be lost yet. This one
    /// goes on as if nothing had been.
    #[must_use]
    pub fn killed(&self) -> Self {
        let old = lock(&self.state);
        Self {
            state: Arc::new(Mutex::new(State {
                files: old.files.clone(),
                next_file: old.next_file,
                names: old.names.clone(),
                synced_names: old.synced_names.clone(),
                unsynced_names: old.unsynced_names.clone(),
                ..State::default()
            })),
        }
    }

    /// A disk with the same content, all of it durable: to damage, while the original is kept.
    #[must_use]
    pub fn copy(&self) -> Self {
        let copy = Self::new();
        let old = lock(&self.state);
        let mut state = lock(&copy.state);
        state.next_file = old.next_file;
        state.names = old.names.clone();
        state.synced_names = old.names.clone();
        for (id, content) in &old.files {
            state
                .files
                .insert(*id, Content::on_disk(content.now.clone()));
        }
        drop(state);
        copy
    }

    /// The `nth` write from now on, counted from 1, fails for lack of space after half of its bytes. So does the write at the same
    /// place right behind it: a journal that prepares space tries its batch again without that. Where a thread writes of its own
    /// accord, which write is the `nth` is a matter of chance: see [`Self::refuse_writes`].
    pub fn fail_write(&self, nth: u64) {
        let mut state = lock(&self.state);
        state.fail_write = Some(state.done.writes.saturating_add(nth));
    }

    /// From now on every write fails for lack of space after half of its bytes, or none does any more.
    pub fn refuse_writes(&self, refuses: bool) {
        lock(&self.state).refuses_writes = refuses;
    }

    /// The `nth` operation of any kind from now on, counted from 1, fails before it does anything; if this is
    /// `fatal`, so do all later ones. Replaces what was ordered before.
    pub fn fail_operation(&self, nth: u64, fatal: bool) {
        let mut state = lock(&self.state);
        state.fail_operation = Some((state.done.all.saturating_add(nth), fatal));
    }

    /// No operation fails any more because of its number.
    pub fn fail_no_operation(&self) {
        lock(&self.state).fail_operation = None;
    }

    /// Counts an operation of something else that is to fail with this disk.
    ///
    /// # Errors
    /// When it is the turn of this one to [fail](Self::fail_operation).
    pub fn operation(&self) -> io::Result<()> {
        lock(&self.state).operation()
    }

    /// The `nth` sync (of a file or of the names) from now on, counted from 1, fails.
    pub fn fail_sync(&self, nth: u64) {
        let mut state = lock(&self.state);
        state.fail_sync = Some(state.done.syncs.saturating_add(nth));
    }

    /// After this many more changes the power goes: nothing changes any more and everything fails.
    pub fn cut_power_after(&self, changes: u64) {
        let mut state = lock(&self.state);
        state.power_until = Some(state.done.changes.saturating_add(changes));
    }

    /// Lets all files together have at most this many bytes; `None`: as many as they like.
    pub fn set_quota(&self, bytes: Option<u64>) {
        lock(&self.state).quota = bytes;
    }

    /// Returns the counts of operations so far.
    #[must_use]
    pub fn operations(&self) -> Operations {
        lock(&self.state).done
    }
}

impl Disk for FaultyDisk {
    fn names(&self) -> io::Result<Vec<String>> {
        let mut state = lock(&self.state);
        state.operation()?;
        Ok(state.names.keys().cloned().collect())
    }

    fn open(&self, name: &str) -> io::Result<Arc<dyn DiskFile>> {
        let mut state = lock(&self.state);
        state.operation()?;
        let id = match state.names.get(name) {
            Some(id) => *id,
            None => {
                let id = state.next_file;
                state.change_names(NameChange::Made(name.to_owned(), id))?;
                state.next_file = id.saturating_add(1);
                state.files.insert(id, Content::default());
                id
            }
        };
        Ok(Arc::new(FaultyFile {
            state: Arc::clone(&self.state),
            id,
        }))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let mut state = lock(&self.state);
        state.operation()?;
        if !state.names.contains_key(from) {
            return Err(ErrorKind::NotFound.into());
        }
        state.change_names(NameChange::Renamed(from.to_owned(), to.to_owned()))
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        let mut state = lock(&self.state);
        state.operation()?;
        if !state.names.contains_key(name) {
            return Err(ErrorKind::NotFound.into());
        }
        state.change_names(NameChange::Removed(name.to_owned()))
    }

    fn sync_names(&self) -> io::Result<()> {
        let mut state = lock(&self.state);
        state.operation()?;
        state.sync_counted()?;
        state.unsynced_names.clear();
        state.synced_names = state.names.clone();
        Ok(())
    }

    fn free_bytes(&self) -> io::Result<u64> {
        let state = lock(&self.state);
        Ok(state
            .quota
            .map_or(1 << 40, |quota| quota.saturating_sub(state.used())))
    }

    fn describe(&self, name: &str) -> String {
        format!("{name} (faulty)")
    }
}

impl State {
    /// Counts an operation; an error when it is its turn to fail.
    fn operation(&mut self) -> io::Result<()> {
        self.done.all = self.done.all.saturating_add(1);
        let fails = self
            .fail_operation
            .is_some_and(|(at, fatal)| self.done.all == at || (fatal && self.done.all > at));
        if fails {
            return Err(io::Error::other("the disk refuses (on order)"));
        }
        Ok(())
    }

    /// Counts a change; an error once the power is gone.
    fn powered(&mut self) -> io::Result<()> {
        if self
            .power_until
            .is_some_and(|last| self.done.changes >= last)
        {
            return Err(io::Error::other("the power is gone"));
        }
        self.done.changes = self.done.changes.saturating_add(1);
        Ok(())
    }

    fn change_names(&mut self, change: NameChange) -> io::Result<()> {
        self.powered()?;
        change.apply(&mut self.names);
        self.unsynced_names.push(change);
        Ok(())
    }

    fn sync_counted(&mut self) -> io::Result<()> {
        self.powered()?;
        self.done.syncs = self.done.syncs.saturating_add(1);
        if self.fail_sync == Some(self.done.syncs) {
            return Err(io::Error::other("the disk cannot sync (on order)"));
        }
        Ok(())
    }

    /// Counts a write at this place; true when it has to fail.
    fn write_fails(&mut self, place: (u64, u64)) -> bool {
        self.done.writes = self.done.writes.saturating_add(1);
        let is_again = self.failed_at.take() == Some(place);
        let is_ordered = self.fail_write == Some(self.done.writes);
        self.failed_at = is_ordered.then_some(place);
        self.refuses_writes || is_ordered || is_again
    }

    /// Returns the bytes of all files that have a name.
    fn used(&self) -> u64 {
        let named_files = self.names.values().filter_map(|id| self.files.get(id));
        named_files.map(|content| wide(content.now.len())).sum()
    }

    fn content(&mut self, id: u64) -> io::Result<&mut Content> {
        self.files
            .get_mut(&id)
            .ok_or_else(|| ErrorKind::NotFound.into())
    }
}

impl NameChange {
    fn apply(&self, names: &mut BTreeMap<String, u64>) {
        match self {
            Self::Made(name, id) => {
                names.insert(name.clone(), *id);
            }
            Self::Renamed(from, to) => {
                if let Some(id) = names.remove(from) {
                    names.insert(to.clone(), id);
                }
            }
            Self::Removed(name) => {
                names.remove(name);
            }
        }
    }
}

impl Content {
    fn on_disk(bytes: Vec<u8>) -> Self {
        Self {
            now: bytes.clone(),
            synced: bytes,
            unsynced: Vec::new(),
        }
    }

    fn write(&mut self, offset: u64, bytes: &[u8]) {
        copy_in(&mut self.now, offset, bytes);
        self.unsynced.push(Change::Write(offset, bytes.to_vec()));
    }

    /// Makes the changes durable. It costs what the changes cost, however long the file is.
    fn sync(&mut self) {
        for change in self.unsynced.drain(..) {
            match change {
                Change::Write(offset, bytes) => copy_in(&mut self.synced, offset, &bytes),
                Change::Truncate(length) => self.synced.resize(narrow(length), 0),
            }
        }
    }

    /// The bytes that a power cut may leave: each unsynced sector is there or not, at most one in part.
    fn after_power_cut(&self, dice: &mut Dice) -> Vec<u8> {
        let mut remains = self.synced.clone();
        // Some cuts keep nearly everything, some nearly nothing: both find other mistakes than the middle.
        let lost_of_eight = dice.below(9);
        let torn = dice.below(self.unsynced.len().saturating_add(1));
        for (index, change) in self.unsynced.iter().enumerate() {
            let keep = |dice: &mut Dice| dice.below(8) >= lost_of_eight;
            match change {
                Change::Truncate(length) => {
                    if keep(dice) {
                        remains.resize(narrow(*length), 0);
                    }
                }
                Change::Write(offset, bytes) => {
                    let mut torn_left = index == torn;
                    for (at, sector) in sectors(*offset, bytes) {
                        if torn_left && dice.one_in(2) {
                            torn_left = false;
                            let part = dice.below(sector.len());
                            copy_in(&mut remains, at, sector.get(..part).unwrap_or_default());
                        } else if keep(dice) {
                            copy_in(&mut remains, at, sector);
                        }
                    }
                }
            }
        }
        remains
    }
}

/// The parts of a write that lie in different sectors, with their offsets.
fn sectors(offset: u64, bytes: &[u8]) -> Vec<(u64, &[u8])> {
    let mut parts = Vec::new();
    let mut at = offset;
    let mut rest = bytes;
    while !rest.is_empty() {
        let inside = narrow(at % wide(SECTOR_BYTES));
        let count = SECTOR_BYTES.saturating_sub(inside).min(rest.len());
        let (part, behind) = rest.split_at_checked(count).unwrap_or((rest, &[]));
        parts.push((at, part));
        at = at.saturating_add(wide(count));
        rest = behind;
    }
    parts
}

#[derive(Debug)]
struct FaultyFile {
    state: Arc<Mutex<State>>,
    id: u64,
}

impl DiskFile for FaultyFile {
    fn length(&self) -> io::Result<u64> {
        let mut state = lock(&self.state);
        state.operation()?;
        Ok(wide(state.content(self.id)?.now.len()))
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut state = lock(&self.state);
        state.operation()?;
        state.done.reads = state.done.reads.saturating_add(1);
        Ok(copy_out(&state.content(self.id)?.now, offset, buffer))
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut state = lock(&self.state);
        state.operation()?;
        state.powered()?;
        let failing = state.write_fails((self.id, offset));
        let free = state
            .quota
            .map_or(u64::MAX, |quota| quota.saturating_sub(state.used()));
        let content = state.content(self.id)?;
        let inside = wide(content.now.len()).saturating_sub(offset);
        let fits = if failing {
            bytes.len() / 2
        } else {
            bytes.len().min(narrow(inside.saturating_add(free)))
        };
        let (part, refused) = bytes.split_at_checked(fits).unwrap_or((bytes, &[]));
        if !part.is_empty() {
            content.write(offset, part);
        }
        if failing || !refused.is_empty() {
            return Err(ErrorKind::StorageFull.into());
        }
        Ok(())
    }

    fn truncate(&self, length: u64) -> io::Result<()> {
        let mut state = lock(&self.state);
        state.operation()?;
        state.powered()?;
        state.failed_at = None;
        let content = state.content(self.id)?;
        content.now.resize(narrow(length), 0);
        content.unsynced.push(Change::Truncate(length));
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        let mut state = lock(&self.state);
        state.operation()?;
        state.sync_counted()?;
        state.failed_at = None;
        state.content(self.id)?.sync();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(disk: &FaultyDisk, name: &str) -> Vec<u8> {
        let file = disk.open(name).unwrap();
        let mut bytes = vec![0; narrow(file.length().unwrap())];
        file.read_at(0, &mut bytes).unwrap();
        bytes
    }

    #[test]
    fn bytes_synced_under_a_synced_name_survive_every_power_cut() {
        let disk = FaultyDisk::new();
        let file = disk.open("a").unwrap();
        file.write_at(0, &[1; 1500]).unwrap();
        file.sync().unwrap();
        disk.sync_names().unwrap();
        file.write_at(1500, &[2; 1500]).unwrap();
        let mut lengths = BTreeSet::new();
        for seed in 0..200 {
            let remains = content(&disk.crash(seed), "a");
            assert_eq!(remains[..1500], [1; 1500]);
            lengths.insert(remains.len());
        }
        assert!(lengths.contains(&1500) && lengths.contains(&3000) && lengths.len() > 10);
    }

    #[test]
    fn an_unsynced_name_may_or_may_not_survive() {
        let disk = FaultyDisk::new();
        disk.open("a").unwrap().sync().unwrap();
        let survivors: BTreeSet<usize> = (0..50)
            .map(|seed| disk.crash(seed).names().unwrap().len())
            .collect();
        assert_eq!(survivors, BTreeSet::from([0, 1]));
    }

    #[test]
    fn the_same_seed_gives_the_same_disk() {
        let disk = FaultyDisk::new();
        disk.sync_names().unwrap();
        disk.open("a").unwrap().write_at(0, &[3; 9000]).unwrap();
        disk.sync_names().unwrap();
        for seed in 0..20 {
            assert_eq!(
                content(&disk.crash(seed), "a"),
                content(&disk.crash(seed), "a")
            );
        }
    }

    #[test]
    fn a_failed_write_fails_again_until_the_file_is_cut() {
        let disk = FaultyDisk::new();
        let file = disk.open("a").unwrap();
        disk.fail_write(1);
        file.write_at(0, b"12345678").unwrap_err();
        file.write_at(0, b"1234").unwrap_err();
        file.write_at(0, b"1234").unwrap();
        disk.fail_write(1);
        file.write_at(4, b"5678").unwrap_err();
        file.truncate(4).unwrap();
        file.write_at(4, b"5678").unwrap();
        assert_eq!(content(&disk, "a"), b"12345678");
    }

    #[test]
    fn writes_are_refused_until_they_are_not() {
        let disk = FaultyDisk::new();
        let file = disk.open("a").unwrap();
        disk.refuse_writes(true);
        for offset in [0, 0, 2] {
            file.write_at(offset, b"1234").unwrap_err();
        }
        disk.refuse_writes(false);
        file.write_at(0, b"1234").unwrap();
    }

    #[test]
    fn faults_happen_at_the_planned_operation() {
        let disk = FaultyDisk::new();
        let file = disk.open("a").unwrap();
        disk.fail_write(2);
        file.write_at(0, b"1234").unwrap();
        assert_eq!(
            file.write_at(4, b"5678").unwrap_err().kind(),
            ErrorKind::StorageFull
        );
        assert_eq!(content(&disk, "a"), b"123456");

        disk.set_quota(Some(8));
        assert_eq!(disk.free_bytes().unwrap(), 2);
        file.write_at(5, b"67890").unwrap_err();
        assert_eq!(content(&disk, "a"), b"12345678".map(|byte| byte));

        disk.fail_sync(1);
        file.sync().unwrap_err();
        disk.cut_power_after(1);
        file.sync().unwrap();
        file.truncate(0).unwrap_err();
        assert_eq!(disk.operations().writes, 3);

        let before = disk.operations().all;
        disk.fail_operation(2, false);
        disk.operation().unwrap();
        file.length().unwrap_err();
        file.length().unwrap();
        disk.fail_operation(1, true);
        disk.names().unwrap_err();
        file.read_at(0, &mut []).unwrap_err();
        disk.fail_no_operation();
        disk.names().unwrap();
        assert_eq!(disk.operations().all - before, 6);
    }
}
