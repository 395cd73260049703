//! The hooks that a record causes: what the record does not carry is looked up, as it is now.

use std::sync::Arc;

use crate::domain::account::users::Users;
use crate::domain::conversation::{Conversation, ConversationEvent};
use crate::domain::crm::{Crm, CrmEvent, Lead, LeadChat};
use crate::domain::hooks::hook::StoredHook;
use crate::domain::id::{AccountId, ConversationId, SourceNumber, UserId};
use crate::domain::installation::accounts::Account;
use crate::domain::keys;
use crate::domain::kinds;
use crate::domain::templates::TemplatesEvent;
use crate::domain::text::{Name, SourceId};
use crate::hooks::crm_states::CrmStates;
use crate::hooks::numbered::numbered;
use crate::hooks::registry::{Audience, Registry};
use crate::wire::webhook_form::{
    ChatContext, ConversationContext, CrmContext, CustomerMessage, Hook, HookAccount,
    hook_of_template, hooks_of_conversation, hooks_of_crm,
};
use switchboard_engine::runtime::kernel::decode;
use switchboard_engine::state::Recorded;
use switchboard_engine::store::Seq;
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::live::recent_records::RecordMark;
use switchboard_runtime::shared::Kernel;
use switchboard_runtime::shared::crm_lookup;
use switchboard_runtime::shared::last_message::{LastMessage, newest_of_customer};
use switchboard_runtime::shared::load_cached::load_cached;
use switchboard_runtime::shared::message_writer::message_writer;

/// The most silent messages behind the end of a talk that are read for the first one that is not.
const SILENT_MAX: u64 = 256;

/// The hooks that a record of an account causes and that a webhook hears of, in order.
pub(super) async fn hooks_of(
    kernel: &Kernel,
    account: AccountId,
    mark: RecordMark,
    registry: &Registry,
    states: &mut CrmStates,
) -> Result<Vec<StoredHook>, UnavailableError> {
    let accounts = kernel.shared.read_cache.accounts();
    let Some(account) = accounts.get(account) else {
        return Ok(Vec::new());
    };
    let record = kernel.reader.read(mark.position)?;
    let look = |crm| Look {
        kernel,
        account,
        registry,
        record: mark.seq,
        crm,
    };
    if mark.kind == kinds::CRM {
        let event = decode::<CrmEvent>(&record)?;
        states.take(account.id, mark.seq, &event);
        if !is_heard(&event) {
            return Ok(Vec::new());
        }
        let crm = states.get(kernel, account.id).await?;
        return look(crm).of_crm(&event).await;
    }
    if mark.kind == kinds::TEMPLATES {
        let event = decode::<TemplatesEvent>(&record)?;
        return Ok(look(None).of_template(&event));
    }
    let recorded = Recorded {
        event: decode::<ConversationEvent>(&record)?,
        blob: record.blob,
    };
    if !is_news(&recorded.event) {
        return Ok(Vec::new());
    }
    let conversation = ConversationId::from_bytes(mark.id);
    // The message may have opened a lead, whose record is behind its own.
    let newest = crm_lookup::lead_of(kernel, conversation)?;
    let lead = newest.map(|newest| states.lead_met(conversation, newest));
    let look = look(states.get(kernel, account.id).await?);
    look.of_conversation(conversation, &recorded, lead).await
}

/// Returns whether webhooks can hear of an event of the CRM.
fn is_heard(event: &CrmEvent) -> bool {
    matches!(
        event,
        CrmEvent::Lead(_) | CrmEvent::Contact(_) | CrmEvent::Note(_) | CrmEvent::Task(_)
    )
}

/// Returns whether webhooks can hear of an event of a conversation.
fn is_news(event: &ConversationEvent) -> bool {
    event.as_received().is_some_and(|it| it.loud) || event.as_replied().is_some()
}

/// Looks things of an account up.
struct Look<'k> {
    kernel: &'k Kernel,
    account: &'k Account,
    registry: &'k Registry,
    /// The number of the record.
    record: Seq,
    /// The account's pipelines, sources and fields.
    crm: Option<&'k Crm>,
}

