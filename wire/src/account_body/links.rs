//! The bodies that link leads with contacts, or unlink them.

use std::str::FromStr;

use crate::account_body::batch::{self, BatchError};
use crate::account_body::items::{ENTRIES_MAX, Item, Items};
use crate::body::Body;
use crate::body::value::{Found, Number};
use crate::domain::crm::entity::EntityKind;
use crate::domain::violation::ViolationCode;
use crate::json::object::ObjectReader;
use crate::schema::Schema;
use crate::{body, body_values};

body!(
    /// The other end of a link.
    #[body(open)]
    pub struct LinkTo {
        to_entity_id: Number,
        /// A lead is linked with contacts, a contact with leads.
        to_entity_type: LinkedKind,
        metadata: Option<LinkMetadata>,
    }

    /// What the counterpart keeps of a link. A lead has one contact, which is its main contact.
    #[body(open)]
    pub struct LinkMetadata {
        is_main: Option<bool>,
    }

    /// The entity of a link, where the address does not name it.
    #[body(open)]
    pub struct LinkFrom {
        entity_id: Number,
    }
);

/// A kind of entities that are linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkedKind(pub EntityKind);

body_values! {
    LinkedKind: Schema::words(["leads", "contacts"]), Found::parsed;
}

impl FromStr for LinkedKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let others = ["companies", "customers", "catalog_elements"];
        entity_kind(text, "links with", &others).map(Self)
    }
}

/// Reads the kind of a lead or a contact. Of the `others`, which the counterpart has as well, it says that they are not offered.
pub(super) fn entity_kind(
    text: &str,
    relation: &str,
    others: &[&str],
) -> Result<EntityKind, String> {
    let mut kinds = [EntityKind::Leads, EntityKind::Contacts].into_iter();
    let offered = "expected leads or contacts";
    match kinds.find(|kind| kind.word() == text) {
        Some(kind) => Ok(kind),
        None if others.contains(&text) => {
            let part = text.replace('_', " ");
            Err(format!("{relation} {part} are not offered; {offered}"))
        }
        None => Err(offered.to_owned()),
    }
}

/// A link in a body: its ends by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkBody {
    /// The entity; `None` when the address names it.
    pub entity: Option<u64>,
    /// The other end.
    pub to: u64,
}

/// Reads links of entities of this kind, each with its entity unless the address names it.
///
/// # Errors
/// With everything that is wrong with any of them.
pub fn parse(
    body: &[u8],
    kind: EntityKind,
    has_entity: bool,
) -> Result<Vec<Item<LinkBody>>, BatchError> {
    let root = batch::parse(body)?;
    Items::new(&root, "links", ENTRIES_MAX)?.read(|item| {
        let entity = (!has_entity).then(|| LinkFrom::take(item));
        let to = take_end(item, kind)?;
        let entity = match entity {
            Some(from) => Some(from?.entity_id.0),
            None => None,
        };
        Some(LinkBody { entity, to })
    })
}

fn take_end(item: &ObjectReader<'_, '_>, kind: EntityKind) -> Option<u64> {
    let LinkTo {
        to_entity_id,
        to_entity_type: LinkedKind(to),
        ..
    } = LinkTo::take(item)?;
    if to == kind {
        let detail = format!(
            "a {} is linked with {}",
            kind.singular(),
            kind.other().word()
        );
        item.reject("to_entity_type", ViolationCode::NotSupportedChoice, detail);
        return None;
    }
    Some(to_entity_id.0)
}
