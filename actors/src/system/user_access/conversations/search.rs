//! The list of conversations, and what is found in it.
//!
//! A search goes through the list twice: first for the conversations whose customer or ids have what is looked for, which
//! costs one look each, then for those where it was said, newest message first. So a name is found quickly however
//! much was said, and nothing that was said is left out; a page that had its looks goes on where it stopped, if need be
//! within a conversation.

use crate::domain::conversation::Conversation;
use crate::domain::id::ConversationId;
use crate::domain::keys;
use crate::domain::tables;
use crate::domain::text::search::{Search, all_occur};
use crate::error::Unavailable;
use crate::system::inbox::{
    ConversationCursor, ConversationView, MessageView, PAGE_MAX, Page, RowSuffix,
};
use crate::system::user_access::damaged::readable;
use crate::system::user_access::{EXAMINED_MAX, Reach, UserAccess};
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_engine::table::Table;

/// How many rows are found at once.
const BATCH: usize = 128;
/// After so many looks the others on this thread have their turn.
const TURN: usize = 64;

/// Which conversations are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConversationFilter {
    /// Among which.
    pub among: Among,
    /// What is looked for in them.
    pub search: Option<Search>,
}

impl ConversationFilter {
    /// Whether not all are wanted that are in the list.
    fn is_narrow(&self) -> bool {
        self.search.is_some() || matches!(self.among, Among::Unread | Among::Failed)
    }
}

/// A part of the conversations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Among {
    /// All.
    #[default]
    All,
    /// Those whose newest deal the user answers for, and those in which the user answered.
    Mine,
    /// Those with messages that no user has read.
    Unread,
    /// Those where something that was written has not arrived.
    Failed,
}

/// A conversation of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundConversation {
    /// The conversation.
    pub view: ConversationView,
    /// The newest message that says what is looked for, when the customer and the ids do not.
    pub message: Option<MessageView>,
}

impl UserAccess {
    /// The conversations that are wanted and that the user may see, newest activity first; of a search, those first
    /// whose customer or ids have what is looked for.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn conversations(
        &self,
        wanted: &ConversationFilter,
        after: Option<&ConversationCursor>,
        limit: usize,
    ) -> Result<Page<FoundConversation, ConversationCursor>, Unavailable> {
        self.system.env().caught_up().await;
        let account = self.caller.account;
        let own = wanted.among == Among::Mine || self.reach_of_leads() == Reach::Own;
        let (table, prefix) = if own {
            let prefix = keys::written_prefix(account, self.caller.user);
            (tables::CONVERSATIONS_OF, prefix)
        } else {
            (tables::CONVERSATIONS, account.bytes().to_vec())
        };
        let mut round = Round {
            access: self,
            wanted,
            table,
            prefix,
            limit: limit.clamp(1, PAGE_MAX),
            looks: 0,
            entries: Vec::new(),
        };
        let start = after.copied().unwrap_or(ConversationCursor::START);
        let next = round.go_on(start).await?;
        Ok(Page {
            entries: round.entries,
            next,
        })
    }
}

/// The making of one page.
struct Round<'d> {
    access: &'d UserAccess,
    wanted: &'d ConversationFilter,
    table: Table,
    prefix: Vec<u8>,
    limit: usize,
    looks: usize,
    entries: Vec<FoundConversation>,
}

