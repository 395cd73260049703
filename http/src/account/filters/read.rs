//! The values of filters. `check` has seen to it that only known ones are there.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

use switchboard_actors::domain::crm::entity::EntityKind;
use switchboard_actors::domain::id::{PipelineId, StageId, UserId};
use switchboard_actors::domain::text::search::Search;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::system::user_access::{EntityFilter, ListOrder, OrderKey, Span};

use super::{ENTITY_TYPES, Filter, VALUES_MAX, check};
use crate::extract::query::Query;
use crate::reply::problem::Problem;

/// The filter of leads, contacts or talks in a query, within the filters of the list.
pub(crate) fn entity_filter(query: &Query, obeyed: &[Filter]) -> Result<EntityFilter, Problem> {
    check(query, obeyed)?;
    let search = Search::parse(query.text(Filter::Query.name()).unwrap_or_default());
    let mut stages = stages(query)?;
    let pipelines: BTreeSet<PipelineId> = all(query, Filter::Pipeline)?;
    stages.extend(pipelines.into_iter().map(|pipeline| (pipeline, None)));
    let mut ids: BTreeSet<u64> = all(query, Filter::Id)?;
    ids.extend(all::<u64>(query, Filter::Uid)?);
    Ok(EntityFilter {
        ids,
        names: all(query, Filter::Name)?,
        query: search.map_err(|why| Problem::BadRequest(format!("query: {why}")))?,
        responsible: responsible(query)?,
        stages,
        contacts: all(query, Filter::Contact)?,
        chats: all(query, Filter::Chat)?,
        with_chat: false,
        categories: BTreeSet::new(),
        values: BTreeMap::new(),
        in_work: false,
        created: span(query, Filter::Created)?,
        updated: span(query, Filter::Updated)?,
        order: order(query)?,
    })
}

/// The filter of talks in a query: the newest come first, unless it says otherwise. `None` when no talk can be wanted.
pub(crate) fn talk_filter(
    query: &Query,
    obeyed: &[Filter],
) -> Result<Option<EntityFilter>, Problem> {
    let mut filter = entity_filter(query, obeyed)?;
    let entities: BTreeSet<u64> = all(query, Filter::Entity)?;
    if filter.ids.is_empty() {
        filter.ids = entities;
    } else if !entities.is_empty() {
        // A talk has the number of its lead.
        filter.ids.retain(|id| entities.contains(id));
        if filter.ids.is_empty() {
            return Ok(None);
        }
    }
    let kinds = entity_kinds(query)?;
    let is_of_leads = kinds.is_none_or(|kinds| kinds.contains(&EntityKind::Leads));
    filter.with_chat = true;
    filter.in_work = switch(query, Filter::OnlyInWork)?;
    filter.order.get_or_insert(ListOrder {
        key: OrderKey::Number,
        descending: true,
    });
    Ok(Some(filter).filter(|_| is_of_leads))
}

/// The kinds of entities that a query names; `None` when it names none. Of companies and customers there are none here.
pub(crate) fn entity_kinds(query: &Query) -> Result<Option<BTreeSet<EntityKind>>, Problem> {
    let words: BTreeSet<String> = all(query, Filter::EntityType)?;
    if let Some(unknown) = words.iter().find(|it| !ENTITY_TYPES.contains(&it.as_str())) {
        let name = Filter::EntityType.name();
        let why = format!("{name}: expected lead, contact, company or customer, got «{unknown}»");
        return Err(Problem::BadRequest(why));
    }
    if words.is_empty() {
        return Ok(None);
    }
    let has = |kind: &EntityKind| words.contains(kind.word()) || words.contains(kind.singular());
    let kinds = [EntityKind::Leads, EntityKind::Contacts].into_iter();
    Ok(Some(kinds.filter(has).collect()))
}

/// A filter that is on or off; off when it is left out.
fn switch(query: &Query, filter: Filter) -> Result<bool, Problem> {
    match query.text(filter.name()) {
        Some("") | None => Ok(false),
        Some(_) => Ok(query.parsed(filter.name())?.is_some_and(|Switch(on)| on)),
    }
}

/// The values of a filter that takes what is on, what is off, or both.
pub(crate) fn switches(query: &Query, filter: Filter) -> Result<BTreeSet<bool>, Problem> {
    let switches: BTreeSet<Switch> = all(query, filter)?;
    Ok(switches.into_iter().map(|Switch(on)| on).collect())
}

