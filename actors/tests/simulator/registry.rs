//! Users and roles as one would write them without events: two maps.

use std::collections::BTreeMap;

use switchboard_actors::domain::account::rights::granted::Rights;
use switchboard_actors::domain::account::role::Role;
use switchboard_actors::domain::account::user::Standing;
use switchboard_actors::domain::account::users::Users;
use switchboard_actors::domain::id::RoleId;

/// The users and roles of an account.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Registry {
    roles: BTreeMap<u64, (String, Rights)>,
    /// The number of the last role that there ever was.
    last_role: u64,
    /// By address, in the order of their numbers: where the rights come from, and whether they may come in.
    users: Vec<(String, Standing, bool)>,
}

/// Something that an administrator does.
#[derive(Clone, Debug)]
pub(crate) enum Deed {
    AddRole(String, Rights),
    /// The role by its number: a new name, other rights.
    UpdateRole(u64, String, Rights),
    DeleteRole(u64),
    /// The address, the role.
    AddUser(String, u64),
    /// The user's place, the role or nothing.
    Move(usize, Option<u64>),
    Switch(usize, bool),
}

impl Registry {
    /// Returns the registry after a deed, or nothing when the deed is against the rules.
    pub(crate) fn after(&self, deed: &Deed) -> Option<Self> {
        let mut after = self.clone();
        match deed {
            Deed::AddRole(name, rights) => {
                after.last_role += 1;
                let role = (name.clone(), rights.clone());
                after.roles.insert(after.last_role, role);
            }
            Deed::UpdateRole(id, name, rights) => {
                *after.roles.get_mut(id)? = (name.clone(), rights.clone());
            }
            Deed::DeleteRole(id) => {
                let (_, rights) = after.roles.remove(id)?;
                for (_, standing, _) in &mut after.users {
                    if *standing == Standing::Role(RoleId(*id)) {
                        *standing = Standing::Own(Box::new(rights.clone()));
                    }
                }
            }
            Deed::AddUser(email, role) => {
                let exists = self.users.iter().any(|(other, _, _)| other == email);
                if exists || !self.roles.contains_key(role) {
                    return None;
                }
                let standing = Standing::Role(RoleId(*role));
                after.users.push((email.clone(), standing, true));
            }
            Deed::Move(place, role) => {
                let exists = role.is_none_or(|role| self.roles.contains_key(&role));
                let (_, standing, _) = after.users.get_mut(*place).filter(|_| exists)?;
                *standing = role.map_or(Standing::Free, |role| Standing::Role(RoleId(role)));
            }
            Deed::Switch(place, active) => after.users.get_mut(*place)?.2 = *active,
        }
        Some(after)
    }

    /// The service's registry, without those whom the configuration declares. The number of the last role is not to be
    /// seen, so it is taken on trust.
    pub(crate) fn is(&self, users: &Users) -> bool {
        let role = |role: &Role| {
            (
                role.id.0,
                (role.name.as_str().to_owned(), role.rights.clone()),
            )
        };
        let roles: BTreeMap<_, _> = users.roles().values().map(role).collect();
        let newcomers = users
            .iter()
            .filter(|user| user.declared.is_none())
            .map(|user| {
                let email = user.email.as_str().to_owned();
                (email, user.standing.clone(), user.active)
            });
        roles == self.roles && newcomers.collect::<Vec<_>>() == self.users
    }

    pub(crate) fn role_ids(&self) -> Vec<u64> {
        self.roles.keys().copied().collect()
    }

    pub(crate) fn user_count(&self) -> usize {
        self.users.len()
    }
}
