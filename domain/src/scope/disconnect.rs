//! An account is disconnected from a channel. It then receives no more messages from the channel.

use std::convert::Infallible;

use crate::Decision;
use crate::notice::Notice;
use crate::scope::{Scope, ScopeEvent};
use switchboard_engine::state::{Command, Moment};

/// An account is disconnected from a channel; nothing happens when it is not connected.
#[derive(Clone, Copy, Debug)]
pub struct Disconnect;

impl Command for Disconnect {
    type Of = Scope;
    type Reply = ();
    type Rejection = Infallible;

    fn decide(
        self,
        state: &Scope,
        moment: &mut Moment<'_, ScopeEvent>,
    ) -> Result<Decision<ScopeEvent, ()>, Infallible> {
        if state.connection.is_none() {
            return Ok(Decision::unchanged(()));
        }
        Ok(Decision {
            events: vec![ScopeEvent::Disconnected.into()],
            notices: vec![Notice::Disconnected {
                scope: state.id.clone(),
                at: moment.now,
            }],
            reply: (),
        })
    }
}
