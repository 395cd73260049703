//! The ids of events and their places in the list. An id says which record the event follows from.

use std::fmt;
use std::str::FromStr;

use crate::id::{AuditId, ContactId, LeadId, MessageId};
use crate::time::UnixMillis;

/// The letters of an id: digits and letters without those that look like digits. Their order is that of their values.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// The number of letters of an id.
const LENGTH: usize = 26;
/// The number of bytes of an audit entry's id that its events have in their places.
const AUDIT_BYTES: usize = 7;
/// The number of bits for the number of an event among those of one audit entry.
const ORDINAL_BITS: u32 = 6;
/// The number of bytes of a message's id in its place: they keep it apart from those of other conversations.
const MESSAGE_BYTES: usize = 5;
const HASH_BITS: u32 = 40;
/// The bit of ids of messages, above the 128 bits that all ids have.
const MESSAGE_BIT: u32 = 128;

/// The source of an event, in the highest bits of the number in a place.
const LEAD: u64 = 0;
const CONTACT: u64 = 1;
const AUDIT: u64 = 2;
const MESSAGE: u64 = 3;
const SOURCE_SHIFT: u32 = 62;

/// The place of an event in the list: by time, and by number among those of one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EventPlace {
    /// The time of the event.
    pub at: UnixMillis,
    /// The number, which also says what the event follows from.
    pub number: u64,
}

impl EventPlace {
    /// The end of the list at this time: behind it stands everything that was no later.
    #[must_use]
    pub fn last_of(at: UnixMillis) -> Self {
        Self {
            at,
            number: u64::MAX,
        }
    }

    /// The place of the creation of a lead.
    #[must_use]
    pub fn of_lead(at: UnixMillis, id: LeadId) -> Self {
        Self::from_source(at, LEAD, id.0)
    }

    /// The place of the creation of a contact.
    #[must_use]
    pub fn of_contact(at: UnixMillis, id: ContactId) -> Self {
        Self::from_source(at, CONTACT, id.0)
    }

    /// The place of one of the events of an audit entry.
    #[must_use]
    pub fn of_audit(at: UnixMillis, id: AuditId, ordinal: usize) -> Self {
        let bytes = id.bytes();
        let first = bytes.iter().take(AUDIT_BYTES);
        let number = first.fold(0, |number, byte| (number << 8) | u64::from(*byte));
        let ordinal = u64::try_from(ordinal).unwrap_or(0) & ((1 << ORDINAL_BITS) - 1);
        Self::from_source(at, AUDIT, (number << ORDINAL_BITS) | ordinal)
    }

    /// The place of a message with this number in its conversation: later ones of the same moment stand before it.
    #[must_use]
    pub fn of_message(at: UnixMillis, number: u64, id: MessageId) -> Self {
        let bytes = id.bytes();
        let first = bytes.iter().take(MESSAGE_BYTES);
        let hash = first.fold(0, |hash, byte| (hash << 8) | u64::from(*byte));
        Self::from_source(at, MESSAGE, (number << HASH_BITS) | hash)
    }

    const fn from_source(at: UnixMillis, source: u64, number: u64) -> Self {
        let number = number & ((1 << SOURCE_SHIFT) - 1);
        Self {
            at,
            number: (source << SOURCE_SHIFT) | number,
        }
    }

    /// The lead whose creation this is.
    #[must_use]
    pub fn lead(self) -> Option<LeadId> {
        (self.number >> SOURCE_SHIFT == LEAD).then_some(LeadId(self.number))
    }

    /// The contact whose creation this is.
    #[must_use]
    pub fn contact(self) -> Option<ContactId> {
        let number = self.number & ((1 << SOURCE_SHIFT) - 1);
        (self.number >> SOURCE_SHIFT == CONTACT).then_some(ContactId(number))
    }

    /// The first bytes of the id of the audit entry that the event follows from.
    #[must_use]
    pub fn audit(self) -> Option<[u8; AUDIT_BYTES]> {
        let number = (self.number & ((1 << SOURCE_SHIFT) - 1)) >> ORDINAL_BITS;
        let [_, bytes @ ..] = number.to_be_bytes();
        (self.number >> SOURCE_SHIFT == AUDIT).then_some(bytes)
    }
}

/// The id of an event: 26 letters. Of changes they sort by time; that of a message is its own id in this form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventId {
    /// The event is about a change at this place.
    Change(EventPlace),
    /// The event is this message.
    Message(MessageId),
}

