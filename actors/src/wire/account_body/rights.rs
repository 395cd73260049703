//! The object `rights` of a user or a role.

use crate::domain::account::rights::entity::EntityRights;
use crate::domain::account::rights::granted::Rights;
use crate::domain::account::rights::patch::{EntityPatch, RightsPatch, TaskPatch};
use crate::domain::account::rights::stage::{StageRights, StageRules};
use crate::domain::account::rights::{Action, Excess, Grant, Right};
use crate::domain::crm::{Pipeline, Stage, StageKind};
use crate::domain::violation::ViolationCode;
use crate::wire::json::node::Node;
use crate::wire::json::object::{Nulls, ObjectReader};

/// Whether the rights over entities and tasks have to be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presence {
    Required,
    Optional,
}

/// The rights over a kind of entity, and whether each is only given or denied.
pub const ENTITY_KEYS: [(&str, bool); 5] = [
    ("view", false),
    ("edit", false),
    ("add", true),
    ("delete", false),
    ("export", false),
];
/// The rights over tasks.
pub const TASK_KEYS: [&str; 2] = ["edit", "delete"];
/// The rights over a stage, each given or denied.
pub const STAGE_KEYS: [&str; 4] = ["view", "edit", "delete", "export"];

/// Reads what is asked for over the rights `base`, and reports it if the result would break the dependencies. What comes
/// back counts only when nothing was reported.
pub(super) fn read(
    rights: &ObjectReader<'_, '_>,
    base: &Rights,
    pipelines: &[Pipeline],
    presence: Presence,
) -> RightsPatch {
    let entity = |key, base: EntityRights| {
        let reader = object(rights, key, presence)?;
        Some(entity_patch(&reader, base))
    };
    let lenient = rights.with_nulls(Nulls::Absent);
    let patch = RightsPatch {
        leads: entity("leads", base.leads),
        contacts: entity("contacts", base.contacts),
        companies: entity("companies", base.companies),
        tasks: object(rights, "tasks", presence).map(|tasks| task_patch(&tasks)),
        mail_access: lenient.optional_bool("mail_access"),
        catalog_access: lenient.optional_bool("catalog_access"),
        stages: stages(rights, pipelines),
    };
    for misplaced in patch.over(base).err().into_iter().flatten() {
        if let Some(reader) = rights.optional_object(misplaced.key) {
            report(&reader, misplaced.excess);
        }
    }
    patch
}

fn object<'s, 'a>(
    rights: &'s ObjectReader<'_, 'a>,
    key: &'s str,
    presence: Presence,
) -> Option<ObjectReader<'s, 'a>> {
    match presence {
        Presence::Required => rights.required_object(key),
        Presence::Optional => rights.optional_object(key),
    }
}

fn report(reader: &ObjectReader<'_, '_>, excess: Excess) {
    let detail = excess.to_string();
    reader.reject(excess.action.key(), ViolationCode::InvalidValue, detail);
}

/// A right that is there; `wrong` stands for one that was reported, so that nothing else is reported because of it.
fn right(reader: &ObjectReader<'_, '_>, action: Action, wrong: Right) -> Option<Right> {
    let key = action.key();
    let read = reader.optional_choice(key, &Right::LETTERS);
    read.or_else(|| reader.raw(key).map(|_| wrong))
}

fn entity_patch(reader: &ObjectReader<'_, '_>, base: EntityRights) -> EntityPatch {
    reader.refuse_unknown(&ENTITY_KEYS.map(|(name, _)| name));
    let base = base.levels();
    let view = right(reader, Action::View, Right::All);
    let edit = right(reader, Action::Edit, view.unwrap_or(base.view));
    EntityPatch {
        view,
        edit,
        add: reader.optional_choice("add", &Grant::LETTERS),
        delete: right(reader, Action::Delete, Right::Denied),
        export: right(reader, Action::Export, Right::Denied),
    }
}

