//! The owner of an account's roles.

use actix::{Context, Handler, Message};

use crate::domain::account::role::Role;
use crate::domain::account::roles::{Governed, Roles};
use crate::domain::account::users::Users;
use crate::domain::account::users::take_roles::TakeRoles;
use crate::domain::audit::By;
use crate::error::Unavailable;
use crate::world::World;
use switchboard_engine::runtime::ask::insist;
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::escort::{Step, escort};
use switchboard_engine::runtime::owner::{Execute, NotDone, Owned, Owner};
use switchboard_engine::runtime::shell::{Carried, Declined};
use switchboard_engine::state::Command;

impl Owned for Roles {
    type World = World;

    fn directory(world: &World) -> &Directory<Self> {
        &world.directories.roles
    }
}

/// A command about roles. What it changes and what that means for their holders are one group.
#[derive(Debug)]
pub(crate) struct Govern<C> {
    pub(crate) by: By,
    pub(crate) command: C,
}

impl<C: Command> Message for Govern<C> {
    type Result = Result<Step<Vec<Role>>, NotDone<Self, C::Rejection>>;
}

impl<C: Command<Of = Roles, Reply = Governed>> Handler<Govern<C>> for Owner<Roles> {
    type Result = Result<Step<Vec<Role>>, NotDone<Govern<C>, C::Rejection>>;

    fn handle(&mut self, message: Govern<C>, ctx: &mut Context<Self>) -> Self::Result {
        let shell = match self.shell() {
            Ok(shell) => shell,
            Err(None) => return Err(NotDone::Retired(Box::new(message))),
            Err(Some(unavailable)) => return Err(NotDone::Unavailable(unavailable)),
        };
        let account = shell.state().account();
        let mut prepared = shell.prepare(message.command)?;
        let Some(change) = prepared.reply.change.clone() else {
            let unchanged = shell.commit(prepared, Carried::default())?;
            return Ok(Step::Now(unchanged.map(|governed| governed.roles)));
        };
        let carried = std::mem::take(&mut prepared.carried);
        let (env, by) = (self.kernel.clone(), message.by);
        let users = async move {
            let message = Execute::escorted(TakeRoles { by, change }, carried);
            match insist::<Users, _, _, _>(&env, &account, message).await {
                // Users always note what happens to roles.
                Ok(pending) => pending.group().ok_or(Unavailable::Interrupted),
                Err(Declined::Unavailable(unavailable)) => Err(unavailable),
                Err(Declined::Rejected(never)) => match never {},
            }
        };
        Ok(escort(ctx, self, users, |owner, submitted| {
            match owner.shell() {
                Ok(shell) => {
                    let taken = shell.take_in(prepared, submitted);
                    Ok(taken.map(|governed| governed.roles))
                }
                Err(_retired_or_failed) => Err(Unavailable::Interrupted),
            }
        }))
    }
}
