//! The values of the messenger: tables of texts by key.

use std::collections::BTreeMap;
use std::ops::Bound;

use redb::{Database, ReadableDatabase as _};

use crate::state::Change;
use crate::store::Store;
use crate::store::file::VALUES;

/// A table and a key.
type Place = (String, String);

/// The values on their way to the disk; `None` is a deletion.
#[derive(Default)]
pub(super) struct Overlay {
    values: BTreeMap<Place, Pending>,
    marks: u64,
}

struct Pending {
    /// The commit that brought it.
    mark: u64,
    value: Option<String>,
}

/// The place and the value of a change; `None` when it is about no value.
fn parts(change: &Change) -> Option<(Place, Option<&String>)> {
    match change {
        Change::Put { table, key, value } => Some(((table.clone(), key.clone()), Some(value))),
        Change::Delete { table, key } => Some(((table.clone(), key.clone()), None)),
        Change::Callback { .. } | Change::Begin(_) | Change::End(_) | Change::Account(_) => None,
    }
}

impl Overlay {
    /// Adds the values of a commit, and returns its mark.
    pub(super) fn add(&mut self, changes: &[Change]) -> u64 {
        self.marks += 1;
        let mark = self.marks;
        for (place, value) in changes.iter().filter_map(parts) {
            let value = value.cloned();
            self.values.insert(place, Pending { mark, value });
        }
        mark
    }

    /// Removes the values of a commit that no later one has replaced.
    pub(super) fn remove(&mut self, changes: &[Change], mark: u64) {
        for (place, _) in changes.iter().filter_map(parts) {
            if self.values.get(&place).is_some_and(|it| it.mark == mark) {
                self.values.remove(&place);
            }
        }
    }
}

impl Store {
    /// The value of a key, as the last commit leaves it, be it on the disk or on its way.
    pub fn get(&self, table: &str, key: &str) -> Option<String> {
        let place = (table.to_owned(), key.to_owned());
        if let Some(pending) = self.overlay.borrow().values.get(&place) {
            return pending.value.clone();
        }
        self.read(|database| value(database, table, key)).flatten()
    }

    /// All keys of a table with their values, in the order of the keys. [`Store::page`] is for tables without a bound.
    pub fn list(&self, table: &str) -> Vec<(String, String)> {
        self.rows(table, Bound::Included(""), usize::MAX)
    }

    /// At most so many keys of a table after this one, with their values, in the order of the keys.
    pub fn page(&self, table: &str, after: &str, count: usize) -> Vec<(String, String)> {
        self.rows(table, Bound::Excluded(after), count)
    }

    /// The last key of a table, with its value.
    pub fn last(&self, table: &str) -> Option<(String, String)> {
        let end = format!("{table}\0");
        let row = self.read(|database| last(database, table)).flatten();
        let overlay = self.overlay.borrow();
        let places = (table.to_owned(), String::new())..(end, String::new());
        let mut rows: BTreeMap<String, String> = row.into_iter().collect();
        let is_whole = overlay
            .values
            .range(places.clone())
            .all(|(_, it)| it.value.is_some());
        if !is_whole {
            drop(overlay);
            return self.list(table).pop();
        }
        for ((_, key), pending) in overlay.values.range(places) {
            rows.extend(pending.value.clone().map(|value| (key.clone(), value)));
        }
        rows.pop_last()
    }

    fn rows(&self, table: &str, from: Bound<&str>, count: usize) -> Vec<(String, String)> {
        let overlay = self.overlay.borrow();
        let start = from.map(|key| (table.to_owned(), key.to_owned()));
        let pending: Vec<_> = overlay
            .values
            .range((start, Bound::Unbounded))
            .take_while(|((name, _), _)| name == table)
            .collect();
        // Each of the pending values may stand for the deletion of a row.
        let most = count.saturating_add(pending.len());
        let disk_rows = self.read(|database| rows_on_disk(database, table, from, most));
        let mut rows: BTreeMap<String, String> = disk_rows.into_iter().flatten().collect();
        for ((_, key), pending) in pending {
            match &pending.value {
                Some(value) => rows.insert(key.clone(), value.clone()),
                None => rows.remove(key),
            };
        }
        rows.into_iter().take(count).collect()
    }
}

fn value(database: &Database, table: &str, key: &str) -> Result<Option<String>, redb::Error> {
    let values = database.begin_read()?.open_table(VALUES)?;
    let row = values.get((table, key))?;
    Ok(row.map(|it| it.value().to_owned()))
}

fn last(database: &Database, table: &str) -> Result<Option<(String, String)>, redb::Error> {
    let values = database.begin_read()?.open_table(VALUES)?;
    let end = format!("{table}\0");
    let mut range = values.range((table, "")..(end.as_str(), ""))?;
    let Some(row) = range.next_back() else {
        return Ok(None);
    };
    let (place, value) = row?;
    Ok(Some((place.value().1.to_owned(), value.value().to_owned())))
}

fn rows_on_disk(
    database: &Database,
    table: &str,
    from: Bound<&str>,
    count: usize,
) -> Result<Vec<(String, String)>, redb::Error> {
    let values = database.begin_read()?.open_table(VALUES)?;
    let start = from.map(|key| (table, key));
    let mut rows = Vec::new();
    for row in values
        .range::<(&str, &str)>((start, Bound::Unbounded))?
        .take(count)
    {
        let (place, value) = row?;
        let (name, key) = place.value();
        if name != table {
            break;
        }
        rows.push((key.to_owned(), value.value().to_owned()));
    }
    Ok(rows)
}
