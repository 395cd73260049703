//! Everything that is known of one customer, as lines of JSON.

use std::sync::Arc;

use bytes::Bytes;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;

use crate::domain::conversation::Conversation;
use crate::domain::crm::{Crm, CrmEvent};
use crate::domain::delivery_queue::StoredQueue;
use crate::domain::erasures::CustomerTarget;
use crate::domain::scope::{Scope, ScopeEvent};
use crate::error::Unavailable;
use crate::system::System;
use crate::system::erasures::ErasureFailure;
use crate::system::erasures::preview::{records, unavailable};
use crate::system::erasures::reading::{Reading, event};
use crate::system::erasures::subject::Subject;
use crate::system::erasures::survey::Survey;
use switchboard_engine::state::State;
use switchboard_engine::store::{ReadJournal, Record};

/// How many pieces wait for the reader.
const PIECES: usize = 16;
/// About how many bytes a piece has.
const PIECE_BYTES: usize = 64 << 10;

/// The pieces of an export, in order. It ends early when its reader leaves.
pub type CustomerExport = mpsc::Receiver<Result<Bytes, Unavailable>>;

impl System {
    /// Everything that is known of a customer: a line for each record that an erasure would erase.
    pub fn export_customer(&self, customer: CustomerTarget) -> CustomerExport {
        let (sender, receiver) = mpsc::channel(PIECES);
        let journal = Arc::clone(&self.kernel().reader);
        drop(spawn_blocking(move || {
            let mut piece = Vec::new();
            let send = |piece: &mut Vec<u8>| {
                let piece = Bytes::from(std::mem::take(piece));
                sender.blocking_send(Ok(piece)).is_ok()
            };
            let written = write(journal.as_ref(), &customer, &mut |line| {
                piece.extend_from_slice(line.to_string().as_bytes());
                piece.push(b'\n');
                piece.len() < PIECE_BYTES || send(&mut piece)
            });
            match written {
                Ok(()) => drop(send(&mut piece)),
                Err(failure) => drop(sender.blocking_send(Err(unavailable(failure)))),
            }
        }));
        receiver
    }
}

/// Writes all lines, as long as `line` takes them.
fn write(
    journal: &dyn ReadJournal,
    customer: &CustomerTarget,
    line: &mut dyn FnMut(Value) -> bool,
) -> Result<(), ErasureFailure> {
    let scan = || records(journal);
    let mut survey = Survey::of(customer.account);
    for record in scan() {
        survey.look(&Reading::new(&record?))?;
    }
    let subject = Subject::of(customer, &survey);
    let head = json!({
        "kind": "customer",
        "account_id": customer.account,
        "contact_ids": subject.contacts,
        "person_ids": subject.persons,
        "conversation_ids": subject.conversations,
        "lead_ids": subject.deals,
    });
    if !line(head) {
        return Ok(());
    }
    for record in scan() {
        let record = record?;
        if let Some(told) = told(&record, customer, &subject)?
            && !line(told)
        {
            break;
        }
    }
    Ok(())
}

/// The line of a record; `None` when it is not about the customer.
fn told(
    record: &Record,
    customer: &CustomerTarget,
    subject: &Subject,
) -> Result<Option<Value>, ErasureFailure> {
    let stream = &record.stream;
    let is_hers = |id| subject.conversations.contains(&id);
    let of_talk =
        |kind: &str, id: crate::domain::id::ConversationId| -> Result<_, ErasureFailure> {
            let mut told = json!({
                "kind": kind,
                "record": record.seq.0,
                "conversation_id": id,
                "event": event::<Value>(record)?,
            });
            let body = serde_json::from_slice::<Value>(&record.blob);
            if let (Ok(body), Some(fields)) = (body, told.as_object_mut()) {
                fields.insert("body".to_owned(), body);
            }
            Ok(Some(told))
        };
    if let Some(id) = Conversation::id_of(stream).filter(|id| is_hers(*id)) {
        return of_talk("conversation", id);
    }
    if let Some(id) = StoredQueue::id_of(stream).filter(|id| is_hers(*id)) {
        return of_talk("callback", id);
    }
    if Scope::id_of(stream).is_some_and(|scope| scope.account() == customer.account) {
        let is_bound = match event(record)? {
            ScopeEvent::ConversationBound { conversation, .. } => is_hers(conversation),
            ScopeEvent::PersonBound { person, .. } => subject.persons.contains(&person),
            ScopeEvent::Connected(_) | ScopeEvent::Disconnected => false,
        };
        return plain("binding", record, is_bound);
    }
    if Crm::id_of(stream) != Some(customer.account) {
        return Ok(None);
    }
    let kind = match event(record)? {
        CrmEvent::Deal(changed) if subject.deals.contains(&changed.deal.id) => "lead",
        CrmEvent::Contact(changed) if subject.contacts.contains(&changed.contact.id) => "contact",
        CrmEvent::Chat(linked) if is_hers(linked.link.conversation) => "chat",
        CrmEvent::Note(changed) if subject.notes.contains(&changed.note.id) => "note",
        CrmEvent::Begun(_)
        | CrmEvent::Deal(_)
        | CrmEvent::Contact(_)
        | CrmEvent::Chat(_)
        | CrmEvent::Tag(_)
        | CrmEvent::Note(_)
        | CrmEvent::Source(_)
        | CrmEvent::Audited(_)
        | CrmEvent::Erased(_) => return Ok(None),
    };
    plain(kind, record, true)
}

/// The line of a record that is no message; `None` when it is not about the customer.
fn plain(kind: &str, record: &Record, is_hers: bool) -> Result<Option<Value>, ErasureFailure> {
    if !is_hers {
        return Ok(None);
    }
    Ok(Some(json!({
        "kind": kind,
        "record": record.seq.0,
        "event": event::<Value>(record)?,
    })))
}
