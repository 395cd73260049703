//! The account's roles change: their owner hands it over, to be stored in one group with its own record.

use std::convert::Infallible;

use crate::domain::account::roles::RolesEvent;
use crate::domain::account::users::{Users, UsersEvent};
use crate::domain::{Command, Decision, Moment, Recorded};

/// What happened to the roles. Never refused: who decided it knows all that there is to know.
#[derive(Clone, Debug)]
pub struct TakeRoles(pub RolesEvent);

impl Command for TakeRoles {
    type Of = Users;
    type Reply = ();
    type Rejection = Infallible;

    fn decide(
        self,
        _state: &Users,
        _found: &[Option<Recorded<UsersEvent>>],
        _moment: &mut Moment<'_>,
    ) -> Result<Decision<UsersEvent, ()>, Infallible> {
        Ok(Decision {
            events: vec![UsersEvent::Roles(self.0).into()],
            notices: Vec::new(),
            reply: (),
        })
    }
}
