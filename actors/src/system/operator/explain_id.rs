//! The explanation of an id: the thing that it names, its owner, and the id of the same thing in the other
//! interface.
//!
//! Every kind is looked up by key, or in what is in memory anyway. A number and an id of an integration mean something in each
//! account, so without an account only the first [`ACCOUNTS_MAX`] accounts and [`SCOPES_MAX`] connections are asked. A `msgid` is
//! stored under its conversation alone: without one it is not looked up.

mod client_ids;
mod numbers;
mod secrets;
mod service_ids;

use crate::domain::id::{
    AccountId, ChannelId, ContactId, ConversationId, LeadId, OauthClientId, ScopeId, UserId,
};
use crate::domain::id_kind::IdKind;
use crate::domain::installation::accounts::Account;
use crate::domain::keys;
use crate::domain::scope::Scope;
use crate::domain::tables;
use crate::system::System;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_runtime::error::UnavailableError;

/// The most accounts in which an id is looked up when none is named.
pub const ACCOUNTS_MAX: usize = 100;
/// The most connections in which an id of an integration is looked up.
pub const SCOPES_MAX: usize = 100;

/// An id to explain. It may be a secret, so it is not shown.
#[derive(Clone, Copy)]
pub struct IdQuestion<'a> {
    /// The id, as it was pasted.
    pub text: &'a str,
    /// The only account to look in.
    pub account: Option<AccountId>,
    /// The conversation of a `msgid`, by either id.
    pub conversation: Option<&'a str>,
}

/// The explanation of an id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExplainedId {
    /// All things that it names.
    pub matches: Vec<IdMatch>,
    /// True when there are more accounts or connections than were asked.
    pub is_partial: bool,
}

/// A thing that an id names. It never has the text of a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdMatch {
    /// Its kind.
    pub kind: IdKind,
    /// The service's id of it; `None` of a secret.
    pub id: Option<String>,
    /// Its id in the other interface: `msgid` of a message, `conversation_id` of a conversation, `sender.id` of a customer, `amojo_id`
    /// of a user, the number of an account.
    pub twin: Option<String>,
    /// Its name.
    pub name: Option<String>,
    /// Its account.
    pub account: Option<AccountId>,
    /// Its channel.
    pub channel: Option<ChannelId>,
    /// Its conversation.
    pub conversation: Option<ConversationId>,
    /// Its lead.
    pub lead: Option<LeadId>,
    /// Its contact.
    pub contact: Option<ContactId>,
    /// The user who has it, or who wrote it.
    pub user: Option<UserId>,
    /// The OAuth client that has it.
    pub client: Option<OauthClientId>,
    /// The reason for which it is of no use now, for people; `None` while it is in force.
    pub refusal: Option<String>,
}

impl IdMatch {
    fn new(kind: IdKind, id: impl ToString) -> Self {
        Self {
            id: Some(id.to_string()),
            ..Self::secret(kind)
        }
    }

    /// A secret, whose text is not repeated.
    fn secret(kind: IdKind) -> Self {
        Self {
            kind,
            id: None,
            twin: None,
            name: None,
            account: None,
            channel: None,
            conversation: None,
            lead: None,
            contact: None,
            user: None,
            client: None,
            refusal: None,
        }
    }

    fn account(account: &Account) -> Self {
        Self {
            twin: Some(account.number.to_string()),
            name: Some(account.settings.name.to_string()),
            account: Some(account.id),
            ..Self::new(IdKind::Account, account.id)
        }
    }

    fn of_scope(self, scope: &ScopeId) -> Self {
        Self {
            account: Some(scope.account()),
            channel: Some(scope.channel().clone()),
            ..self
        }
    }

    fn of_user(self, account: AccountId, user: UserId) -> Self {
        Self {
            account: Some(account),
            user: Some(user),
            ..self
        }
    }
}

/// The places in which an id is looked up.
struct Places {
    accounts: Vec<AccountId>,
    scopes: Vec<ScopeId>,
}

impl System {
    /// Explains an id of any kind, for the operator.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn explain_id(
        &self,
        question: IdQuestion<'_>,
    ) -> Result<ExplainedId, UnavailableError> {
        self.kernel().caught_up().await;
        let (places, is_partial) = self.places_of_ids(question.account)?;
        let text = question.text;
        let mut matches = self.secrets_with(text).await?;
        matches.extend(self.named_by_text(text).await?);
        matches.extend(self.named_by_service_id(text, &places).await?);
        matches.extend(self.named_by_number(text, &places).await?);
        matches.extend(self.named_by_integration(&question, &places).await?);
        if let Some(account) = question.account {
            matches.retain(|it| it.account.is_none_or(|of| of == account));
        }
        Ok(ExplainedId {
            matches,
            is_partial,
        })
    }

    /// The account, or the first ones, with their connections; and whether there are more.
    fn places_of_ids(
        &self,
        account: Option<AccountId>,
    ) -> Result<(Places, bool), UnavailableError> {
        let index = &self.kernel().index;
        let cache = &self.kernel().shared.read_cache;
        let Some(account) = account else {
            let first = self.first_accounts(ACCOUNTS_MAX.saturating_add(1));
            let most = SCOPES_MAX.saturating_add(1);
            let range = KeyRange::prefix(&[]);
            let rows = index.scan(tables::SCOPES, &range, ScanOrder::Ascending, most)?;
            let is_partial = first.len() > ACCOUNTS_MAX || rows.len() > SCOPES_MAX;
            let accounts = first.iter().take(ACCOUNTS_MAX).map(|it| it.id).collect();
            let connected = rows.iter().take(SCOPES_MAX);
            let scopes = connected
                .filter_map(|(key, _)| keys::parse_scope_row(key))
                .collect();
            return Ok((Places { accounts, scopes }, is_partial));
        };
        let channels = cache.channels();
        let first = channels.iter().take(SCOPES_MAX);
        let scopes = first
            .map(|channel| ScopeId::new(channel.id.clone(), account))
            .collect();
        let accounts = vec![account];
        let is_partial = channels.iter().nth(SCOPES_MAX).is_some();
        Ok((Places { accounts, scopes }, is_partial))
    }

    /// The channel and the scope with this id.
    async fn named_by_text(&self, text: &str) -> Result<Vec<IdMatch>, UnavailableError> {
        let mut matches = Vec::new();
        if let Ok(id) = text.parse::<ChannelId>()
            && let Some(channel) = self.channel(&id)
        {
            matches.push(IdMatch {
                name: Some(channel.channel.settings.name.to_string()),
                channel: Some(id.clone()),
                ..IdMatch::new(IdKind::Channel, id)
            });
        }
        if let Ok(scope) = text.parse::<ScopeId>()
            && let Some(state) = self.look::<Scope>(&scope).await?
        {
            let refusal = match &state.connection {
                Some(_) => None,
                None => Some("the account is not connected to the channel any more".to_owned()),
            };
            let title = state.connection.map(|connection| connection.title);
            matches.push(IdMatch {
                name: title,
                refusal,
                ..IdMatch::new(IdKind::Scope, &scope).of_scope(&scope)
            });
        }
        Ok(matches)
    }
}
