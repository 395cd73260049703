//! The owner of a scope.

use actix::{Context, Handler, Message};

use crate::actor::conversation::deliver;
use crate::actor::facts::ScopeFacts;
use crate::domain::conversation::receive::{Accepted, Receive, ReceiveRejection};
use crate::domain::scope::Scope;
use crate::domain::scope::bind::Bind;
use crate::error::Unavailable;
use crate::world::World;
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::escort::{Step, escort};
use switchboard_engine::runtime::owner::{NotDone, Owned, Owner};
use switchboard_engine::runtime::pending::Pending;
use switchboard_engine::runtime::shell::Declined;
use switchboard_engine::store::committer::Submitted;

impl Owned for Scope {
    type World = World;

    fn directory(world: &World) -> &Directory<Self> {
        &world.directories.scopes
    }

    const PUBLISHED: bool = true;

    fn publish(&self, rests_on: Submitted, world: &World) {
        world
            .facts
            .set_scope(self.id.clone(), ScopeFacts::of(self, rests_on));
    }
}

/// A customer's message that binds ids of the integration: bindings and message are one group.
#[derive(Debug)]
pub(crate) struct DeliverBound {
    pub(crate) bind: Bind,
    pub(crate) receive: Box<Receive>,
}

impl Message for DeliverBound {
    type Result = Result<Step<Outcome>, NotDone<Self, ReceiveRejection>>;
}

/// What became of a message that binds: its rejection is an answer here, since the scope had to wait for it.
pub(crate) type Outcome = Result<Accepted, ReceiveRejection>;

impl Handler<DeliverBound> for Owner<Scope> {
    type Result = Result<Step<Outcome>, NotDone<DeliverBound, ReceiveRejection>>;

    fn handle(&mut self, message: DeliverBound, ctx: &mut Context<Self>) -> Self::Result {
        let shell = match self.shell() {
            Ok(shell) => shell,
            Err(None) => return Err(NotDone::Retired(Box::new(message))),
            Err(Some(unavailable)) => return Err(NotDone::Unavailable(unavailable)),
        };
        let DeliverBound { bind, receive } = message;
        let mut prepared = match shell.prepare(bind) {
            Ok(prepared) => prepared,
            Err(Declined::Unavailable(unavailable)) => {
                return Err(NotDone::Unavailable(unavailable));
            }
            Err(Declined::Rejected(never)) => match never {},
        };
        let seen = shell.rests_on();
        let carried = std::mem::take(&mut prepared.carried);
        let env = self.kernel.clone();
        let delivered = async move {
            match deliver(&env, receive, carried).await {
                Ok(pending) => Ok(Ok(pending)),
                Err(Declined::Rejected(rejection)) => Ok(Err(rejection)),
                Err(Declined::Unavailable(unavailable)) => Err(unavailable),
            }
        };
        Ok(escort(
            ctx,
            self,
            delivered,
            move |owner, delivered| match delivered {
                Ok(pending) => {
                    let shell = owner
                        .shell()
                        .map_err(|_retired_or_failed| Unavailable::Interrupted)?;
                    // A repeat writes nothing, and then there is nothing to take in either.
                    if let Some(group) = pending.group() {
                        shell.take_in(prepared, group).ignore();
                    }
                    Ok(pending.map(Ok))
                }
                Err(rejection) => Ok(Pending::unchanged(Err(rejection), seen)),
            },
        ))
    }
}
