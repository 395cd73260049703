//! The judge of an account: it erases all streams of the account, and what other streams say of it.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::Erasures;
use crate::certificate::ErasedCounts;
use crate::judges::hooks;
use crate::judges::judge::{Judge, Look, change_audit, replaced, without_answers};
use crate::judges::masks::MASK;
use crate::judges::record::{DecodeError, Reading, decode};
use crate::judges::survey::{Survey, Surveys};
use switchboard_domain::account::roles::Roles;
use switchboard_domain::account::users::{Users, UsersEvent};
use switchboard_domain::canned_replies::CannedReplies;
use switchboard_domain::crm::Crm;
use switchboard_domain::id::{AccountId, ChannelId, ConversationId, UserId};
use switchboard_domain::installation::accounts::{Accounts, AccountsEvent};
use switchboard_domain::keys;
use switchboard_domain::kinds;
use switchboard_domain::oauth::grants::Grants;
use switchboard_domain::operator::{Operator, OperatorEvent};
use switchboard_domain::salesbots::Salesbots;
use switchboard_domain::saved_views::SavedViews;
use switchboard_domain::scope::Scope;
use switchboard_domain::templates::Templates;
use switchboard_domain::webhooks::Webhooks;
use switchboard_engine::state::State;
use switchboard_engine::store::Record;
use switchboard_engine::store::erasure::Verdict;
use switchboard_engine::stream::StreamKey;

/// The judge of an account.
#[derive(Clone, Debug)]
pub(super) struct AccountJudge {
    account: AccountId,
    conversations: Arc<BTreeSet<ConversationId>>,
    channels: BTreeSet<ChannelId>,
    users: BTreeSet<UserId>,
    counts: ErasedCounts,
}

impl AccountJudge {
    pub(super) fn new(account: AccountId) -> Self {
        Self {
            account,
            conversations: Arc::default(),
            channels: BTreeSet::new(),
            users: BTreeSet::new(),
            counts: ErasedCounts::default(),
        }
    }

    /// Returns whether it is a stream of the account.
    fn is_own(&self, stream: &StreamKey) -> bool {
        let account = match stream.code() {
            code if code == kinds::SCOPE.code() => Scope::id_of(stream).map(|it| it.account()),
            code if code == kinds::CRM.code() => Crm::id_of(stream),
            code if code == kinds::USERS.code() => Users::id_of(stream),
            code if code == kinds::ROLES.code() => Roles::id_of(stream),
            code if code == kinds::OAUTH_GRANTS.code() => Grants::id_of(stream),
            code if code == kinds::WEBHOOKS.code() => Webhooks::id_of(stream),
            code if code == kinds::SALESBOTS.code() => Salesbots::id_of(stream),
            code if code == kinds::TEMPLATES.code() => Templates::id_of(stream),
            code if code == kinds::CANNED_REPLIES.code() => CannedReplies::id_of(stream),
            code if code == kinds::SAVED_VIEWS.code() => SavedViews::id_of(stream),
            code if code == kinds::CREDENTIALS.code() => {
                keys::parse_credentials_name(stream.id()).map(|(account, _)| account)
            }
            _ => None,
        };
        account == Some(self.account)
    }

    fn count(&mut self, record: &Reading<'_>) -> Result<(), DecodeError> {
        if record.stream().is(kinds::QUEUE) {
            self.counts.callback_records = self.counts.callback_records.saturating_add(1);
        } else if record.stream().is(kinds::CONVERSATION) {
            let is_message = record.talk()?.is_message();
            self.counts.messages = self.counts.messages.saturating_add(u64::from(is_message));
        } else if record.stream().is(kinds::USERS) {
            match decode(record.record())? {
                UsersEvent::Declared(declared) => self.users.extend([declared.user.id]),
                UsersEvent::Added { users, .. } => {
                    self.users.extend(users.iter().map(|user| user.id));
                }
                UsersEvent::Switched { .. }
                | UsersEvent::Roles(_)
                | UsersEvent::Group { .. }
                | UsersEvent::GroupDeleted { .. } => {}
            }
        }
        Ok(())
    }

    /// Judges the list of accounts: the number of the account is not given again.
    fn listed(&self, record: &Record) -> Result<Verdict, DecodeError> {
        let account = match decode(record)? {
            AccountsEvent::Declared { account, .. } | AccountsEvent::Set { account, .. } => account,
            AccountsEvent::Erased { .. } => return Ok(Verdict::Keep),
        };
        if account.id != self.account {
            return Ok(Verdict::Keep);
        }
        let event = AccountsEvent::Erased {
            id: account.id,
            number: account.number,
        };
        replaced(record, &event)
    }