/// A word of [`SWITCH`](super::SWITCH).
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Switch(bool);

impl FromStr for Switch {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "1" | "true" => Ok(Self(true)),
            "0" | "false" => Ok(Self(false)),
            _ => Err("expected true or false"),
        }
    }
}

/// The values of a filter that may be given several times.
pub(crate) fn all<T: FromStr + Ord>(query: &Query, filter: Filter) -> Result<BTreeSet<T>, Problem>
where
    T::Err: std::fmt::Display,
{
    query.all(filter.name(), VALUES_MAX)
}

/// Responsible users; 0 stands for none, as in answers.
fn responsible(query: &Query) -> Result<BTreeSet<Option<UserId>>, Problem> {
    let numbers: BTreeSet<u64> = all(query, Filter::Responsible)?;
    let user = |number| (number > 0).then_some(UserId(number));
    Ok(numbers.into_iter().map(user).collect())
}

/// Pairs of pipeline and status. A pipeline alone stands for all of its stages; a status needs its pipeline, since some
/// numbers are those of a stage of every pipeline.
fn stages(query: &Query) -> Result<BTreeSet<(PipelineId, Option<StageId>)>, Problem> {
    let mut places: BTreeMap<String, ()> = BTreeMap::new();
    for name in query.names() {
        let rest = name.strip_prefix(Filter::Statuses.name());
        let place = rest.and_then(|rest| rest.split_inclusive(']').next());
        if let Some(place) = place {
            places.insert(format!("{}{place}", Filter::Statuses.name()), ());
        }
    }
    let mut stages = BTreeSet::new();
    for place in places.into_keys() {
        let id = query.parsed(&format!("{place}[pipeline_id]"))?;
        let pipeline = id.ok_or_else(|| {
            Problem::BadRequest(format!("{place} needs pipeline_id beside status_id"))
        })?;
        stages.insert((pipeline, query.parsed(&format!("{place}[status_id]"))?));
    }
    Ok(stages)
}

/// The time that a parameter names in seconds.
fn time(query: &Query, name: &str) -> Result<Option<UnixMillis>, Problem> {
    let seconds: Option<u32> = query.parsed(name)?;
    Ok(seconds.map(|seconds| UnixMillis::from_secs(u64::from(seconds))))
}

/// The time that a filter of a time takes, with both its ends. Without an end, the filter names the time from which on it takes
/// all.
pub(crate) fn span(query: &Query, filter: Filter) -> Result<Span, Problem> {
    let end = |word: &str| time(query, &format!("{}[{word}]", filter.name()));
    // A second is over when the next one begins.
    let last = |time: UnixMillis| time.plus(std::time::Duration::from_millis(999));
    let span = Span {
        from: end("from")?,
        to: end("to")?.map(last),
    };
    if span.from.zip(span.to).is_some_and(|(from, to)| to < from) {
        let name = filter.name();
        let why = format!("{name}: [from] is later than [to]");
        return Err(Problem::BadRequest(why));
    }
    let since = time(query, filter.name())?;
    Ok(Span {
        from: span.from.max(since),
        ..span
    })
}

/// The key of each parameter of an order: entries are numbered in the order in which they are made.
const ORDERS: [(&str, OrderKey); 4] = [
    ("order[id]", OrderKey::Number),
    ("order[created_at]", OrderKey::Number),
    ("order[updated_at]", OrderKey::LastChange),
    ("order[complete_till]", OrderKey::Due),
];

/// The order that a query asks for. The time of the last change decides where it is one of several; what is equal in it goes
/// by number, in the same direction.
pub(crate) fn order(query: &Query) -> Result<Option<ListOrder>, Problem> {
    let mut order: Option<(&str, ListOrder)> = None;
    for (name, key) in ORDERS {
        let descending = match query.text(name).map(str::to_ascii_lowercase).as_deref() {
            None => continue,
            Some("asc") => false,
            Some("desc") => true,
            Some(other) => {
                let why = format!("{name}: expected asc or desc, got «{other}»");
                return Err(Problem::BadRequest(why));
            }
        };
        if let Some((before, other)) = order
            && other.descending != descending
        {
            let why = format!("{before} and {name} contradict each other");
            return Err(Problem::BadRequest(why));
        }
        order = Some((name, ListOrder { key, descending }));
    }
    Ok(order.map(|(_, order)| order))
}
