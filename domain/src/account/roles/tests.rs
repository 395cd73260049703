//! Tests of the changes of roles.

use super::create::{CreateRoles, CreateRolesRejection, NewRole, ROLES_MAX};
use super::delete::{DeleteRole, DeleteRoleRejection};
use super::update::{RolePatch, UpdateRole, UpdateRoleRejection};
use super::*;
use crate::account::rights::Right;
use crate::account::rights::granted::Rights;
use crate::account::rights::patch::{EntityPatch, RightsPatch};
use switchboard_engine::testkit::carry_out;

fn add(roles: &mut Roles, count: usize) -> Result<Governed, CreateRolesRejection> {
    let new = NewRole {
        name: "Role".parse().unwrap(),
        rights: Rights::all(),
    };
    let roles_to_add = vec![new; count];
    let by = By::Operator;
    carry_out(
        roles,
        CreateRoles {
            by,
            roles: roles_to_add,
        },
    )
}

fn delete(roles: &mut Roles, id: u64) -> Result<Governed, DeleteRoleRejection> {
    let (by, id) = (By::Operator, RoleId(id));
    carry_out(roles, DeleteRole { by, id })
}

fn edit(roles: &mut Roles, id: u64, patch: RolePatch) -> Result<Governed, UpdateRoleRejection> {
    let id = RoleId(id);
    let by = By::Operator;
    carry_out(roles, UpdateRole { by, id, patch })
}

#[test]
fn a_role_number_is_never_reused() {
    let mut roles = Roles::initial(&AccountId::from_random([1; 16]));
    assert_eq!(add(&mut roles, 2).unwrap().roles[1].id, RoleId(2));
    delete(&mut roles, 2).unwrap();
    assert_eq!(delete(&mut roles, 2), Err(DeleteRoleRejection));
    assert_eq!(add(&mut roles, 1).unwrap().roles[0].id, RoleId(3));
    let json = serde_json::to_string(&roles).unwrap();
    assert_eq!(serde_json::from_str::<Roles>(&json).unwrap(), roles);
}

#[test]
fn an_account_has_at_most_1000_roles() {
    let mut roles = Roles::initial(&AccountId::from_random([1; 16]));
    add(&mut roles, ROLES_MAX - 1).unwrap();
    assert_eq!(add(&mut roles, 2), Err(CreateRolesRejection));
    add(&mut roles, 1).unwrap();
    assert_eq!(add(&mut roles, 1), Err(CreateRolesRejection));
}

#[test]
fn an_edit_changes_named_fields_and_obeys_the_dependencies() {
    let mut roles = Roles::initial(&AccountId::from_random([1; 16]));
    add(&mut roles, 1).unwrap();
    let renamed = RolePatch {
        name: Some("Other".parse().unwrap()),
        ..RolePatch::default()
    };
    assert!(
        edit(&mut roles, 1, renamed.clone())
            .unwrap()
            .change
            .is_some()
    );
    let role = roles.get(RoleId(1)).unwrap().clone();
    assert_eq!(
        (role.name.as_str(), &role.rights),
        ("Other", &Rights::all())
    );
    // Nothing is left to change, and nothing is written.
    assert_eq!(edit(&mut roles, 1, renamed.clone()).unwrap().change, None);
    let narrow = EntityPatch {
        edit: Some(Right::Main),
        ..EntityPatch::default()
    };
    let patch = RolePatch {
        name: None,
        rights: RightsPatch {
            leads: Some(narrow),
            ..RightsPatch::default()
        },
    };
    let Err(UpdateRoleRejection::Wrong(wrong)) = edit(&mut roles, 1, patch) else {
        panic!("delete would reach further than edit");
    };
    assert_eq!(wrong.kept()[0].path, "rights.leads.delete");
    assert_eq!(roles.get(RoleId(1)), Some(&role));
    let unknown = edit(&mut roles, 2, renamed);
    assert_eq!(unknown, Err(UpdateRoleRejection::Unknown));
}
