//! The rights in bodies and in records: whatever is read obeys the dependencies, and is the same when it is read again.

use std::fmt::Debug;

use switchboard_actors::domain::account::rights::granted::Rights;
use switchboard_actors::domain::account::rights::{EntityAction, Grant, Right};
use switchboard_actors::domain::account::role::Role;
use switchboard_actors::domain::account::user::Standing;
use switchboard_actors::domain::account::users::Users;
use switchboard_actors::domain::crm::{Crm, Pipeline, StageKind};
use switchboard_actors::domain::id::{AccountId, RoleId};
use switchboard_actors::wire::account_body::batch::BatchError;
use switchboard_actors::wire::account_body::{roles, users};
use switchboard_engine::state::State;

use super::body::{alike, are_told, respelled, sorted};

/// Reads the bytes as roles, as a change of a role, as users and as stored rights.
pub fn check(data: &[u8]) {
    let pipelines = Crm::first_pipelines();
    let text = respelled(data);
    let other = text.as_deref();
    for role in reads(data, other, |body| roles::parse_add(body, &pipelines)).unwrap_or_default() {
        obey(&role.role.rights);
        mentions_unsorted(&role.role.rights, &pipelines);
    }
    for rights in [Rights::all(), Rights::denied(&pipelines)] {
        let role = Role {
            id: RoleId(1),
            name: "Sellers".parse().unwrap(),
            rights,
        };
        let patch = reads(data, other, |body| {
            roles::parse_edit(body, &role, &pipelines)
        });
        if let Ok(patch) = patch {
            obey(&patch.over(&role).expect("it was checked").rights);
        }
    }
    let nobody = Users::initial(&AccountId::from_bytes([1; 16]));
    // A password has no equality, so what is compared is what can be shown.
    let read = |body: &[u8]| users::parse(body, &nobody, &pipelines);
    let text_of = |body: &[u8]| read(body).map(|users| format!("{users:?}"));
    reads(data, other, text_of).ok();
    for user in read(data).unwrap_or_default() {
        if let Standing::Own(rights) = &user.standing {
            obey(rights);
        }
    }
    if let Ok(rights) = serde_json::from_slice::<Rights>(data) {
        obey(&rights);
    }
}

/// A batch is values, or every wrong item has its reasons; and another spelling of it is the same.
fn reads<T: Debug + PartialEq>(
    body: &[u8],
    other: Option<&[u8]>,
    parse: impl Fn(&[u8]) -> Result<T, BatchError>,
) -> Result<T, BatchError> {
    let read = parse(body);
    if let Err(BatchError::Wrong(items)) = &read {
        assert!(!items.is_empty(), "refused without a reason");
        items.iter().for_each(|item| are_told(&item.violations));
    }
    if let (Some(other), false) = (other, matches!(read, Err(BatchError::NotJson(_)))) {
        alike(&comparable(&read), &comparable(&parse(other)));
    }
    read
}

/// The value, or what is wrong with each item, in no order of keys.
type Comparable<'r, T> = Result<&'r T, (String, Vec<(String, Option<Vec<String>>)>)>;

fn comparable<T>(read: &Result<T, BatchError>) -> Comparable<'_, T> {
    read.as_ref().map_err(|error| {
        let all_items = match error {
            BatchError::Wrong(items) => items.as_slice(),
            BatchError::NotJson(_) | BatchError::Empty | BatchError::TooMany { .. } => &[],
        };
        let items = all_items
            .iter()
            .map(|item| (item.request_id.clone(), sorted(&item.violations)));
        (error.to_string(), items.collect())
    })
}

/// The dependencies, once more and without the code that they are checked with.
fn obey(rights: &Rights) {
    for entity in [&rights.leads, &rights.contacts, &rights.companies] {
        let of = |action| entity.right(action);
        assert!(
            of(EntityAction::Edit) <= of(EntityAction::View),
            "{entity:?}"
        );
        assert!(
            of(EntityAction::Export) <= of(EntityAction::View),
            "{entity:?}"
        );
        assert!(
            of(EntityAction::Delete) <= of(EntityAction::Edit),
            "{entity:?}"
        );
        assert!(matches!(of(EntityAction::Add), Right::All | Right::Denied));
    }
    assert!(rights.tasks.delete() <= rights.tasks.edit());
    for (_, _, stage) in rights.stages.iter() {
        let of = |action| stage.grant(action).unwrap_or(Grant::Denied);
        assert!(
            of(EntityAction::Edit) <= of(EntityAction::View),
            "{stage:?}"
        );
        assert!(
            of(EntityAction::Export) <= of(EntityAction::View),
            "{stage:?}"
        );
        assert!(
            of(EntityAction::Delete) <= of(EntityAction::Edit),
            "{stage:?}"
        );
        assert!(!stage.is_unsorted() || stage.grant(EntityAction::Export).is_none());
    }
    let bytes = serde_json::to_vec(rights).unwrap();
    let again: Rights = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(&again, rights);
    assert_eq!(serde_json::to_vec(&again).unwrap(), bytes);
}

/// Of every unsorted stage something is said, if only that nothing is allowed.
fn mentions_unsorted(rights: &Rights, pipelines: &[Pipeline]) {
    for pipeline in pipelines {
        for stage in &pipeline.stages {
            let right = rights.stages.get(pipeline.id, stage.id);
            if stage.kind == StageKind::Unsorted {
                assert!(right.is_some_and(|rights| rights.is_unsorted()));
            }
        }
    }
}
