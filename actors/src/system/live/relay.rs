//! Reads the newest records, once for all listeners and for the notifier; reads nothing while no one listens or is pushed notifications.

use std::sync::Arc;

use crate::domain::conversation::ConversationEvent;
use crate::domain::crm::CrmEvent;
use crate::domain::delivery_queue::QueueEvent;
use crate::domain::id::{AccountId, ConversationId};
use crate::domain::keys;
use crate::domain::kinds;
use crate::system::callbacks::CallbackView;
use crate::system::inbox::MessageView;
use crate::system::live::{Audience, LiveEvent, What};
use switchboard_engine::runtime::kernel::decode;
use switchboard_engine::state::Recorded;
use switchboard_engine::store::Record;
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::live::feed::News;
use switchboard_runtime::live::recent_records::RecordMark;
use switchboard_runtime::shared::Kernel;
use switchboard_runtime::shared::account_of::account_of;

/// Hands out what happens, for as long as it is let.
pub(crate) async fn relay(kernel: Kernel) {
    // Not the last record: a listener may have come, and an event happened, before this had its first turn.
    let mut upto = kernel.shared.feed.heard_from();
    loop {
        kernel.shared.feed.woken.notified().await;
        upto = upto.max(kernel.shared.feed.heard_from());
        if !kernel.shared.feed.is_heard() {
            continue;
        }
        match kernel.shared.feed.after(upto) {
            None => {
                upto = kernel.shared.feed.last();
                kernel.shared.feed.send(News::Missed);
            }
            Some(marks) => {
                for mark in marks {
                    if let Some(event) = read(&kernel, mark).await {
                        kernel.shared.feed.note_occasions(&event);
                        kernel.shared.feed.send(News::Event(Arc::new(event)));
                    }
                    upto = mark.seq;
                    // Others live on this thread too.
                    tokio::task::yield_now().await;
                }
            }
        }
    }
}

/// The event of a record; `None` when it concerns no listener.
pub(super) async fn read(kernel: &Kernel, mark: RecordMark) -> Option<LiveEvent> {
    match try_read(kernel, mark).await {
        Ok(found) => found.map(|(account, what)| LiveEvent {
            number: Some(mark.seq.0),
            audience: Audience::Account(account),
            what,
        }),
        Err(error) => {
            tracing::warn!(%error, record = mark.seq.0, "a record cannot be read for those who listen");
            None
        }
    }
}

async fn try_read(
    kernel: &Kernel,
    mark: RecordMark,
) -> Result<Option<(AccountId, What)>, UnavailableError> {
    if mark.kind == kinds::TEMPLATES {
        return Ok(None);
    }
    let record = kernel.reader.read(mark.position)?;
    if mark.kind == kinds::CONVERSATION {
        return said(kernel, ConversationId::from_bytes(mark.id), &record).await;
    }
    if mark.kind == kinds::QUEUE {
        return sent(kernel, ConversationId::from_bytes(mark.id), &record);
    }
    let account = AccountId::from_bytes(mark.id);
    Ok(match decode::<CrmEvent>(&record)? {
        CrmEvent::Lead(changed) => {
            let is_gone = changed.lead.merged_into.is_some();
            let chat = changed.lead.conversation();
            (!is_gone).then_some((account, What::Lead(chat, changed)))
        }
        CrmEvent::Begun(_)
        | CrmEvent::Contact(_)
        | CrmEvent::Chat(_)
        | CrmEvent::Tag(_)
        | CrmEvent::Note(_)
        | CrmEvent::Task(_)
        | CrmEvent::Source(_)
        | CrmEvent::CustomField(_)
        | CrmEvent::Pipeline(_)
        | CrmEvent::Audited(_)
        | CrmEvent::Erased(_) => None,
    })
}

/// The live event of a record of a conversation.
async fn said(
    kernel: &Kernel,
    conversation: ConversationId,
    record: &Record,
) -> Result<Option<(AccountId, What)>, UnavailableError> {
    let Some(account) = account_of(kernel, conversation).await? else {
        return Ok(None);
    };
    let what = match decode::<ConversationEvent>(record)? {
        ConversationEvent::Received(received) => {
            let raw = record.blob.clone();
            // What came of it since follows as events of its own.
            let view = MessageView::In {
                received,
                raw,
                afterwards: Box::default(),
            };
            What::Message(conversation, view)
        }
        ConversationEvent::Replied(replied) => {
            let view = MessageView::Out {
                replied: replied.into(),
                afterwards: Box::default(),
                callback: CallbackView::queued(),
            };
            What::Message(conversation, view)
        }
        ConversationEvent::Reported(reported) => {
            What::Delivery(conversation, reported.id, reported.status)
        }
        ConversationEvent::Edited(edited) => What::Changed(conversation, edited.id),
        ConversationEvent::Reacted(reacted) => What::Changed(conversation, reacted.id),
        // The CRM reports leads itself, and there is nothing to read in an empty conversation.
        ConversationEvent::Opened(_)
        | ConversationEvent::LeadOpened
        | ConversationEvent::LeadChanged { .. }
        | ConversationEvent::Condensed(_) => return Ok(None),
        ConversationEvent::Read(read) => What::Read(conversation, read),
        ConversationEvent::Marked(marked) => What::Marked(conversation, marked),
        ConversationEvent::Snoozed(snooze) => What::Snoozed(conversation, snooze),
        ConversationEvent::Woken(woken) => What::Woken(conversation, woken),
        ConversationEvent::GroupAssigned(assigned) => What::GroupAssigned(conversation, assigned),
        ConversationEvent::Mentioned(mentioned) if mentioned.note.is_none() => return Ok(None),
        ConversationEvent::Mentioned(mentioned) => What::Mentioned(conversation, mentioned),
        ConversationEvent::Fetched(fetched) if fetched.seen.is_none() => return Ok(None),
        ConversationEvent::Fetched(fetched) => What::Fetched(conversation, fetched),
    };
    Ok(Some((account, what)))
}

/// The live event of a record of a callback.
fn sent(
    kernel: &Kernel,
    conversation: ConversationId,
    record: &Record,
) -> Result<Option<(AccountId, What)>, UnavailableError> {
    let event = decode::<QueueEvent>(record)?;
    let change = event.change();
    let key = keys::outgoing(conversation, change.number.0);
    let Some(Recorded {
        event: ConversationEvent::Replied(replied),
        ..
    }) = kernel.record(key)?
    else {
        return Ok(None);
    };
    let callback = CallbackView::new(conversation, &change.record);
    let what = What::Callback(conversation, replied.id, callback);
    Ok(Some((change.scope.account(), what)))
}
