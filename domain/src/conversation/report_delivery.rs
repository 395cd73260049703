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
    /// What became of it.
    pub status: DeliveryStatus,
}

/// What a report did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportEffect {
    /// The message has the reported status now.
    Changed,
    /// The report repeats the status, or goes back (read → delivered): harmless, nothing changed.
    Unchanged,
}

/// Why a report is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReportRejection {
    /// The message is unknown, of another scope, or not of an account user. The caller cannot distinguish these cases.
    #[error("there is no such message of an account user in this scope")]
    MessageNotFound,
}

type Found = Option<Recorded<ConversationEvent>>;

/// Whether what was found is a message of an account user in this scope: one that left through it, or one that was
/// imported.
pub(super) fn of_a_user(state: &Conversation, scope: &ScopeId, found: Option<&Found>) -> bool {
    let Some(Some(recorded)) = found else {
        return false;
    };
    let is_sent = recorded
        .event
        .as_replied()
        .is_some_and(|it| it.scope == *scope);
    let is_imported = recorded
        .event
        .as_received()
        .is_some_and(Received::is_imported);
    is_sent || is_imported && state.is_of(scope)
}

/// The number among the outgoing messages of what was found.
pub(super) fn out_of(found: Option<&Found>) -> Option<u64> {
    let ConversationEvent::Replied(replied) = &found?.as_ref()?.event else {
        return None;
    };
    Some(replied.out)
}

/// What was last reported, according to the record that was found.
pub(super) fn reported(found: Option<&Found>) -> DeliveryState {
    match found {
        Some(Some(Recorded {
            event: ConversationEvent::Reported(earlier),
            ..
        })) => DeliveryState::Reported(earlier.status.clone()),
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
        found: &[Option<Recorded<ConversationEvent>>],
        moment: &mut Moment<'_>,
    ) -> Result<Decision<ConversationEvent, ReportEffect>, ReportRejection> {
        if !of_a_user(state, &self.scope, found.first()) {
            return Err(ReportRejection::MessageNotFound);
        }
        let before = reported(found.get(1));
        if !before.moves_on(&self.status) {
            return Ok(Decision::unchanged(ReportEffect::Unchanged));
        }
        let reported = Reported {
            id: self.message,
            at: moment.now,
            status: self.status,
            out: out_of(found.first()),
        };
        Ok(Decision::event(
            ConversationEvent::Reported(reported),
            ReportEffect::Changed,
        ))
    }
}
