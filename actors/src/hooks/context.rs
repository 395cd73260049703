//! The forms of the hooks that a record causes: what the record does not carry is looked up, as it is now.

use std::sync::Arc;

use crate::domain::account::users::Users;
use crate::domain::conversation::{Conversation, ConversationEvent};
use crate::domain::crm::{Crm, CrmEvent, Lead, StageKind};
use crate::domain::hooks::hook::HookObject;
use crate::domain::id::{AccountId, ContactId, ConversationId, PersonId, SourceNumber, UserId};
use crate::domain::installation::accounts::Account;
use crate::domain::keys;
use crate::domain::kinds;
use crate::domain::text::{Name, SourceId};
use crate::domain::webhooks::code::WebhookCode;
use crate::error::UnavailableError;
use crate::live::recent_records::RecordMark;
use crate::shared::Kernel;
use crate::shared::last_message::{LastMessage, newest_of_customer};
use crate::shared::load_cached::load_cached;
use crate::wire::webhook_form::{
    ChatContext, ConversationContext, CrmContext, CustomerMessage, Hook, HookAccount, Writer,
    hooks_of_conversation, hooks_of_crm,
};
use switchboard_engine::runtime::kernel::decode;
use switchboard_engine::state::Recorded;

/// A hook that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MadeForm {
    pub(super) code: WebhookCode,
    pub(super) object: HookObject,
    pub(super) form: String,
}

/// The forms of the hooks that a record of an account causes, in order.
pub(super) async fn forms(
    kernel: &Kernel,
    account: AccountId,
    mark: RecordMark,
) -> Result<Vec<MadeForm>, UnavailableError> {
    let accounts = kernel.shared.read_cache.accounts();
    let Some(account) = accounts.get(account) else {
        return Ok(Vec::new());
    };
    let record = kernel.reader.read(mark.position)?;
    let look = Look { kernel, account };
    if mark.kind == kinds::CRM {
        let event = decode::<CrmEvent>(&record)?;
        return look.of_crm(&event).await;
    }
    let recorded = Recorded {
        event: decode::<ConversationEvent>(&record)?,
        blob: record.blob,
    };
    let conversation = ConversationId::from_bytes(mark.id);
    look.of_conversation(conversation, &recorded).await
}

/// Looks things of an account up.
struct Look<'k> {
    kernel: &'k Kernel,
    account: &'k Account,
}

/// The present state of a chat.
struct ChatNow {
    state: Conversation,
    channel_name: String,
    title: String,
    source_number: Option<SourceNumber>,
    last: Option<LastMessage>,
}