    /// Erases the operator's notes about the account and its users; entries in events of other states stay, without details.
    fn masked_audit(&mut self, record: &Reading<'_>) -> Result<Verdict, DecodeError> {
        if Operator::id_of(record.stream()).is_some()
            && let OperatorEvent::Noted(entry) = decode(record.record())?
            && entry.account == Some(self.account)
        {
            return Ok(Verdict::Erase);
        }
        let mut event = record.value()?.clone();
        let account = json!(self.account);
        let count = change_audit(&mut event, &mut |entry| mask(entry, &account));
        if count == 0 {
            return Ok(Verdict::Keep);
        }
        self.counts.masked = self.counts.masked.saturating_add(count);
        replaced(record.record(), &event)
    }
}

/// The channels that the conversations went through.
fn channels(survey: &Survey) -> BTreeSet<ChannelId> {
    let talks = survey.talks.values();
    talks.map(|talk| talk.scope.channel().clone()).collect()
}

/// The counts so far, with those of the survey.
fn counts(survey: &Survey, so_far: ErasedCounts) -> ErasedCounts {
    let count = |length: usize| u64::try_from(length).unwrap_or(u64::MAX);
    ErasedCounts {
        conversations: count(survey.talks.len()),
        contacts: count(survey.contacts.len()),
        leads: count(survey.leads.len()),
        notes: count(survey.notes.len()),
        tasks: count(survey.tasks.len()),
        ..so_far
    }
}

/// Removes from an entry of the audit log what it says of the account; false: nothing.
fn mask(entry: &mut Value, account: &Value) -> bool {
    let mut is_changed = false;
    let is_about = entry.get("account") == Some(account);
    if let Some(fields) = entry.as_object_mut().filter(|_| is_about) {
        is_changed |= fields.remove("changes").is_some();
    }
    if let Some(by) = entry.get_mut("by")
        && by.get("account") == Some(account)
        && let Some(name) = by.get_mut("name")
        && name != MASK
    {
        *name = json!(MASK);
        is_changed = true;
    }
    is_changed
}

impl Judge for AccountJudge {
    fn look(&mut self, _look: Look, _record: &Reading<'_>) -> Result<(), DecodeError> {
        Ok(())
    }

    fn settle(&mut self, look: Look, surveys: &Surveys) -> bool {
        let Some(survey) = surveys.get(self.account).filter(|_| look == Look::First) else {
            return true;
        };
        self.conversations = Arc::new(survey.talks.keys().copied().collect());
        self.counts = counts(survey, self.counts);
        let channels = std::mem::replace(&mut self.channels, channels(survey));
        channels == self.channels
    }

    fn verdict(&mut self, record: &Reading<'_>) -> Result<Verdict, DecodeError> {
        let stream = record.stream();
        let talk = record
            .conversation()
            .or_else(|| record.callback_of())
            .or_else(|| record.team_of());
        let is_own = match talk {
            Some(talk) => self.conversations.contains(&talk),
            None => self.is_own(stream),
        };
        if is_own {
            self.count(record)?;
            return Ok(Verdict::Erase);
        }
        if let Some(verdict) = hooks::verdict(record, |hook| hook.account == self.account)? {
            return Ok(verdict);
        }
        if talk.is_some() || Erasures::id_of(stream).is_some() {
            return Ok(Verdict::Keep);
        }
        if Accounts::id_of(stream).is_some() {
            return self.listed(record.record());
        }
        if stream.is(kinds::ENDPOINTS) {
            let channels = &self.channels;
            return without_answers(record.record(), |channel| channels.contains(channel));
        }
        if [
            kinds::OPERATOR,
            kinds::CHANNELS,
            kinds::REPLAYS,
            kinds::OAUTH_CLIENTS,
        ]
        .iter()
        .any(|kind| stream.is(*kind))
        {
            return self.masked_audit(record);
        }
        Ok(Verdict::Keep)
    }

    fn counts(&self) -> ErasedCounts {
        ErasedCounts {
            users: u64::try_from(self.users.len()).unwrap_or(u64::MAX),
            ..self.counts
        }
    }

    fn whole_account(&self) -> Option<AccountId> {
        Some(self.account)
    }

    fn copy(&self) -> Box<dyn Judge> {
        Box::new(self.clone())
    }
}
