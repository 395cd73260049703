//! Conversations, messages, replies. [`crate::system::user_access`] decides what a single user may see and do of them.
//!
//! A read starts no actor and waits for no writer. It waits for the index, and so finds everything that was answered
//! before.

mod cursor;
mod delivery_failure;
mod message_updates;
mod search_text;

pub(in crate::system) use self::cursor::RowSuffix;
pub use self::cursor::{ConversationCursor, SearchPart};
pub use switchboard_runtime::views::message::{Afterwards, ConversationView, MessageView};

pub use crate::domain::chat::delivery::Trouble;
use crate::domain::chat::fetch::{AvatarMark, FetchSubject};
use crate::domain::conversation::{Conversation, ConversationEvent};
use crate::domain::dispatch::delivery_queue::{OutNumber, QueueId};
use crate::domain::id::{AccountId, ConversationId, MessageId, PersonId, UserId};
use crate::domain::keys;
use switchboard_engine::state::Recorded;
use switchboard_runtime::error::UnavailableError;

use crate::system::System;
use crate::system::callbacks::CallbackView;

/// The most entries that one page of a list holds.
pub const PAGE_MAX: usize = 250;

/// The maximum number of answers behind which the last words of a customer are searched.
const BEHIND_ANSWERS_MAX: u64 = 50;

/// A page of a list, with the cursor of the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T, C> {
    /// The entries.
    pub entries: Vec<T>,
    /// The beginning of the next page; `None` after the last one.
    pub next: Option<C>,
}

impl System {
    /// A conversation of this account; `None` when there is no such one.
    pub(crate) async fn conversation(
        &self,
        account: AccountId,
        id: ConversationId,
    ) -> Result<Option<ConversationView>, UnavailableError> {
        self.kernel().caught_up().await;
        let Some(state) = self.conversation_state(account, id).await? else {
            return Ok(None);
        };
        let last_message = self.last_message(&state).await?;
        let lead = self.lead_of(id).await?;
        let customer = state.customer.as_ref();
        let avatar = match customer.and_then(|customer| customer.avatar.as_ref()) {
            Some(url) => self.fetched(FetchSubject::Avatar(AvatarMark::new(account, url)))?,
            None => None,
        };
        let scope = state.origin.as_ref().map(|origin| &origin.scope);
        let connection = match scope {
            Some(scope) => self.connection(scope).await?,
            None => None,
        };
        let parts = scope.zip(connection.as_ref());
        let window = parts.and_then(|(scope, connection)| self.window(scope, connection));
        let signs = &self.kernel().shared.read_cache;
        Ok(Some(ConversationView {
            title: connection.map(|connection| connection.title),
            window_closes_at: window.map(|hours| state.window_closes_at(hours)),
            trouble: self.trouble(&state)?,
            avatar,
            state,
            last_message,
            lead,
            typing: signs.typing.current(id, self.now()),
            viewers: signs.viewers.current(id, self.now()),
            damaged: false,
        }))
    }

    /// The newest message of a conversation.
    pub(super) async fn last_message(
        &self,
        state: &Conversation,
    ) -> Result<Option<MessageView>, UnavailableError> {
        let mut last = match state.messages {
            0 => None,
            number => self.numbered(state.id, number)?,
        };
        self.look_at_callbacks(state.id, last.as_mut_slice())
            .await?;
        Ok(last)
    }

    /// The newest message that the customer wrote, of the newest ones of a conversation.
    pub(in crate::system) fn last_of_customer(
        &self,
        state: &Conversation,
    ) -> Result<Option<MessageView>, UnavailableError> {
        let oldest = state.messages.saturating_sub(BEHIND_ANSWERS_MAX).max(1);
        for number in (oldest..=state.messages).rev() {
            let message = self.numbered(state.id, number)?;
            let is_theirs = |message: &MessageView| match message {
                MessageView::In { received, .. } => !received.is_imported(),
                MessageView::Out { .. } => false,
            };
            if let Some(message) = message.filter(is_theirs) {
                return Ok(Some(message));
            }
        }
        Ok(None)
    }

