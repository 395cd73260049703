//! Messages by their ids: ours, and the integration's.

use crate::domain::conversation::ConversationEvent;
use crate::domain::id::{ClientMessageId, ConversationId, MessageId};
use crate::domain::keys;
use crate::domain::text::search::Search;
use crate::system::inbox::MessageView;
use crate::system::user_access::conversations::search::round::Round;
use switchboard_runtime::error::UnavailableError;

/// An id of a message that is looked for has at least so many characters, one of them a digit.
const MESSAGE_ID_MIN: usize = 3;

/// The integration's id of a message that the search may be. A word without a digit is none.
pub(super) fn message_id(search: &Search) -> Option<ClientMessageId> {
    let text = search.text();
    let may_be = search.is_word()
        && text.len() >= MESSAGE_ID_MIN
        && text.bytes().any(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| may_be)
}

impl Round<'_> {
    /// Returns whether an earlier part of the search has found the conversation.
    pub(super) fn was_exact(&self, id: ConversationId) -> Result<bool, UnavailableError> {
        Ok(self.is_by_key(id) || self.has_message(id)?)
    }

    pub(super) fn is_by_key(&self, id: ConversationId) -> bool {
        let conversations = self.by_key.as_ref();
        conversations.is_some_and(|conversations| conversations.contains(&id))
    }

    pub(super) fn has_message(&self, id: ConversationId) -> Result<bool, UnavailableError> {
        let Some(message) = &self.message else {
            return Ok(false);
        };
        let index = &self.access.system.kernel().index;
        Ok(index.find(keys::msgid(id, message))?.is_some())
    }

    /// The message of the conversation with the integration's id that is looked for.
    pub(super) fn message_with_client_id(
        &self,
        id: ConversationId,
    ) -> Result<Option<MessageView>, UnavailableError> {
        let Some(message) = &self.message else {
            return Ok(None);
        };
        let system = &self.access.system;
        let message_record = system.kernel().record(keys::msgid(id, message))?;
        let ours = match message_record.map(|message_record| message_record.event) {
            Some(ConversationEvent::Received(received)) => received.id,
            Some(ConversationEvent::Edited(edited)) => edited.id,
            _ => return Ok(None),
        };
        self.message_of(id, ours)
    }

    /// The message of the conversation whose id by us is looked for.
    pub(super) fn message_with_our_id(
        &self,
        id: ConversationId,
    ) -> Result<Option<MessageView>, UnavailableError> {
        let search = self.wanted.search.as_ref();
        match search.and_then(|search| search.text().parse().ok()) {
            Some(message) => self.message_of(id, message),
            None => Ok(None),
        }
    }

    fn message_of(
        &self,
        id: ConversationId,
        message: MessageId,
    ) -> Result<Option<MessageView>, UnavailableError> {
        let system = &self.access.system;
        match system.number_of(id, message)? {
            Some(number) => system.numbered(id, number),
            None => Ok(None),
        }
    }
}
