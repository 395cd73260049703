//! The hooks that a record of a conversation causes.

use switchboard_engine::state::Recorded;

use crate::chat_body::stored;
use crate::domain::chat::message::PostedMessage;
use crate::domain::conversation::{ConversationEvent, Received, Replied};
use crate::domain::crm::Lead;
use crate::domain::hooks::hook::HookObject;
use crate::domain::webhooks::code::WebhookCode;
use crate::webhook_form::context::ConversationContext;
use crate::webhook_form::hook::{Hook, HookItem};
use crate::webhook_form::incoming::IncomingItem;
use crate::webhook_form::outgoing::{OutgoingItem, OutgoingRecord};
use crate::webhook_form::talk::TalkItem;
use crate::webhook_form::unsorted::{UnsortedItem, UnsortedMessage};

/// The hooks that a record of a conversation causes, in order.
///
/// A customer's message: `add_talk` before it if it opened the lead, `update_talk` if it takes up a talk that a user closed,
/// `add_message`, and `update_unsorted` if its lead waits for a decision already. A message to a customer: the same `update_talk`, and `add_outgoing_message`. A silent message is history, which an
/// automatic answerer must not answer: it causes nothing.
#[must_use]
pub fn hooks_of_conversation<'r>(
    record: &'r Recorded<ConversationEvent>,
    context: &'r ConversationContext<'r>,
) -> Vec<Hook<'r>> {
    match &record.event {
        ConversationEvent::Received(received) if received.loud => {
            of_received(received, &record.blob, context)
        }
        ConversationEvent::Replied(replied) => of_replied(replied, context),
        ConversationEvent::Received(_)
        | ConversationEvent::Opened(_)
        | ConversationEvent::Edited(_)
        | ConversationEvent::Reacted(_)
        | ConversationEvent::Reported(_)
        | ConversationEvent::LeadOpened
        | ConversationEvent::LeadChanged { .. }
        | ConversationEvent::Read(_)
        | ConversationEvent::Marked(_)
        | ConversationEvent::Fetched(_)
        | ConversationEvent::Condensed(_)
        | ConversationEvent::Snoozed(_)
        | ConversationEvent::Woken(_)
        | ConversationEvent::GroupAssigned(_)
        | ConversationEvent::Mentioned(_) => Vec::new(),
    }
}

fn of_received<'r>(
    received: &'r Received,
    raw: &[u8],
    context: &'r ConversationContext<'r>,
) -> Vec<Hook<'r>> {
    let posted_message = stored::message(received, raw).map(Box::new);
    let mut unsorted = None;
    let message = match received.to.as_deref() {
        None => {
            unsorted = update_unsorted(received, posted_message.as_deref(), context);
            let item = IncomingItem {
                received,
                posted: posted_message,
                context,
            };
            hook(WebhookCode::AddMessage, HookItem::Incoming(item), context)
        }
        Some(to) => {
            let record = OutgoingRecord::Imported {
                received,
                to,
                posted: posted_message,
            };
            outgoing(record, context)
        }
    };
    let talk = new_talk(received.number, context)
        .or_else(|| reopened_talk(received.number, false, context));
    talk.into_iter().chain([message]).chain(unsorted).collect()
}

/// The hook of the lead that waits for a decision, and whose customer wrote again.
fn update_unsorted<'r>(
    received: &Received,
    posted: Option<&PostedMessage>,
    context: &'r ConversationContext<'r>,
) -> Option<Hook<'r>> {
    let lead = context.talk()?;
    let chat = lead.chat.as_ref()?;
    let text = posted.and_then(|posted| posted.content.text());
    let item = UnsortedItem {
        lead,
        chat,
        context: Some(context.unsorted?),
        message: Some(UnsortedMessage {
            id: received.id,
            written_at: received.written_at,
            text: text.map_or("", |text| text.as_str()).to_owned().into(),
        }),
        is_new: false,
    };
    (chat.opened_by != received.number).then_some(Hook {
        event: WebhookCode::UpdateUnsorted,
        object: HookObject::Lead(lead.id),
        item: HookItem::Unsorted(item),
    })
}

fn of_replied<'r>(replied: &'r Replied, context: &'r ConversationContext<'r>) -> Vec<Hook<'r>> {
    let message = outgoing(OutgoingRecord::Replied(replied), context);
    // Who answers has read what there was.
    let talk = reopened_talk(replied.number, true, context);
    talk.into_iter().chain([message]).collect()
}

fn outgoing<'r>(record: OutgoingRecord<'r>, context: &'r ConversationContext<'r>) -> Hook<'r> {
    let item = OutgoingItem { record, context };
    hook(
        WebhookCode::AddOutgoingMessage,
        HookItem::Outgoing(item),
        context,
    )
}

fn hook<'r>(event: WebhookCode, item: HookItem<'r>, context: &ConversationContext<'_>) -> Hook<'r> {
    Hook {
        event,
        object: HookObject::Chat(context.conversation),
        item,
    }
}

/// The hook of the talk that this message begins.
fn new_talk<'r>(number: u64, context: &'r ConversationContext<'r>) -> Option<Hook<'r>> {
    let lead = context.talk()?;
    let is_first = lead.chat.as_ref()?.opened_by == number;
    is_first
        .then(|| talk(WebhookCode::AddTalk, lead, false, context))
        .flatten()
}

/// The hook of the talk that a user closed and this message takes up again.
fn reopened_talk<'r>(
    number: u64,
    is_read: bool,
    context: &'r ConversationContext<'r>,
) -> Option<Hook<'r>> {
    let lead = context.talk()?;
    let end = lead.talk_closed?;
    let spoken_before = context
        .spoken_before
        .unwrap_or_else(|| number.saturating_sub(1));
    let is_reopened = lead.is_active() && spoken_before <= end && end < number;
    is_reopened
        .then(|| talk(WebhookCode::UpdateTalk, lead, is_read, context))
        .flatten()
}

fn talk<'r>(
    event: WebhookCode,
    lead: &'r Lead,
    is_read: bool,
    context: &'r ConversationContext<'r>,
) -> Option<Hook<'r>> {
    let item = TalkItem {
        lead,
        chat: lead.chat.as_ref()?,
        is_in_work: true,
        is_read,
    };
    Some(hook(event, HookItem::Talk(item), context))
}
