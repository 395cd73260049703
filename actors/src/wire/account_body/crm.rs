//! The bodies that change deals and contacts. Fields that are not known here are ignored: the known counterpart's clients
//! send more of them than anybody keeps.

use std::collections::BTreeSet;

use crate::body;
use crate::domain::account::users::Users;
use crate::domain::crm::change_contact::ContactChange;
use crate::domain::crm::change_deal::DealChange;
use crate::domain::crm::fields::{AcceptFields, EntryFields, StageFields};
use crate::domain::crm::{Contact, Crm, Deal};
use crate::domain::id::{ContactId, DealId, PipelineId, StageId, UserId};
use crate::domain::violation::ViolationCode;
use crate::wire::account_body::batch::{self, BatchError};
use crate::wire::account_body::entries::{
    self, ContactFields, FieldValues, KnownReferences, LeadFields, TagsBody,
};
use crate::wire::account_body::items::{ENTRIES_MAX, Item, Items, WithId};
use crate::wire::account_body::placing::{self, active};
use crate::wire::body::Body;
use crate::wire::json::object::{Nulls, ObjectReader};
use crate::wire::json::{self, BodyError};

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
        values: FieldValues,
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

/// The acceptance of an unsorted deal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accept {
    /// Into which stage; the first one that deals are worked on in, when it is left out.
    pub stage: Option<(PipelineId, StageId)>,
    /// The responsible user; without one, the user who accepts it.
    pub responsible: Option<UserId>,
}

/// Reads what is to be different of a deal. What equals a value of the deal is no change.
///
/// # Errors
/// With everything that is wrong.
pub fn parse_lead(
    body: &[u8],
    known: KnownReferences<'_>,
    current: &Deal,
) -> Result<DealChange, BodyError> {
    json::read(body, Nulls::Absent, |body| {
        deal_change(body, known, current)
    })
}

/// Reads what is to be different of several deals, each named by its `id`. `current` gives a deal that the caller may see.
///
/// # Errors
/// With everything that is wrong with any of them.
pub fn parse_lead_changes<'d>(
    body: &[u8],
    known: KnownReferences<'_>,
    current: impl Fn(DealId) -> Option<&'d Deal>,
) -> Result<Vec<Item<(DealId, DealChange)>>, BatchError> {
    let root = batch::parse(body)?;
    Items::new(&root, "leads", ENTRIES_MAX)?.read(|item| {
        let id = DealId(id_of(item)?);
        let current = known_of(item, "lead", current(id))?;
        Some((id, deal_change(item, known, current)?))
    })
}

/// Reads what is to be different of several contacts, as [`parse_lead_changes`] reads deals.
///
/// # Errors
/// With everything that is wrong with any of them.
pub fn parse_contact_changes<'c>(
    body: &[u8],
    known: KnownReferences<'_>,
    current: impl Fn(ContactId) -> Option<&'c Contact>,
) -> Result<Vec<Item<(ContactId, ContactChange)>>, BatchError> {
    let root = batch::parse(body)?;
    Items::new(&root, "contacts", ENTRIES_MAX)?.read(|item| {
        let id = ContactId(id_of(item)?);
        let current = known_of(item, "contact", current(id))?;
        Some((id, contact_change(item, known, current)?))
    })
}

/// The numbers of the entities that a body changes, to be looked up before it is read.
#[must_use]
pub fn changed_ids(body: &[u8]) -> BTreeSet<u64> {
    let ids = batch::parse(body).and_then(|root| {
        let items = Items::new(&root, "items", ENTRIES_MAX)?;
        Ok(items.nodes().filter_map(entries::id).collect())
    });
    ids.unwrap_or_default()
}

fn id_of(item: &ObjectReader<'_, '_>) -> Option<u64> {
    WithId::take(item).map(|named| named.id.0)
}

/// The known entity; one that is unknown, or not for the caller, is reported.
fn known_of<T>(item: &ObjectReader<'_, '_>, what: &str, found: Option<T>) -> Option<T> {
    if found.is_none() {
        let detail = format!("expected the id of a {what} of this account that you may see");
        item.reject("id", ViolationCode::NotSupportedChoice, detail);
    }
    found
}

fn deal_change(
    body: &ObjectReader<'_, '_>,
    known: KnownReferences<'_>,
    current: &Deal,
) -> Option<DealChange> {
    let LeadChangeBody { fields, tags } = LeadChangeBody::take(body)?;
    let LeadFields { entry, deal, stage } = fields;
    entries::refuse_custom_fields(body);
    let now = Some(current.stage);
    Some(DealChange {
        stage: placing::stage(body, &stage, known.crm, current.pipeline, now),
        responsible: responsible(body, &entry, current.responsible, known.users),
        name: entry.name.map(String::from),
        price: deal.price,
        tags: entries::tags(body, &tags, known, &current.tags),
        ..DealChange::default()
    })
}

/// Reads how an unsorted deal of the pipeline `current` is accepted.
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

