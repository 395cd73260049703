//! The links between leads and contacts: `GET /api/v4/leads/links` and `…/leads/{id}/links`, `POST …/link` and `…/unlink`
//! of one lead or of several, and the same for contacts.

mod describe;

use std::collections::BTreeSet;

use actix_web::{HttpResponse, web};
use switchboard_actors::domain::crm::entity::{EntityKind, NoteSubject};
use switchboard_actors::domain::id::{ContactId, LeadId, NoteId};
use switchboard_actors::domain::violation::{Violation, ViolationCode, Violations};
use switchboard_actors::error::CommandError;
use switchboard_actors::system::user_access::{Link, LinksRejection};
use switchboard_actors::wire::account_body::batch::ItemError;
use switchboard_actors::wire::account_body::items::Item;
use switchboard_actors::wire::account_body::links::{self, LinkBody, LinkedKind};

pub(crate) use self::describe::*;
use crate::account::entity::{self, Entity};
use crate::account::filters::{self, Filter};
use crate::extract::access::Access;
use crate::extract::query::Query;
use crate::reply::hal::{self, Collection};
use crate::reply::problem::Problem;

/// The most leads or contacts whose links one request lists.
const ENTITIES_MAX: usize = 50;
/// The filters of the links of one entity.
const FILTERS: [Filter; 2] = [Filter::ToEntity, Filter::ToEntityType];
/// The filters of the links of several.
const FILTERS_OF_ALL: [Filter; 3] = [Filter::Entity, Filter::ToEntity, Filter::ToEntityType];

pub(crate) async fn list_of_one(
    access: Access,
    Entity(kind): Entity,
    id: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let id = seen_entity(&access, kind, &id).await?;
    let query = Query::from_request(&access.request)?;
    filters::check(&query, &FILTERS)?;
    let links = links_of(&access, &query, kind, &BTreeSet::from([id])).await?;
    let page = Collection::new(&query, links.len())?;
    let page_links = links.iter().skip(page.skip()).take(page.limit());
    let views: Vec<_> = page_links.map(|link| LinkEnd::new(kind, link)).collect();
    let path = format!("/api/v4/{}/{id}/links", kind.word());
    Ok(answer(&access, &page, &path, &views))
}

pub(crate) async fn list_all(
    access: Access,
    Entity(kind): Entity,
) -> Result<HttpResponse, Problem> {
    let query = Query::from_request(&access.request)?;
    filters::check(&query, &FILTERS_OF_ALL)?;
    let ids: BTreeSet<u64> = query.all(Filter::Entity.name(), ENTITIES_MAX)?;
    if ids.is_empty() {
        let (name, kind) = (Filter::Entity.name(), kind.word());
        let why = format!("{name} must name the {kind} whose links are wanted");
        return Err(Problem::BadRequest(why));
    }
    let links = links_of(&access, &query, kind, &ids).await?;
    let page = Collection::new(&query, links.len())?;
    let page_links = links.iter().skip(page.skip()).take(page.limit());
    let views: Vec<_> = page_links.map(|link| LinkView::new(kind, link)).collect();
    let path = format!("/api/v4/{}/links", kind.word());
    Ok(answer(&access, &page, &path, &views))
}

fn answer(
    access: &Access,
    page: &Collection<'_>,
    path: &str,
    views: &[impl serde::Serialize],
) -> HttpResponse {
    if views.is_empty() {
        return hal::nothing();
    }
    let links = page.links(&access.base, path, access.request.query_string());
    hal::collection_page(page, &links, "links", views)
}

/// The links of these entities that the query wants.
async fn links_of(
    access: &Access,
    query: &Query,
    kind: EntityKind,
    ids: &BTreeSet<u64>,
) -> Result<Vec<Link>, Problem> {
    let ends: BTreeSet<u64> = query.all(Filter::ToEntity.name(), ENTITIES_MAX)?;
    let end_kind: Option<LinkedKind> = query.parsed(Filter::ToEntityType.name())?;
    let mut links = access.open().await?.links(kind, ids).await?;
    let is_other = end_kind.is_some_and(|LinkedKind(end)| end == kind);
    links.retain(|link| {
        let end = number(link, kind.other());
        !is_other && (ends.is_empty() || ends.contains(&end))
    });
    Ok(links)
}

/// The number of the lead or of the contact of a link.
fn number(link: &Link, kind: EntityKind) -> u64 {
    match kind {
        EntityKind::Leads => link.lead.0,
        EntityKind::Contacts => link.contact.0,
    }
}

/// The entity in an address, if the caller may see it.
async fn seen_entity(access: &Access, kind: EntityKind, id: &str) -> Result<u64, Problem> {
    // Leads and contacts have the same kind of numbers.
    let NoteId(id) = id
        .parse::<NoteId>()
        .map_err(|_not_a_number| entity::unknown(kind))?;
    let subject = NoteSubject { kind, id };
    if access.open().await?.sees_subject(subject).await? {
        Ok(id)
    } else {
        Err(entity::unknown(kind))
    }
}

