//! The object `rights` of a user or a role.

use crate::body::Body;
use crate::body::value::{List, OrWrong};
use crate::domain::account::rights::entity::EntityRights;
use crate::domain::account::rights::granted::Rights;
use crate::domain::account::rights::patch::{EntityPatch, RightsPatch, TaskPatch};
use crate::domain::account::rights::stage::{StageRights, StageRules};
use crate::domain::account::rights::{Grant, Right, RightsExcessError};
use crate::domain::crm::{Pipeline, Stage, StageKind};
use crate::domain::violation::ViolationCode;
use crate::json::object::ObjectReader;
use crate::schema::Schema;
use crate::{body, body_values};

/// The need for rights over entities and tasks in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presence {
    Required,
    Optional,
}

body!(
    /// Rights over a kind of entity.
    #[derive(Clone, Copy, Debug)]
    pub struct EntityRightsBody {
        view: Option<OrWrong<Right>>,
        edit: Option<OrWrong<Right>>,
        add: Option<OrWrong<Grant>>,
        delete: Option<OrWrong<Right>>,
        export: Option<OrWrong<Right>>,
    }

    /// Rights over tasks.
    #[derive(Clone, Copy, Debug)]
    pub struct TaskRightsBody {
        edit: Option<OrWrong<Right>>,
        delete: Option<OrWrong<Right>>,
    }

    /// Rights over a stage, each given or denied.
    #[derive(Clone, Copy, Debug)]
    pub struct StageRightsBody {
        view: Option<OrWrong<Grant>>,
        edit: Option<OrWrong<Grant>>,
        delete: Option<OrWrong<Grant>>,
        export: Option<OrWrong<Grant>>,
    }

    /// A stage, and the rights over it.
    #[derive(Clone, Copy, Debug)]
    #[body(open)]
    pub struct StageBody {
        #[body(needed)]
        entity_type: Option<OnlyLeads>,
        #[body(needed)]
        pipeline_id: Option<Reference>,
        #[body(needed)]
        status_id: Option<Reference>,
        #[body(needed)]
        rights: Option<StageRightsBody>,
    }

    /// The rights of a user or a role.
    #[derive(Clone, Debug)]
    #[body(open)]
    pub struct RightsBody {
        /// Needed without role_id and is_free, but for a change of a role.
        #[body(schema(entity_schema()))]
        leads: Option<EntityRightsBody>,
        /// Needed without role_id and is_free, but for a change of a role.
        #[body(schema(entity_schema()))]
        contacts: Option<EntityRightsBody>,
        /// Needed without role_id and is_free, but for a change of a role.
        #[body(schema(entity_schema()))]
        companies: Option<EntityRightsBody>,
        /// Needed without role_id and is_free, but for a change of a role.
        tasks: Option<TaskRightsBody>,
        #[body(null)]
        mail_access: Option<bool>,
        #[body(null)]
        catalog_access: Option<bool>,
        /// Null: none but those on unsorted stages, without access.
        #[body(null)]
        status_rights: Option<List<StageBody>>,
    }
);

/// The rights that have to be there where all are given.
const NEEDED: [&str; 4] = ["leads", "contacts", "companies", "tasks"];

fn entity_schema() -> Schema {
    Schema::named("EntityRightsGiven", EntityRightsBody::schema())
}

/// The number of something in an account. What is no number of anything is as unknown as a number of nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference(pub u64);

/// Only leads have stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnlyLeads;

body_values! {
    OnlyLeads: Schema::only("leads"), |found| found.choice(&[("leads", Self)]);
    Reference: Schema::number(), |found| {
        let number = found.whole(i64::MIN..=i64::MAX)?;
        Some(Self(u64::try_from(number).unwrap_or_default()))
    };
}

/// Reads what is asked for over the rights `base`, and reports it if the result would break the dependencies. What comes
/// back counts only when nothing was reported.
pub(super) fn read(
    rights: &ObjectReader<'_, '_>,
    base: &Rights,
    pipelines: &[Pipeline],
    presence: Presence,
) -> RightsPatch {
    if presence == Presence::Required {
        for key in NEEDED {
            rights.required(key);
        }
    }
    let Some(body) = RightsBody::take(rights) else {
        return RightsPatch::default();
    };
    let patch = RightsPatch {
        leads: body.leads.map(|rights| rights.over(base.leads)),
        contacts: body.contacts.map(|rights| rights.over(base.contacts)),
        companies: body.companies.map(|rights| rights.over(base.companies)),
        tasks: body.tasks.map(TaskRightsBody::patch),
        mail_access: body.mail_access,
        catalog_access: body.catalog_access,
        stages: stages(rights, body.status_rights, pipelines),
    };
    for misplaced in patch.over(base).err().into_iter().flatten() {
        report(rights, misplaced.key, misplaced.excess);
    }
    patch
}

