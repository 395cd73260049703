//! The bodies that change deals and contacts. Fields that are not known here are ignored: the known counterpart's clients
//! send more of them than anybody keeps.

use crate::domain::account::users::Users;
use crate::domain::crm::change_contact::ContactChange;
use crate::domain::crm::change_deal::DealChange;
use crate::domain::crm::fields::{AcceptFields, EntryFields, StageFields};
use crate::domain::crm::{Crm, StageKind};
use crate::domain::field::When;
use crate::domain::id::{PipelineId, StageId, UserId};
use crate::domain::violation::ViolationCode;
use crate::wire::account_body::entries::{self, ContactFields, Known};
use crate::wire::json::fields::BodyFields;
use crate::wire::json::object::{Nulls, ObjectReader};
use crate::wire::json::{self, BodyError};

/// How an unsorted deal is accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accept {
    /// Into which stage; the first one that deals are worked on in, when it is left out.
    pub stage: Option<(PipelineId, StageId)>,
    /// Who answers for it; who accepts it, when it is left out.
    pub responsible: Option<UserId>,
}

/// Reads what is to be different of a deal that stands in the pipeline `current`.
///
/// # Errors
/// With everything that is wrong.
pub fn parse_lead(
    body: &[u8],
    known: Known<'_>,
    current: PipelineId,
) -> Result<DealChange, BodyError> {
    json::read(body, Nulls::Absent, |body| {
        let given = EntryFields::read(&mut BodyFields::of(body, When::Later));
        entries::refuse_custom_fields(body);
        Some(DealChange {
            name: given.name.map(String::from),
            stage: stage(body, known.crm, current),
            responsible: active(
                body,
                "responsible_user_id",
                given.responsible_user_id,
                known.users,
            ),
            tags: entries::tags(body, known),
            ..DealChange::default()
        })
    })
}

/// Reads how an unsorted deal of the pipeline `current` is accepted.
///
/// # Errors
/// With everything that is wrong.
pub fn parse_accept(
    body: &[u8],
    (crm, users): (&Crm, &Users),
    current: PipelineId,
) -> Result<Accept, BodyError> {
    json::read(body, Nulls::Absent, |body| {
        let given = AcceptFields::read(&mut BodyFields::of(body, When::Later));
        Some(Accept {
            stage: stage(body, crm, current),
            responsible: active(body, "user_id", given.user_id, users).flatten(),
        })
    })
}

/// Reads what is to be different of a contact.
///
/// # Errors
/// With everything that is wrong.
pub fn parse_contact(body: &[u8], known: Known<'_>) -> Result<ContactChange, BodyError> {
    json::read(body, Nulls::Absent, |body| {
        let given = EntryFields::read(&mut BodyFields::of(body, When::Later));
        let fields = ContactFields::read(body);
        Some(ContactChange {
            name: given.name,
            phone: fields.phone,
            email: fields.email,
            responsible: active(
                body,
                "responsible_user_id",
                given.responsible_user_id,
                known.users,
            ),
            tags: entries::tags(body, known),
        })
    })
}

/// The user who is to be responsible, if it is one who can sign in to the account; another one is reported.
pub(super) fn active(
    body: &ObjectReader<'_, '_>,
    name: &str,
    given: Option<Option<UserId>>,
    users: &Users,
) -> Option<Option<UserId>> {
    let Some(id) = given? else {
        return Some(None);
    };
    if users.get(id).is_some_and(|user| user.active) {
        return Some(Some(id));
    }
    let detail = "expected the id of an active user of this account".to_owned();
    body.reject(name, ViolationCode::NotSupportedChoice, detail);
    None
}

/// A stage that a deal can be moved to; of another pipeline, its first that deals are worked on in.
pub(super) fn stage(
    body: &ObjectReader<'_, '_>,
    crm: &Crm,
    current: PipelineId,
) -> Option<(PipelineId, StageId)> {
    let given = StageFields::read(&mut BodyFields::of(body, When::Later));
    let wanted = given.pipeline_id;
    let id = wanted.unwrap_or(current);
    let Some(pipeline) = crm.pipelines.iter().find(|known| known.id == id) else {
        if wanted.is_some() {
            let detail = "expected the id of a pipeline of this account".to_owned();
            body.reject("pipeline_id", ViolationCode::NotSupportedChoice, detail);
        }
        return None;
    };
    let Some(status) = given.status_id else {
        let moves = wanted.is_some() && id != current && body.raw("status_id").is_none();
        let mut open = pipeline.stages.iter();
        let open = open.find(|stage| stage.kind == StageKind::Open);
        return open.filter(|_| moves).map(|stage| (id, stage.id));
    };
    let mut stages = pipeline.stages.iter();
    match stages.find(|stage| stage.id == status) {
        Some(stage) if stage.kind != StageKind::Unsorted => Some((id, stage.id)),
        Some(_) => {
            let detail =
                "deals arrive in the unsorted stage by themselves and cannot be moved there";
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::crm::WON;
    use crate::domain::id::AccountId;
    use crate::wire::account_body::entries::Mentioned;
    use switchboard_engine::state::State;

    fn crm() -> Crm {
        Crm {
            pipelines: Crm::first_pipelines(),
            ..Crm::blank(&AccountId::from_random([1; 16]))
        }
    }

    fn lead(body: &str) -> Result<DealChange, Vec<String>> {
        let users = Users::blank(&AccountId::from_random([1; 16]));
        let crm = crm();
        let known = Known {
            crm: &crm,
            users: &users,
            mentioned: &Mentioned::default(),
        };
        let read = parse_lead(body.as_bytes(), known, PipelineId(1));
        read.map_err(|error| match error {
            BodyError::NotJson(why) => vec![why.to_string()],
            BodyError::Invalid(violations) => {
                let kept = violations.kept().iter();
                kept.map(|wrong| wrong.path.clone()).collect()
            }
        })
    }

    #[test]
    fn a_deal_stays_in_its_pipeline_and_null_means_no_responsible() {
        let change = lead("{\"status_id\":142,\"responsible_user_id\":null,\"price\":5}").unwrap();
        assert_eq!(change.stage, Some((PipelineId(1), WON)));
        assert_eq!(change.responsible, Some(None));
        assert_eq!(lead("{\"pipeline_id\":1}"), Ok(DealChange::default()));
    }

    #[test]
    fn every_error_is_reported_at_once() {
        let wrong = lead("{\"name\":\"\",\"status_id\":\"x\",\"responsible_user_id\":7}");
        let mut wrong = wrong.unwrap_err();
        wrong.sort();
        assert_eq!(wrong, ["name", "responsible_user_id", "status_id"]);
        assert_eq!(lead("{\"status_id\":1}"), Err(vec!["status_id".to_owned()]));
        assert_eq!(
            lead("{\"status_id\":99}"),
            Err(vec!["status_id".to_owned()])
        );
        let pipeline = lead("{\"pipeline_id\":9,\"status_id\":2}");
        assert_eq!(pipeline, Err(vec!["pipeline_id".to_owned()]));
        assert!(lead("[]").is_err());
    }
}