pub(crate) async fn post(
    access: Access,
    Entity(kind): Entity,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    create(&access, payload, kind, None).await
}

pub(crate) async fn post_to_one(
    access: Access,
    Entity(kind): Entity,
    id: web::Path<String>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let id = seen_entity(&access, kind, &id).await?;
    create(&access, payload, kind, Some(id)).await
}

pub(crate) async fn delete(
    access: Access,
    Entity(kind): Entity,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    remove(&access, payload, kind, None).await
}

pub(crate) async fn delete_of_one(
    access: Access,
    Entity(kind): Entity,
    id: web::Path<String>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let id = seen_entity(&access, kind, &id).await?;
    remove(&access, payload, kind, Some(id)).await
}

/// Creates links of the entity in the address, or of those that the items name.
async fn create(
    access: &Access,
    payload: web::Payload,
    kind: EntityKind,
    id: Option<u64>,
) -> Result<HttpResponse, Problem> {
    let bytes = access.entities(payload).await?;
    let items = links::parse(&bytes, kind, id.is_some())?;
    let wanted = wanted(&items, kind, id);
    let result = access.open().await?.create_links(&wanted).await;
    result.map_err(|why| refused(why, kind, &items))?;
    let views: Vec<_> = wanted
        .iter()
        .map(|link| LinkView::new(kind, link))
        .collect();
    Ok(hal::collection("links", &views))
}

/// Deletes links of the entity in the address, or of those that the items name.
async fn remove(
    access: &Access,
    payload: web::Payload,
    kind: EntityKind,
    id: Option<u64>,
) -> Result<HttpResponse, Problem> {
    let bytes = access.entities(payload).await?;
    let items = links::parse(&bytes, kind, id.is_some())?;
    let user = access.open().await?;
    let result = user.delete_links(&wanted(&items, kind, id)).await;
    result.map_err(|why| refused(why, kind, &items))?;
    Ok(hal::nothing())
}

/// The links that items name.
fn wanted(items: &[Item<LinkBody>], kind: EntityKind, id: Option<u64>) -> Vec<Link> {
    let links = items.iter().map(|item| {
        let entity = id.or(item.value.entity).unwrap_or_default();
        let (lead, contact) = match kind {
            EntityKind::Leads => (entity, item.value.to),
            EntityKind::Contacts => (item.value.to, entity),
        };
        Link {
            lead: LeadId(lead),
            contact: ContactId(contact),
        }
    });
    links.collect()
}

fn refused(
    why: CommandError<LinksRejection>,
    kind: EntityKind,
    items: &[Item<LinkBody>],
) -> Problem {
    why.into_error(|rejection| match rejection {
        LinksRejection::Unknown(ends) => {
            let wrong = ends.into_iter().filter_map(|end| {
                let one = end.kind.singular();
                let detail = format!("expected the id of a {one} of this account that you may see");
                let path = if end.kind == kind {
                    "entity_id"
                } else {
                    "to_entity_id"
                };
                let code = ViolationCode::NotSupportedChoice;
                Some(wrong(items.get(end.item)?, path, code, detail))
            });
            Problem::WrongItems(wrong.collect())
        }
        LinksRejection::SecondContact(ref places) => {
            let wrong = places.iter().filter_map(|place| {
                let code = ViolationCode::InvalidValue;
                let detail = rejection.to_string();
                Some(wrong(items.get(*place)?, "to_entity_id", code, detail))
            });
            Problem::WrongItems(wrong.collect())
        }
        denied @ LinksRejection::Denied(_) => Problem::Forbidden(denied.to_string()),
    })
}

fn wrong(item: &Item<LinkBody>, path: &str, code: ViolationCode, detail: String) -> ItemError {
    let violation = Violation {
        path: path.to_owned(),
        code,
        detail,
    };
    ItemError {
        request_id: item.request_id.clone(),
        violations: Violations::from(violation),
    }
}

view! {
    struct LinkEnd(kind: EntityKind, link: &Link) {
        to_entity_id: u64 = number(link, kind.other()),
        to_entity_type: &'static str = kind.other().word(),
        /// Null for a lead, which is linked with a contact.
        metadata: Option<LinkMetadataView> = (kind == EntityKind::Leads).then(|| LinkMetadataView::new(true)),
    }

    #[schemars(inline)]
    struct LinkMetadataView(is_main: bool) {
        #[schemars(extend("const" = true))]
        main_contact: bool = is_main,
    }

    struct LinkView(kind: EntityKind, link: &Link) {
        entity_id: u64 = number(link, kind),
        entity_type: &'static str = kind.word(),
        #[serde(flatten)]
        end: LinkEnd = LinkEnd::new(kind, link),
    }
}
