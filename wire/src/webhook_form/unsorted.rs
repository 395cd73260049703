//! An unsorted lead: a chat opened it, and it waits until a user accepts or declines it. Its `uid` is the number of the lead.

use std::borrow::Cow;

use crate::domain::conversation::Customer;
use crate::domain::crm::{Lead, LeadChanged, LeadChat};
use crate::domain::id::MessageId;
use crate::domain::time::UnixMillis;
use crate::webhook_form::account::HookAccount;
use crate::webhook_form::context::{ChatContext, CustomerMessage};
use crate::webhook_form::lead::user;
use crate::webhook_form::writer::FormWriter;

/// The category of everything that chats open.
const CATEGORY: &str = "chats";
/// The counterpart's name of the service that carries chats.
const PROVIDER: &str = "amojo";

/// An unsorted lead that is new, or has changed.
#[derive(Clone, Debug)]
pub(super) struct UnsortedItem<'r> {
    pub(super) lead: &'r Lead,
    pub(super) chat: &'r LeadChat,
    pub(super) context: Option<&'r ChatContext<'r>>,
    /// The newest message of the customer.
    pub(super) message: Option<UnsortedMessage<'r>>,
    pub(super) is_new: bool,
}

/// A message of the customer who waits.
#[derive(Clone, Debug)]
pub(super) struct UnsortedMessage<'r> {
    pub(super) id: MessageId,
    pub(super) written_at: UnixMillis,
    pub(super) text: Cow<'r, str>,
}

impl<'r> From<CustomerMessage<'r>> for UnsortedMessage<'r> {
    fn from(message: CustomerMessage<'r>) -> Self {
        Self {
            id: message.id,
            written_at: message.written_at,
            text: message.text.into(),
        }
    }
}

impl UnsortedItem<'_> {
    pub(super) fn write(&self, account: &HookAccount<'_>, form: &mut FormWriter) {
        let lead = self.lead;
        let created_at = lead.created_at.secs();
        let source_number = self.context.and_then(|chat| chat.source_number);
        form.put("uid", lead.id);
        form.put("source", self.source());
        form.put("source_uid", self.source_uid());
        form.put("category", CATEGORY);
        form.within("source_data", |form| self.write_source_data(form));
        form.put("date_create", created_at);
        form.within("data", |form| {
            form.each("contacts", lead.contact, |form, id| form.put("id", id));
            let leads = (!self.is_new).then_some(lead.id);
            form.each("leads", leads, |form, id| form.put("id", id));
        });
        form.put("pipeline_id", lead.pipeline);
        form.put("account_id", account.number);
        form.put_some("source_id", source_number);
        form.put("lead_id", lead.id);
        form.put("created_at", created_at);
    }

    fn write_source_data(&self, form: &mut FormWriter) {
        let context = self.context;
        let customer = context.and_then(|chat| chat.customer);
        let name = customer.map_or("", |customer| customer.name.as_str());
        let message = self.message.as_ref();
        let at = message.map_or(self.lead.created_at, |message| message.written_at);
        form.put("from", name);
        form.put("name", name);
        form.put("to", self.entrance());
        form.put("date", UnixMillis::secs(at));
        form.put("service", self.chat.scope.channel());
        form.put("site", context.map_or("", |chat| chat.channel_name));
        form.within("client", |form| {
            form.put("name", name);
            form.put_some("id", customer.map(client_id));
            let picture = customer.and_then(|customer| customer.avatar.as_ref());
            form.put_some("picture", picture.map(|picture| picture.as_str()));
        });
        form.within("origin", |form| {
            form.put("provider", PROVIDER);
            form.put("chat_id", self.chat.conversation);
        });
        form.each("data", message, |form, message| {
            form.put("id", message.id);
            // The customer wrote it.
            form.put_flag("manager", false);
            form.put("date", message.written_at.secs());
            form.put("text", &message.text);
        });
        form.put("source_uid", self.source_uid());
        form.put("source", self.source());
        form.put("source_name", context.map_or("", |chat| chat.title));
    }

    /// The entrance of the integration that the chat came through; the scope if the integration names none.
    fn entrance(&self) -> String {
        let source = self.context.and_then(|chat| chat.source);
        source.map_or_else(|| self.chat.scope.to_string(), ToString::to_string)
    }

    fn source(&self) -> String {
        format!("{}:{}", self.chat.scope.channel(), self.entrance())
    }

    fn source_uid(&self) -> String {
        let chat = self.chat;
        format!("{PROVIDER}:{}:{}", chat.scope.channel(), chat.conversation)
    }
}

/// The integration's id of a customer, or ours.
fn client_id(customer: &Customer) -> String {
    let id = customer.client_id.as_ref();
    id.map_or_else(|| customer.person.to_string(), ToString::to_string)
}

/// A lead that is not unsorted any more.
#[derive(Clone, Copy, Debug)]
pub(super) struct SortedItem<'r> {
    pub(super) changed: &'r LeadChanged,
    pub(super) is_accepted: bool,
}

impl SortedItem<'_> {
    pub(super) fn write(&self, form: &mut FormWriter) {
        let lead = &self.changed.lead;
        let action = if self.is_accepted {
            "accept"
        } else {
            "decline"
        };
        form.put("action", action);
        form.put("uid", lead.id);
        form.put("category", CATEGORY);
        form.put("created_at", lead.created_at.secs());
        form.put("modified_user_id", user(self.changed.by));
        form.within(format_args!("{action}_result"), |form| {
            form.put_only("leads", lead.merged_into.unwrap_or(lead.id));
            // That of another lead is not known here.
            let contact = lead.contact.filter(|_| lead.merged_into.is_none());
            if let (true, Some(contact)) = (self.is_accepted, contact) {
                form.put_only("contacts", contact);
            }
        });
    }
}
