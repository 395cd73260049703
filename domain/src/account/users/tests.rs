//! Tests of users as scenarios: given these events, when a command comes, then this is its outcome.

mod model;

use super::activate::{ActivateUsers, ActivateUsersRejection};
use super::create::{CreateUsers, CreateUsersRejection, NewUser, USERS_MAX_BASE};
use super::declare::{Declare, DeclareUserRejection};
use super::rule::Resource;
use super::take_roles::TakeRoles;
use super::token::TokenHash;
use super::*;
use crate::account::group::Group;
use crate::account::password::PasswordHash;
use crate::account::rights::calculation::Operation;
use crate::account::rights::entity::{EntityLevels, EntityRights};
use crate::account::rights::granted::Rights;
use crate::account::rights::{EntityAction, Right};
use crate::audit::By;
use crate::id::GroupId;
use crate::installation::accounts::{Lang, Plan};
use switchboard_engine::testkit::carry_out;

fn blank() -> Users {
    Users::initial(&AccountId::from_random([1; 16]))
}

fn declare(users: &mut Users, name: &str, email: &str, is_admin: bool) -> UserId {
    declare_numbered(users, name, email, is_admin, None).unwrap()
}

fn declare_numbered(
    users: &mut Users,
    name: &str,
    email: &str,
    is_admin: bool,
    id: Option<u64>,
) -> Result<UserId, DeclareUserRejection> {
    let command = Declare {
        by: By::Operator,
        id: id.map(UserId),
        name: name.parse().unwrap(),
        email: email.parse().unwrap(),
        lang: Lang::En,
        is_admin,
        password: None,
        token: None,
        denied: Rights::denied(&[]),
    };
    carry_out(users, command)
}

#[test]
fn users_have_the_numbers_that_were_chosen_for_them() {
    let mut users = blank();
    let choice = |users: &mut Users, email: &str, id: u64| {
        declare_numbered(users, "Ada", email, true, Some(id))
    };
    assert_eq!(
        choice(&mut users, "ada@example.com", 8_238_142),
        Ok(UserId(8_238_142))
    );
    assert_eq!(choice(&mut users, "bo@example.com", 2), Ok(UserId(2)));
    assert_eq!(
        declare(&mut users, "Cy", "cy@example.com", false),
        UserId(8_238_143)
    );
    let rejection = choice(&mut users, "dee@example.com", 2);
    assert_eq!(rejection, Err(DeclareUserRejection::NumberTaken(UserId(2))));
    let other = choice(&mut users, "BO@example.com", 3);
    assert_eq!(other, Err(DeclareUserRejection::NumberDiffers(UserId(2))));
    // The same again, with and without the number, changes nothing.
    let before = users.clone();
    assert_eq!(choice(&mut users, "bo@example.com", 2), Ok(UserId(2)));
    assert_eq!(users, before);
    assert_eq!(
        declare(&mut users, "Ada", "bo@example.com", true),
        UserId(2)
    );
    switch(&mut users, &[8_238_143], false).unwrap();
    let json = serde_json::to_string(&users).unwrap();
    let again: Users = serde_json::from_str(&json).unwrap();
    assert_eq!(again, users);
    for users in [&users, &again] {
        let names = |id: u64| users.get(UserId(id)).map(|user| user.email.to_string());
        assert_eq!(names(2).as_deref(), Some("bo@example.com"));
        assert_eq!(names(8_238_143).as_deref(), Some("cy@example.com"));
        assert_eq!([1, 3, 8_238_144].map(names), [None, None, None]);
        assert!(!users.get(UserId(8_238_143)).unwrap().active);
        assert_eq!(users.count(), 3);
    }
}

fn new_user(email: &str, standing: Standing) -> NewUser {
    NewUser {
        name: "Bo".parse().unwrap(),
        email: email.parse().unwrap(),
        lang: Lang::Es,
        standing,
        group: Group::DEFAULT,
        password: Some(PasswordHash::new("$argon2id$".to_owned())),
    }
}

fn add(users: &mut Users, batch: Vec<NewUser>) -> Result<Vec<Arc<User>>, CreateUsersRejection> {
    let command = CreateUsers {
        by: By::Operator,
        plan: Plan::Base,
        users: batch,
    };
    carry_out(users, command)
}

fn set_role(users: &mut Users, id: u64, rights: Rights) {
    let role = Role {
        id: RoleId(id),
        name: "Role".parse().unwrap(),
        rights,
    };
    let change = RolesChange::Set(vec![role]);
    let by = By::Operator;
    carry_out(users, TakeRoles { by, change }).unwrap();
}

fn switch(users: &mut Users, ids: &[u64], active: bool) -> Result<(), ActivateUsersRejection> {
    let command = ActivateUsers {
        by: By::Operator,
        users: ids.iter().copied().map(UserId).collect(),
        active,
    };
    carry_out(users, command)
}

