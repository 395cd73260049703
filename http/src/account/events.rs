//! `GET /api/v4/events`, `…/{id}` and `…/types`: the changes of leads and contacts, the notes about them, and the messages.

mod query;

use std::future::{Ready, ready};

use actix_web::{HttpResponse, web};
use switchboard_actors::domain::crm::account_events::{EventType, EventValue};
use switchboard_actors::domain::crm::entity::EntityKind;
use switchboard_actors::domain::id::{AccountNumber, ChannelId, ContactId, LeadId, MessageId};
use switchboard_actors::system::user_access::AccountEvent;
use switchboard_actors::wire::account_body::event_names::{self, Language};

use self::query::{FILTERS, Names, event_filter};
use crate::account::place::Place;
use crate::extract::access::Access;
use crate::extract::query::Query;
use crate::openapi::{Operation, Schema, Seconds};
use crate::reply::hal::{self, Links, PageRequest};
use crate::reply::problem::Problem;

/// The most events of a page.
const LIMIT_MAX: u64 = 100;
/// The path of the list.
const PATH: &str = "/api/v4/events";

pub(crate) async fn list(access: Access) -> Result<HttpResponse, Problem> {
    let page = PageRequest::by_time(&access.request, &FILTERS, LIMIT_MAX)?;
    let filter = event_filter(&page.query)?;
    let names = Names::new(&page.query);
    let user = access.open().await?;
    let events = user.events(&filter, page.start, page.limit()).await?;
    let place = access.place(&user)?;
    let entries = events.entries.iter();
    let views = entries.map(|event| EventView::new(&place, event, names));
    let address = access.address(PATH);
    Ok(page.page_or_nothing(&address, "events", views, events.next))
}

pub(crate) async fn get(access: Access, id: web::Path<String>) -> Result<HttpResponse, Problem> {
    let names = Names::new(&Query::from_request(&access.request)?);
    let user = access.open().await?;
    let event = match id.parse() {
        Ok(id) => user.event(id).await?,
        Err(_no_id) => None,
    };
    let place = access.place(&user)?;
    let view = event
        .as_ref()
        .map(|event| EventView::new(&place, event, names));
    Ok(hal::entry(view))
}

pub(crate) fn types(access: Access) -> Ready<Result<HttpResponse, Problem>> {
    ready(event_types(&access))
}

fn event_types(access: &Access) -> Result<HttpResponse, Problem> {
    let query = Query::from_request(&access.request)?;
    let language: Language = query.parsed("language_code")?.unwrap_or_default();
    let types = EventType::ALL.into_iter();
    let views: Vec<_> = types
        .enumerate()
        .map(|(index, event_type)| EventTypeView::new(index, event_type, language))
        .collect();
    Ok(hal::collection("events_types", &views))
}

