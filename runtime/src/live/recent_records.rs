//! The places of the newest records that may concern listeners: a bounded list that drops the oldest first.

use std::collections::VecDeque;

use switchboard_domain::kinds;
use switchboard_engine::store::{Position, Seq};
use switchboard_engine::stream::{StreamKey, StreamKind};

/// The number of records that are remembered.
const KEPT_MAX: usize = 65_536;

/// A record that may concern listeners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordMark {
    /// Its number.
    pub seq: Seq,
    /// The place of the record.
    pub position: Position,
    /// The kind of its stream.
    pub kind: StreamKind,
    /// The id of the stream.
    pub id: [u8; 16],
}

impl RecordMark {
    /// The mark of a record; `None` for kinds that concern no listener.
    pub fn for_stream(seq: Seq, position: Position, stream: &StreamKey) -> Option<Self> {
        let live_kinds = [
            kinds::CONVERSATION,
            kinds::QUEUE,
            kinds::CRM,
            kinds::TEMPLATES,
        ];
        let kind = live_kinds.into_iter().find(|kind| stream.is(*kind))?;
        let id = <[u8; 16]>::try_from(stream.id()).ok()?;
        Some(Self {
            seq,
            position,
            kind,
            id,
        })
    }
}

/// The newest marks.
#[derive(Debug)]
pub struct RecentRecords {
    marks: VecDeque<RecordMark>,
    /// All marks behind this number are here.
    complete_from: Seq,
    last: Seq,
}

impl RecentRecords {
    /// Nothing yet, behind this number.
    pub fn new(last: Seq) -> Self {
        Self {
            marks: VecDeque::new(),
            complete_from: last,
            last,
        }
    }

    /// The last number that was seen.
    pub fn last(&self) -> Seq {
        self.last
    }

    /// All marks behind this number are here.
    pub(crate) fn complete_from(&self) -> Seq {
        self.complete_from
    }

    /// Takes in the marks of records up to `last`.
    pub fn push(&mut self, marks: impl IntoIterator<Item = RecordMark>, last: Seq) {
        self.marks.extend(marks);
        self.last = self.last.max(last);
        while self.marks.len() > KEPT_MAX {
            if let Some(oldest) = self.marks.pop_front() {
                self.complete_from = oldest.seq;
            }
        }
    }

    /// Takes in older marks: all there are behind `from`, up to where this was complete from.
    pub(crate) fn prepend(&mut self, older: VecDeque<RecordMark>, from: Seq) {
        let upto = self.complete_from;
        let fits = KEPT_MAX.saturating_sub(self.marks.len());
        self.complete_from = from.min(upto);
        for (count, mark) in older
            .into_iter()
            .rev()
            .filter(|it| it.seq <= upto)
            .enumerate()
        {
            if count >= fits {
                self.complete_from = mark.seq;
                break;
            }
            self.marks.push_front(mark);
        }
    }

    /// The marks behind this number; `None` when some of them are forgotten, or the number is none of this journal.
    pub fn after(&self, seq: Seq) -> Option<VecDeque<RecordMark>> {
        if seq < self.complete_from || seq > self.last {
            return None;
        }
        let first = self.marks.partition_point(|mark| mark.seq <= seq);
        Some(self.marks.range(first..).copied().collect())
    }

    /// At most so many of the marks behind this number, and the number up to which they are all; `None` as of [`Self::after`].
    pub fn some_after(&self, seq: Seq, most: usize) -> Option<(VecDeque<RecordMark>, Seq)> {
        if seq < self.complete_from || seq > self.last {
            return None;
        }
        let first = self.marks.partition_point(|mark| mark.seq <= seq);
        let behind = self.marks.range(first..);
        let is_all = behind.len() <= most;
        let marks: VecDeque<_> = behind.take(most).copied().collect();
        let last = marks.back().filter(|_| !is_all);
        let upto = last.map_or(self.last, |mark| mark.seq);
        Some((marks, upto))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(number: u64) -> RecordMark {
        let stream = StreamKey::new(kinds::QUEUE, &[1; 16]);
        let position = Position {
            segment: 1,
            offset: 0,
        };
        RecordMark::for_stream(Seq(number), position, &stream).unwrap()
    }

    fn numbers(recent: &RecentRecords, after: u64) -> Option<Vec<u64>> {
        let marks = recent.after(Seq(after))?;
        Some(marks.into_iter().map(|mark| mark.seq.0).collect())
    }

    #[test]
    fn a_reader_behind_the_kept_events_gets_a_reset() {
        let mut recent = RecentRecords::new(Seq(10));
        assert_eq!(numbers(&recent, 10), Some(vec![]));
        assert_eq!(numbers(&recent, 9), None, "before it began");
        recent.push([mark(11), mark(13)], Seq(14));
        assert_eq!(numbers(&recent, 10), Some(vec![11, 13]));
        assert_eq!(numbers(&recent, 11), Some(vec![13]));
        assert_eq!(numbers(&recent, 14), Some(vec![]));
        assert_eq!(numbers(&recent, 15), None, "never was");
        recent.push((15..).map(mark).take(KEPT_MAX), Seq(80_000));
        assert_eq!(numbers(&recent, 12), None);
        assert_eq!(numbers(&recent, 13).unwrap().len(), KEPT_MAX);
    }

    #[test]
    fn older_events_go_before_newer_ones_up_to_the_limit() {
        let mut recent = RecentRecords::new(Seq(10));
        recent.push([mark(11)], Seq(11));
        recent.prepend([mark(8), mark(9), mark(11)].into(), Seq(5));
        assert_eq!(numbers(&recent, 5), Some(vec![8, 9, 11]));
        assert_eq!(numbers(&recent, 4), None);
        let mut recent = RecentRecords::new(Seq(100_000));
        recent.prepend((1..=100_000).map(mark).collect(), Seq(0));
        let first = 100_000 - u64::try_from(KEPT_MAX).unwrap();
        assert_eq!(numbers(&recent, first).unwrap().len(), KEPT_MAX);
        assert_eq!(numbers(&recent, first - 1), None);
    }

    #[test]
    fn passwords_and_secrets_cause_no_live_event() {
        for kind in kinds::ALL.iter().copied() {
            let stream = StreamKey::new(kind, &[1; 16]);
            let position = Position {
                segment: 1,
                offset: 0,
            };
            let live_kinds = [
                kinds::CONVERSATION,
                kinds::QUEUE,
                kinds::CRM,
                kinds::TEMPLATES,
            ];
            let mark = RecordMark::for_stream(Seq(1), position, &stream);
            assert_eq!(mark.is_some(), live_kinds.contains(&kind), "{kind:?}");
        }
    }
}