fn task_patch(reader: &ObjectReader<'_, '_>) -> TaskPatch {
    reader.refuse_unknown(&TASK_KEYS);
    TaskPatch {
        edit: right(reader, Action::Edit, Right::All),
        delete: right(reader, Action::Delete, Right::Denied),
    }
}

/// `status_rights`: `None` when it is not there. Null and an empty array leave the unsorted stages, without access.
fn stages(rights: &ObjectReader<'_, '_>, pipelines: &[Pipeline]) -> Option<StageRules> {
    if matches!(rights.raw("status_rights"), Some(Node::Null)) {
        return Some(StageRules::unsorted_denied(pipelines));
    }
    let list = rights.optional_list("status_rights")?;
    let mut rules = StageRules::default();
    for item in list.objects() {
        stage(&item, pipelines, &mut rules);
    }
    Some(rules.with_unsorted(pipelines))
}

fn stage(item: &ObjectReader<'_, '_>, pipelines: &[Pipeline], rules: &mut StageRules) {
    // Only deals are supported.
    let entity = item.required_choice("entity_type", &[("leads", ())]);
    let place = place(item, pipelines);
    let rights = item.required_object("rights");
    let rights = rights.and_then(|rights| stage_rights(&rights, place.map(|(_, stage)| stage)));
    let (Some(()), Some((pipeline, stage)), Some(rights)) = (entity, place, rights) else {
        return;
    };
    if !rules.add(pipeline.id, stage.id, rights) {
        let detail = "the stage is named twice".to_owned();
        item.reject("status_id", ViolationCode::InvalidValue, detail);
    }
}

fn place<'p>(
    item: &ObjectReader<'_, '_>,
    pipelines: &'p [Pipeline],
) -> Option<(&'p Pipeline, &'p Stage)> {
    let number = |key| {
        let number = item.required_integer(key, i64::MIN..=i64::MAX)?;
        // What is no number of anything is as unknown as a number of nothing.
        Some(u64::try_from(number).unwrap_or_default())
    };
    let (pipeline, stage) = (number("pipeline_id"), number("status_id"));
    let unknown = |key, what| {
        let detail = format!("expected the id of a {what}");
        item.reject(key, ViolationCode::NotSupportedChoice, detail);
    };
    let pipeline = pipeline?;
    let Some(pipeline) = pipelines.iter().find(|known| known.id.0 == pipeline) else {
        unknown("pipeline_id", "pipeline of this account");
        return None;
    };
    let stage = stage?;
    let Some(stage) = pipeline.stages.iter().find(|known| known.id.0 == stage) else {
        unknown("status_id", "stage of this pipeline");
        return None;
    };
    Some((pipeline, stage))
}

/// The rights over one stage; which stage decides whether export may be named.
fn stage_rights(rights: &ObjectReader<'_, '_>, stage: Option<&Stage>) -> Option<StageRights> {
    rights.refuse_unknown(&STAGE_KEYS);
    let unsorted = stage.is_some_and(|stage| stage.kind == StageKind::Unsorted);
    let mut sound = true;
    let mut grant = |key| {
        let grant = rights.optional_choice(key, &Grant::LETTERS);
        sound &= grant.is_some() || rights.raw(key).is_none();
        grant
    };
    let (view, edit, delete) = (grant("view"), grant("edit"), grant("delete"));
    let export = if unsorted { None } else { grant("export") };
    if unsorted && rights.raw("export").is_some() {
        let detail = "an unsorted stage has no export right".to_owned();
        rights.reject("export", ViolationCode::InvalidValue, detail);
    }
    if !sound {
        return None;
    }
    let given = |grant: Option<Grant>| grant.unwrap_or(Grant::Denied);
    let (view, edit, delete) = (given(view), given(edit), given(delete));
    let made = if unsorted {
        StageRights::unsorted(view, edit, delete)
    } else {
        StageRights::sorted(view, edit, delete, export)
    };
    made.map_err(|excesses| {
        for excess in excesses {
            report(rights, excess);
        }
    })
    .ok()
}
