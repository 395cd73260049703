//! Rows by which contacts are found: their phone numbers and e-mail addresses.

use crate::domain::id::{AccountId, ContactId};
use crate::domain::text::Phone;
use crate::domain::text::email::Email;
use crate::domain::text::search::{digits, folded};

/// What the rows start with of contacts whose phone number ends with these digits: they are stored from the last one on,
/// since numbers are written with and without the prefix of the country.
#[must_use]
pub fn phones(account: AccountId, digits: &str) -> Vec<u8> {
    let mut key = account.bytes().to_vec();
    key.push(b'p');
    key.extend(digits.bytes().rev());
    key
}

/// What the rows start with of contacts with this e-mail address, which is folded.
#[must_use]
pub fn email(account: AccountId, folded: &str) -> Vec<u8> {
    let mut key = account.bytes().to_vec();
    key.push(b'e');
    key.extend(folded.bytes());
    key.push(0);
    key
}

/// The rows by which a contact is found: its phone number and its e-mail address.
#[must_use]
pub fn rows(
    account: AccountId,
    contact: ContactId,
    (phone, address): (Option<&Phone>, Option<&Email>),
) -> Vec<Vec<u8>> {
    let phone = phone.map(|phone| digits(phone.as_str()));
    let phone = phone.filter(|digits| !digits.is_empty()).map(|digits| {
        let mut row = phones(account, &digits);
        row.push(0);
        row
    });
    let email = address.map(|address| email(account, &folded(address.as_str())));
    let mut rows: Vec<_> = phone.into_iter().chain(email).collect();
    for row in &mut rows {
        row.extend(contact.0.to_be_bytes());
    }
    rows
}
