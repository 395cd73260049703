//! Rows by which contacts and conversations are found: the phone number, the e-mail address, the person.

use crate::id::{AccountId, PersonId};
use crate::text::Phone;
use crate::text::email::Email;
use crate::text::normal_form::NormalForm;
use crate::text::phone_number::{NUMBER_MIN, numbers_in};
use crate::text::search::{LACKING_MAX, Search};
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::table::Table;

/// The addresses by which a contact or a conversation is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Addresses<'a> {
    /// The phone number.
    pub phone: Option<&'a Phone>,
    /// The e-mail address.
    pub email: Option<&'a Email>,
    /// The person.
    pub person: Option<PersonId>,
}

impl Addresses<'_> {
    /// The rows by which something with this id is found.
    #[must_use]
    pub fn rows(&self, account: AccountId, id: &[u8]) -> Vec<Vec<u8>> {
        let mut rows = Vec::new();
        for number in self
            .phone
            .iter()
            .flat_map(|phone| numbers_in(phone.as_str()))
        {
            let spellings = number.spellings().into_iter();
            let whole = spellings.filter(|digits| digits.len() >= NUMBER_MIN);
            rows.extend(whole.map(|digits| whole_phone(account, &digits)));
        }
        let address = self.email.map(|address| NormalForm::new(address.as_str()));
        rows.extend(address.map(|address| email(account, &address)));
        rows.extend(self.person.map(|of| person(account, of)));
        rows.sort_unstable();
        rows.dedup();
        for row in &mut rows {
            row.extend(id);
        }
        rows
    }
}

/// Takes the rows of earlier addresses away, and puts those of the present ones.
pub fn change_rows(table: Table, then: &[Vec<u8>], now: Vec<Vec<u8>>, entries: &mut IndexEntries) {
    for row in then.iter().filter(|row| !now.contains(row)) {
        entries.delete(table, row.clone());
    }
    for row in now.into_iter().filter(|row| !then.contains(row)) {
        entries.put(table, row, Vec::new());
    }
}

/// Returns the prefixes of the rows with a phone number or an e-mail address that the search may mean. The number of
/// the search may lack the code of the country, and so may the stored one.
#[must_use]
pub fn of_search(account: AccountId, search: &Search) -> Vec<Vec<u8>> {
    let mut prefixes = Vec::new();
    for number in search.numbers() {
        prefixes.push(phone(account, number));
        for lacking in 1..=LACKING_MAX {
            let end = number.get(lacking..).unwrap_or_default();
            if end.len() >= NUMBER_MIN {
                prefixes.push(whole_phone(account, end));
            }
        }
    }
    prefixes.extend(search.address().map(|address| email(account, address)));
    prefixes
}

/// Returns the prefix of the rows of a person.
#[must_use]
pub fn person(account: AccountId, person: PersonId) -> Vec<u8> {
    let mut key = start(account, b'u');
    key.extend(person.bytes());
    key
}

/// Returns the prefix of the rows of phone numbers that end with these digits. The digits are stored from the last one
/// on, since numbers are written with and without the prefix of the country.
fn phone(account: AccountId, digits: &str) -> Vec<u8> {
    let mut key = start(account, b'p');
    key.extend(digits.bytes().rev());
    key
}

/// Returns the prefix of the rows of phone numbers that are these digits.
fn whole_phone(account: AccountId, digits: &str) -> Vec<u8> {
    let mut key = phone(account, digits);
    key.push(0);
    key
}

/// Returns the prefix of the rows of this e-mail address.
fn email(account: AccountId, address: &NormalForm) -> Vec<u8> {
    let mut key = start(account, b'e');
    key.extend(address.as_str().bytes());
    key.push(0);
    key
}

fn start(account: AccountId, kind: u8) -> Vec<u8> {
    let mut key = account.bytes().to_vec();
    key.push(kind);
    key
}