#[test]
fn a_user_is_found_by_email_in_any_letter_case() {
    let mut users = blank();
    assert_eq!(
        declare(&mut users, "Ada", "ada@example.com", false),
        UserId(1)
    );
    assert_eq!(
        declare(&mut users, "Bo", "bo@example.com", false),
        UserId(2)
    );
    assert_eq!(
        declare(&mut users, "Ada L.", "ADA@example.com", false),
        UserId(1)
    );
    assert_eq!(users.count(), 2);
    assert_eq!(users.get(UserId(1)).unwrap().name.as_str(), "Ada L.");
}

#[test]
fn a_declaration_changes_only_the_fields_it_names() {
    let mut users = blank();
    set_role(&mut users, 3, Rights::all());
    add(
        &mut users,
        vec![new_user("bo@example.com", Standing::Role(RoleId(3)))],
    )
    .unwrap();
    switch(&mut users, &[1], false).unwrap();
    let before = users.get(UserId(1)).unwrap().as_ref().clone();
    declare(&mut users, "Bo", "bo@example.com", false);
    let declared = users.get(UserId(1)).unwrap().as_ref().clone();
    assert!(declared.declared.is_some());
    let but_for_that = User {
        declared: None,
        ..declared
    };
    assert_eq!(but_for_that, before);
    // An administrator is never switched off.
    declare(&mut users, "Bo", "bo@example.com", true);
    let admin = users.get(UserId(1)).unwrap();
    assert!(admin.is_admin() && admin.active);
    declare(&mut users, "Bo", "bo@example.com", false);
    let own = Standing::Own(Box::new(Rights::denied(&[])));
    assert_eq!(users.get(UserId(1)).unwrap().standing, own);
}

#[test]
fn a_batch_with_one_wrong_user_adds_none_and_names_every_error() {
    let mut users = blank();
    declare(&mut users, "Ada", "ada@example.com", true);
    let mut elsewhere = new_user("cy@example.com", Standing::Free);
    elsewhere.group = GroupId(9);
    let batch = vec![
        new_user("bo@example.com", Standing::Free),
        new_user("ADA@example.com", Standing::Role(RoleId(7))),
        new_user("BO@example.com", Standing::Free),
        elsewhere,
    ];
    let Err(CreateUsersRejection::Wrong(items)) = add(&mut users, batch) else {
        panic!("three of them are wrong");
    };
    let paths: Vec<(usize, Vec<&str>)> = items
        .iter()
        .map(|(place, wrong)| {
            (
                *place,
                wrong.kept().iter().map(|v| v.path.as_str()).collect(),
            )
        })
        .collect();
    assert_eq!(
        paths,
        [
            (1, vec!["email", "rights.role_id"]),
            (2, vec!["email"]),
            (3, vec!["rights.group_id"]),
        ]
    );
    assert_eq!(users.count(), 1);
}

#[test]
fn with_more_than_100_users_only_the_enterprise_plan_adds_more() {
    let mut users = blank();
    for number in 1..=USERS_MAX_BASE {
        let email = format!("user{number}@example.com");
        add(&mut users, vec![new_user(&email, Standing::Free)]).unwrap();
    }
    add(
        &mut users,
        vec![new_user("last@example.com", Standing::Free)],
    )
    .unwrap();
    let more = || vec![new_user("more@example.com", Standing::Free)];
    assert_eq!(add(&mut users, more()), Err(CreateUsersRejection::TooMany));
    let command = CreateUsers {
        by: By::Operator,
        plan: Plan::Enterprise,
        users: more(),
    };
    assert_eq!(carry_out(&mut users, command).unwrap()[0].id, UserId(102));
}

#[test]
fn users_are_switched_all_or_none_and_administrators_never() {
    let mut users = blank();
    declare(&mut users, "Ada", "ada@example.com", true);
    declare(&mut users, "Bo", "bo@example.com", false);
    for active in [false, true] {
        let rejection = switch(&mut users, &[2, 7, 1, 0], active).unwrap_err();
        assert_eq!(rejection.unknown, [UserId(7), UserId(0)]);
        assert_eq!(rejection.administrators, [UserId(1)]);
        assert!(users.get(UserId(2)).unwrap().active);
    }
    for _ in 0..2 {
        switch(&mut users, &[2], false).unwrap();
        let bo = users.get(UserId(2)).unwrap().as_ref().clone();
        assert!(!bo.active);
        assert_eq!(users.source(&bo), Source::Inactive);
    }
    switch(&mut users, &[2], true).unwrap();
    assert!(users.get(UserId(2)).unwrap().active);
}

