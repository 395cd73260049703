//! The bodies that change leads and contacts. Fields that are not known here are ignored: the known counterpart's clients
//! send more of them than anybody keeps.

use crate::account_body::entries::{CustomFieldsBody, LeadFields, TagsBody};
use crate::account_body::placing::{self, active};
use crate::body;
use crate::body::Body;
use crate::domain::account::users::Users;
use crate::domain::crm::Crm;
use crate::domain::crm::fields::{AcceptFields, EntryFields, StageFields};
use crate::domain::id::{PipelineId, StageId, UserId};
use crate::json::BodyError;
use crate::json::object::ObjectReader;

body!(
    /// A change of a lead.
    #[body(open, lenient)]
    pub struct LeadChangeBody {
        #[body(flatten)]
        fields: LeadFields,
        #[body(flatten)]
        tags: TagsBody,
    }

    /// A change of a contact.
    #[body(open, lenient)]
    pub struct ContactChangeBody {
        #[body(given(Update))]
        entry: EntryFields,
        #[body(flatten)]
        values: CustomFieldsBody,
        #[body(flatten)]
        tags: TagsBody,
    }

    /// The acceptance of an unsorted lead.
    #[body(open, lenient)]
    pub struct AcceptBody {
        #[body(given(Update))]
        user: AcceptFields,
        #[body(given(Update))]
        stage: StageFields,
    }
);

/// The acceptance of an unsorted lead.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accept {
    /// Into which stage; the first one that leads are worked on in, when it is left out.
    pub stage: Option<(PipelineId, StageId)>,
    /// The responsible user; without one, the user who accepts it.
    pub responsible: Option<UserId>,
}

/// Reads how an unsorted lead of the pipeline `current` is accepted.
///
/// # Errors
/// With everything that is wrong.
pub fn parse_accept(
    body: &[u8],
    crm: &Crm,
    users: &Users,
    current: PipelineId,
) -> Result<Accept, BodyError> {
    AcceptBody::read_as(body, |body, AcceptBody { user, stage }| {
        Some(Accept {
            stage: placing::stage(body, &stage, crm, current, None),
            responsible: active(body, "user_id", user.user_id, None, users).flatten(),
        })
    })
}

/// Reads the new responsible user of an entry; `current` is responsible now.
pub(super) fn responsible(
    body: &ObjectReader<'_, '_>,
    given: &EntryFields,
    current: Option<UserId>,
    users: &Users,
) -> Option<Option<UserId>> {
    let number = given.responsible_user_id.map(|user| user.0);
    active(body, "responsible_user_id", number, current, users)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account_body::entries::{KnownReferences, Mentioned};
    use crate::account_body::entry::parse_change;
    use crate::domain::crm::custom_fields::value::FieldValues;
    use crate::domain::crm::fields::Price;
    use crate::domain::crm::predefined_field::FieldIds;
    use crate::domain::crm::tag::Tag;
    use crate::domain::crm::update_lead::LeadChange;
    use crate::domain::crm::{Lead, WON};
    use crate::domain::id::{AccountId, LeadId, TagId};
    use crate::domain::time::UnixMillis;
    use switchboard_engine::state::State;

    fn crm() -> Crm {
        Crm {
            pipelines: Crm::first_pipelines(),
            ..Crm::initial(&AccountId::from_random([1; 16]))
        }
    }

    /// A lead of a user who has left, in the unsorted stage.
    fn lead() -> Lead {
        Lead {
            id: LeadId(1),
            name: "Ada".to_owned(),
            price: Price::default(),
            pipeline: PipelineId(1),
            stage: StageId(1),
            responsible: Some(UserId(5)),
            contact: None,
            chat: None,
            talk_closed: None,
            submission: None,
            sorted: None,
            merged_into: None,
            tags: vec![Tag {
                id: TagId(3),
                name: "vip".parse().unwrap(),
            }],
            values: FieldValues::default(),
            created_at: UnixMillis::ZERO,
            updated_at: UnixMillis::ZERO,
        }
    }

    fn change_from(body: &str) -> Result<LeadChange, Vec<String>> {
        let users = Users::initial(&AccountId::from_random([1; 16]));
        let crm = crm();
        let entities = KnownReferences {
            crm: &crm,
            users: &users,
            fields: FieldIds::default(),
            mentioned: &Mentioned::default(),
        };
        let change = parse_change(body.as_bytes(), entities, &lead());
        change.map_err(|error| match error {
            BodyError::NotJson(why) => vec![why.to_string()],
            BodyError::Invalid(violations) => {
                let details = violations.kept().iter();
                details.map(|wrong| wrong.path.clone()).collect()
            }
        })
    }

    #[test]
    fn a_lead_stays_in_its_pipeline_and_null_means_no_responsible() {
        let change =
            change_from("{\"status_id\":142,\"responsible_user_id\":null,\"price\":5}").unwrap();
        assert_eq!(change.stage, Some((PipelineId(1), WON)));
        assert_eq!(change.responsible, Some(None));
        assert_eq!(change.price, Some(Price(5)));
        assert_eq!(
            change_from("{\"pipeline_id\":1}"),
            Ok(LeadChange::default())
        );
    }

    #[test]
    fn a_price_is_a_whole_number_that_every_reader_of_json_keeps() {
        let price = |price: &str| change_from(&format!("{{\"price\":{price}}}")).map(|it| it.price);
        assert_eq!(price("0"), Ok(Some(Price(0))));
        assert_eq!(price("9007199254740991"), Ok(Some(Price(Price::MAX))));
        assert_eq!(price("null"), Ok(None));
        for wrong in [
            "9007199254740992",
            "-1",
            "1.5",
            "1e3",
            "\"5\"",
            "true",
            "[]",
        ] {
            assert_eq!(price(wrong), Err(vec!["price".to_owned()]), "{wrong}");
        }
    }

    #[test]
    fn every_error_is_reported_at_once() {
        let rejection = change_from(
            "{\"name\":\"\",\"status_id\":\"x\",\"responsible_user_id\":7,\"price\":-1}",
        );
        let mut wrong = rejection.unwrap_err();
        wrong.sort();
        assert_eq!(wrong, ["name", "price", "responsible_user_id", "status_id"]);
        // Where it is already.
        assert_eq!(change_from("{\"status_id\":1}"), Ok(LeadChange::default()));
        assert_eq!(
            change_from("{\"status_id\":99}"),
            Err(vec!["status_id".to_owned()])
        );
        let pipeline = change_from("{\"pipeline_id\":9,\"status_id\":2}");
        assert_eq!(pipeline, Err(vec!["pipeline_id".to_owned()]));
        assert!(change_from("[]").is_err());
    }

    /// Libraries send the whole lead back, whatever they change of it.
    #[test]
    fn what_equals_the_lead_is_no_change_and_is_not_checked() {
        let same = "{\"responsible_user_id\":5,\"pipeline_id\":1,\"status_id\":1}";
        assert_eq!(change_from(same), Ok(LeadChange::default()));
        let tags = change_from("{\"_embedded\":{\"tags\":[{\"id\":3}]}}")
            .unwrap()
            .tags;
        assert_eq!(tags.names(&lead().tags), Some(vec!["vip".parse().unwrap()]));
        for (other, path) in [
            ("{\"responsible_user_id\":6}", "responsible_user_id"),
            (
                "{\"_embedded\":{\"tags\":[{\"id\":4}]}}",
                "_embedded.tags.0.id",
            ),
        ] {
            assert_eq!(change_from(other), Err(vec![path.to_owned()]), "{other}");
        }
    }
}