impl Look<'_> {
    async fn of_crm(&self, event: &CrmEvent) -> Result<Vec<MadeForm>, UnavailableError> {
        if !matches!(
            event,
            CrmEvent::Lead(_) | CrmEvent::Contact(_) | CrmEvent::Note(_) | CrmEvent::Task(_)
        ) {
            return Ok(Vec::new());
        }
        let Some(crm) = self.crm().await? else {
            return Ok(Vec::new());
        };
        let note_author = if let CrmEvent::Note(changed) = event {
            self.user_name(changed.note.created_by).await?
        } else {
            None
        };
        let chat = if let CrmEvent::Lead(changed) = event {
            self.chat_now(&changed.lead, &crm).await?
        } else {
            None
        };
        let chat_context = chat.as_ref().map(ChatNow::context);
        let context = CrmContext {
            crm: &crm,
            field_ids: self.account.settings.field_ids(),
            note_author: note_author.as_ref(),
            chat: chat_context.as_ref(),
        };
        Ok(self.made(&hooks_of_crm(event, &context)))
    }

    async fn of_conversation(
        &self,
        conversation: ConversationId,
        record: &Recorded<ConversationEvent>,
    ) -> Result<Vec<MadeForm>, UnavailableError> {
        let received = record.event.as_received().filter(|it| it.loud);
        if received.is_none() && record.event.as_replied().is_none() {
            return Ok(Vec::new());
        }
        let imported = received.filter(|it| it.to.is_some());
        let imported_by = imported.map(|it| it.from);
        let Some((state, _)) = self.kernel.load::<Conversation>(conversation).await? else {
            return Ok(Vec::new());
        };
        let Some(origin) = &state.origin else {
            return Ok(Vec::new());
        };
        let lead = self.lead_of(conversation)?;
        let contact = match lead.as_ref().and_then(|lead| lead.contact) {
            Some(contact) => Some(contact),
            None => self.contact_of(conversation)?,
        };
        let channel = origin.scope.channel();
        let writer = match imported_by {
            Some(person) => {
                let bot = self.kernel.shared.ids.bot(channel);
                Some(self.writer(person, bot).await?)
            }
            None => None,
        };
        let crm = self.crm().await?;
        let source = state.source.as_ref().zip(crm.as_ref());
        let lead_with_crm = lead.as_ref().zip(crm.as_ref());
        let waiting = lead_with_crm.filter(|(lead, crm)| is_unsorted(lead, crm));
        let chat = match waiting {
            Some((lead, crm)) => self.chat_now(lead, crm).await?,
            None => None,
        };
        let unsorted = chat.as_ref().map(ChatNow::context);
        let context = ConversationContext {
            conversation,
            channel,
            lead: lead.as_ref(),
            contact,
            customer: state.customer.as_ref(),
            source_number: source.and_then(|(source, crm)| number_of(crm, source)),
            spoken_before: None,
            unsorted: unsorted.as_ref(),
            writer,
        };
        Ok(self.made(&hooks_of_conversation(record, &context)))
    }

    /// Writes the forms.
    fn made(&self, hooks: &[Hook<'_>]) -> Vec<MadeForm> {
        let link = self.kernel.shared.account_link();
        let account = HookAccount {
            number: self.account.number,
            subdomain: &self.account.subdomain(),
            link: &link,
        };
        let forms = hooks.iter().filter_map(|hook| {
            Some(MadeForm {
                code: hook.event,
                object: hook.object,
                form: String::from_utf8(hook.form(&account)).ok()?,
            })
        });
        forms.collect()
    }

    async fn crm(&self) -> Result<Option<Crm>, UnavailableError> {
        let crm = self.kernel.load::<Crm>(self.account.id).await?;
        Ok(crm.map(|(crm, _)| crm))
    }

    async fn users(&self) -> Result<Option<Arc<Users>>, UnavailableError> {
        load_cached::<Users>(self.kernel, &self.account.id).await
    }

    async fn user_name(&self, user: UserId) -> Result<Option<Name>, UnavailableError> {
        let users = self.users().await?;
        let user = users.as_ref().and_then(|users| users.get(user));
        Ok(user.map(|user| user.name.clone().into()))
    }

    /// The kind of the person who wrote an imported message for the account.
    async fn writer(&self, person: PersonId, bot: PersonId) -> Result<Writer, UnavailableError> {
        if person == bot {
            return Ok(Writer::Bot);
        }
        let users = self.users().await?;
        let ids = &self.kernel.shared.ids;
        let is_writer = |id| ids.user(self.account.id, id) == person;
        let mut users = users.iter().flat_map(|users| users.iter());
        let user = users.find(|user| is_writer(user.id));
        Ok(Writer::User(user.map(|user| user.id)))
    }

    /// The newest lead of a chat.
    fn lead_of(&self, chat: ConversationId) -> Result<Option<Lead>, UnavailableError> {
        let record = self.kernel.record::<CrmEvent>(keys::lead_of(chat))?;
        Ok(record.and_then(|record| {
            if let CrmEvent::Lead(changed) = record.event {
                Some(changed.lead)
            } else {
                None
            }
        }))
    }

    /// The contact that a chat belongs to.
    fn contact_of(&self, chat: ConversationId) -> Result<Option<ContactId>, UnavailableError> {
        let key = keys::chat(self.account.id, chat);
        let record = self.kernel.record::<CrmEvent>(key)?;
        Ok(record.and_then(|record| {
            if let CrmEvent::Chat(linked) = record.event {
                Some(linked.link.contact)
            } else {
                None
            }
        }))
    }

    /// The chat that a lead came from.
    async fn chat_now(&self, lead: &Lead, crm: &Crm) -> Result<Option<ChatNow>, UnavailableError> {
        let Some(chat) = &lead.chat else {
            return Ok(None);
        };
        let loaded = self.kernel.load::<Conversation>(chat.conversation).await?;
        let Some((state, _)) = loaded else {
            return Ok(None);
        };
        let cache = &self.kernel.shared.read_cache;
        let channel = cache.channel(chat.scope.channel());
        let channel_name =
            channel.map_or_else(String::new, |it| it.channel.settings.name.to_string());
        let scope = cache.scope(&chat.scope);
        let title = scope.and_then(|scope| Some(scope.connection.as_ref()?.title.clone()));
        let source = state.source.as_ref();
        let last = if is_unsorted(lead, crm) {
            newest_of_customer(self.kernel, &state)?
        } else {
            None
        };
        Ok(Some(ChatNow {
            source_number: source.and_then(|source| number_of(crm, source)),
            title: title.unwrap_or_else(|| channel_name.clone()),
            channel_name,
            last,
            state,
        }))
    }
}

impl ChatNow {
    fn context(&self) -> ChatContext<'_> {
        ChatContext {
            channel_name: &self.channel_name,
            title: &self.title,
            customer: self.state.customer.as_ref(),
            source: self.state.source.as_ref(),
            source_number: self.source_number,
            is_read: self.state.unread == 0,
            spoken: Some(self.state.spoken),
            last_message: self.last.as_ref().map(|last| CustomerMessage {
                id: last.id,
                written_at: last.written_at,
                text: &last.text,
            }),
        }
    }
}

/// Returns whether a lead waits for a decision.
fn is_unsorted(lead: &Lead, crm: &Crm) -> bool {
    let stage = crm.stage(lead.pipeline, lead.stage);
    stage.is_some_and(|stage| stage.kind == StageKind::Unsorted)
}

/// The number of the source of the account with this id.
fn number_of(crm: &Crm, source: &SourceId) -> Option<SourceNumber> {
    let mut sources = crm.sources.iter();
    let source = sources.find(|it| it.settings.external_id == *source);
    source.map(|it| it.id)
}
