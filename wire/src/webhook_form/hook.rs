//! A hook: an event with its item.

use crate::domain::hooks::hook::HookObject;
use crate::domain::webhooks::code::WebhookCode;
use crate::webhook_form::account::HookAccount;
use crate::webhook_form::contact::ContactItem;
use crate::webhook_form::incoming::IncomingItem;
use crate::webhook_form::lead::LeadItem;
use crate::webhook_form::note::NoteItem;
use crate::webhook_form::outgoing::OutgoingItem;
use crate::webhook_form::talk::TalkItem;
use crate::webhook_form::task::TaskItem;
use crate::webhook_form::template::TemplateItem;
use crate::webhook_form::unsorted::{SortedItem, UnsortedItem};
use crate::webhook_form::writer::FormWriter;

/// An event of an account, with the item that its form has.
#[derive(Clone, Debug)]
pub struct Hook<'r> {
    /// The event.
    pub event: WebhookCode,
    /// The object that it happened to.
    pub object: HookObject,
    pub(super) item: HookItem<'r>,
}

/// The item of a hook.
#[derive(Clone, Debug)]
pub(super) enum HookItem<'r> {
    Lead(LeadItem<'r>),
    Contact(ContactItem<'r>),
    Note(NoteItem<'r>),
    Task(TaskItem<'r>),
    Talk(TalkItem<'r>),
    Incoming(IncomingItem<'r>),
    Outgoing(OutgoingItem<'r>),
    Unsorted(UnsortedItem<'r>),
    Sorted(SortedItem<'r>),
    Template(TemplateItem<'r>),
}

impl Hook<'_> {
    /// The bytes of the form.
    #[must_use]
    pub fn form(&self, account: &HookAccount<'_>) -> Vec<u8> {
        let mut form = FormWriter::default();
        account.write(&mut form);
        let keys = Keys::new(self.event);
        let write = |form: &mut FormWriter| {
            form.within(keys.event, |form| {
                form.within(0, |form| self.item.write(account, form));
            });
        };
        match keys.object {
            Some(object) => form.within(object, write),
            None => write(&mut form),
        }
        form.into_bytes()
    }
}

/// The keys around an item.
struct Keys {
    /// None for templates: their event is the outermost key.
    object: Option<&'static str>,
    event: &'static str,
}

impl Keys {
    /// The keys of an event follow from its code, a verb and an object. Those of the CRM are in the plural.
    fn new(event: WebhookCode) -> Self {
        let code = event.as_str();
        let (verb, noun) = code.split_once('_').unwrap_or((code, code));
        Self {
            object: match noun {
                "lead" => Some("leads"),
                "contact" => Some("contacts"),
                "chat_template_review" => None,
                _ => Some(noun),
            },
            event: verb,
        }
    }
}

impl HookItem<'_> {
    fn write(&self, account: &HookAccount<'_>, form: &mut FormWriter) {
        match self {
            Self::Lead(item) => item.write(account, form),
            Self::Contact(item) => item.write(account, form),
            Self::Note(item) => item.write(account, form),
            Self::Task(item) => item.write(account, form),
            Self::Talk(item) => item.write(form),
            Self::Incoming(item) => item.write(form),
            Self::Outgoing(item) => item.write(form),
            Self::Unsorted(item) => item.write(account, form),
            Self::Sorted(item) => item.write(form),
            Self::Template(item) => item.write(account, form),
        }
    }
}
