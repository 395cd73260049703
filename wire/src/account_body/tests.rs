//! Tests of good bodies; the table of bad ones is in the tests of the service.

use crate::account_body::batch::BatchError;
use crate::account_body::{roles, user_ids, users};
use crate::domain::account::group::Group;
use crate::domain::account::rights::granted::Rights;
use crate::domain::account::rights::{EntityAction, Right};
use crate::domain::account::role::Role;
use crate::domain::account::roles::RolesChange;
use crate::domain::account::user::Standing;
use crate::domain::account::users::Users;
use crate::domain::account::users::take_roles::TakeRoles;
use crate::domain::audit::By;
use crate::domain::crm::Crm;
use crate::domain::id::{AccountId, PipelineId, RoleId, StageId, UserId};
use crate::domain::installation::accounts::Lang;
use switchboard_engine::state::State;
use switchboard_engine::testkit::carry_out;

fn role(rights: Rights) -> Role {
    Role {
        id: RoleId(3),
        name: "Role".parse().unwrap(),
        rights,
    }
}

fn account() -> Users {
    let mut users = Users::initial(&AccountId::from_random([1; 16]));
    let change = RolesChange::Set(vec![role(Rights::all())]);
    let by = By::Operator;
    carry_out(&mut users, TakeRoles { by, change }).unwrap();
    users
}

fn user(rights: &str) -> users::UserBody {
    let body = format!(
        r#"[{{"name":"Bo","email":"bo@example.com","password":"aBcde1@345","rights":{rights}}}]"#
    );
    let read = users::parse(body.as_bytes(), &account(), &Crm::first_pipelines());
    read.unwrap().remove(0)
}

/// The paths of the first wrong item.
fn paths<T: std::fmt::Debug>(read: Result<T, BatchError>) -> Vec<String> {
    let BatchError::Wrong(items) = read.unwrap_err() else {
        panic!("an item is wrong");
    };
    let violations = items[0].violations.kept().iter();
    violations.map(|wrong| wrong.path.clone()).collect()
}

#[test]
fn a_user_without_rights_is_denied_all_in_the_default_group() {
    let body = r#"[{"name":"Bo","email":"bo@example.com","password":"aBcde1@345","id":7,"is_active":false,
        "lang":"es","request_id":"x"}]"#;
    let read = users::parse(body.as_bytes(), &account(), &Crm::first_pipelines()).unwrap();
    let denied = Rights::denied(&Crm::first_pipelines());
    assert_eq!(read[0].standing, Standing::Own(Box::new(denied)));
    assert_eq!(
        (read[0].group, read[0].lang),
        (Group::DEFAULT, Some(Lang::Es))
    );
    assert_eq!(read[0].request_id.as_deref(), Some("x"));
}

#[test]
fn a_role_replaces_rights_and_a_free_user_has_none() {
    assert_eq!(
        user(r#"{"role_id":3,"leads":7,"status_rights":"?"}"#).standing,
        Standing::Role(RoleId(3))
    );
    let free =
        user(r#"{"is_free":true,"role_id":"x","group_id":99,"leads":[],"catalog_rights":null}"#);
    assert_eq!(
        (free.standing, free.group),
        (Standing::Free, Group::DEFAULT)
    );
}

#[test]
fn missing_entity_keys_are_denied_and_nulls_mean_defaults() {
    let read = user(
        r#"{"leads":{"view":"G"},"contacts":{},"companies":{"add":"A"},"tasks":{"edit":"M"},
            "status_rights":null,"mail_access":null,"catalog_access":true,"role_id":null,"group_id":null,
            "is_free":false,"is_admin":false,"catalog_rights":null}"#,
    );
    let Standing::Own(rights) = read.standing else {
        panic!("rights of their own");
    };
    assert_eq!(rights.leads.right(EntityAction::View), Right::Group);
    assert_eq!(rights.leads.right(EntityAction::Edit), Right::Denied);
    assert_eq!(rights.companies.right(EntityAction::Add), Right::All);
    assert_eq!(rights.tasks.edit(), Right::Main);
    assert_eq!((rights.mail_access, rights.catalog_access), (false, true));
    assert_eq!(
        rights.stages,
        Rights::denied(&Crm::first_pipelines()).stages
    );
}

#[test]
fn given_stages_are_kept_and_unsorted_ones_added() {
    let read = user(
        r#"{"leads":{},"contacts":{},"companies":{},"tasks":{},"status_rights":[
            {"entity_type":"leads","pipeline_id":1,"status_id":142,"rights":{"view":"A","export":"D"}}]}"#,
    );
    let Standing::Own(rights) = read.standing else {
        panic!("rights of their own");
    };
    let stages: Vec<String> = rights
        .stages
        .iter()
        .map(|(pipeline, stage, rights)| format!("{pipeline} {stage} {}", String::from(*rights)))
        .collect();
    assert_eq!(stages, ["1 1 DDD", "1 142 ADDD"]);
}

