//! The query of the list of events.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::str::FromStr;

use switchboard_actors::domain::crm::entity::EntityKind;
use switchboard_actors::system::user_access::EventFilter;

use crate::account::filters::{Filter, span};
use crate::extract::query::Query;
use crate::reply::problem::Problem;

/// The most users, and the most entities, that one request names.
const FEW: usize = 10;
/// The most ids, and the most types, that one request names.
const SEVERAL: usize = 100;

/// The filters of the list.
pub(super) const FILTERS: [Filter; 6] = [
    Filter::EventId,
    Filter::Type,
    Filter::EventEntity,
    Filter::Entity,
    Filter::CreatedBy,
    Filter::Since,
];

/// The kinds of entities that an answer names.
#[derive(Clone, Copy, Debug)]
pub(super) struct Names {
    leads: bool,
    contacts: bool,
}

impl Names {
    pub(super) fn new(query: &Query) -> Self {
        let has = |wanted: &str| query.words("with").any(|word| word == wanted);
        Self {
            leads: has("lead_name"),
            contacts: has("contact_name"),
        }
    }

    pub(super) fn has(self, kind: EntityKind) -> bool {
        match kind {
            EntityKind::Leads => self.leads,
            EntityKind::Contacts => self.contacts,
        }
    }
}

/// A kind of entities in a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Kind(EntityKind);

impl FromStr for Kind {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut kinds = [EntityKind::Leads, EntityKind::Contacts].into_iter();
        let kind = kinds.find(|kind| kind.singular() == text || kind.word() == text);
        kind.map(Self)
            .ok_or("there are only events about a lead or a contact")
    }
}

/// The filter in a query, which has no other parameters of filters than these.
pub(super) fn event_filter(query: &Query) -> Result<EventFilter, Problem> {
    let kinds: BTreeSet<Kind> = words(query, Filter::EventEntity, FEW)?;
    let entities: BTreeSet<u64> = words(query, Filter::Entity, FEW)?;
    if !entities.is_empty() && kinds.len() != 1 {
        let (entity, kind) = (Filter::Entity.name(), Filter::EventEntity.name());
        let why = format!("{entity} needs one {kind} beside it: lead or contact");
        return Err(Problem::BadRequest(why));
    }
    Ok(EventFilter {
        ids: words(query, Filter::EventId, SEVERAL)?,
        types: words(query, Filter::Type, SEVERAL)?,
        created: span(query, Filter::Since)?,
        created_by: words(query, Filter::CreatedBy, FEW)?,
        kinds: kinds.into_iter().map(|Kind(kind)| kind).collect(),
        entities,
    })
}

/// The values of a filter; one parameter may have several, with commas.
fn words<T: FromStr<Err: Display> + Ord>(
    query: &Query,
    filter: Filter,
    max: usize,
) -> Result<BTreeSet<T>, Problem> {
    let name = filter.name();
    let texts: BTreeSet<String> = query.all(name, max)?;
    let parts = texts.iter().flat_map(|text| text.split(','));
    let words: BTreeSet<&str> = parts.map(str::trim).collect();
    if words.len() > max {
        let why = format!("{name}: at most {max} fit into one request");
        return Err(Problem::BadRequest(why));
    }
    let parse = |word: &&str| {
        word.parse()
            .map_err(|why: T::Err| Problem::BadRequest(format!("{name}: {why}, got «{word}»")))
    };
    words.iter().map(parse).collect()
}
