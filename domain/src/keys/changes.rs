//! Rows of leads, contacts and notes in the order of their last change, and of tasks in the order in which they are due.

use crate::crm::entity::{EntityKind, NoteSubject};
use crate::id::AccountId;
use crate::tables;
use crate::time::UnixMillis;
use switchboard_engine::entries::IndexEntries;

/// A list in the order of the last change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeList {
    /// The leads of an account.
    Leads,
    /// Its contacts.
    Contacts,
    /// The notes about its leads, or about its contacts.
    NotesOf(EntityKind),
    /// The notes about one lead or contact.
    NotesAbout(NoteSubject),
    /// The tasks of an account, by the time until which they are to be done.
    TasksDue,
}

/// A change of an entry, for the lists in the order of changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    /// The time of the change before; `None` for a new entry.
    pub(crate) before: Option<UnixMillis>,
    /// The time of this change.
    pub(crate) now: UnixMillis,
}

impl ChangeList {
    /// The bytes that the rows of the list start with.
    #[must_use]
    pub fn prefix(self, account: AccountId) -> Vec<u8> {
        let mut key = account.bytes().to_vec();
        match self {
            Self::Leads => key.push(1),
            Self::Contacts => key.push(2),
            Self::NotesOf(kind) => key.extend([3, kind.code()]),
            Self::NotesAbout(about) => {
                key.extend([4, about.kind.code()]);
                key.extend(about.id.to_be_bytes());
            }
            Self::TasksDue => key.push(5),
        }
        key
    }

    /// Moves an entry to the place of its last change, from that of the change before, if there was one.
    pub(crate) fn index(
        self,
        account: AccountId,
        number: u64,
        change: Change,
        entries: &mut IndexEntries,
    ) {
        let Change { before, now } = change;
        let prefix = self.prefix(account);
        if let Some(before) = before.filter(|before| *before != now) {
            let row = [prefix.as_slice(), &place(before, number)].concat();
            entries.delete(tables::BY_CHANGE, row);
        }
        let row = [prefix.as_slice(), &place(now, number)].concat();
        entries.put(tables::BY_CHANGE, row, Vec::new());
    }

    /// Takes an entry out of the list, at the place of its last change.
    pub(crate) fn remove(
        self,
        account: AccountId,
        number: u64,
        updated_at: UnixMillis,
        entries: &mut IndexEntries,
    ) {
        let prefix = self.prefix(account);
        let row = [prefix.as_slice(), &place(updated_at, number)].concat();
        entries.delete(tables::BY_CHANGE, row);
    }
}

/// The place of an entry within its list: by the time of its last change, then by its number.
#[must_use]
pub fn place(updated_at: UnixMillis, number: u64) -> [u8; 16] {
    let place = (u128::from(updated_at.get()) << 64) | u128::from(number);
    place.to_be_bytes()
}

/// The time and the number in a [`place`].
#[must_use]
pub fn parse_place(place: &[u8]) -> Option<(UnixMillis, u64)> {
    let (time, number) = place.split_first_chunk::<8>()?;
    let number = <[u8; 8]>::try_from(number).ok()?;
    Some((
        UnixMillis::new(u64::from_be_bytes(*time)),
        u64::from_be_bytes(number),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_list_has_rows_of_another() {
        let account = AccountId::from_random([1; 16]);
        let mut lists = vec![
            ChangeList::Leads,
            ChangeList::Contacts,
            ChangeList::TasksDue,
        ];
        for kind in [EntityKind::Leads, EntityKind::Contacts] {
            lists.push(ChangeList::NotesOf(kind));
            for id in [1, 2, 256] {
                lists.push(ChangeList::NotesAbout(NoteSubject { kind, id }));
            }
        }
        for (at, one) in lists.iter().enumerate() {
            for other in lists.iter().skip(at + 1) {
                let (one, other) = (one.prefix(account), other.prefix(account));
                assert!(!one.starts_with(&other) && !other.starts_with(&one));
            }
        }
    }

    #[test]
    fn places_are_ordered_by_time_and_number() {
        let times = [
            (0, 9),
            (1, 1),
            (1, 2),
            (1_700_000_000_000, 1),
            (u64::MAX, 0),
        ];
        let places = times.map(|(time, number)| place(UnixMillis::new(time), number));
        assert!(places.is_sorted());
        let entries = places.map(|place| parse_place(&place).unwrap());
        assert_eq!(
            entries,
            times.map(|(time, number)| (UnixMillis::new(time), number))
        );
        assert_eq!(parse_place(&[0; 15]), None);
    }
}
