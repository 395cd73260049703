//! The responsible user and the stage of an entry.

use crate::domain::account::users::Users;
use crate::domain::crm::fields::StageFields;
use crate::domain::crm::{Crm, StageKind};
use crate::domain::id::{PipelineId, StageId, UserId};
use crate::domain::violation::ViolationCode;
use crate::json::object::ObjectReader;

/// The user who is to be responsible, if it is one who can sign in to the account; another one is reported. The `current` one
/// is no change, although they may have left: clients send all of what they change a part of.
pub(super) fn active(
    body: &ObjectReader<'_, '_>,
    name: &str,
    given: Option<Option<UserId>>,
    current: Option<UserId>,
    users: &Users,
) -> Option<Option<UserId>> {
    let Some(id) = given? else {
        return Some(None);
    };
    if current == Some(id) {
        return None;
    }
    if users.get(id).is_some_and(|user| user.active) {
        return Some(Some(id));
    }
    let detail = "expected the id of an active user of this account".to_owned();
    body.reject(name, ViolationCode::NotSupportedChoice, detail);
    None
}

/// A stage that a lead can be moved to; of another pipeline, its first that leads are worked on in. The stage that it is
/// in already is no move, also the unsorted one: clients send all of a lead that they change a part of.
pub(super) fn stage(
    body: &ObjectReader<'_, '_>,
    given: &StageFields,
    crm: &Crm,
    current: PipelineId,
    now: Option<StageId>,
) -> Option<(PipelineId, StageId)> {
    let pipeline_id = given.pipeline_id;
    let id = pipeline_id.unwrap_or(current);
    if id == current && given.status_id.is_none_or(|status| now == Some(status)) {
        return None;
    }
    let Some(pipeline) = crm.pipelines.iter().find(|known| known.id == id) else {
        if pipeline_id.is_some() {
            let detail = "expected the id of a pipeline of this account".to_owned();
            body.reject("pipeline_id", ViolationCode::NotSupportedChoice, detail);
        }
        return None;
    };
    let Some(status) = given.status_id else {
        let moves = body.raw("status_id").is_none();
        let open = pipeline
            .stages
            .iter()
            .find(|stage| stage.kind == StageKind::Open);
        return open.filter(|_| moves).map(|stage| (id, stage.id));
    };
    let mut stages = pipeline.stages.iter();
    match stages.find(|stage| stage.id == status) {
        Some(stage) if stage.kind != StageKind::Unsorted => Some((id, stage.id)),
        Some(_) => {
            let detail =
                "leads arrive in the unsorted stage by themselves and cannot be moved there";
            let code = ViolationCode::NotSupportedChoice;
            body.reject("status_id", code, detail.to_owned());
            None
        }
        None => {
            let detail = format!("expected the id of a stage of the pipeline {id}");
            body.reject("status_id", ViolationCode::NotSupportedChoice, detail);
            None
        }
    }
}