view! {
    #[schemars(rename = "Event")]
    struct EventView<'e>(place: &Place<'_>, event: &'e AccountEvent, names: Names) {
        /// 26 letters and digits.
        id: String = event.id.to_string(),
        r#type: &'static str = event.event_type.word(),
        entity_id: u64 = event.entity,
        #[schemars(extend("enum" = ["lead", "contact"]))]
        entity_type: &'static str = event.kind.singular(),
        /// 0 for customers and the service.
        created_by: u64 = event.created_by.map_or(0, |user| user.0),
        created_at: Seconds = event.place.at.into(),
        value_after: Vec<EventValueView<'e>> = values(event, &event.after),
        value_before: Vec<EventValueView<'e>> = values(event, &event.before),
        /// The contact of the chat, in the event of a message.
        linked_talk_contact_id ?: ContactId = event.contact,
        account_id: AccountNumber = place.account,
        _links: Links = Links::to(format!("{}{PATH}/{}", place.base, event.id)),
        _embedded: EventEmbedded<'e> = EventEmbedded::new(place.base, event, names),
    }

    #[schemars(inline)]
    struct EventEmbedded<'e>(base: &str, event: &'e AccountEvent, names: Names) {
        entity: EventEntity<'e> = EventEntity::new(base, event, names),
    }

    #[schemars(inline)]
    struct EventEntity<'e>(base: &str, event: &'e AccountEvent, names: Names) {
        id: u64 = event.entity,
        /// With `lead_name` or `contact_name` in `with`.
        name ?: &'e str = names.has(event.kind).then_some(event.name.as_str()),
        _links: Links = Links::to(format!("{base}/api/v4/{}/{}", event.kind.word(), event.entity)),
    }

    /// One of these.
    #[schemars(inline)]
    struct EventValueView<'e>(event: &'e AccountEvent, value: &'e EventValue) {
        note ?: EventObject = if let EventValue::Note(id) = value {
            Some(EventObject::new(id.0))
        } else {
            None
        },
        lead_status ?: EventStage = if let EventValue::Stage { stage, pipeline } = value {
            Some(EventStage::new(stage.0, pipeline.map(|pipeline| pipeline.0)))
        } else {
            None
        },
        responsible_user ?: EventObject = if let EventValue::Responsible(user) = value {
            Some(EventObject::new(user.map_or(0, |user| user.0)))
        } else {
            None
        },
        tag ?: EventTag<'e> = if let EventValue::Tag(id) = value {
            event.tags.get(id).map(|name| EventTag::new(name.as_str()))
        } else {
            None
        },
        link ?: EventLink = if let EventValue::Link { kind, id } = value {
            Some(EventLink::new(*kind, *id))
        } else {
            None
        },
        message ?: EventMessage<'e> = if let EventValue::Message { id, origin, talk } = value {
            Some(EventMessage::new(*id, origin, *talk))
        } else {
            None
        },
    }

    #[schemars(inline)]
    struct EventObject(id: u64) {
        id: u64 = id,
    }

    #[schemars(inline)]
    struct EventStage(stage: u64, pipeline: Option<u64>) {
        id: u64 = stage,
        pipeline_id: Option<u64> = pipeline,
    }

    #[schemars(inline)]
    struct EventTag<'e>(name: &'e str) {
        name: &'e str = name,
    }

    #[schemars(inline)]
    struct EventLink(kind: EntityKind, id: u64) {
        entity: EventLinked = EventLinked::new(kind, id),
    }

    #[schemars(inline)]
    struct EventLinked(kind: EntityKind, id: u64) {
        #[schemars(extend("enum" = ["lead", "contact"]))]
        r#type: &'static str = kind.singular(),
        id: u64 = id,
    }

    #[schemars(inline)]
    struct EventMessage<'e>(id: MessageId, origin: &'e ChannelId, talk: Option<LeadId>) {
        id: MessageId = id,
        /// The channel's id.
        origin: &'e ChannelId = origin,
        /// The number of the lead; null while there is none.
        talk_id: Option<LeadId> = talk,
    }

    #[schemars(rename = "EventType")]
    struct EventTypeView(index: usize, event_type: EventType, language: Language) {
        key: &'static str = event_type.word(),
        r#type: usize = index.saturating_add(1),
        /// The name in the language.
        lang: &'static str = event_names::name(event_type, language),
    }
}

/// The values of an event. A tag that is not there any more has none.
fn values<'e>(event: &'e AccountEvent, values: &'e [EventValue]) -> Vec<EventValueView<'e>> {
    let is_gone = |value: &EventValue| {
        let EventValue::Tag(id) = value else {
            return false;
        };
        !event.tags.contains_key(id)
    };
    let values = values.iter().filter(|value| !is_gone(value));
    values
        .map(|value| EventValueView::new(event, value))
        .collect()
}

pub(crate) fn describe_list() -> Operation {
    with(Operation::leads(
        "listEvents",
        "List the events of the account, newest first.",
    ))
    .says("Only events about leads, contacts and conversations that the caller may see. A message is about the newest lead of its chat, and the entity lead and the entity contact both find it. Without entity_id, messages come from the 1,000 conversations of the newest activity. Messages that were imported silently are no events.")
    .filtered(&FILTERS)
    .answers_page_within::<EventView<'_>>("events", LIMIT_MAX)
    .or_nothing()
}

pub(crate) fn describe() -> Operation {
    with(Operation::leads("getEvent", "Get an event."))
        .path("id", Schema::text())
        .gives_hal::<EventView<'_>>(200, "The event.")
        .answers_nothing(204, "There is none that the caller may see.")
}

pub(crate) fn describe_types() -> Operation {
    let language = Schema::words(Language::CODES).default_is("en");
    Operation::leads("listEventTypes", "List the types of events.")
        .query("language_code", language)
        .answers_several::<EventTypeView>(200, "All types.", "events_types")
}

fn with(operation: Operation) -> Operation {
    let words = "lead_name and contact_name, with commas: the names of entities.";
    operation.query("with", Schema::text().says(words))
}
