//! A random test: the rights of each user change only as a plain model predicts.

use std::collections::BTreeMap;

use super::{blank, new_user, switch};
use crate::account::rights::Right;
use crate::account::rights::calculation::Source;
use crate::account::rights::granted::Rights;
use crate::account::rights::patch::{EntityPatch, RightsPatch};
use crate::account::roles::create::{CreateRoles, NewRole};
use crate::account::roles::delete::DeleteRole;
use crate::account::roles::update::{RolePatch, UpdateRole};
use crate::account::roles::{Governed, Roles};
use crate::account::user::Standing;
use crate::account::users::Users;
use crate::account::users::create::CreateUsers;
use crate::account::users::take_roles::TakeRoles;
use crate::audit::By;
use crate::id::{AccountId, RoleId, UserId};
use crate::installation::accounts::Plan;
use switchboard_engine::state::State;
use switchboard_engine::testkit::carry_out;

const STEPS: usize = 10_000;

/// The rights of a user, and the number of the role that grants them.
#[derive(Clone, Debug, PartialEq)]
struct Person {
    active: bool,
    free: bool,
    role: Option<u64>,
    own: Option<Rights>,
}

#[derive(Default)]
struct Model {
    roles: BTreeMap<u64, Rights>,
    people: Vec<Person>,
}

impl Model {
    fn may(&self, person: &Person) -> Option<Rights> {
        let rights = person.role.map(|role| self.roles[&role].clone());
        (person.active && !person.free).then(|| rights.or_else(|| person.own.clone()))?
    }
}

struct Both {
    users: Users,
    roles: Roles,
    model: Model,
    seed: u64,
}

impl Both {
    fn below(&mut self, sides: usize) -> usize {
        self.seed = self
            .seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let sides = u64::try_from(sides.max(1)).unwrap();
        usize::try_from((self.seed >> 33) % sides).unwrap()
    }

    /// As the owners do: the roles decide, the users take it in.
    fn hand_on(&mut self, governed: Option<Governed>) {
        if let Some(change) = governed.and_then(|governed| governed.change) {
            let by = By::Operator;
            carry_out(&mut self.users, TakeRoles { by, change }).unwrap();
        }
    }

    fn create_role(&mut self) {
        let role = NewRole {
            name: "Role".parse().unwrap(),
            rights: Rights::all(),
        };
        let command = CreateRoles {
            by: By::Operator,
            roles: vec![role],
        };
        let roles = carry_out(&mut self.roles, command).ok();
        if let Some(role) = roles.as_ref().and_then(|governed| governed.roles.first()) {
            self.model.roles.insert(role.id.0, Rights::all());
        }
        self.hand_on(roles);
    }

    fn update_role(&mut self, id: u64) {
        let right = Right::ALL[self.below(4)];
        let level = EntityPatch {
            view: Some(right),
            edit: Some(right),
            delete: Some(right),
            export: Some(right),
            add: None,
        };
        let patch = RightsPatch {
            leads: Some(level),
            ..RightsPatch::default()
        };
        if let Some(rights) = self.model.roles.get_mut(&id) {
            *rights = patch.over(rights).unwrap();
        }
        let command = UpdateRole {
            by: By::Operator,
            id: RoleId(id),
            patch: RolePatch {
                name: None,
                rights: patch,
            },
        };
        let edited = carry_out(&mut self.roles, command).ok();
        assert_eq!(edited.is_some(), self.model.roles.contains_key(&id));
        self.hand_on(edited);
    }

    fn delete_role(&mut self, id: u64) {
        if let Some(rights) = self.model.roles.remove(&id) {
            for person in self
                .model
                .people
                .iter_mut()
                .filter(|person| person.role == Some(id))
            {
                (person.role, person.own) = (None, Some(rights.clone()));
            }
        }
        let (by, id) = (By::Operator, RoleId(id));
        let role = carry_out(&mut self.roles, DeleteRole { by, id }).ok();
        self.hand_on(role);
    }

    fn create_user(&mut self, role: u64) {
        let standing = match self.below(3) {
            0 => Standing::Free,
            1 => Standing::Own(Box::new(Rights::all())),
            _ => Standing::Role(RoleId(role)),
        };
        let email = format!("u{}@example.com", self.model.people.len());
        let command = CreateUsers {
            by: By::Operator,
            plan: Plan::Enterprise,
            users: vec![new_user(&email, standing.clone())],
        };
        let success = carry_out(&mut self.users, command).is_ok();
        let role_exists = self.model.roles.contains_key(&role);
        assert_eq!(
            success,
            role_exists || !matches!(standing, Standing::Role(_))
        );
        if success {
            self.model.people.push(Person {
                active: true,
                free: standing == Standing::Free,
                role: matches!(standing, Standing::Role(_)).then_some(role),
                own: matches!(standing, Standing::Own(_)).then(Rights::all),
            });
        }
    }

    fn activate_user(&mut self) {
        let place = self.below(self.model.people.len());
        let active = self.below(2) == 0;
        if let Some(person) = self.model.people.get_mut(place) {
            person.active = active;
            let id = u64::try_from(place + 1).unwrap();
            switch(&mut self.users, &[id], active).unwrap();
        }
    }

    fn agree(&self) {
        assert_eq!(self.users.count(), self.model.people.len());
        let roles: Vec<u64> = self.users.roles().keys().map(|role| role.0).collect();
        assert!(roles.iter().eq(self.model.roles.keys()));
        for (place, person) in self.model.people.iter().enumerate() {
            let id = UserId(u64::try_from(place + 1).unwrap());
            let user = self.users.get(id).unwrap();
            let may = match self.users.source(user) {
                Source::Inactive | Source::Free => None,
                Source::Administrator => panic!("nobody was made one"),
                Source::Role(role, rights) => {
                    assert_eq!(person.role, Some(role.0));
                    Some(rights.clone())
                }
                Source::Own(rights) => {
                    assert_eq!(person.role, None);
                    Some(rights.clone())
                }
            };
            assert_eq!(may, self.model.may(person), "user {id}");
        }
    }
}

#[test]
fn rights_of_users_change_only_as_a_plain_model_says() {
    let mut both = Both {
        users: blank(),
        roles: Roles::initial(&AccountId::from_random([1; 16])),
        model: Model::default(),
        seed: 11,
    };
    for step in 0..STEPS {
        let next_role = both.model.roles.keys().last().map_or(1, |last| last + 1);
        let role = u64::try_from(both.below(usize::try_from(next_role).unwrap())).unwrap() + 1;
        match both.below(12) {
            0..3 => both.create_role(),
            3..6 => both.update_role(role),
            6..8 => both.delete_role(role),
            8 if both.model.people.len() < 200 => both.create_user(role),
            _ => both.activate_user(),
        }
        if step % 50 == 0 {
            both.agree();
        }
    }
    both.agree();
    assert_eq!(both.model.people.len(), 200);
}