#[test]
fn a_wrong_letter_hides_no_error_and_causes_no_other() {
    let body = |leads: &str| {
        format!(
            r#"[{{"name":"Bo","email":"bo@example.com","password":"aBcde1@345","rights":
                {{"leads":{leads},"contacts":{{}},"companies":{{}},"tasks":{{}}}}}}]"#
        )
    };
    let wrong = |leads: &str| {
        let body = body(leads);
        paths(users::parse(
            body.as_bytes(),
            &account(),
            &Crm::first_pipelines(),
        ))
    };
    assert_eq!(
        wrong(r#"{"view":"X","edit":"A","export":"A"}"#),
        ["rights.leads.view"]
    );
    assert_eq!(
        wrong(r#"{"view":"X","edit":"D","delete":"A"}"#),
        ["rights.leads.view", "rights.leads.delete"]
    );
    assert_eq!(
        wrong(r#"{"view":"G","edit":"a","delete":"A","add":"G"}"#),
        [
            "rights.leads.edit",
            "rights.leads.add",
            "rights.leads.delete"
        ]
    );
}

/// Small random numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn pick<'c>(&mut self, choices: &[&'c str]) -> &'c str {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let sides = u64::try_from(choices.len()).unwrap();
        choices[usize::try_from((self.0 >> 33) % sides).unwrap()]
    }

    /// Some of these fields, each with some of these values.
    fn object(&mut self, keys: &[&str], values: &[&str]) -> String {
        let mut fields = Vec::new();
        for key in keys {
            if self.pick(&["in", "in", "out"]) == "in" {
                fields.push(format!("\"{key}\":{}", self.pick(values)));
            }
        }
        format!("{{{}}}", fields.join(","))
    }
}

/// No body makes an administrator, or names what the account does not have.
#[test]
fn a_body_grants_no_administrator_and_names_known_ids_only() {
    let keys = [
        "is_admin",
        "is_free",
        "is_active",
        "role_id",
        "group_id",
        "leads",
        "contacts",
        "companies",
        "tasks",
        "status_rights",
        "mail_access",
        "catalog_access",
        "id",
    ];
    let entity = ["\"A\"", "\"G\"", "\"M\"", "\"D\"", "\"D\"", "\"D\""];
    let mut dice = Dice(7);
    let (mut taken, mut refused) = (0, 0);
    for _ in 0..20_000 {
        let levels = dice.object(&["view", "edit", "delete"], &entity);
        let tasks = dice.object(&["edit", "delete"], &entity);
        let samples = [
            "true", "false", "null", "1", "3", "99", "{}", "[]", "\"A\"", &levels, &tasks,
        ];
        let values = [&samples[..], &[&levels, &tasks, "{}", "false", "null"]].concat();
        let rights = dice.object(&keys, &values);
        let body = format!(
            "[{{\"name\":\"Bo\",\"email\":\"bo@example.com\",\"password\":\"aBcde1@345\",\"is_admin\":true,\"rights\":{rights}}}]"
        );
        match users::parse(body.as_bytes(), &account(), &Crm::first_pipelines()) {
            Err(_) => refused += 1,
            Ok(read) => {
                taken += 1;
                let user = &read[0];
                assert!(
                    matches!(
                        user.standing,
                        Standing::Free | Standing::Own(_) | Standing::Role(RoleId(3))
                    ),
                    "{body}"
                );
                assert_eq!(user.group, Group::DEFAULT, "{body}");
            }
        }
    }
    assert!(
        taken > 100 && refused > 100,
        "{taken} taken, {refused} refused"
    );
}

#[test]
fn one_role_or_several_are_accepted() {
    let pipelines = Crm::first_pipelines();
    let one = roles::parse_add(br#"{"name":"Role"}"#, &pipelines).unwrap();
    assert_eq!(one[0].role.rights, Rights::denied(&pipelines));
    let body = br#"[{"name":"A","request_id":"a"},{"name":"B","rights":
        {"leads":{},"contacts":{},"companies":{},"tasks":{},"is_admin":false,"role_id":null,"catalog_rights":[]}}]"#;
    let several = roles::parse_add(body, &pipelines).unwrap();
    assert_eq!(several[0].request_id.as_deref(), Some("a"));
    assert_eq!(several[1].role.name.as_str(), "B");
}

#[test]
fn an_edit_changes_named_fields_and_is_checked_with_its_role() {
    let pipelines = Crm::first_pipelines();
    let current = role(Rights::all());
    let edit = |body: &str| roles::parse_edit(body.as_bytes(), &current, &pipelines);
    let patch =
        edit(r#"{"request_id":"0","rights":{"leads":{"export":"M"},"catalog_rights":null}}"#);
    let after = patch.unwrap().over(&current).unwrap();
    assert_eq!(after.rights.leads.right(EntityAction::Export), Right::Main);
    assert_eq!(after.rights.leads.right(EntityAction::View), Right::All);
    assert_eq!(after.rights.stages.iter().count(), 0);
    for cleared in [
        r#"{"rights":{"status_rights":null}}"#,
        r#"{"rights":{"status_rights":[]}}"#,
    ] {
        let after = edit(cleared).unwrap().over(&current).unwrap();
        assert!(after.rights.stages.get(PipelineId(1), StageId(1)).is_some());
    }
    assert_eq!(
        paths(edit(r#"{"rights":{"leads":{"view":"G"}}}"#)),
        [
            "rights.leads.edit",
            "rights.leads.delete",
            "rights.leads.export"
        ]
    );
    assert_eq!(edit("{}"), Err(BatchError::Empty));
    assert_eq!(paths(edit("[]")), [""]);
}

#[test]
fn users_are_listed_by_number_without_duplicates() {
    let ids = user_ids::parse(br#"[{"id":7},{"id":8,"x":1}]"#).unwrap();
    assert_eq!(ids, [UserId(7), UserId(8)]);
    assert_eq!(paths(user_ids::parse(br#"[{"id":7},{"id":7}]"#)), ["id"]);
    assert_eq!(user_ids::parse(b"[]").unwrap_err(), BatchError::Empty);
}
