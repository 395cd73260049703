//! The outcomes of damaged files: a file is changed, cut or taken away, then everything that was stored is asked for.

use std::fs;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::child::tell;
use crate::probe::{record_of, records};
use crate::shape::{
    KEYS_OF_MESSAGE, Messages, absent, key_of, mixed, snapshot, snapshot_key, tables,
};
use crate::sides::{Settings, Side, Stored};

/// The outcome of one damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Outcome {
    /// Every answer was right.
    Right,
    /// It was noticed at the start.
    NoticedAtStart,
    /// It was noticed when something was asked; all answers before were right.
    NoticedLater,
    /// An answer was wrong and nothing said so.
    Wrong,
    /// It panicked.
    Panicked,
    /// The process was gone.
    Died,
}

/// The damage of a file, and its outcome.
#[derive(Debug, Serialize, Deserialize)]
pub struct Damaged {
    pub number: u64,
    pub what: String,
    pub outcome: Outcome,
}

/// Damages copies of the stored files, each in another way, and prints the outcome of each.
pub fn damage(
    side: Side,
    home: &Path,
    shape: Messages,
    messages: u64,
    numbers: Range<u64>,
    settings: Settings,
) -> Result<()> {
    // Panics are counted; thousands of lines about them would be of no use.
    std::panic::set_hook(Box::new(|_| {}));
    for number in numbers {
        let copy = tempfile::tempdir_in(home.parent().context("there is no place for a copy")?)?;
        copy_all(home, copy.path())?;
        let what = spoil(side, copy.path(), number)?;
        let looked = catch_unwind(AssertUnwindSafe(|| {
            look(side, copy.path(), shape, messages, settings)
        }));
        let outcome = looked.unwrap_or(Outcome::Panicked);
        tell(&Damaged {
            number,
            what,
            outcome,
        })?;
    }
    Ok(())
}

fn look(side: Side, home: &Path, shape: Messages, messages: u64, settings: Settings) -> Outcome {
    let Ok(store) = side.open(home, records(messages), settings) else {
        return Outcome::NoticedAtStart;
    };
    match is_right(store.as_ref(), shape, messages) {
        Ok(true) => Outcome::Right,
        Ok(false) => Outcome::Wrong,
        Err(_) => Outcome::NoticedLater,
    }
}

/// Returns whether all is there that should be, and nothing else.
pub fn is_right(stored: &dyn Stored, shape: Messages, messages: u64) -> Result<bool> {
    let mut last = vec![None; usize::try_from(shape.conversations)?];
    for message in 0..messages {
        let record = Some(record_of(message, messages));
        for key in 0..KEYS_OF_MESSAGE {
            if stored.key(key_of(message, key))? != record {
                return Ok(false);
            }
        }
        if stored.key(absent(message))?.is_some() {
            return Ok(false);
        }
        if let Some(last) = last.get_mut(usize::try_from(shape.conversation(message))?) {
            *last = Some(message);
        }
    }
    for (conversation, last) in (0..).zip(&last) {
        let row = last.map(|message| snapshot(conversation, message));
        if stored.row(tables::SNAPSHOT, &snapshot_key(conversation))? != row {
            return Ok(false);
        }
    }
    let conversations = last.iter().flatten().count();
    Ok(stored.first(tables::ACTIVITY, usize::MAX)?.len() == conversations)
}

/// Damages one of the files that the two sides differ in, and says how.
fn spoil(side: Side, home: &Path, number: u64) -> Result<String> {
    let folder = match side {
        Side::Runs => "files",
        Side::Tree => "tree",
    };
    let mut files = Vec::new();
    list(&home.join(folder), &mut files)?;
    files.sort();
    let choose = |salt: u64, end: usize| -> Result<usize> {
        let end = u64::try_from(end)?.max(1);
        Ok(usize::try_from(mixed(number ^ mixed(salt)) % end)?)
    };
    let file = files
        .get(choose(1, files.len())?)
        .context("nothing is stored")?;
    let mut bytes = fs::read(file)?;
    let at = choose(2, bytes.len())?;
    let how = match number % 4 {
        0 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << choose(3, 8)?;
            }
            "a bit"
        }
        1 => {
            bytes.truncate(at);
            "cut"
        }
        2 => {
            let end = bytes.len().min(at.saturating_add(512));
            bytes.get_mut(at..end).unwrap_or_default().fill(0);
            "zeros"
        }
        _ => "gone",
    };
    let name = file.strip_prefix(home).unwrap_or(file).display();
    let what = format!("{name}: {how} at {at} of {}", fs::metadata(file)?.len());
    if how == "gone" {
        fs::remove_file(file)?;
    } else {
        fs::write(file, bytes)?;
    }
    Ok(what)
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            list(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

fn copy_all(from: &Path, to: &Path) -> Result<()> {
    if !from.is_dir() {
        bail!("{} is no directory", from.display());
    }
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            fs::create_dir_all(&target)?;
            copy_all(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}
