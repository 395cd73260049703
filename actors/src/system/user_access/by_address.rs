//! Conversations that phone numbers, e-mail addresses and ids lead to, without a look at anything else.

use std::collections::BTreeSet;

use crate::domain::conversation::Conversation;
use crate::domain::id::{ClientConversationId, ClientPersonId, ConversationId, PersonId, ScopeId};
use crate::domain::keys;
use crate::domain::tables;
use crate::domain::text::search::Search;
use crate::system::user_access::UserAccess;
use switchboard_engine::state::State;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_engine::table::Table;
use switchboard_runtime::error::UnavailableError;

/// The number of entries that one phone number, e-mail address or person leads to; more are gone through one by one.
pub(super) const FOUND_MAX: usize = 500;

impl UserAccess {
    /// The ids behind the phone numbers and e-mail addresses in this list that a search may be; `None` when there are too
    /// many. The rights of the user are not asked.
    pub(super) fn by_address<const N: usize>(
        &self,
        table: Table,
        search: &Search,
    ) -> Result<Option<BTreeSet<[u8; N]>>, UnavailableError> {
        let prefixes = keys::addresses::of_search(self.caller.account, search);
        self.behind(table, &prefixes)
    }

    /// The conversations that a phone number, an e-mail address or an id leads to; `None` when there are too many. The
    /// rights of the user are not asked, and a conversation may not be there.
    pub(super) fn conversations_by_key(
        &self,
        search: &Search,
    ) -> Result<Option<BTreeSet<ConversationId>>, UnavailableError> {
        let table = tables::CONVERSATIONS_BY_ADDRESS;
        let mut prefixes = keys::addresses::of_search(self.caller.account, search);
        prefixes.extend(self.rows_of_people(search)?);
        let Some(ids) = self.behind(table, &prefixes)? else {
            return Ok(None);
        };
        let mut conversations: BTreeSet<_> =
            ids.into_iter().map(ConversationId::from_bytes).collect();
        conversations.extend(search.text().parse::<ConversationId>().ok());
        conversations.extend(self.named_conversations(search)?);
        if let Ok(message) = search.text().parse()
            && let Some(record) = self.system.kernel().index.record(keys::message(message))?
        {
            conversations.extend(Conversation::id_of(&record.stream));
        }
        Ok(Some(conversations))
    }

    fn behind<const N: usize>(
        &self,
        table: Table,
        prefixes: &[Vec<u8>],
    ) -> Result<Option<BTreeSet<[u8; N]>>, UnavailableError> {
        let mut ids = BTreeSet::new();
        for prefix in prefixes {
            let range = KeyRange::prefix(prefix);
            let index = &self.system.kernel().index;
            let rows = index.scan(table, &range, ScanOrder::Ascending, FOUND_MAX)?;
            ids.extend(rows.iter().filter_map(|(key, _)| key.last_chunk::<N>()));
            if rows.len() == FOUND_MAX || ids.len() >= FOUND_MAX {
                return Ok(None);
            }
        }
        Ok(Some(ids))
    }

    /// The conversations that an integration's id means, in any channel.
    fn named_conversations(
        &self,
        search: &Search,
    ) -> Result<Vec<ConversationId>, UnavailableError> {
        let Ok(client) = search.text().parse::<ClientConversationId>() else {
            return Ok(Vec::new());
        };
        self.meanings(|scope| self.system.conversation_meant(scope, &client))
    }

    /// The prefixes of the rows of customers with this id: our id, or that of the integration of any channel.
    fn rows_of_people(&self, search: &Search) -> Result<Vec<Vec<u8>>, UnavailableError> {
        let mut people: Vec<PersonId> = search.text().parse().into_iter().collect();
        if let Ok(client) = search.text().parse::<ClientPersonId>() {
            people.extend(self.meanings(|scope| self.system.person_meant(scope, &client))?);
        }
        let account = self.caller.account;
        let rows = people
            .into_iter()
            .map(|person| keys::addresses::person(account, person));
        Ok(rows.collect())
    }

    /// The meanings of an id in the account's scope of each channel.
    fn meanings<T>(
        &self,
        meaning: impl Fn(&ScopeId) -> Result<T, UnavailableError>,
    ) -> Result<Vec<T>, UnavailableError> {
        let channels = self.system.kernel().shared.read_cache.channels();
        let scopes = channels
            .iter()
            .map(|channel| ScopeId::new(channel.id.clone(), self.caller.account));
        scopes.map(|scope| meaning(&scope)).collect()
    }
}
