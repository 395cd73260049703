//! Reads every block of the files that hold keys and rows.

use std::collections::BTreeMap;
use std::io;

use crate::store::disk::Disk;
use crate::store::index::row_run::{self, RowRun};
use crate::store::index::run::{BLOCK_BYTES, Run, block_offset, decode, file_name, number as wide};
use crate::store::segment::FIRST_OFFSET;
use crate::store::verify::{Damage, FileReport, REBUILD, State};
use crate::store::{Position, Seq};

/// Looks at every block of a run.
pub(super) fn run(
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
    let (mut astray, mut first_astray) = (0_u64, None);
    for number in 0..usize::try_from(run.plate().blocks()).unwrap_or(usize::MAX) {
        let offset = block_offset(wide(number));
        let mut bad = |reason| add_damage(&mut file, offset, wide(BLOCK_BYTES), reason);
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
                astray = astray.saturating_add(1);
                first_astray.get_or_insert((offset, position));
            }
            previous = Some(key);
        }
    }
    // One line for all of them: a lost segment leaves as many behind as it had records.
    if let Some((offset, position)) = first_astray {
        let reason = format!(
            "{astray} of its keys name places that are not in the journal, the first one segment {}, offset {}",
            position.segment, position.offset
        );
        add_damage(&mut file, offset, wide(BLOCK_BYTES), reason);
    }
    Ok(file)
}

/// Looks at every block of a row run; gives the run too when nothing is wrong with it.
pub(super) fn row_run(
    disk: &dyn Disk,
    number: u64,
    names: &[String],
) -> io::Result<(FileReport, Option<RowRun>)> {
    let name = row_run::file_name(number);
    if !names.contains(&name) {
        return Ok((FileReport::rebuildable(name, 0, "it is missing"), None));
    }
    let bytes = disk.open(&name)?.length()?;
    let run = match RowRun::open(disk, number) {
        Ok(run) => run,
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            let file = FileReport::rebuildable(name, bytes, error.to_string());
            return Ok((file, None));
        }
        Err(error) => return Err(error),
    };
    let mut file = FileReport::sound(name, bytes, format!("{} rows", run.rows()));
    for (offset, length, looked) in run.look_at_blocks() {
        match looked {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                add_damage(&mut file, offset, length, error.to_string());
            }
            Err(error) => return Err(error),
        }
    }
    let is_sound = file.damage.is_empty();
    Ok((file, is_sound.then_some(run)))
}

fn add_damage(file: &mut FileReport, offset: u64, bytes: u64, reason: String) {
    file.state = State::Rebuildable;
    file.damage.push(Damage {
        offset,
        bytes,
        reason,
        records: None,
        touched: Vec::new(),
        advice: REBUILD,
    });
}
