//! An account is connected to a channel. Repetition is the normal case: the title and the version of the last call win.

use std::convert::Infallible;

use crate::Decision;
use crate::notice::Notice;
use crate::scope::{Connection, Scope, ScopeEvent};
use switchboard_engine::state::{Command, Moment};

/// An account is connected to a channel.
#[derive(Clone, Debug)]
pub struct Connect {
    /// The settings of the connection.
    pub connection: Connection,
}

impl Command for Connect {
    type Of = Scope;
    type Reply = Connection;
    type Rejection = Infallible;

    fn decide(
        self,
        state: &Scope,
        _moment: &mut Moment<'_, ScopeEvent>,
    ) -> Result<Decision<ScopeEvent, Connection>, Infallible> {
        if state.connection.as_ref() == Some(&self.connection) {
            return Ok(Decision::unchanged(self.connection));
        }
        Ok(Decision {
            events: vec![ScopeEvent::Connected(self.connection.clone()).into()],
            notices: vec![Notice::Connected {
                scope: state.id.clone(),
                version: self.connection.version,
            }],
            reply: self.connection,
        })
    }
}
