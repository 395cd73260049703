//! The floor: HTTP, signature, strict parsing, a group commit of the raw body and an answer like the service's. A message
//! that is durable before its answer costs at least this much.

use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;
use switchboard_actors::domain::id::{ClientMessageId, ConversationId, MessageId, PersonId};
use switchboard_actors::domain::signature::Signer;

use crate::compared::group_commit::Journal;
use crate::compared::received;

/// The answer of the send operation.
#[derive(Serialize)]
pub(super) struct Answer<'a> {
    new_message: NewMessage<'a>,
}

#[derive(Serialize)]
struct NewMessage<'a> {
    conversation_id: ConversationId,
    sender_id: PersonId,
    msgid: MessageId,
    ref_id: &'a ClientMessageId,
}

impl<'a> Answer<'a> {
    /// The answer to a message that the integration calls `ref_id`. These servers know no conversations and no persons:
    /// their ids only take as many bytes as real ones.
    pub(super) fn new(msgid: MessageId, ref_id: &'a ClientMessageId) -> Self {
        Self {
            new_message: NewMessage {
                conversation_id: ConversationId::from_bytes(msgid.bytes()),
                sender_id: PersonId::from_bytes(msgid.bytes()),
                msgid,
                ref_id,
            },
        }
    }
}

/// An id that was not there before.
fn new_id() -> MessageId {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    // The numbers are spread over all digits.
    let spread = u128::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
    MessageId::from_random(spread.to_le_bytes())
}

pub(super) async fn store(request: HttpRequest, body: Bytes, signer: Data<Signer>) -> HttpResponse {
    let message = match received::message(&request, &body, &signer) {
        Ok(message) => message,
        Err(status) => return HttpResponse::new(status),
    };
    let Some(journal) = request.app_data::<Rc<Journal>>() else {
        return HttpResponse::InternalServerError().finish();
    };
    match journal.append(&body).await {
        Ok(()) => HttpResponse::Ok().json(Answer::new(new_id(), &message.msgid)),
        Err(_not_stored) => HttpResponse::ServiceUnavailable().finish(),
    }
}