/// A text that is no id of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected the id of an event: 26 letters and digits")]
pub struct EventIdError;

impl EventId {
    /// The letters' values as a number: the highest two bits, and the 128 bits below.
    fn bits(self) -> (u8, u128) {
        match self {
            Self::Change(EventPlace { at, number }) => {
                (0, (u128::from(at.get()) << 80) | u128::from(number))
            }
            Self::Message(id) => (1, u128::from_be_bytes(id.bytes())),
        }
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (high, low) = self.bits();
        for place in (0..LENGTH).rev() {
            let shift = u32::try_from(place).unwrap_or(0).saturating_mul(5);
            let above = u128::from(high)
                .checked_shl(MESSAGE_BIT.saturating_sub(shift))
                .unwrap_or(0);
            let value = ((low >> shift) | above) & 31;
            let letter = usize::try_from(value)
                .ok()
                .and_then(|value| LETTERS.get(value));
            write!(f, "{}", char::from(*letter.unwrap_or(&b'0')))?;
        }
        Ok(())
    }
}

impl FromStr for EventId {
    type Err = EventIdError;

    fn from_str(text: &str) -> Result<Self, EventIdError> {
        if text.len() != LENGTH {
            return Err(EventIdError);
        }
        let (mut high, mut low) = (0_u128, 0_u128);
        for byte in text.bytes() {
            let lower = byte.to_ascii_lowercase();
            let place = LETTERS.iter().position(|letter| *letter == lower);
            let value = place.and_then(|place| u128::try_from(place).ok());
            high = (high << 5) | (low >> 123);
            low = (low << 5) | value.ok_or(EventIdError)?;
        }
        match high & 3 {
            0 => {
                let at = u64::try_from(low >> 80).map_err(|_too_late| EventIdError)?;
                let rest = low & ((1 << 80) - 1);
                let number = u64::try_from(rest).map_err(|_too_large| EventIdError)?;
                let at = UnixMillis::new(at);
                Ok(Self::Change(EventPlace { at, number }))
            }
            1 => Ok(Self::Message(MessageId::from_bytes(low.to_be_bytes()))),
            _ => Err(EventIdError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_read_as_it_was_written() {
        let at = UnixMillis::from_secs(1_764_000_000);
        for id in [
            EventId::Change(EventPlace::of_lead(at, LeadId(5150))),
            EventId::Change(EventPlace::of_contact(at, ContactId(u64::MAX >> 2))),
            EventId::Change(EventPlace::of_audit(
                at,
                AuditId::from_random([0xAB; 16]),
                63,
            )),
            EventId::Message(MessageId::from_bytes([0xFF; 16])),
            EventId::Message(MessageId::from_bytes([0; 16])),
        ] {
            let text = id.to_string();
            assert_eq!(text.len(), LENGTH);
            assert_eq!(text.parse(), Ok(id), "{text}");
            assert_eq!(text.to_ascii_uppercase().parse(), Ok(id));
        }
    }

    #[test]
    fn ids_of_changes_sort_by_time() {
        let id = |at| EventId::Change(EventPlace::of_lead(UnixMillis::new(at), LeadId(9)));
        assert!(id(1_764_000_000_000).to_string() < id(1_764_000_000_001).to_string());
    }

    #[test]
    fn other_texts_are_no_ids() {
        for text in ["", "0", &"i".repeat(26), &"z".repeat(26), &"0".repeat(27)] {
            assert_eq!(text.parse::<EventId>(), Err(EventIdError), "{text}");
        }
    }

    #[test]
    fn a_place_says_what_the_event_follows_from() {
        let at = UnixMillis::new(7);
        let lead = EventPlace::of_lead(at, LeadId(3));
        let contact = EventPlace::of_contact(at, ContactId(3));
        let audit = EventPlace::of_audit(at, AuditId::from_bytes([0xC3; 16]), 5);
        assert_eq!((lead.lead(), lead.contact()), (Some(LeadId(3)), None));
        assert_eq!(contact.contact(), Some(ContactId(3)));
        assert_eq!((audit.lead(), audit.audit()), (None, Some([0xC3; 7])));
        let message = EventPlace::of_message(at, 1, MessageId::from_bytes([0xFF; 16]));
        assert!(message < EventPlace::of_message(at, 2, MessageId::from_bytes([0; 16])));
        assert_eq!((message.audit(), message.contact()), (None, None));
        assert!(lead < contact && contact < audit && audit < message);
    }
}