/// Reads what is to be different of a contact, as [`parse_lead`] reads a deal.
///
/// # Errors
/// With everything that is wrong.
pub fn parse_contact(
    body: &[u8],
    known: KnownReferences<'_>,
    current: &Contact,
) -> Result<ContactChange, BodyError> {
    json::read(body, Nulls::Absent, |body| {
        contact_change(body, known, current)
    })
}

fn contact_change(
    body: &ObjectReader<'_, '_>,
    known: KnownReferences<'_>,
    current: &Contact,
) -> Option<ContactChange> {
    let ContactChangeBody {
        entry,
        values,
        tags,
    } = ContactChangeBody::take(body)?;
    let fields = ContactFields::read(body, &values, &known.fields);
    Some(ContactChange {
        responsible: responsible(body, &entry, current.responsible, known.users),
        name: entry.name,
        phone: fields.phone,
        email: fields.email,
        tags: entries::tags(body, &tags, known, &current.tags),
    })
}

/// Reads the responsible user of an entry that the `current` user is responsible for.
fn responsible(
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
    use crate::domain::crm::WON;
    use crate::domain::crm::custom_field::FieldIds;
    use crate::domain::crm::fields::Price;
    use crate::domain::crm::tag::Tag;
    use crate::domain::id::{AccountId, TagId};
    use crate::domain::time::UnixMillis;
    use crate::wire::account_body::entries::Mentioned;
    use switchboard_engine::state::State;

    fn crm() -> Crm {
        Crm {
            pipelines: Crm::first_pipelines(),
            ..Crm::initial(&AccountId::from_random([1; 16]))
        }
    }

    /// A deal of a user who has left, in the unsorted stage.
    fn deal() -> Deal {
        Deal {
            id: DealId(1),
            name: "Ada".to_owned(),
            price: Price::default(),
            pipeline: PipelineId(1),
            stage: StageId(1),
            responsible: Some(UserId(5)),
            contact: None,
            chat: None,
            talk_closed: None,
            tags: vec![Tag {
                id: TagId(3),
                name: "vip".parse().unwrap(),
            }],
            created_at: UnixMillis::ZERO,
            updated_at: UnixMillis::ZERO,
        }
    }

    fn lead(body: &str) -> Result<DealChange, Vec<String>> {
        let users = Users::initial(&AccountId::from_random([1; 16]));
        let crm = crm();
        let entities = KnownReferences {
            crm: &crm,
            users: &users,
            fields: FieldIds::default(),
            mentioned: &Mentioned::default(),
        };
        let read = parse_lead(body.as_bytes(), entities, &deal());
        read.map_err(|error| match error {
            BodyError::NotJson(why) => vec![why.to_string()],
            BodyError::Invalid(violations) => {
                let details = violations.kept().iter();
                details.map(|wrong| wrong.path.clone()).collect()
            }
        })
    }

    #[test]
    fn a_deal_stays_in_its_pipeline_and_null_means_no_responsible() {
        let change = lead("{\"status_id\":142,\"responsible_user_id\":null,\"price\":5}").unwrap();
        assert_eq!(change.stage, Some((PipelineId(1), WON)));
        assert_eq!(change.responsible, Some(None));
        assert_eq!(change.price, Some(Price(5)));
        assert_eq!(lead("{\"pipeline_id\":1}"), Ok(DealChange::default()));
    }

    #[test]
    fn a_price_is_a_whole_number_that_every_reader_of_json_keeps() {
        let price = |price: &str| lead(&format!("{{\"price\":{price}}}")).map(|it| it.price);
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
        let rejection =
            lead("{\"name\":\"\",\"status_id\":\"x\",\"responsible_user_id\":7,\"price\":-1}");
        let mut wrong = rejection.unwrap_err();
        wrong.sort();
        assert_eq!(wrong, ["name", "price", "responsible_user_id", "status_id"]);
        // Where it is already.
        assert_eq!(lead("{\"status_id\":1}"), Ok(DealChange::default()));
        assert_eq!(
            lead("{\"status_id\":99}"),
            Err(vec!["status_id".to_owned()])
        );
        let pipeline = lead("{\"pipeline_id\":9,\"status_id\":2}");
        assert_eq!(pipeline, Err(vec!["pipeline_id".to_owned()]));
        assert!(lead("[]").is_err());
    }

    /// Libraries send the whole deal back, whatever they change of it.
    #[test]
    fn what_equals_the_deal_is_no_change_and_is_not_checked() {
        let same = "{\"responsible_user_id\":5,\"pipeline_id\":1,\"status_id\":1}";
        assert_eq!(lead(same), Ok(DealChange::default()));
        let tags = lead("{\"_embedded\":{\"tags\":[{\"id\":3}]}}")
            .unwrap()
            .tags;
        assert_eq!(tags.names(&deal().tags), Some(vec!["vip".parse().unwrap()]));
        for (other, path) in [
            ("{\"responsible_user_id\":6}", "responsible_user_id"),
            (
                "{\"_embedded\":{\"tags\":[{\"id\":4}]}}",
                "_embedded.tags.0.id",
            ),
        ] {
            assert_eq!(lead(other), Err(vec![path.to_owned()]), "{other}");
        }
    }
}
