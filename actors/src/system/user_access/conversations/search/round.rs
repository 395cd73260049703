//! The making of one page of the list.

mod message_id;
mod words;

use std::collections::BTreeSet;

use self::message_id::message_id;
use self::words::missing;
use crate::domain::conversation::Conversation;
use crate::domain::conversation::filters::Among;
use crate::domain::id::{ClientMessageId, ConversationId};
use crate::domain::keys;
use crate::domain::tables;
use crate::domain::time::UnixMillis;
use crate::system::inbox::{ConversationCursor, MessageView, PAGE_MAX, RowSuffix, SearchPart};
use crate::system::user_access::conversations::search::{ConversationFilter, FoundConversation};
use crate::system::user_access::damaged::readable;
use crate::system::user_access::{EXAMINED_MAX, Reach, UserAccess};
use switchboard_engine::state::State;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_engine::table::Table;
use switchboard_runtime::error::UnavailableError;

/// The number of rows that are found at once.
const BATCH: usize = 128;
/// After so many looks the others on this thread have their turn, and the clock is read.
const TURN: usize = 64;
/// So many keys are looked up in the time of a look.
const KEYS_OF_A_LOOK: usize = 16;

/// The making of one page.
pub(super) struct Round<'d> {
    access: &'d UserAccess,
    wanted: &'d ConversationFilter,
    table: Table,
    prefix: Vec<u8>,
    /// True when only the user's own conversations are in the list.
    is_own: bool,
    /// The conversations that keys lead to; `None` when there are too many.
    by_key: Option<BTreeSet<ConversationId>>,
    /// The integration's id of a message that is looked for.
    message: Option<ClientMessageId>,
    limit: usize,
    looks: usize,
    looks_max: usize,
    lookups: usize,
    until: Option<UnixMillis>,
    /// The end of the time for a page that has a result: it does not wait for more of them.
    soon: Option<UnixMillis>,
    is_late: bool,
    entries: Vec<FoundConversation>,
}

impl<'d> Round<'d> {
    pub(super) fn new(
        access: &'d UserAccess,
        wanted: &'d ConversationFilter,
        limit: usize,
    ) -> Result<Self, UnavailableError> {
        let caller = &access.caller;
        let filters = &wanted.list.filters;
        let is_own = filters.is_of(caller.user) || access.reach_of_leads() == Reach::Own;
        let (table, prefix) = if is_own {
            let prefix = keys::written_prefix(caller.account, caller.user);
            (tables::CONVERSATIONS_OF, prefix)
        } else {
            (tables::CONVERSATIONS, caller.account.bytes().to_vec())
        };
        let search = wanted.search.as_ref();
        let by_key = search.map(|search| access.conversations_by_key(search));
        let now = access.system.now();
        Ok(Self {
            access,
            wanted,
            table,
            prefix,
            is_own,
            by_key: by_key.transpose()?.flatten(),
            message: search.and_then(message_id),
            limit: limit.clamp(1, PAGE_MAX),
            looks: 0,
            looks_max: search.map_or(EXAMINED_MAX, |_| wanted.budget.looks),
            lookups: 0,
            until: search.map(|_| now.plus(wanted.budget.time)),
            soon: search.map(|_| now.plus(wanted.budget.time / 4)),
            is_late: false,
            entries: Vec::new(),
        })
    }

    pub(super) fn into_entries(self) -> Vec<FoundConversation> {
        self.entries
    }

    /// Fills the page; gives where the next one begins.
    pub(super) async fn go_on(
        &mut self,
        start: ConversationCursor,
    ) -> Result<Option<ConversationCursor>, UnavailableError> {
        let mut at = start;
        loop {
            let rest = match at.part {
                SearchPart::Keys => self.take_by_key(at).await?,
                SearchPart::MessageIds | SearchPart::Conversations | SearchPart::Texts => {
                    self.walk(at).await?
                }
            };
            if rest.is_some() {
                return Ok(rest);
            }
            let Some(next) = self.part_after(at.part) else {
                return Ok(None);
            };
            let is_exact = matches!(at.part, SearchPart::Keys | SearchPart::MessageIds);
            at = ConversationCursor::start(next);
            // Who looks for an id does not wait for what else has it.
            if is_exact && !self.entries.is_empty() {
                return Ok(Some(at));
            }
        }
    }

    fn part_after(&self, part: SearchPart) -> Option<SearchPart> {
        self.wanted.search.as_ref()?;
        match part {
            SearchPart::Keys if self.message.is_some() => Some(SearchPart::MessageIds),
            SearchPart::Keys | SearchPart::MessageIds => Some(SearchPart::Conversations),
            SearchPart::Conversations => Some(SearchPart::Texts),
            SearchPart::Texts => None,
        }
    }

    /// Takes the conversations that keys lead to and that are in the list.
    async fn take_by_key(
        &mut self,
        mut at: ConversationCursor,
    ) -> Result<Option<ConversationCursor>, UnavailableError> {
        let mut places = Vec::new();
        for id in self.by_key.clone().unwrap_or_default() {
            let stream = Conversation::stream(&id);
            let index = &self.access.system.kernel().index;
            if index.find(stream.key())?.is_none() {
                continue;
            }
            let state = readable(self.wanted(id).await)?.flatten();
            let user = self.access.caller.user;
            let state = state
                .filter(|state| state.messages > 0)
                .filter(|state| !self.is_own || state.readers().contains(&user));
            places.extend(state.map(|state| ConversationCursor::place(state.active_at, id)));
        }
        places.sort_unstable();
        places.retain(|place| *place > at.place);
        for place in places {
            if self.entries.len() == self.limit {
                return Ok(Some(at));
            }
            at.place = place;
            let id = ConversationCursor::conversation(&place);
            let message = readable(self.message_with_our_id(id))?.flatten();
            readable(self.take(id, message).await)?;
        }
        Ok(None)
    }