fn report(reader: &ObjectReader<'_, '_>, place: &str, excess: RightsExcessError) {
    let path = format!("{place}.{}", excess.action.key());
    reader.reject(&path, ViolationCode::InvalidValue, excess.to_string());
}

/// A right that is there; `wrong` stands for one that was reported, so that nothing else is reported because of it.
fn right<T>(read: Option<OrWrong<T>>, wrong: T) -> Option<T> {
    read.map(|read| match read {
        OrWrong::Right(right) => right,
        OrWrong::Wrong => wrong,
    })
}

impl EntityRightsBody {
    fn over(self, base: EntityRights) -> EntityPatch {
        let view = right(self.view, Right::All);
        EntityPatch {
            view,
            edit: right(self.edit, view.unwrap_or(base.levels().view)),
            add: right(self.add, Grant::Denied),
            delete: right(self.delete, Right::Denied),
            export: right(self.export, Right::Denied),
        }
    }
}

impl TaskRightsBody {
    fn patch(self) -> TaskPatch {
        TaskPatch {
            edit: right(self.edit, Right::All),
            delete: right(self.delete, Right::Denied),
        }
    }
}

/// `status_rights`: `None` when it is not there. Null and an empty array leave the unsorted stages, without access.
fn stages(
    reader: &ObjectReader<'_, '_>,
    list: Option<List<StageBody>>,
    pipelines: &[Pipeline],
) -> Option<StageRules> {
    if reader.is_null("status_rights") {
        return Some(StageRules::unsorted_denied(pipelines));
    }
    let list = list?;
    let mut rules = StageRules::default();
    for (at, stage) in list.placed() {
        let place = format!("status_rights.{at}");
        let stage_place = stage.place(reader, &place, pipelines);
        let rights = stage.rights.and_then(|rights| {
            let path = format!("{place}.rights");
            rights.over(reader, &path, stage_place.map(|(_, stage)| stage))
        });
        let (Some(_), Some((pipeline, stage)), Some(rights)) =
            (stage.entity_type, stage_place, rights)
        else {
            continue;
        };
        if !rules.add(pipeline.id, stage.id, rights) {
            let path = format!("{place}.status_id");
            let detail = "the stage is named twice".to_owned();
            reader.reject(&path, ViolationCode::InvalidValue, detail);
        }
    }
    Some(rules.with_unsorted(pipelines))
}

impl StageBody {
    fn place<'p>(
        &self,
        reader: &ObjectReader<'_, '_>,
        place: &str,
        pipelines: &'p [Pipeline],
    ) -> Option<(&'p Pipeline, &'p Stage)> {
        let unknown = |key, what| {
            let detail = format!("expected the id of a {what}");
            let code = ViolationCode::NotSupportedChoice;
            reader.reject(&format!("{place}.{key}"), code, detail);
        };
        let Reference(id) = self.pipeline_id?;
        let Some(pipeline) = pipelines.iter().find(|known| known.id.0 == id) else {
            unknown("pipeline_id", "pipeline of this account");
            return None;
        };
        let Reference(id) = self.status_id?;
        let Some(stage) = pipeline.stages.iter().find(|known| known.id.0 == id) else {
            unknown("status_id", "stage of this pipeline");
            return None;
        };
        Some((pipeline, stage))
    }
}

impl StageRightsBody {
    /// The rights over one stage; which stage decides whether export may be named.
    fn over(
        self,
        reader: &ObjectReader<'_, '_>,
        place: &str,
        stage: Option<&Stage>,
    ) -> Option<StageRights> {
        let unsorted = stage.is_some_and(|stage| stage.kind == StageKind::Unsorted);
        if unsorted && self.export.is_some() {
            let path = format!("{place}.export");
            let detail = "an unsorted stage has no export right".to_owned();
            reader.reject(&path, ViolationCode::InvalidValue, detail);
        }
        let all = [self.view, self.edit, self.delete, self.export];
        if all.contains(&Some(OrWrong::Wrong)) {
            return None;
        }
        let [view, edit, delete, export] = all.map(|grant| right(grant, Grant::Denied));
        let or_denied = |grant: Option<Grant>| grant.unwrap_or(Grant::Denied);
        let (view, edit, delete) = (or_denied(view), or_denied(edit), or_denied(delete));
        let creation = if unsorted {
            StageRights::unsorted(view, edit, delete)
        } else {
            StageRights::sorted(view, edit, delete, export)
        };
        creation
            .map_err(|excesses| {
                for excess in excesses {
                    report(reader, place, excess);
                }
            })
            .ok()
    }
}
