//! Talks and their messages, as a user sees them.
//!
//! A talk is the part of a chat that belongs to one lead. It begins with the message that opened the lead, and ends before
//! the one that opened the next lead of the chat. The first talk of a chat begins with the chat: an import and the first
//! words of an account user come before the lead. So who sees an earlier lead of a chat reads nothing of a later one.

use crate::domain::conversation::Customer;
use crate::domain::crm::{Lead, LeadChat};
use crate::domain::id::{ChannelId, ContactId, LeadId, PersonId};
use crate::domain::keys;
use crate::domain::tables;
use crate::system::inbox::MessageView;
use crate::system::user_access::UserAccess;
use crate::system::user_access::entity_filter::Span;
use crate::system::user_access::paging::{EXAMINED_MAX, Listed, PageOptions, PageStart, RowSource};
use crate::wire::webhook_form::MessageWriter;
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::shared::message_writer::message_writer;

/// The maximum number of leads of one contact among which the next lead of a chat is searched.
const LEADS_MAX: usize = 5_000;

/// A page of the messages of a talk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TalkMessages {
    /// The chat of the talk.
    pub chat: LeadChat,
    /// The customer of the chat, as they are known now.
    pub customer: Option<Customer>,
    /// The messages, newest first.
    pub page: Listed<MessageView>,
}

impl UserAccess {
    /// The messages of the talk of a lead, newest first, written in this time; `None` when there is no such talk that the
    /// user may see.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn talk_messages(
        &self,
        id: LeadId,
        written: Span,
        start: PageStart,
        limit: usize,
    ) -> Result<Option<TalkMessages>, UnavailableError> {
        self.system.kernel().caught_up().await;
        let Some(lead) = self.lead(id).await? else {
            return Ok(None);
        };
        let Some(chat) = lead.chat.clone() else {
            return Ok(None);
        };
        let (account, conversation) = (self.caller.account, chat.conversation);
        let state = self
            .system
            .conversation_state(account, conversation)
            .await?;
        let Some(state) = state else {
            return Ok(None);
        };
        let rows = self.messages_of_talk(&lead, &chat, state.messages).await?;
        let options = PageOptions {
            newest_first: true,
            everything: written == Span::default(),
            examined_max: EXAMINED_MAX,
        };
        let mut page = self
            .paginate(&rows, options, start, limit, async |number| {
                let message = self.system.numbered(conversation, number)?;
                Ok(message.filter(|message| written.has(message.written_at())))
            })
            .await?;
        self.system
            .look_at_callbacks(conversation, &mut page.entries)
            .await?;
        Ok(Some(TalkMessages {
            chat,
            customer: state.customer,
            page,
        }))
    }

    /// The kind of the person on the account's side who wrote an imported message.
    #[must_use]
    pub fn writer(&self, channel: &ChannelId, person: PersonId) -> MessageWriter {
        let shared = &self.system.kernel().shared;
        message_writer(
            shared,
            self.caller.account,
            Some(&self.users),
            channel,
            person,
        )
    }

    /// Returns whether the talk of a lead is in work.
    pub(super) async fn is_in_work(&self, lead: &Lead) -> Result<bool, UnavailableError> {
        let spoken_message = match (&lead.chat, lead.talk_closed) {
            (Some(chat), Some(_)) if self.is_newest(lead, chat).await? => {
                let account = self.caller.account;
                let state = self.system.conversation_state(account, chat.conversation);
                state.await?.map(|state| state.spoken)
            }
            (_, _) => None,
        };
        Ok(lead.talk_is_in_work(spoken_message))
    }

    /// Returns whether a lead is the newest of its chat: what was said last belongs to it.
    pub(super) async fn is_newest(
        &self,
        lead: &Lead,
        chat: &LeadChat,
    ) -> Result<bool, UnavailableError> {
        let newest = self.system.lead_of(chat.conversation).await?;
        Ok(newest.is_none_or(|newest| newest.id == lead.id))
    }

    /// The numbers of the messages of a talk, of a chat with so many messages.
    async fn messages_of_talk(
        &self,
        lead: &Lead,
        chat: &LeadChat,
        messages: u64,
    ) -> Result<RowSource, UnavailableError> {
        let mut others = self.other_leads(lead)?;
        let newest = self.system.lead_of(chat.conversation).await?;
        others.extend(newest.map(|newest| newest.id).filter(|id| *id != lead.id));
        others.sort_unstable();
        let (mut first, mut last) = (1, messages);
        for id in others {
            let sibling = self.system.lead(self.caller.account, id).await?;
            let its_chat = sibling.and_then(|sibling| sibling.chat);
            let Some(other) = its_chat.filter(|it| it.conversation == chat.conversation) else {
                continue;
            };
            if id < lead.id {
                first = chat.opened_by.max(1);
            } else {
                last = last.min(other.opened_by.saturating_sub(1));
                break;
            }
        }
        Ok(RowSource::Between { first, last })
    }

    /// The newest lead of a contact that came from a chat and that the user sees.
    pub(super) async fn chat_of_contact(
        &self,
        contact: ContactId,
    ) -> Result<Option<Lead>, UnavailableError> {
        for id in self.leads_of_contact(contact)?.into_iter().rev() {
            let lead = self.lead(id).await?;
            if let Some(lead) = lead.filter(|lead| lead.chat.is_some()) {
                return Ok(Some(lead));
            }
        }
        Ok(None)
    }

    /// The other leads of the contact of a lead.
    fn other_leads(&self, lead: &Lead) -> Result<Vec<LeadId>, UnavailableError> {
        let Some(contact) = lead.contact else {
            return Ok(Vec::new());
        };
        let mut leads = self.leads_of_contact(contact)?;
        leads.retain(|id| *id != lead.id);
        Ok(leads)
    }

    /// The leads of a contact, in the order of their numbers.
    fn leads_of_contact(&self, contact: ContactId) -> Result<Vec<LeadId>, UnavailableError> {
        let rows = RowSource::Of {
            table: tables::LEADS_OF_CONTACT,
            prefix: keys::contact_prefix(self.caller.account, contact),
            turned: false,
        };
        let numbers = self.few_numbers(&rows, LEADS_MAX)?.unwrap_or_default();
        let mut leads: Vec<_> = numbers.into_iter().map(LeadId).collect();
        leads.sort_unstable();
        Ok(leads)
    }
}
