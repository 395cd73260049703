//! A place in the list of conversations, and in a search through it.

use crate::domain::id::ConversationId;
use crate::domain::time::UnixMillis;

/// A place in the list of conversations. Opaque to callers; travels as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConversationCursor {
    /// The part of the search that it is a place of; the list without a search has conversations alone.
    pub(in crate::system) part: SearchPart,
    /// Behind this place of the list.
    pub(in crate::system) place: RowSuffix,
    /// In the conversation at this place, messages with a smaller number are left; 0 when none is. Of [`SearchPart::Texts`].
    pub(in crate::system) below: u64,
}

/// A part of a search; they follow each other in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchPart {
    /// Conversations that a key leads to: a phone number, an e-mail address, an id of a customer or a conversation, our id
    /// of a message.
    Keys,
    /// Conversations that have a message with this id of the integration.
    MessageIds,
    /// The conversations' own texts: names, and parts of numbers and ids.
    Conversations,
    /// The texts of messages.
    Texts,
}

/// The bytes of a row's key behind the account or user: time and conversation.
pub(in crate::system) type RowSuffix = [u8; 24];

impl ConversationCursor {
    /// The beginning of a part.
    pub(in crate::system) const fn start(part: SearchPart) -> Self {
        Self {
            part,
            // No conversation is of the end of time, which would stand here.
            place: [0; 24],
            below: 0,
        }
    }

    /// The cursor as text.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut bytes = vec![self.part.code()];
        bytes.extend(self.place);
        if self.part == SearchPart::Texts {
            bytes.extend(self.below.to_be_bytes());
        }
        hex::encode(bytes)
    }

    /// The cursor in a text that [`Self::to_text`] gave.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        let bytes = hex::decode(text).ok()?;
        let (code, bytes) = bytes.split_first()?;
        let part = SearchPart::of_code(*code)?;
        let (place, below) = bytes.split_first_chunk()?;
        let below = match (part, below) {
            (SearchPart::Texts, number) => u64::from_be_bytes(number.try_into().ok()?),
            (_, []) => 0,
            (_, _) => return None,
        };
        Some(Self {
            part,
            place: *place,
            below,
        })
    }

    /// The time of activity of the conversation that was examined last; `None` before the first one.
    pub(in crate::system) fn back_to(&self) -> Option<UnixMillis> {
        (self.place != [0; 24]).then(|| Self::active_at(&self.place))
    }

    /// The time of activity of the conversation at the place.
    pub(in crate::system) fn active_at(place: &RowSuffix) -> UnixMillis {
        let [time @ .., _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _] = *place;
        UnixMillis::new(u64::MAX - u64::from_be_bytes(time))
    }

    /// The conversation at the place.
    pub(in crate::system) fn conversation(place: &RowSuffix) -> ConversationId {
        let [_, _, _, _, _, _, _, _, id @ ..] = *place;
        ConversationId::from_bytes(id)
    }

    /// The place of a conversation in which something last happened then.
    pub(in crate::system) fn place(at: UnixMillis, conversation: ConversationId) -> RowSuffix {
        let mut place = [0; 24];
        let (time, id) = place.split_at_mut(8);
        time.copy_from_slice(&(u64::MAX - at.get()).to_be_bytes());
        id.copy_from_slice(&conversation.bytes());
        place
    }
}

impl SearchPart {
    const fn code(self) -> u8 {
        match self {
            Self::Keys => 0,
            Self::MessageIds => 1,
            Self::Conversations => 2,
            Self::Texts => 3,
        }
    }

    fn of_code(code: u8) -> Option<Self> {
        let all = [
            Self::Keys,
            Self::MessageIds,
            Self::Conversations,
            Self::Texts,
        ];
        all.into_iter().find(|part| part.code() == code)
    }
}
