//! The hooks that a record of the CRM causes.

use crate::domain::crm::entity::{EntityKind, NoteSubject};
use crate::domain::crm::note::NoteChanged;
use crate::domain::crm::task::TaskChanged;
use crate::domain::crm::{ContactChanged, CrmEvent, LOST, LeadChanged, LeadPlace, WON};
use crate::domain::hooks::hook::HookObject;
use crate::domain::id::{ContactId, LeadId};
use crate::domain::webhooks::code::WebhookCode;
use crate::webhook_form::contact::{self, ContactItem};
use crate::webhook_form::context::CrmContext;
use crate::webhook_form::hook::{Hook, HookItem};
use crate::webhook_form::lead::{self, LeadItem};
use crate::webhook_form::note::NoteItem;
use crate::webhook_form::talk::TalkItem;
use crate::webhook_form::task::{self, TaskItem};
use crate::webhook_form::unsorted::{SortedItem, UnsortedItem, UnsortedMessage};

/// The hooks that a record of the CRM causes, in order.
///
/// A lead that is new: `add_lead`, and `add_unsorted` if a chat opened it and it waits for a decision. A lead that has changed:
/// `update_lead`, then `status_lead` and `responsible_lead` if it moved or got another user; `update_unsorted` while it waits,
/// `delete_unsorted` when it does no more; `update_talk` when its talk ended or goes on. A user who closes a talk changes nothing of
/// the lead: that is `update_talk` alone. A new talk is an event of its first message, see
/// [`hooks_of_conversation`](super::hooks_of_conversation).
///
/// A contact: `add_contact` or `update_contact`, and `responsible_contact`. A note: `note_lead` or `note_contact` when it is new.
/// A task: `add_task` or `update_task`, and `responsible_task`.
#[must_use]
pub fn hooks_of_crm<'r>(event: &'r CrmEvent, context: &'r CrmContext<'r>) -> Vec<Hook<'r>> {
    match event {
        CrmEvent::Lead(changed) => LeadHooks { changed, context }.all(),
        CrmEvent::Contact(changed) => of_contact(changed, context),
        CrmEvent::Note(changed) => of_note(changed, context).into_iter().collect(),
        CrmEvent::Task(changed) => of_task(changed),
        CrmEvent::Begun(_)
        | CrmEvent::Chat(_)
        | CrmEvent::Tag(_)
        | CrmEvent::Source(_)
        | CrmEvent::CustomField(_)
        | CrmEvent::Pipeline(_)
        | CrmEvent::Audited(_)
        | CrmEvent::Erased(_) => Vec::new(),
    }
}

/// The hooks of a lead.
#[derive(Clone, Copy)]
struct LeadHooks<'r> {
    changed: &'r LeadChanged,
    context: &'r CrmContext<'r>,
}

impl<'r> LeadHooks<'r> {
    fn all(self) -> Vec<Hook<'r>> {
        let Some(before) = &self.changed.before else {
            let add = self.lead(WebhookCode::AddLead);
            return [Some(add), self.unsorted(None)]
                .into_iter()
                .flatten()
                .collect();
        };
        // Its chat went to another lead, and with it what there was to decide: nothing finds this one any more.
        if self.changed.lead.merged_into.is_some() {
            let deletion = self.lead(WebhookCode::DeleteLead);
            return self
                .unsorted(Some(before))
                .into_iter()
                .chain([deletion])
                .collect();
        }
        if self.closes_talk(before) {
            let is_undone = self.changed.lead.talk_closed < before.talk_closed;
            return self.talk(is_undone).into_iter().collect();
        }
        let update = self.lead(WebhookCode::UpdateLead);
        let status = lead::moved(self.changed).map(|_| self.lead(WebhookCode::StatusLead));
        let responsible =
            lead::passed_on(self.changed).map(|_| self.lead(WebhookCode::ResponsibleLead));
        [
            Some(update),
            status,
            responsible,
            self.unsorted(Some(before)),
            self.talk_by_stage(before),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    fn lead(self, event: WebhookCode) -> Hook<'r> {
        let item = LeadItem {
            event,
            changed: self.changed,
            context: self.context,
        };
        self.hook(event, HookItem::Lead(item))
    }