/// A role reaches its holders at once, and leaves them its rights when it is deleted.
#[test]
fn a_role_applies_at_once_and_leaves_its_rights_when_deleted() {
    let mut users = blank();
    set_role(&mut users, 3, Rights::denied(&[]));
    let batch = vec![
        new_user("bo@example.com", Standing::Role(RoleId(3))),
        new_user("cy@example.com", Standing::Free),
        new_user("di@example.com", Standing::Role(RoleId(3))),
    ];
    add(&mut users, batch).unwrap();
    set_role(&mut users, 3, Rights::all());
    let all = Rights::all();
    for id in [1, 3] {
        let user = users.get(UserId(id)).unwrap();
        assert_eq!(users.source(user), Source::Role(RoleId(3), &all));
    }
    assert_eq!(users.holders()[&RoleId(3)], [UserId(1), UserId(3)]);
    let change = RolesChange::Deleted(RoleId(3));
    let by = By::Operator;
    carry_out(&mut users, TakeRoles { by, change }).unwrap();
    for id in [1, 3] {
        let user = users.get(UserId(id)).unwrap();
        assert_eq!(users.source(user), Source::Own(&all));
    }
    assert_eq!(users.get(UserId(2)).unwrap().standing, Standing::Free);
    assert!(users.roles().is_empty() && users.holders().is_empty());
}

#[test]
fn users_survive_being_stored_and_are_found_by_email_afterwards() {
    let mut users = blank();
    set_role(&mut users, 3, Rights::all());
    declare(&mut users, "Ada", "ada@example.com", true);
    add(
        &mut users,
        vec![new_user("bo@example.com", Standing::Role(RoleId(3)))],
    )
    .unwrap();
    let json = serde_json::to_string(&users).unwrap();
    let read: Users = serde_json::from_str(&json).unwrap();
    assert_eq!(read, users);
    assert_eq!(
        read.by_email(&"BO@example.com".parse().unwrap())
            .unwrap()
            .id,
        UserId(2)
    );
}

#[test]
fn a_token_is_never_printed_and_survives_being_stored() {
    let hash = TokenHash::new("demo");
    assert_eq!(format!("{hash:?}"), "TokenHash(***)");
    let json = serde_json::to_string(&hash).unwrap();
    assert_eq!(serde_json::from_str::<TokenHash>(&json).unwrap(), hash);
}

/// A right reaches as far as the groups of the user and of the responsible user.
#[test]
fn a_group_right_covers_the_groups_of_the_responsible_user() {
    let mut users = blank();
    let leads = |right| {
        let levels = EntityLevels {
            view: right,
            ..EntityLevels::DENIED
        };
        Rights {
            leads: EntityRights::new(levels).unwrap(),
            ..Rights::denied(&[])
        }
    };
    set_role(&mut users, 3, leads(Right::Group));
    let batch = vec![
        new_user("bo@example.com", Standing::Role(RoleId(3))),
        new_user(
            "cy@example.com",
            Standing::Own(Box::new(leads(Right::Main))),
        ),
        new_user("di@example.com", Standing::Free),
    ];
    add(&mut users, batch).unwrap();
    declare(&mut users, "Ada", "ada@example.com", true);
    let sees = |users: &Users, user: u64, responsible: Option<u64>| {
        let thing = Resource {
            responsible: responsible.map(UserId),
            ..Resource::UNOWNED
        };
        users
            .authorize(UserId(user), Operation::Leads(EntityAction::View), &thing)
            .allowed
    };
    let of = |users: &Users, user: u64| {
        [Some(1), Some(2), Some(99), None].map(|responsible| sees(users, user, responsible))
    };
    assert_eq!(of(&users, 1), [true, true, false, false], "the group's");
    assert_eq!(of(&users, 2), [false, true, false, false], "their own");
    assert_eq!(of(&users, 3), [false; 4], "a free user");
    assert_eq!(of(&users, 4), [true; 4], "an administrator");
    assert_eq!(of(&users, 99), [false; 4], "nobody");
    switch(&mut users, &[1], false).unwrap();
    assert_eq!(of(&users, 1), [false; 4], "switched off");
}

/// The kinds of rows by which a user is found in all accounts.
fn tables_of(user: &User) -> Vec<Table> {
    let rows = found_by(AccountId::from_random([1; 16]), user).into_iter();
    rows.map(|(table, _)| table).collect()
}

#[test]
fn an_active_user_is_found_by_address_and_by_token() {
    let mut users = blank();
    let id = declare(&mut users, "Ada", "ada@example.com", true);
    let ada = users.get(id).unwrap().as_ref().clone();
    assert_eq!(tables_of(&ada), [tables::USERS_BY_EMAIL]);
    let with_token = User {
        token: Some(TokenHash::new("token")),
        ..ada
    };
    assert_eq!(
        tables_of(&with_token),
        [tables::SECRETS, tables::USERS_BY_EMAIL]
    );
    let inactive = User {
        active: false,
        ..with_token
    };
    assert_eq!(tables_of(&inactive), [tables::SECRETS]);
}