    /// Goes through the rows of the list behind the place.
    async fn walk(
        &mut self,
        mut at: ConversationCursor,
    ) -> Result<Option<ConversationCursor>, UnavailableError> {
        if at.below > 0 {
            let id = ConversationCursor::conversation(&at.place);
            at.below = self.look_for_what_was_said(id, at.below).await?;
            if at.below > 0 {
                return Ok(Some(at));
            }
        }
        loop {
            let places = self.places(&at.place)?;
            let last_batch = places.len() < BATCH;
            for place in places {
                if self.is_full() {
                    return Ok(Some(at));
                }
                at.place = place;
                let id = ConversationCursor::conversation(&place);
                match at.part {
                    SearchPart::MessageIds => self.look_for_message(id).await?,
                    SearchPart::Texts => {
                        at.below = self.look_for_what_was_said(id, u64::MAX).await?;
                        if at.below > 0 {
                            return Ok(Some(at));
                        }
                    }
                    SearchPart::Keys | SearchPart::Conversations => self.look(&place).await?,
                }
            }
            if last_batch {
                return Ok(None);
            }
        }
    }

    fn is_full(&self) -> bool {
        self.entries.len() == self.limit || self.is_spent()
    }

    fn is_spent(&self) -> bool {
        self.looks >= self.looks_max || self.is_late
    }

    fn places(&self, behind: &RowSuffix) -> Result<Vec<RowSuffix>, UnavailableError> {
        let border = [self.prefix.as_slice(), behind].concat();
        let range = KeyRange::prefix(&self.prefix).behind(border, ScanOrder::Ascending);
        let index = &self.access.system.kernel().index;
        let rows = index.scan(self.table, &range, ScanOrder::Ascending, BATCH)?;
        let place = |key: &[u8]| RowSuffix::try_from(key.get(self.prefix.len()..)?).ok();
        Ok(rows.iter().filter_map(|(key, _)| place(key)).collect())
    }

    /// Examines a conversation without its messages. A damaged one appears in the whole list only: whether it matches a
    /// search is unknown.
    async fn look(&mut self, place: &RowSuffix) -> Result<(), UnavailableError> {
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

    async fn look_at(&mut self, id: ConversationId) -> Result<(), UnavailableError> {
        if let Some(state) = self.wanted(id).await?
            && missing(self.wanted, &state).is_empty()
            && !self.was_exact(id)?
        {
            self.take(id, None).await?;
        }
        Ok(())
    }

    /// Examines whether a message of the conversation has the id that is looked for.
    async fn look_for_message(&mut self, id: ConversationId) -> Result<(), UnavailableError> {
        self.lookups = self.lookups.saturating_add(1);
        if self.lookups.is_multiple_of(KEYS_OF_A_LOOK) {
            self.count().await;
        }
        if !readable(self.has_message(id))?.unwrap_or(false) || self.is_by_key(id) {
            return Ok(());
        }
        if readable(self.wanted(id).await)?.flatten().is_some() {
            let message = readable(self.message_with_client_id(id))?.flatten();
            readable(self.take(id, message).await)?;
        }
        Ok(())
    }

    /// Searches the messages with a smaller number, newest first. Returns the number of the last message examined when
    /// the page reached its limit before the first message, and 0 when the conversation is done.
    async fn look_for_what_was_said(
        &mut self,
        id: ConversationId,
        below: u64,
    ) -> Result<u64, UnavailableError> {
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
            if self.is_spent() {
                return Ok(last);
            }
            self.count().await;
            last = last.saturating_sub(1);
            let message_words = readable(self.access.system.said(id, last))?.unwrap_or_default();
            let words: Vec<&str> = message_words.iter().map(String::as_str).collect();
            let search = self.wanted.search.as_ref();
            if search.is_some_and(|search| search.is_said(&missing, &words)) {
                if !readable(self.was_exact(id))?.unwrap_or(false) {
                    let message = readable(self.access.system.numbered(id, last))?.flatten();
                    readable(self.take(id, message).await)?;
                }
                return Ok(0);
            }
        }
        Ok(0)
    }

    /// The conversation, if the user may see it and it is among the wanted ones.
    async fn wanted(
        &mut self,
        id: ConversationId,
    ) -> Result<Option<Conversation>, UnavailableError> {
        self.count().await;
        let Some(visible) = self.access.seen(id).await? else {
            return Ok(None);
        };
        let filters = &self.wanted.list.filters;
        if !self.access.takes(filters, &visible) {
            return Ok(None);
        }
        let state = visible.state;
        let among = match filters.state {
            None | Some(Among::Mine) => true,
            Some(Among::Mentioned) => state.mentioned.contains(&self.access.caller.user),
            Some(Among::Unread) => state.unread > 0,
            Some(Among::Failed) => self.access.system.trouble(&state)?.is_some(),
        };
        Ok(among.then_some(state))
    }

    async fn take(
        &mut self,
        id: ConversationId,
        message: Option<MessageView>,
    ) -> Result<(), UnavailableError> {
        let view = self.access.conversation(id).await?;
        self.entries
            .extend(view.map(|view| FoundConversation { view, message }));
        Ok(())
    }

    async fn count(&mut self) {
        self.looks = self.looks.saturating_add(1);
        if self.looks.is_multiple_of(TURN) {
            let now = self.access.system.now();
            let end = if self.entries.is_empty() {
                self.until
            } else {
                self.soon
            };
            self.is_late = end.is_some_and(|end| end <= now);
            tokio::task::yield_now().await;
        }
    }
}