impl Round<'_> {
    /// Fills the page; gives where the next one begins.
    async fn go_on(
        &mut self,
        mut at: ConversationCursor,
    ) -> Result<Option<ConversationCursor>, Unavailable> {
        if let Some(below) = at.below.filter(|below| *below > 0) {
            let id = ConversationCursor::conversation(&at.place);
            let left = self.look_for_what_was_said(id, below).await?;
            at.below = Some(left);
            if left > 0 {
                return Ok(Some(at));
            }
        }
        loop {
            let places = self.places(&at.place)?;
            let last_batch = places.len() < BATCH;
            for place in places {
                if self.entries.len() == self.limit || self.looks >= EXAMINED_MAX {
                    return Ok(Some(at));
                }
                at.place = place;
                let id = ConversationCursor::conversation(&place);
                if at.below.is_none() {
                    self.look(&place).await?;
                    continue;
                }
                let left = self.look_for_what_was_said(id, u64::MAX).await?;
                at.below = Some(left);
                if left > 0 {
                    return Ok(Some(at));
                }
            }
            if last_batch {
                if at.below.is_some() || self.wanted.search.is_none() {
                    return Ok(None);
                }
                // All conversations were examined without their messages; the messages follow.
                at = ConversationCursor {
                    below: Some(0),
                    ..ConversationCursor::START
                };
            }
        }
    }

    fn places(&self, behind: &RowSuffix) -> Result<Vec<RowSuffix>, Unavailable> {
        let border = [self.prefix.as_slice(), behind].concat();
        let range = KeyRange::prefix(&self.prefix).behind(border, ScanOrder::Ascending);
        let index = &self.access.system.env().index;
        let rows = index.scan(self.table, &range, ScanOrder::Ascending, BATCH)?;
        let place = |key: &[u8]| RowSuffix::try_from(key.get(self.prefix.len()..)?).ok();
        Ok(rows.iter().filter_map(|(key, _)| place(key)).collect())
    }

    /// Examines a conversation without its messages. A damaged one appears in the whole list only: whether it matches a
    /// search is unknown.
    async fn look(&mut self, place: &RowSuffix) -> Result<(), Unavailable> {
        let id = ConversationCursor::conversation(place);
        if readable(self.look_at(id).await)?.is_some() || self.wanted.is_narrow() {
            return Ok(());
        }
        let view = self.access.damaged(place).await?;
        self.entries.extend(view.map(|view| FoundConversation {
            view,
            message: None,
        }));
        Ok(())
    }

    async fn look_at(&mut self, id: ConversationId) -> Result<(), Unavailable> {
        if let Some(state) = self.wanted(id).await?
            && missing(self.wanted, &state).is_empty()
        {
            self.take(id, None).await?;
        }
        Ok(())
    }

    /// Searches the messages with a smaller number, newest first. Returns the number of the last message examined when
    /// the page reached its limit before the first message, and 0 when the conversation is done.
    async fn look_for_what_was_said(
        &mut self,
        id: ConversationId,
        below: u64,
    ) -> Result<u64, Unavailable> {
        let Some(state) = readable(self.wanted(id).await)?.flatten() else {
            return Ok(0);
        };
        let missing = missing(self.wanted, &state);
        if missing.is_empty() {
            // It was found from outside.
            return Ok(0);
        }
        let mut last = below.min(state.messages.saturating_add(1));
        while last > 1 {
            if self.looks >= EXAMINED_MAX {
                return Ok(last);
            }
            self.count().await;
            last = last.saturating_sub(1);
            if let Some(message) = readable(self.access.system.numbered(id, last))?.flatten() {
                let said = message.said();
                let said: Vec<&str> = said.iter().map(String::as_str).collect();
                if all_occur(&missing, &said) {
                    readable(self.take(id, Some(message)).await)?;
                    return Ok(0);
                }
            }
        }
        Ok(0)
    }

    /// The conversation, if the user may see it and it is among the wanted ones.
    async fn wanted(&mut self, id: ConversationId) -> Result<Option<Conversation>, Unavailable> {
        self.count().await;
        let Some(seen) = self.access.seen(id).await? else {
            return Ok(None);
        };
        let state = seen.state;
        let among = match self.wanted.among {
            Among::All | Among::Mine => true,
            Among::Unread => state.unread > 0,
            Among::Failed => self.access.system.trouble(&state)?.is_some(),
        };
        Ok(among.then_some(state))
    }

    async fn take(
        &mut self,
        id: ConversationId,
        message: Option<MessageView>,
    ) -> Result<(), Unavailable> {
        let view = self.access.conversation(id).await?;
        self.entries
            .extend(view.map(|view| FoundConversation { view, message }));
        Ok(())
    }

    async fn count(&mut self) {
        self.looks = self.looks.saturating_add(1);
        if self.looks.is_multiple_of(TURN) {
            tokio::task::yield_now().await;
        }
    }
}

/// The words that neither the customer nor the ids have.
fn missing<'w>(wanted: &'w ConversationFilter, state: &Conversation) -> Vec<&'w str> {
    let Some(search) = &wanted.search else {
        return Vec::new();
    };
    let customer = state.customer.as_ref();
    let phone = customer.and_then(|customer| customer.phone.as_ref());
    if phone.is_some_and(|phone| search.is_in_number(phone.as_str())) {
        return Vec::new();
    }
    let outside = outside(state);
    let outside: Vec<&str> = outside.iter().map(String::as_str).collect();
    let mut missing = search.missing_in(&outside);
    // Parts of it are hexadecimal digits that say nothing, and short words of any language.
    let id = state.id.to_string();
    missing.retain(|word| *word != id);
    missing
}

/// What a conversation is found by without its messages.
fn outside(state: &Conversation) -> Vec<String> {
    let mut texts = Vec::new();
    let origin = state.origin.as_ref();
    let client = origin.and_then(|origin| origin.client_id.as_ref());
    texts.extend(client.map(|id| id.as_str().to_owned()));
    if let Some(customer) = &state.customer {
        texts.push(customer.name.as_str().to_owned());
        let client = customer.client_id.as_ref();
        texts.extend(client.map(|id| id.as_str().to_owned()));
        let phone = customer.phone.as_ref();
        texts.extend(phone.map(|phone| phone.as_str().to_owned()));
        let email = customer.email.as_ref();
        texts.extend(email.map(|email| email.as_str().to_owned()));
    }
    texts
}
