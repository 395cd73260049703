//! The schema of a product: its kinds of states and its tables. They are registered here, and their places on disk
//! are decided here.

use std::marker::PhantomData;
use std::sync::Arc;

use crate::changes::Changes;
use crate::state::State;
use crate::store::index::fold::{Folder, FolderOf, Folding, RebuildError};
use crate::stream::{StreamKey, StreamKind};
use crate::table::{BUSY_SNAPSHOTS, PrefixOf, SNAPSHOTS, Table};

/// The kinds of states and the tables of a product.
#[derive(Clone)]
pub struct Schema {
    kinds: Vec<(StreamKind, Arc<dyn Folder>)>,
    tables: Arc<[Table]>,
    prefixes: Prefixes,
}

/// By which beginnings rows are asked for, for the tables that say so.
#[derive(Clone, Debug)]
pub(in crate::store) struct Prefixes(Arc<[(u8, PrefixOf)]>);

impl Schema {
    /// These tables, and no kinds yet.
    #[must_use]
    pub fn new(tables: &[Table]) -> Self {
        let own = [SNAPSHOTS, BUSY_SNAPSHOTS];
        Self {
            kinds: Vec::new(),
            tables: own.iter().chain(tables).copied().collect(),
            prefixes: Prefixes::new(tables),
        }
    }

    /// These kinds and the kind of `S`.
    #[must_use]
    pub fn with<S: State>(mut self) -> Self {
        let folder = Arc::new(FolderOf::<S>(PhantomData));
        self.kinds.push((S::KIND, folder));
        self
    }

    /// All tables, those of snapshots too.
    #[must_use]
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// All kinds.
    pub fn kinds(&self) -> impl Iterator<Item = StreamKind> {
        self.kinds.iter().map(|(kind, _)| *kind)
    }

    /// The name of a stream, for people.
    #[must_use]
    pub fn name(&self, stream: &StreamKey) -> String {
        let kind = self.kinds().find(|kind| stream.is(*kind));
        kind.map_or_else(|| format!("{stream:?}"), |kind| stream.named(kind.name()))
    }

    pub(in crate::store) fn prefixes(&self) -> &Prefixes {
        &self.prefixes
    }

    /// The table that a stream's snapshot is in; one of an unknown kind has none, and any will do.
    pub(in crate::store) fn snapshots_of(&self, stream: &StreamKey) -> Table {
        let kind = self.kinds().find(|kind| stream.is(*kind));
        kind.map_or(SNAPSHOTS, snapshots)
    }

    /// Returns whether one of the kinds has a stream of this name.
    pub(in crate::store) fn know(&self, stream: &StreamKey) -> bool {
        self.folders().any(|folder| folder.knows(stream))
    }

    /// Checks that an event of this stream can be understood; the error says why not.
    pub(in crate::store) fn reads(&self, stream: &StreamKey, event: &[u8]) -> Result<(), String> {
        let Some(folder) = self.folders().find(|folder| folder.knows(stream)) else {
            return Err(format!(
                "this version knows no stream {}",
                self.name(stream)
            ));
        };
        folder
            .reads(event)
            .map_err(|error| format!("its event cannot be understood: {error}"))
    }

    /// Begins to rebuild the state of a stream, from its snapshot if there is one.
    pub(in crate::store) fn start(
        &self,
        stream: &StreamKey,
        snapshot: Option<&[u8]>,
    ) -> Result<Box<dyn Folding>, RebuildError> {
        let kind = self
            .folders()
            .find_map(|folder| folder.start(stream, snapshot));
        kind.ok_or(RebuildError::UnknownKind)?
    }

    fn folders(&self) -> impl Iterator<Item = &dyn Folder> {
        self.kinds.iter().map(|(_, folder)| folder.as_ref())
    }
}

/// The table that the snapshots of states of this kind are in.
pub(in crate::store) fn snapshots(kind: StreamKind) -> Table {
    match kind.changes() {
        Changes::Often => BUSY_SNAPSHOTS,
        Changes::Seldom => SNAPSHOTS,
    }
}

impl Prefixes {
    /// Those of these tables.
    pub(in crate::store) fn new(tables: &[Table]) -> Self {
        let prefix = |table: &Table| Some((table.code(), table.prefix()?));
        Self(tables.iter().filter_map(prefix).collect())
    }

    /// The first part of a run's key that rows are asked for by, when they are.
    pub(in crate::store) fn prefix<'k>(&self, key: &'k [u8]) -> Option<&'k [u8]> {
        let (code, row) = key.split_first()?;
        let (_, prefix) = self.0.iter().find(|(asked, _)| asked == code)?;
        let prefix = prefix(row)?;
        key.get(..prefix.len().checked_add(1)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::testing::{kinds, tables};

    #[test]
    fn frequent_snapshots_use_runs_and_table_codes_are_unique() {
        let (talk, counter) = (snapshots(kinds::TALK), snapshots(kinds::COUNTER));
        assert!(talk.lies_in_runs() && !counter.lies_in_runs());
        assert_eq!(kinds::ALL, [kinds::TALK, kinds::COUNTER]);
        let mut codes: Vec<u8> = Schema::new(tables::ALL)
            .tables()
            .iter()
            .map(|table| table.code())
            .collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), tables::ALL.len() + 2);
    }
}