/// The present state of a chat.
struct ChatNow<'s> {
    state: &'s Conversation,
    channel_name: String,
    title: String,
    source_number: Option<SourceNumber>,
    last: Option<LastMessage>,
}

impl Look<'_> {
    async fn of_crm(&self, event: &CrmEvent) -> Result<Vec<StoredHook>, UnavailableError> {
        let Some(crm) = self.crm else {
            return Ok(Vec::new());
        };
        let note_author = if let CrmEvent::Note(changed) = event {
            self.user_name(changed.note.authorship.created_by).await?
        } else {
            None
        };
        let lead = if let CrmEvent::Lead(changed) = event {
            Some(&changed.lead)
        } else {
            None
        };
        let lead_chat = lead.and_then(|lead| Some((lead, lead.chat.as_ref()?)));
        let state = match lead_chat {
            Some((_, chat)) => self.conversation(chat.conversation).await?,
            None => None,
        };
        let chat = match lead_chat.zip(state.as_ref()) {
            Some(((lead, chat), state)) => Some(self.chat_now(lead, chat, state, crm)?),
            None => None,
        };
        let chat_context = chat.as_ref().map(ChatNow::context);
        let context = CrmContext {
            crm,
            field_ids: self.account.settings.field_ids(),
            note_author: note_author.as_ref(),
            chat: chat_context.as_ref(),
        };
        Ok(self.subscribed(&hooks_of_crm(event, &context), Audience::Everyone))
    }

    /// A template is seen by the OAuth client that created it alone, so the others hear nothing of its review.
    fn of_template(&self, event: &TemplatesEvent) -> Vec<StoredHook> {
        let hook = hook_of_template(event);
        let client = event.now.as_deref().and_then(|template| template.client);
        self.subscribed(hook.as_slice(), Audience::Client(client))
    }

    async fn of_conversation(
        &self,
        conversation: ConversationId,
        record: &Recorded<ConversationEvent>,
        lead: Option<Lead>,
    ) -> Result<Vec<StoredHook>, UnavailableError> {
        let received = record.event.as_received();
        let imported = received.filter(|it| it.to.is_some());
        let imported_by = imported.map(|it| it.from);
        let Some(state) = self.conversation(conversation).await? else {
            return Ok(Vec::new());
        };
        let Some(origin) = &state.origin else {
            return Ok(Vec::new());
        };
        let contact = match lead.as_ref().and_then(|lead| lead.contact) {
            Some(contact) => Some(contact),
            None => {
                let key = keys::chat(self.account.id, conversation);
                crm_lookup::chat_link(self.kernel, key)?.map(|link| link.contact)
            }
        };
        let channel = origin.scope.channel();
        let writer = match imported_by {
            Some(person) => {
                let (shared, account) = (&self.kernel.shared, self.account.id);
                let users = self.users().await?;
                Some(message_writer(
                    shared,
                    account,
                    users.as_deref(),
                    channel,
                    person,
                ))
            }
            None => None,
        };
        let source = state.source.as_ref().zip(self.crm);
        let lead_with_crm = lead.as_ref().zip(self.crm);
        let waiting =
            lead_with_crm.filter(|(lead, crm)| crm.is_unsorted(lead.pipeline, lead.stage));
        let chat = match waiting {
            Some((lead, crm)) => match &lead.chat {
                Some(chat) => Some(self.chat_now(lead, chat, &state, crm)?),
                None => None,
            },
            None => None,
        };
        let unsorted = chat.as_ref().map(ChatNow::context);
        let talk_end = lead.as_ref().and_then(|lead| lead.talk_closed);
        let spoken_before = match (talk_end, record.event.message_number()) {
            (Some(end), Some(number)) => self.spoken_between(conversation, end, number)?,
            _ => None,
        };
        let context = ConversationContext {
            conversation,
            channel,
            lead: lead.as_ref(),
            contact,
            customer: state.customer.as_ref(),
            source_number: source.and_then(|(source, crm)| number_of(crm, source)),
            spoken_before,
            unsorted: unsorted.as_ref(),
            writer,
        };
        Ok(self.subscribed(&hooks_of_conversation(record, &context), Audience::Everyone))
    }

    /// The number of the first message behind the end of a talk and before this one that was not silent, or that end. `None`
    /// when so many silent ones follow it that the service does not read on.
    fn spoken_between(
        &self,
        conversation: ConversationId,
        end: u64,
        number: u64,
    ) -> Result<Option<u64>, UnavailableError> {
        for between in end.saturating_add(1)..number {
            if between.saturating_sub(end) > SILENT_MAX {
                return Ok(None);
            }
            let key = keys::numbered(conversation, between);
            let record = self.kernel.record::<ConversationEvent>(key)?;
            if record.is_some_and(|it| is_news(&it.event)) {
                return Ok(Some(between));
            }
        }
        Ok(Some(end))
    }

    /// The hooks that a webhook hears of.
    fn subscribed(&self, hooks: &[Hook<'_>], audience: Audience) -> Vec<StoredHook> {
        let link = self.kernel.shared.account_link();
        let account = HookAccount {
            number: self.account.number,
            subdomain: &self.account.subdomain(),
            link: &link,
        };
        let numbered = numbered(
            hooks,
            self.record,
            |hook| {
                let account = self.account.id;
                self.registry
                    .receivers(account, hook.event, self.record, audience)
            },
            |hook| String::from_utf8(hook.form(&account)).ok(),
        );
        let at = self.kernel.clock.now();
        let hooks = numbered.into_iter().map(|numbered| StoredHook {
            number: numbered.number,
            account: self.account.id,
            code: numbered.hook.event,
            object: numbered.hook.object,
            form: numbered.form,
            webhooks: numbered.webhooks,
            at,
        });
        hooks.collect()
    }

    async fn users(&self) -> Result<Option<Arc<Users>>, UnavailableError> {
        load_cached::<Users>(self.kernel, &self.account.id).await
    }

    async fn user_name(&self, user: UserId) -> Result<Option<Name>, UnavailableError> {
        let users = self.users().await?;
        let user = users.as_ref().and_then(|users| users.get(user));
        Ok(user.map(|user| user.name.clone().into()))
    }

    async fn conversation(
        &self,
        id: ConversationId,
    ) -> Result<Option<Conversation>, UnavailableError> {
        let loaded = self.kernel.load::<Conversation>(id).await?;
        Ok(loaded.map(|(state, _)| state))
    }

    /// The chat that a lead came from, with its present state.
    fn chat_now<'s>(
        &self,
        lead: &Lead,
        chat: &LeadChat,
        state: &'s Conversation,
        crm: &Crm,
    ) -> Result<ChatNow<'s>, UnavailableError> {
        let cache = &self.kernel.shared.read_cache;
        let channel = cache.channel(chat.scope.channel());
        let channel_name =
            channel.map_or_else(String::new, |it| it.channel.settings.name.to_string());
        let scope = cache.scope(&chat.scope);
        let title = scope.and_then(|scope| Some(scope.connection.as_ref()?.title.clone()));
        let source = state.source.as_ref();
        let last = if crm.is_unsorted(lead.pipeline, lead.stage) {
            newest_of_customer(self.kernel, state)?
        } else {
            None
        };
        Ok(ChatNow {
            source_number: source.and_then(|source| number_of(crm, source)),
            title: title.unwrap_or_else(|| channel_name.clone()),
            channel_name,
            last,
            state,
        })
    }
}

impl ChatNow<'_> {
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

/// The number of the source of the account with this id.
fn number_of(crm: &Crm, source: &SourceId) -> Option<SourceNumber> {
    let mut sources = crm.sources.iter();
    let source = sources.find(|it| it.settings.external_id == *source);
    source.map(|it| it.id)
}
