//! The administrator of the first account changes users and roles.

use std::rc::Rc;

use switchboard_actors::System;
use switchboard_actors::domain::account::group::Group;
use switchboard_actors::domain::account::rights::Right;
use switchboard_actors::domain::account::rights::entity::{EntityLevels, EntityRights};
use switchboard_actors::domain::account::rights::granted::Rights;
use switchboard_actors::domain::account::rights::patch::{EntityPatch, RightsPatch};
use switchboard_actors::domain::account::roles::create::NewRole;
use switchboard_actors::domain::account::roles::update::RolePatch;
use switchboard_actors::domain::account::user::Standing;
use switchboard_actors::domain::account::users::fields::UserFields;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::id::{AccountId, RoleId, UserId};
use switchboard_actors::error::{CommandError, UnavailableError};
use switchboard_actors::system::users::UserToAdd;

use crate::ledger::Fate;
use crate::registry::Deed;
use crate::world::World;

/// Does something that may be against the rules.
pub(crate) async fn act(world: &Rc<World>, system: &System) {
    let deed = choose(world);
    let before = {
        let registry = &mut world.ledger.borrow_mut().registry;
        let before = registry.clone();
        registry
            .maybe_changed(|registry| registry.after(&deed).unwrap_or_else(|| registry.clone()));
        before
    };
    let account = world.scopes[0].account();
    let answer = carry_out(system, account, &deed).await;
    if !world.hears("an administrator is answered") {
        return;
    }
    let fate = match &answer {
        Ok(Done::Yes) => Fate::Accepted,
        Ok(Done::AgainstTheRules) => Fate::Refused,
        Err(unavailable) => world.not_now(unavailable),
    };
    let registry = &mut world.ledger.borrow_mut().registry;
    let fits = match answer {
        Ok(Done::Yes) => {
            world.coverage.count(name(&deed));
            *registry = before;
            let fits = registry.seen(|registry| registry.after(&deed).is_some());
            registry.changed(|registry| registry.after(&deed).unwrap_or_else(|| registry.clone()));
            fits
        }
        Ok(Done::AgainstTheRules) => {
            world.coverage.count("administrator refused");
            *registry = before;
            registry.seen(|registry| registry.after(&deed).is_none())
        }
        Err(_) => {
            if fate == Fate::Refused {
                *registry = before;
            }
            true
        }
    };
    if !fits {
        world.fail(format!(
            "an administrator is told otherwise than the rules say: {deed:?}"
        ));
    }
}

/// Everything, nothing, or a look at what is one's own or one's group's.
fn over(choice: usize) -> EntityRights {
    let view = match choice {
        0 => return EntityRights::ALL,
        1 => Right::Denied,
        2 => Right::Main,
        _ => Right::Group,
    };
    let levels = EntityLevels {
        view,
        ..EntityLevels::DENIED
    };
    EntityRights::new(levels).unwrap()
}

fn name(deed: &Deed) -> &'static str {
    match deed {
        Deed::AddRole(..) => "role added",
        Deed::UpdateRole(..) => "role changed",
        Deed::DeleteRole(_) => "role deleted",
        Deed::AddUser(..) => "user added",
        Deed::Move(..) => "user moved",
        Deed::Switch(..) => "user switched",
    }
}

fn choose(world: &World) -> Deed {
    let mut ids = Vec::new();
    let mut users = 0;
    for registry in world.ledger.borrow().registry.all() {
        ids.extend(registry.role_ids());
        users = users.max(registry.user_count());
    }
    let mut dice = world.dice.borrow_mut();
    // One that is there, or was, or never will be.
    let role = match dice.place(ids.len()) {
        Some(place) if !dice.one_in(6) => ids[place],
        _ => 1 + u64::try_from(dice.below(9)).unwrap(),
    };
    let number = dice.below(5);
    let rights = Rights {
        leads: over(dice.below(4)),
        contacts: over(dice.below(4)),
        ..Rights::all()
    };
    match dice.below(9) {
        0 | 1 => Deed::AddRole(format!("role {number}"), rights),
        2 => Deed::UpdateRole(role, format!("role {number}"), rights),
        3 | 4 => Deed::DeleteRole(role),
        5 | 6 => Deed::AddUser(format!("user{number}@example.com"), role),
        7 => Deed::Move(dice.below(users + 1), (!dice.one_in(3)).then_some(role)),
        _ => Deed::Switch(dice.below(users + 1), dice.one_in(2)),
    }
}

/// The answer of the service to a deed.
#[derive(Clone, Copy, Debug)]
enum Done {
    Yes,
    AgainstTheRules,
}

async fn carry_out(
    system: &System,
    account: AccountId,
    deed: &Deed,
) -> Result<Done, UnavailableError> {
    let by = By::Operator;
    match deed {
        Deed::AddRole(name, rights) => {
            let role = NewRole {
                name: name.parse().unwrap(),
                rights: rights.clone(),
            };
            done(system.create_roles(account, by, vec![role]).await)
        }
        Deed::UpdateRole(id, name, rights) => {
            let patch = RolePatch {
                name: Some(name.parse().unwrap()),
                rights: RightsPatch {
                    leads: Some(every(rights.leads)),
                    contacts: Some(every(rights.contacts)),
                    ..RightsPatch::default()
                },
            };
            done(system.update_role(account, by, RoleId(*id), patch).await)
        }
        Deed::DeleteRole(id) => done(system.delete_role(account, by, RoleId(*id)).await),
        Deed::AddUser(email, role) => {
            let user = UserToAdd {
                name: "Bo".parse().unwrap(),
                email: email.parse().unwrap(),
                lang: None,
                standing: Some(Standing::Role(RoleId(*role))),
                group: Group::DEFAULT,
                password: None,
            };
            done(system.create_user_of_account(account, by, user).await)
        }
        Deed::Move(place, role) => {
            let change = UserFields {
                role_id: role.map(RoleId),
                is_free: Some(role.is_none()),
                ..UserFields::default()
            };
            let id = number(*place);
            done(system.update_user_of_account(account, by, id, change).await)
        }
        Deed::Switch(place, active) => {
            let change = UserFields {
                is_active: Some(*active),
                ..UserFields::default()
            };
            let id = number(*place);
            done(system.update_user_of_account(account, by, id, change).await)
        }
    }
}

/// The number of the user at this place behind Ada, who is the first.
fn number(place: usize) -> UserId {
    UserId(u64::try_from(place).unwrap() + 2)
}

fn every(rights: EntityRights) -> EntityPatch {
    let levels = rights.levels();
    EntityPatch {
        view: Some(levels.view),
        edit: Some(levels.edit),
        add: Some(levels.add),
        delete: Some(levels.delete),
        export: Some(levels.export),
    }
}

fn done<T, R: std::error::Error>(
    answered: Result<T, CommandError<R>>,
) -> Result<Done, UnavailableError> {
    match answered {
        Ok(_) => Ok(Done::Yes),
        Err(CommandError::Rejected(_)) => Ok(Done::AgainstTheRules),
        Err(CommandError::Unavailable(unavailable)) => Err(unavailable),
    }
}
