//! The memory of the bridge: a file to which each group of changes is added as a line of JSON.
//!
//! What the bridge has answered or sent has to survive a kill, so a change is on the disk before `commit` returns. Many callbacks
//! at once share one sync: the thread that writes takes all that wait. At each start the file is written anew, without what is
//! done.

use std::cell::{Cell, Ref, RefCell};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};

use anyhow::{Context as _, Result};
use tokio::sync::oneshot;

use crate::clock::unix_seconds;
use crate::log::log;
use crate::state::{Account, Change, Job, Lane, State};

const FILE: &str = "bridge.jsonl";
/// The most groups of changes that share a sync.
const GROUPS_MAX: usize = 500;

/// A group of changes on its way to the disk.
struct Group {
    line: Vec<u8>,
    stored: oneshot::Sender<()>,
}

/// The memory.
pub(crate) struct Store {
    state: RefCell<State>,
    writer: Sender<Group>,
    /// The last job that is on the disk.
    stored_job: Cell<u64>,
}

impl Store {
    /// Reads what is there, and begins to write.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub(crate) fn open(directory: &Path) -> Result<Self> {
        let path = directory.join(FILE);
        let state = read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let file = rewrite(directory, &state)
            .with_context(|| format!("cannot write {}", path.display()))?;
        let (writer, groups) = channel();
        std::thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || write(file, &groups))?;
        Ok(Self {
            stored_job: Cell::new(state.last_job),
            state: RefCell::new(state),
            writer,
        })
    }

    /// The state, for a look that waits for nothing.
    pub(crate) fn state(&self) -> Ref<'_, State> {
        self.state.borrow()
    }

    /// A new job. It begins when its change is stored.
    pub(crate) fn job(&self, lane: Lane, rank: i64, body: String) -> Job {
        let mut state = self.state.borrow_mut();
        state.last_job += 1;
        Job {
            id: state.last_job,
            lane,
            rank,
            at: unix_seconds(),
            body,
        }
    }

    /// Makes all of the changes or none, and returns when they are on the disk.
    pub(crate) async fn commit(&self, changes: &[Change]) {
        for change in changes {
            self.state.borrow_mut().apply(change);
        }
        // Changes are made of texts and numbers, which are JSON.
        let mut line = serde_json::to_vec(changes).unwrap_or_default();
        line.push(b'\n');
        let (stored, is_stored) = oneshot::channel();
        // The process ends when the thread that writes does.
        drop(self.writer.send(Group { line, stored }));
        drop(is_stored.await);
        for change in changes {
            if let Change::Begin(job) = change {
                self.stored_job.set(self.stored_job.get().max(job.id));
            }
        }
    }

    /// Returns when a job is on the disk: no work begins before.
    pub(crate) async fn until_stored(&self, job: u64) {
        if job > self.stored_job.get() {
            self.flush().await;
        }
    }

    /// Changes what is remembered of the installation.
    pub(crate) async fn change_account(&self, change: impl FnOnce(&mut Account)) {
        let mut account = self.state().account.clone();
        change(&mut account);
        self.commit(&[Change::Account(Box::new(account))]).await;
    }

    /// Returns when everything until now is on the disk.
    pub(crate) async fn flush(&self) {
        self.commit(&[]).await;
    }
}

/// Reads the changes. The line of a process that was killed while it wrote it has no end, and was promised to nobody.
fn read(path: &Path) -> Result<State> {
    let mut state = State::default();
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(state),
        Err(error) => return Err(error.into()),
    };
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let Some(line) = line.strip_suffix('\n') else {
            break;
        };
        let changes: Vec<Change> =
            serde_json::from_str(line).with_context(|| format!("line {}", number + 1))?;
        for change in &changes {
            state.apply(change);
        }
    }
    Ok(state)
}

/// Puts a file with the state in the place of the one that has led to it. Only the user can read it: it has tokens.
fn rewrite(directory: &Path, state: &State) -> io::Result<File> {
    let new = directory.join(format!("{FILE}.new"));
    let options = OpenOptions::new()
        .create(true)
        .write(true)
        .truncate(true)
        .mode(0o600)
        .clone();
    let mut file = options.open(&new)?;
    let mut text = Vec::new();
    for change in state.changes(unix_seconds()) {
        serde_json::to_writer(&mut text, &[change])?;
        text.push(b'\n');
    }
    file.write_all(&text)?;
    file.sync_all()?;
    fs::rename(&new, directory.join(FILE))?;
    File::open(directory)?.sync_all()?;
    Ok(file)
}

fn write(mut file: File, groups: &Receiver<Group>) {
    while let Ok(first) = groups.recv() {
        let others = groups.try_iter().take(GROUPS_MAX);
        let together: Vec<Group> = std::iter::once(first).chain(others).collect();
        let lines: Vec<&[u8]> = together.iter().map(|it| it.line.as_slice()).collect();
        let text = lines.concat();
        if let Err(error) = file.write_all(&text).and_then(|()| file.sync_data()) {
            // The memory is ahead of the disk, and nothing may be promised any more. The next start reads the disk.
            log(format!("the bridge ends, because it cannot store: {error}"));
            std::process::exit(1);
        }
        for group in together {
            // Whoever waited for it may have gone.
            group.stored.send(()).unwrap_or_default();
        }
    }
}
