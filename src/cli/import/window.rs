//! The lines in progress, and the position up to which everything is done.
//!
//! Lines end out of order. They are counted in batches: what is done is everything before the first batch with a line
//! still in progress.

use std::collections::VecDeque;

use super::mark::ImportMark;
use super::reader::FilePosition;
use super::tally::Tally;

/// Lines of one batch: an interruption loses at most the work of a few batches.
const BATCH_LINES: u64 = 500;

struct Batch {
    /// Its last line so far.
    last: u64,
    /// The number of its lines in progress.
    open: u64,
    /// The position of its end.
    end: FilePosition,
}

/// The lines in progress.
pub(super) struct Window {
    batches: VecDeque<Batch>,
    done: FilePosition,
    moved: bool,
}

impl Window {
    /// Everything up to here is done.
    pub(super) fn new(done: &FilePosition) -> Self {
        Self {
            batches: VecDeque::new(),
            done: done.clone(),
            moved: false,
        }
    }

    /// A line begins, which ends at `end`; lines begin in their order.
    pub(super) fn begin(&mut self, line: u64, end: &FilePosition) {
        match self.batches.back_mut() {
            Some(batch) if line.checked_rem(BATCH_LINES) != Some(0) => {
                batch.last = line;
                batch.open = batch.open.saturating_add(1);
                batch.end = end.clone();
            }
            Some(_) | None => self.batches.push_back(Batch {
                last: line,
                open: 1,
                end: end.clone(),
            }),
        }
    }

    /// A line is over.
    pub(super) fn done(&mut self, line: u64) {
        let at = self.batches.partition_point(|batch| batch.last < line);
        if let Some(batch) = self.batches.get_mut(at) {
            batch.open = batch.open.saturating_sub(1);
        }
        // The last batch may still grow, and is passed when the next begins.
        while self.batches.len() > 1 && self.batches.front().is_some_and(|batch| batch.open == 0) {
            self.pass();
        }
    }

    fn pass(&mut self) {
        if let Some(batch) = self.batches.pop_front() {
            self.done = batch.end;
            self.moved = true;
        }
    }

    /// Returns whether more is done than at the last call.
    pub(super) fn moved(&mut self) -> bool {
        std::mem::take(&mut self.moved)
    }

    /// Up to where everything is done, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.done.bytes
    }

    /// Up to where everything is done.
    pub(super) fn reached(&self, tally: Tally) -> ImportMark {
        ImportMark {
            bytes: self.done.bytes,
            lines: self.done.lines,
            digest: self.done.digest(),
            tally,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::reader::Lines;
    use super::*;

    #[test]
    fn lines_behind_an_unfinished_one_do_not_count_as_done() {
        let text = "x\n".repeat(1_700);
        let mut lines = Lines::new(text.as_bytes());
        let mut window = Window::new(lines.place());
        let mut line = 0;
        while lines.next().unwrap().is_some() {
            line += 1;
            window.begin(line, lines.place());
        }
        for line in (501..=1_700).rev() {
            window.done(line);
        }
        assert_eq!((window.moved(), window.bytes()), (false, 0));
        for line in 1..=500 {
            window.done(line);
        }
        assert!(window.moved() && !window.moved());
        let mark = window.reached(Tally::default());
        assert_eq!((mark.lines, mark.bytes), (1_499, 2_998));
        let mut again = Lines::new(text.as_bytes());
        assert!(again.skip_to(mark.bytes, mark.lines).unwrap());
        assert_eq!(again.digest(), mark.digest);
    }
}
