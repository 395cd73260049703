//! The owner of an account's roles.

use std::convert::Infallible;

use crate::shared::Shared;
use switchboard_domain::account::role::Role;
use switchboard_domain::account::roles::{Governed, Roles};
use switchboard_domain::account::users::take_roles::TakeRoles;
use switchboard_domain::audit::By;
use switchboard_domain::id::AccountId;
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::joint::{Joint, RejectedBy};
use switchboard_engine::runtime::owner::{Execute, Owned};
use switchboard_engine::state::Command;

impl Owned<Shared> for Roles {
    fn directory(shared: &Shared) -> &Directory<Self, Shared> {
        &shared.directories.roles
    }
}

/// The account that a [`Govern`] is about, and its author, for the change of the account's users.
#[derive(Debug)]
pub struct GovernOrigin {
    account: AccountId,
    by: By,
}

/// A command about roles. What it changes and what that means for their holders are one group.
#[derive(Debug)]
pub struct Govern<C> {
    /// The account whose roles change.
    pub account: AccountId,
    /// The actor, for the audit log of the users.
    pub by: By,
    /// The command about the roles.
    pub command: C,
}

impl<C: Command<Of = Roles, Reply = Governed>> Joint for Govern<C> {
    type Product = Shared;
    type First = C;
    type Second = Execute<TakeRoles>;
    type SecondInput = GovernOrigin;
    type Reply = Vec<Role>;
    type Rejection = C::Rejection;

    fn first(self) -> (C, GovernOrigin) {
        let Self {
            account,
            by,
            command,
        } = self;
        (command, GovernOrigin { account, by })
    }

    fn second(
        origin: GovernOrigin,
        governed: &Governed,
    ) -> Option<(AccountId, Execute<TakeRoles>)> {
        let change = governed.change.clone()?;
        let command = TakeRoles {
            by: origin.by,
            change,
        };
        Some((origin.account, Execute::at_once(command)))
    }

    fn reply(governed: Option<Governed>, _: Option<()>) -> Option<Vec<Role>> {
        Some(governed?.roles)
    }

    fn rejection(by: RejectedBy<C::Rejection, Infallible>) -> C::Rejection {
        by.first()
    }
}
