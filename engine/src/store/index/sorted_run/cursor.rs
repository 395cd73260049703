//! Iterates over the entries of a sorted run in one direction.

use std::io;
use std::ops::Bound;
use std::sync::Arc;

use super::block::{Block, Place, RunEntry};
use super::{SortedRun, broken};
use crate::store::tables::ScanOrder;

/// A place in a sorted run.
#[derive(Debug)]
pub(crate) struct Cursor {
    run: Arc<SortedRun>,
    order: ScanOrder,
    block: Block<Vec<u8>>,
    block_number: usize,
    /// The number of the entry in the block.
    number: usize,
    /// The entry here; `None` behind the last one.
    here: Option<Place>,
}

impl Cursor {
    /// At the first entry within `bound`, for an iteration in `order`; `bound` is where the range begins in that
    /// order.
    pub(crate) fn at(
        run: &Arc<SortedRun>,
        bound: Bound<&[u8]>,
        order: ScanOrder,
    ) -> io::Result<Self> {
        // Of whatever the bound leaves out at its side.
        let is_before = |key: &[u8]| match (bound, order) {
            (Bound::Unbounded, ScanOrder::Ascending) => false,
            (Bound::Unbounded, ScanOrder::Descending) => true,
            (Bound::Included(bound), ScanOrder::Ascending)
            | (Bound::Excluded(bound), ScanOrder::Descending) => key < bound,
            (Bound::Excluded(bound), ScanOrder::Ascending)
            | (Bound::Included(bound), ScanOrder::Descending) => key <= bound,
        };
        let mut cursor = Self {
            run: Arc::clone(run),
            order,
            block: Block::default(),
            block_number: run.index.partition_point(is_before).saturating_sub(1),
            number: 0,
            here: None,
        };
        cursor.read_block()?;
        let before = cursor
            .block
            .partition_point(is_before)
            .ok_or_else(|| cursor.malformed())?;
        let first = match order {
            ScanOrder::Ascending => Some(before).filter(|before| *before < cursor.block.len()),
            // Were there none in this block, the one before it would have been chosen.
            ScanOrder::Descending if before == 0 => return Ok(cursor),
            ScanOrder::Descending => before.checked_sub(1),
        };
        cursor.go_to(first)?;
        Ok(cursor)
    }

    /// The key here; `None` behind the last entry.
    pub(crate) fn key(&self) -> Option<&[u8]> {
        self.here.as_ref().map(|place| self.block.key(place))
    }

    /// The entry here; `None` behind the last one.
    pub(crate) fn entry(&self) -> Option<RunEntry<'_>> {
        self.here.as_ref().map(|place| self.block.entry(place))
    }

    /// Goes to the next entry.
    pub(crate) fn advance(&mut self) -> io::Result<()> {
        if self.here.is_none() {
            return Ok(());
        }
        let next = match self.order {
            ScanOrder::Ascending => self.number.checked_add(1),
            ScanOrder::Descending => self.number.checked_sub(1),
        };
        self.go_to(next.filter(|next| *next < self.block.len()))
    }

    /// Goes to the entry with this number in the block; `None`: to the first one of the next block.
    fn go_to(&mut self, number: Option<usize>) -> io::Result<()> {
        let Some(number) = number else {
            return self.next_block();
        };
        let place = self.block.place(number);
        self.here = Some(place.ok_or_else(|| self.malformed())?);
        self.number = number;
        Ok(())
    }

    fn next_block(&mut self) -> io::Result<()> {
        let next = match self.order {
            ScanOrder::Ascending => self.block_number.checked_add(1),
            ScanOrder::Descending => self.block_number.checked_sub(1),
        };
        self.here = None;
        let Some(next) = next.filter(|next| *next < self.run.index.len()) else {
            return Ok(());
        };
        self.block_number = next;
        self.read_block()?;
        let first = match self.order {
            ScanOrder::Ascending => 0,
            ScanOrder::Descending => self.block.len().saturating_sub(1),
        };
        self.go_to(Some(first))
    }

    fn read_block(&mut self) -> io::Result<()> {
        if self.block_number < self.run.index.len() {
            self.block = self.run.read_block(self.block_number)?;
        }
        Ok(())
    }

    fn malformed(&self) -> io::Error {
        broken(&format!("block {} makes no sense", self.block_number))
    }
}
