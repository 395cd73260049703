//! Reads every block of sorted runs.

use std::collections::BTreeMap;
use std::io;

use crate::store::Position;
use crate::store::disk::Disk;
use crate::store::identity::content::InstallationTag;
use crate::store::index::keymap::unpacked;
use crate::store::index::sorted_run::SortedRun;
use crate::store::index::sorted_run::block::{Block, RunEntry};
use crate::store::index::sorted_run::id::{Family, RunId};
use crate::store::segment::FIRST_OFFSET;
use crate::store::verify::report::{Damage, FileReport, FileState, REBUILD};

/// Checks every block of a run; returns the run too when nothing is wrong with it. `ends` are the lengths of the
/// journal's segments.
pub(super) fn run(
    disk: &dyn Disk,
    id: RunId,
    names: &[String],
    installation: InstallationTag,
    ends: &BTreeMap<u32, u64>,
) -> io::Result<(FileReport, Option<SortedRun>)> {
    let name = id.name();
    if !names.contains(&name) {
        return Ok((FileReport::rebuildable(name, 0, "it is missing"), None));
    }
    let bytes = disk.open(&name)?.length()?;
    let run = match SortedRun::open(disk, id, installation) {
        Ok(run) => run,
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            let file = FileReport::rebuildable(name, bytes, error.to_string());
            return Ok((file, None));
        }
        Err(error) => return Err(error),
    };
    let what = match id.family {
        Family::Keys => "keys",
        Family::Rows => "rows",
    };
    let note = format!("{} {what} of records up to {}", run.entries(), id.last.0);
    let mut file = FileReport::sound(name, bytes, note);
    let mut astray = Astray::default();
    let mut previous = None;
    for (offset, length, block) in run.blocks() {
        let looked = block.and_then(|block| {
            look_at(&block, &mut previous, |entry| {
                if id.family == Family::Keys {
                    astray.look_at(offset, length, entry, ends);
                }
            })
        });
        match looked {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                add_damage(&mut file, offset, length, error.to_string());
            }
            Err(error) => return Err(error),
        }
    }
    astray.tell(&mut file);
    let is_sound = file.damage.is_empty();
    Ok((file, is_sound.then_some(run)))
}

/// Checks all entries of a block; `previous` is the last key of the blocks before it.
fn look_at(
    block: &Block<Vec<u8>>,
    previous: &mut Option<Vec<u8>>,
    mut look: impl FnMut(RunEntry<'_>),
) -> io::Result<()> {
    let damaged = |reason| io::Error::new(io::ErrorKind::InvalidData, reason);
    for number in 0..block.len() {
        let place = block
            .place(number)
            .ok_or_else(|| damaged("its entries make no sense"))?;
        let key = block.key(&place);
        if previous.as_deref().is_some_and(|previous| previous >= key) {
            return Err(damaged("its keys are not in order"));
        }
        look(block.entry(&place));
        *previous = Some(key.to_vec());
    }
    Ok(())
}

/// Keys that name positions where no record is.
#[derive(Default)]
struct Astray {
    count: u64,
    /// The block of the first one, and what it names.
    first: Option<(u64, u64, Option<Position>)>,
}

impl Astray {
    fn look_at(
        &mut self,
        offset: u64,
        length: u64,
        entry: RunEntry<'_>,
        ends: &BTreeMap<u32, u64>,
    ) {
        let packed = entry.value.and_then(|value| value.try_into().ok());
        let position = packed.map(|packed| unpacked(u64::from_be_bytes(packed)));
        let is_there = position.is_some_and(|position| {
            let end = ends.get(&position.segment);
            let is_before = end.is_some_and(|end| u64::from(position.offset) < *end);
            position.offset >= FIRST_OFFSET && is_before
        });
        if !is_there {
            self.count = self.count.saturating_add(1);
            self.first.get_or_insert((offset, length, position));
        }
    }

    /// Reports all of them in one line: a lost segment leaves as many behind as it had records.
    fn tell(&self, file: &mut FileReport) {
        let Some((offset, length, position)) = self.first else {
            return;
        };
        let place = position.map_or("nowhere".to_owned(), |position| {
            format!("segment {}, offset {}", position.segment, position.offset)
        });
        let reason = format!(
            "{} of its keys name places that are not in the journal, the first one {place}",
            self.count
        );
        add_damage(file, offset, length, reason);
    }
}

fn add_damage(file: &mut FileReport, offset: u64, bytes: u64, reason: String) {
    file.state = FileState::Rebuildable;
    file.damage.push(Damage {
        offset,
        bytes,
        reason,
        records: None,
        touched: Vec::new(),
        advice: REBUILD,
    });
}
