//! The bodies that change deals and contacts. Fields that are not known here are ignored: the known counterpart's clients
//! send more of them than anybody keeps.

use crate::domain::account::users::Users;
use crate::domain::crm::Crm;
use crate::domain::crm::change_contact::ContactChange;
use crate::domain::crm::change_deal::DealChange;
use crate::domain::crm::fields::{AcceptFields, EntryFields};
use crate::domain::field::When;
use crate::domain::id::{PipelineId, StageId, UserId};
use crate::wire::account_body::entries::{self, ContactFields, Known};
use crate::wire::account_body::placing::{active, stage};
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
        Some(lead_change(body, known, current))
    })
}

/// Reads what is to be different of a deal that stands in the pipeline `current`, from an item.
pub(super) fn lead_change(
    body: &ObjectReader<'_, '_>,
    known: Known<'_>,
    current: PipelineId,
) -> DealChange {
    let given = EntryFields::read(&mut BodyFields::of(body, When::Later));
    entries::refuse_custom_fields(body);
    DealChange {
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
    }
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
        Some(contact_change(body, known))
    })
}

/// Reads what is to be different of a contact, from an item.
pub(super) fn contact_change(body: &ObjectReader<'_, '_>, known: Known<'_>) -> ContactChange {
    let given = EntryFields::read(&mut BodyFields::of(body, When::Later));
    let fields = ContactFields::read(body);
    ContactChange {
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
