//! Upgrade of a data directory of an older format to this version's, at the start.
//!
//! Each step makes the next format of one. The identity names the new format only after the step has returned, so a step that
//! a crash interrupted runs again: it must accept its own unfinished work.

use std::io;
use std::sync::Arc;

use crate::store::disk::Disk;

/// The step from one format to the next.
#[derive(Clone, Copy, Debug)]
pub struct Upgrade {
    /// The format that it reads.
    pub from: u32,
    /// Rewrites what differs; everything is on disk when it returns.
    pub run: fn(&Arc<dyn Disk>) -> io::Result<()>,
}

/// All steps, oldest first. Format 1 is the first one, so no data is older.
pub const UPGRADES: &[Upgrade] = &[];

/// The steps from one format to another. If none begins with the first one: the oldest format that can be upgraded.
pub(super) fn path(upgrades: &[Upgrade], from: u32, to: u32) -> Result<&[Upgrade], u32> {
    if from == to {
        return Ok(&[]);
    }
    let oldest = upgrades.first().map_or(to, |first| first.from);
    let first_step = upgrades.iter().position(|step| step.from == from);
    first_step.and_then(|at| upgrades.get(at..)).ok_or(oldest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::identity::FORMAT;

    const fn step(from: u32) -> Upgrade {
        Upgrade {
            from,
            run: |_| Ok(()),
        }
    }

    #[test]
    fn upgrades_follow_each_other_up_to_this_format() {
        let formats = UPGRADES.iter().map(|step| step.from);
        let oldest = UPGRADES.first().map_or(FORMAT, |step| step.from);
        assert!(formats.eq(oldest..FORMAT));
    }

    #[test]
    fn the_path_of_an_upgrade_begins_with_the_format_of_the_data() {
        let steps = [step(3), step(4), step(5)];
        let of = |from| path(&steps, from, 6).map(<[Upgrade]>::len);
        assert_eq!([of(3), of(5), of(6)], [Ok(3), Ok(1), Ok(0)]);
        assert_eq!([of(2), of(0)], [Err(3), Err(3)]);
        assert_eq!(path(&[], 0, 1).map(<[Upgrade]>::len), Err(1));
    }
}
