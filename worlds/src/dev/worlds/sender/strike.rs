//! What a fault makes of a parcel.

use switchboard_actors::domain::signature::SharedSecret;
use switchboard_actors::port::{Attempt, HookAttempt, QuestionAttempt};
use switchboard_network::outbound::pace::Pace;

use super::{altered, altered_hook, pieces};
use crate::dev::worlds::fault::{CallbackFault, HookFault, WayFault};
use crate::dev::worlds::outside::Parcel;

/// A parcel as it leaves, after a fault has struck it or none has.
pub(super) struct Strike {
    pub(super) parcel: Parcel,
    /// The pace of its bytes; `None`: as fast as the network takes them.
    pub(super) pace: Option<Pace>,
    /// The fault on its way.
    pub(super) way: Option<WayFault>,
    /// The name of the fault.
    pub(super) name: Option<String>,
}

impl Strike {
    pub(super) fn on_callback(
        attempt: &Attempt,
        fault: Option<(CallbackFault, String)>,
        secret: &SharedSecret,
    ) -> Self {
        let (fault, name) = fault.unzip();
        let (mut pace, mut way) = (None, None);
        let sent = match fault {
            None => attempt.clone(),
            Some(CallbackFault::Way(fault)) => {
                way = Some(fault);
                attempt.clone()
            }
            Some(CallbackFault::Paced(pacing)) => {
                pace = Some(pieces::pace(attempt, pacing));
                attempt.clone()
            }
            Some(CallbackFault::BadSignature) => altered::with_bad_signature(attempt, secret),
            Some(CallbackFault::OldSecret) => altered::with_old_secret(attempt),
            Some(CallbackFault::OtherScope) => altered::with_other_scope(attempt, secret),
            Some(CallbackFault::UnknownField) => altered::with_unknown_field(attempt, secret),
            Some(CallbackFault::UnknownType) => altered::with_unknown_type(attempt, secret),
            Some(CallbackFault::Huge) => altered::huge(attempt, secret),
        };
        Self {
            parcel: Parcel::Callback(sent),
            pace,
            way,
            name,
        }
    }

    pub(super) fn on_hook(attempt: &HookAttempt, fault: Option<(HookFault, String)>) -> Self {
        let (fault, name) = fault.unzip();
        let (sent, way) = match fault {
            None => (attempt.clone(), None),
            Some(HookFault::Way(fault)) => (attempt.clone(), Some(fault)),
            Some(HookFault::OtherAccount) => (altered_hook::with_other_account(attempt), None),
        };
        Self {
            parcel: Parcel::Hook(sent),
            pace: None,
            way,
            name,
        }
    }

    pub(super) fn on_question(
        attempt: &QuestionAttempt,
        fault: Option<(WayFault, String)>,
    ) -> Self {
        let (way, name) = fault.unzip();
        Self {
            parcel: Parcel::Question(attempt.clone()),
            pace: None,
            way,
            name,
        }
    }
}