    /// The messages of a conversation, newest first, from before the message `before`. `None` when the account has no
    /// such conversation, or the conversation no such message.
    pub(crate) async fn messages(
        &self,
        account: AccountId,
        id: ConversationId,
        before: Option<MessageId>,
        limit: usize,
    ) -> Result<Option<Page<MessageView, MessageId>>, UnavailableError> {
        self.kernel().caught_up().await;
        let Some(state) = self.conversation_state(account, id).await? else {
            return Ok(None);
        };
        let newest = match before {
            None => state.messages,
            Some(before) => match self.number_of(id, before)? {
                Some(number) => number.saturating_sub(1),
                None => return Ok(None),
            },
        };
        let limit = u64::try_from(limit.clamp(1, PAGE_MAX)).unwrap_or(1);
        let oldest = newest.saturating_sub(limit.saturating_sub(1)).max(1);
        let mut entries = Vec::new();
        for number in (oldest..=newest).rev() {
            entries.extend(self.numbered(id, number)?);
        }
        self.look_at_callbacks(id, &mut entries).await?;
        let next = entries.last().filter(|_| oldest > 1).map(MessageView::id);
        Ok(Some(Page { entries, next }))
    }

    /// The account user as the chat knows them: the `sender.id` of callbacks.
    #[must_use]
    pub fn person_of(&self, account: AccountId, user: UserId) -> PersonId {
        self.kernel().shared.ids.user(account, user)
    }

    pub(super) async fn conversation_state(
        &self,
        account: AccountId,
        id: ConversationId,
    ) -> Result<Option<Conversation>, UnavailableError> {
        let state = self.look::<Conversation>(&id).await?;
        Ok(state.filter(|state| {
            state
                .origin
                .as_ref()
                .is_some_and(|origin| origin.scope.account() == account)
        }))
    }

    /// Asks the dispatcher where those callbacks stand that are not at their end.
    pub(in crate::system) async fn look_at_callbacks(
        &self,
        conversation: ConversationId,
        messages: &mut [MessageView],
    ) -> Result<(), UnavailableError> {
        let mut queue = None;
        let mut open = Vec::new();
        for message in messages {
            if let MessageView::Out {
                replied, callback, ..
            } = message
                && !callback.is_final()
            {
                let scope = replied.scope.clone();
                queue = Some(QueueId {
                    scope,
                    conversation,
                });
                open.push((OutNumber(replied.out), callback));
            }
        }
        let Some(queue) = queue else { return Ok(()) };
        let numbers: Vec<OutNumber> = open.iter().map(|(number, _)| *number).collect();
        let views = self.callbacks(queue, &numbers).await?;
        for ((_, callback), view) in open.into_iter().zip(views) {
            *callback = view;
        }
        Ok(())
    }

    pub(super) fn number_of(
        &self,
        conversation: ConversationId,
        message: MessageId,
    ) -> Result<Option<u64>, UnavailableError> {
        let number = match self.kernel().record(keys::message(message))? {
            Some(Recorded {
                event: ConversationEvent::Received(received),
                ..
            }) => received.number,
            Some(Recorded {
                event: ConversationEvent::Replied(replied),
                ..
            }) => replied.number,
            _ => return Ok(None),
        };
        let there = self.numbered(conversation, number)?;
        Ok(there.filter(|view| view.id() == message).map(|_| number))
    }

    pub(crate) fn numbered(
        &self,
        conversation: ConversationId,
        number: u64,
    ) -> Result<Option<MessageView>, UnavailableError> {
        match self.kernel().record(keys::numbered(conversation, number))? {
            Some(Recorded {
                event: ConversationEvent::Received(received),
                blob,
            }) => Ok(Some(MessageView::In {
                afterwards: Box::new(self.afterwards(received.id)?),
                received,
                raw: blob,
            })),
            Some(Recorded {
                event: ConversationEvent::Replied(replied),
                ..
            }) => {
                let number = OutNumber(replied.out);
                let record = self.delivery_record(conversation, number)?;
                let callback = CallbackView::new(conversation, &record);
                Ok(Some(MessageView::Out {
                    afterwards: Box::new(self.afterwards_of_reply(&replied)?),
                    replied: replied.into(),
                    callback,
                }))
            }
            _ => Ok(None),
        }
    }
}