    fn hook(self, event: WebhookCode, item: HookItem<'r>) -> Hook<'r> {
        Hook {
            event,
            object: HookObject::Lead(self.changed.lead.id),
            item,
        }
    }

    /// The hook of a lead that a chat opened and that waits for a decision, or waited for it.
    fn unsorted(self, before: Option<&'r LeadPlace>) -> Option<Hook<'r>> {
        let lead = &self.changed.lead;
        let chat = lead.chat.as_ref()?;
        let is_unsorted =
            lead.merged_into.is_none() && self.context.crm.is_unsorted(lead.pipeline, lead.stage);
        let was_unsorted = before
            .is_some_and(|before| self.context.crm.is_unsorted(before.pipeline, before.stage));
        let message = self.context.chat.and_then(|chat| chat.last_message);
        let item = UnsortedItem {
            lead,
            chat,
            context: self.context.chat,
            message: message.map(UnsortedMessage::from),
            is_new: !was_unsorted,
        };
        match (was_unsorted, is_unsorted) {
            (false, true) => Some(self.hook(WebhookCode::AddUnsorted, HookItem::Unsorted(item))),
            (true, true) => Some(self.hook(WebhookCode::UpdateUnsorted, HookItem::Unsorted(item))),
            (true, false) => {
                let item = SortedItem {
                    changed: self.changed,
                    is_accepted: lead.stage != LOST,
                };
                Some(self.hook(WebhookCode::DeleteUnsorted, HookItem::Sorted(item)))
            }
            (false, false) => None,
        }
    }

    /// Returns whether the record says that a user closed the talk, or undid that, and nothing else.
    fn closes_talk(self, before: &LeadPlace) -> bool {
        self.changed.lead.talk_closed != before.talk_closed
    }

    /// The hook of a talk that ended with its lead, or that goes on since the lead does. One that a user closed before stays as
    /// it was.
    fn talk_by_stage(self, before: &LeadPlace) -> Option<Hook<'r>> {
        let lead = &self.changed.lead;
        let was_active = before.stage != WON && before.stage != LOST;
        let spoken_message = self.context.chat.and_then(|chat| chat.spoken);
        let is_closed = lead
            .talk_closed
            .is_some_and(|closed| spoken_message.is_none_or(|number| number <= closed));
        (was_active != lead.is_active() && !is_closed)
            .then(|| self.talk(lead.is_active()))
            .flatten()
    }

    fn talk(self, is_in_work: bool) -> Option<Hook<'r>> {
        let lead = &self.changed.lead;
        let chat = lead.chat.as_ref()?;
        let item = TalkItem {
            lead,
            chat,
            is_in_work,
            is_read: self.context.chat.is_none_or(|chat| chat.is_read),
        };
        Some(Hook {
            event: WebhookCode::UpdateTalk,
            object: HookObject::Chat(chat.conversation),
            item: HookItem::Talk(item),
        })
    }
}

fn of_contact<'r>(changed: &'r ContactChanged, context: &'r CrmContext<'r>) -> Vec<Hook<'r>> {
    let first = match changed.before {
        None => WebhookCode::AddContact,
        Some(_) => WebhookCode::UpdateContact,
    };
    let second = contact::passed_on(changed).map(|_| WebhookCode::ResponsibleContact);
    let hook = |event| Hook {
        event,
        object: HookObject::Contact(changed.contact.id),
        item: HookItem::Contact(ContactItem { changed, context }),
    };
    [Some(first), second]
        .into_iter()
        .flatten()
        .map(hook)
        .collect()
}

fn of_note<'r>(changed: &'r NoteChanged, context: &'r CrmContext<'r>) -> Option<Hook<'r>> {
    let note = &changed.note;
    let NoteSubject { kind, id } = note.about;
    let (event, object) = match kind {
        EntityKind::Leads => (WebhookCode::NoteLead, HookObject::Lead(LeadId(id))),
        EntityKind::Contacts => (WebhookCode::NoteContact, HookObject::Contact(ContactId(id))),
    };
    let item = NoteItem {
        note,
        author: context.note_author,
    };
    changed.updated_before.is_none().then_some(Hook {
        event,
        object,
        item: HookItem::Note(item),
    })
}

fn of_task(changed: &TaskChanged) -> Vec<Hook<'_>> {
    let first = match changed.before {
        None => WebhookCode::AddTask,
        Some(_) => WebhookCode::UpdateTask,
    };
    let second = task::passed_on(changed).map(|_| WebhookCode::ResponsibleTask);
    let hook = |event| Hook {
        event,
        object: HookObject::Task(changed.task.id),
        item: HookItem::Task(TaskItem { event, changed }),
    };
    [Some(first), second]
        .into_iter()
        .flatten()
        .map(hook)
        .collect()
}
