//! The counterpart took a post: the id that it gave the message.

use std::convert::Infallible;

use smallvec::smallvec;

use crate::Decision;
use crate::hooks::{RelayedHooks, RelayedHooksEvent};
use switchboard_domain::dispatch::delivery_queue::OutNumber;
use switchboard_domain::id::MessageId;
use switchboard_domain::keys;
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment};

/// Notes the real id of a message, unless it is noted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteAnswer {
    /// The number of the post in its conversation.
    pub number: OutNumber,
    /// The id that the bridge knows.
    pub own: MessageId,
    /// The id that the counterpart gave.
    pub real: String,
}

impl Command for NoteAnswer {
    type Of = RelayedHooks;
    type Reply = ();
    type Rejection = Infallible;

    fn required_keys(&self, state: &RelayedHooks) -> Keys {
        smallvec![keys::relays::answer(state.chat, self.number)]
    }

    fn decide(
        self,
        _state: &RelayedHooks,
        moment: &mut Moment<'_, RelayedHooksEvent>,
    ) -> Result<Decision<RelayedHooksEvent, ()>, Infallible> {
        let event = RelayedHooksEvent::Answered {
            number: self.number,
            own: self.own,
            real: self.real,
        };
        let newest = moment.earlier(0).map(|recorded| &recorded.event);
        if newest == Some(&event) {
            return Ok(Decision::unchanged(()));
        }
        Ok(Decision::event(event, ()))
    }
}
