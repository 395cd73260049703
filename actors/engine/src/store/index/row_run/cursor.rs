//! Goes through the rows of a run in one direction.

use std::io;
use std::ops::Bound;
use std::sync::Arc;

use super::RowRun;
use super::block::{Block, Said};
use crate::store::tables::Order;

/// A place in a row run.
#[derive(Debug)]
pub(crate) struct Cursor {
    run: Arc<RowRun>,
    order: Order,
    block: Block,
    block_number: usize,
    /// The row in the block; `None` behind the last one.
    row: Option<usize>,
}

impl Cursor {
    /// At the first row within `bound`, for somebody who goes in `order`; the bound is where the range begins for them.
    pub(crate) fn at(run: &Arc<RowRun>, bound: Bound<&[u8]>, order: Order) -> io::Result<Self> {
        // Of whatever the bound leaves out at its side.
        let is_before = |key: &[u8]| match (bound, order) {
            (Bound::Unbounded, Order::Ascending) => false,
            (Bound::Unbounded, Order::Descending) => true,
            (Bound::Included(bound), Order::Ascending)
            | (Bound::Excluded(bound), Order::Descending) => key < bound,
            (Bound::Excluded(bound), Order::Ascending)
            | (Bound::Included(bound), Order::Descending) => key <= bound,
        };
        let mut cursor = Self {
            run: Arc::clone(run),
            order,
            block: Block::default(),
            block_number: run.fences.partition_point(is_before).saturating_sub(1),
            row: None,
        };
        cursor.read_block()?;
        let before = cursor.block.partition_point(is_before);
        match order {
            Order::Ascending => {
                cursor.row = Some(before);
                if before >= cursor.block.len() {
                    cursor.next_block()?;
                }
            }
            // Were there none in this block, the one before it would have been chosen.
            Order::Descending => cursor.row = before.checked_sub(1),
        }
        Ok(cursor)
    }

    /// The key here; `None` behind the last row.
    pub(crate) fn key(&self) -> Option<&[u8]> {
        self.block.key(self.row?)
    }

    /// What is said of the row here; `None` behind the last one.
    pub(crate) fn said(&self) -> Option<Said<'_>> {
        self.block.said(self.row?)
    }

    /// Goes to the next row.
    pub(crate) fn advance(&mut self) -> io::Result<()> {
        let Some(row) = self.row else {
            return Ok(());
        };
        self.row = match self.order {
            Order::Ascending => row.checked_add(1).filter(|next| *next < self.block.len()),
            Order::Descending => row.checked_sub(1),
        };
        match self.row {
            Some(_) => Ok(()),
            None => self.next_block(),
        }
    }

    fn next_block(&mut self) -> io::Result<()> {
        let next = match self.order {
            Order::Ascending => self.block_number.checked_add(1),
            Order::Descending => self.block_number.checked_sub(1),
        };
        self.row = None;
        let Some(next) = next.filter(|next| *next < self.run.fences.len()) else {
            return Ok(());
        };
        self.block_number = next;
        self.read_block()?;
        self.row = match self.order {
            Order::Ascending => Some(0),
            Order::Descending => self.block.len().checked_sub(1),
        };
        Ok(())
    }

    fn read_block(&mut self) -> io::Result<()> {
        if self.block_number < self.run.fences.len() {
            self.block = self.run.read_block(self.block_number)?;
        }
        Ok(())
    }
}
