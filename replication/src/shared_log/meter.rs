//! The appends of an owner, for others to look at while it goes on.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use switchboard_engine::store::Seq;

use crate::position::Position;

/// Marks are at least so far apart.
const MARK_EVERY: Duration = Duration::from_secs(1);
/// With more marks than this, they are thinned.
const MARKS_MAX: usize = 2_048;
/// Thinned marks lie this part of their age apart at least.
const THINNED: u32 = 64;

/// The appends of an owner.
#[derive(Debug, Default)]
pub struct OwnerMeter {
    position: AtomicU64,
    appends: AtomicU64,
    micros: AtomicU64,
    marks: Mutex<VecDeque<Mark>>,
}

/// The log had records up to `last` with the entry at this position, at this moment.
#[derive(Clone, Copy, Debug)]
struct Mark {
    position: Position,
    last: Seq,
    at: Instant,
}

impl OwnerMeter {
    /// An entry is stored; its append took so long.
    pub(super) fn stored(&self, position: Position, last: Seq, took: Duration) {
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.position.store(position.0, Ordering::Relaxed);
        self.appends.fetch_add(1, Ordering::Relaxed);
        self.micros.fetch_add(micros, Ordering::Relaxed);
        self.mark(position, last, Instant::now());
    }

    fn mark(&self, position: Position, last: Seq, at: Instant) {
        let mut marks = self.marks();
        let is_due = |mark: &Mark| at.duration_since(mark.at) >= MARK_EVERY;
        if !marks.back().is_none_or(is_due) {
            return;
        }
        if marks.len() >= MARKS_MAX {
            let mut previous: Option<Instant> = None;
            marks.retain(|mark| {
                let apart = at.duration_since(mark.at) / THINNED;
                let keep =
                    previous.is_none_or(|previous| mark.at.duration_since(previous) >= apart);
                if keep {
                    previous = Some(mark.at);
                }
                keep
            });
        }
        marks.push_back(Mark { position, last, at });
    }

    fn marks(&self) -> MutexGuard<'_, VecDeque<Mark>> {
        self.marks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The newest position that is older than `age`, of a known moment, with records up to `last` at most; entries before this
    /// owner's claim are older than that. `None`: there is none.
    #[must_use]
    pub fn position_before(&self, last: Seq, age: Duration) -> Option<Position> {
        let marks = self.marks();
        let fits = |mark: &&Mark| mark.last <= last && mark.at.elapsed() >= age;
        marks.iter().rev().find(fits).map(|mark| mark.position)
    }

    /// The position of this owner's claim, once the archive has all records from before it, up to `archived`; `None`: it lacks some.
    #[must_use]
    pub fn claim(&self, archived: Seq) -> Option<Position> {
        // The claim is the first entry of an owner, and thinning leaves the first mark.
        let marks = self.marks();
        let claim = marks.front().filter(|mark| mark.last <= archived);
        claim.map(|mark| mark.position)
    }

    /// The position of the newest entry.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.position.load(Ordering::Relaxed)
    }

    /// The number of entries that were stored, and the duration of their appends in all.
    #[must_use]
    pub fn appends(&self) -> (u64, Duration) {
        let micros = self.micros.load(Ordering::Relaxed);
        let appends = self.appends.load(Ordering::Relaxed);
        (appends, Duration::from_micros(micros))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_say_up_to_where_the_archive_has_the_log() {
        let meter = OwnerMeter::default();
        meter.stored(Position(1), Seq(2), Duration::from_millis(1));
        meter.stored(Position(2), Seq(4), Duration::from_millis(1));
        assert_eq!((meter.position(), meter.appends().0), (2, 2));
        let before = |last, age| meter.position_before(Seq(last), Duration::from_secs(age));
        assert_eq!(before(1, 0), None);
        assert_eq!(before(4, 0), Some(Position(1)));
        assert_eq!(before(4, 60), None);
        assert_eq!(meter.claim(Seq(1)), None);
        assert_eq!(meter.claim(Seq(2)), Some(Position(1)));
        assert_eq!(meter.claim(Seq(4)), Some(Position(1)));
    }

    /// A week with an entry each second: whatever the age, there is a mark that is not much older.
    #[test]
    fn marks_of_a_week_are_few_and_close_to_every_age() {
        let meter = OwnerMeter::default();
        let start = Instant::now();
        let seconds = 7 * 86_400;
        for second in 0..seconds {
            let at = start + Duration::from_secs(second);
            meter.mark(Position(second + 1), Seq(second + 1), at);
        }
        let marks = meter.marks();
        assert!(marks.len() <= MARKS_MAX);
        assert_eq!(marks.front().unwrap().position, Position(1));
        for age in [60, 3_600, 86_400, seconds - 3_600] {
            let is_old = |mark: &&Mark| seconds - mark.position.0 >= age;
            let mark = marks.iter().rev().find(is_old).unwrap();
            let older = seconds - mark.position.0 - age;
            assert!(older <= age / 20 + 1, "{age} s: {older} s older");
        }
    }
}
