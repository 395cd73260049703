//! The integration reports what became of an account user's message.

use smallvec::smallvec;

use crate::chat::delivery::{DeliveryState, DeliveryStatus};
use crate::conversation::{Conversation, ConversationEvent, Received, Reported};
use crate::id::{MessageId, ScopeId};
use crate::{Decision, keys};
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment, Recorded};

/// The integration reports on a message.
#[derive(Clone, Debug)]
pub struct ReportDelivery {
    /// The scope it reports through.
    pub scope: ScopeId,
    /// The message, by the service's id.
    pub message: MessageId,
    /// The delivery status of the message.
    pub status: DeliveryStatus,
}

/// The effect of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportEffect {
    /// The message has the reported status now.
    Changed,
    /// The report repeats the status, or goes back (read → delivered): harmless, nothing changed.
    Unchanged,
}

/// The reason to reject a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReportRejection {
    /// The message is unknown, of another scope, or not of an account user. The caller cannot distinguish these cases.
    #[error("there is no such message of an account user in this scope")]
    MessageNotFound,
}

/// Returns whether the record is a message of an account user in this scope: one that left through it, or one that was
/// imported.
pub(super) fn of_a_user(
    state: &Conversation,
    scope: &ScopeId,
    original: Option<&Recorded<ConversationEvent>>,
) -> bool {
    let Some(record) = original else {
        return false;
    };
    let is_sent = record
        .event
        .as_replied()
        .is_some_and(|it| it.scope == *scope);
    let is_imported = record
        .event
        .as_received()
        .is_some_and(Received::is_imported);
    is_sent || is_imported && state.is_of(scope)
}

/// The number of the record's message among the outgoing messages.
pub(super) fn out_of(original: Option<&Recorded<ConversationEvent>>) -> Option<u64> {
    let ConversationEvent::Replied(replied) = &original?.event else {
        return None;
    };
    Some(replied.out)
}

/// Returns the last reported state, according to the record.
pub(super) fn reported(last: Option<&Recorded<ConversationEvent>>) -> DeliveryState {
    match last {
        Some(Recorded {
            event: ConversationEvent::Reported(earlier),
            ..
        }) => DeliveryState::Reported(earlier.status.clone()),
        _ => DeliveryState::Sent,
    }
}

impl Command for ReportDelivery {
    type Of = Conversation;
    type Reply = ReportEffect;
    type Rejection = ReportRejection;

    fn required_keys(&self, _state: &Conversation) -> Keys {
        smallvec![keys::message(self.message), keys::report(self.message)]
    }

    fn decide(
        self,
        state: &Conversation,
        moment: &mut Moment<'_, ConversationEvent>,
    ) -> Result<Decision<ConversationEvent, ReportEffect>, ReportRejection> {
        if !of_a_user(state, &self.scope, moment.earlier(0)) {
            return Err(ReportRejection::MessageNotFound);
        }
        let before = reported(moment.earlier(1));
        if !before.moves_on(&self.status) {
            return Ok(Decision::unchanged(ReportEffect::Unchanged));
        }
        let reported = Reported {
            id: self.message,
            at: moment.now,
            status: self.status,
            out: out_of(moment.earlier(0)),
        };
        Ok(Decision::event(
            ConversationEvent::Reported(reported),
            ReportEffect::Changed,
        ))
    }
}
