//! `/api/v4/leads/custom_fields` and `/api/v4/contacts/custom_fields`: the fields that an account defines, and the two of
//! contacts that every account has.

mod describe;
mod view;

use std::collections::BTreeSet;

use actix_web::{HttpResponse, web};
use switchboard_actors::domain::crm::custom_fields::{CustomField, FieldRejection};
use switchboard_actors::domain::crm::entity::EntityKind;
use switchboard_actors::domain::id::FieldId;
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::error::CommandError;
use switchboard_actors::wire::account_body::batch::ItemError;
use switchboard_actors::wire::account_body::custom_fields;
use switchboard_actors::wire::account_body::items::Item;

pub(crate) use self::describe::*;
pub(super) use self::view::MULTITEXT;
use self::view::{FieldMade, FieldView, Shown, fields};
use crate::account::batch;
use crate::account::entity::Entity;
use crate::account::filters::{self, Filter};
use crate::account::place::Place;
use crate::extract::access::Access;
use crate::extract::caller::Administrator;
use crate::extract::numbered::Numbered;
use crate::extract::query::Query;
use crate::reply::hal::{self, Collection};
use crate::reply::problem::Problem;

/// The filters of the list.
const FILTERS: [Filter; 2] = [Filter::Id, Filter::Type];
/// The most values of one filter.
const VALUES_MAX: usize = 50;

pub(crate) async fn list(access: Access, Entity(kind): Entity) -> Result<HttpResponse, Problem> {
    let query = Query::from_request(&access.request)?;
    filters::check(&query, &FILTERS)?;
    let ids: BTreeSet<FieldId> = query.all(Filter::Id.name(), VALUES_MAX)?;
    let types: BTreeSet<String> = query.all(Filter::Type.name(), VALUES_MAX)?;
    let user = access.open().await?;
    let place = access
        .place(&user)?
        .with_fields(user.custom_fields().await?);
    let mut fields = fields(&place, kind);
    fields.retain(|field| {
        (ids.is_empty() || ids.contains(&field.id(&place)))
            && (types.is_empty() || types.contains(field.kind()))
    });
    let page = Collection::new(&query, fields.len())?;
    let page_fields = fields.iter().skip(page.skip()).take(page.limit());
    let views: Vec<FieldView<'_>> = page_fields
        .map(|field| FieldView::new(&place, *field))
        .collect();
    let path = format!("/api/v4/{}/custom_fields", kind.word());
    let links = page.links(&access.base, &path, access.request.query_string());
    Ok(hal::collection_page(&page, &links, "custom_fields", &views))
}

pub(crate) async fn get(
    access: Access,
    Entity(kind): Entity,
    Numbered(id): Numbered<FieldId>,
) -> Result<HttpResponse, Problem> {
    let user = access.open().await?;
    let place = access
        .place(&user)?
        .with_fields(user.custom_fields().await?);
    let fields = fields(&place, kind);
    let mut same_id = fields.iter().filter(|field| field.id(&place) == id);
    let field = same_id.next().ok_or_else(unknown)?;
    Ok(hal::ok(&FieldView::new(&place, *field)))
}

pub(crate) async fn post(
    access: Access<Administrator>,
    Entity(kind): Entity,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let items = custom_fields::parse_new(&access.entities(payload).await?)?;
    let user = access.open().await?;
    let result = user.create_custom_fields(kind, batch::values(&items)).await;
    several(result, &items, &access.place(&user)?)
}

pub(crate) async fn patch_several(
    access: Access<Administrator>,
    Entity(kind): Entity,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let bytes = access.entities(payload).await?;
    let user = access.open().await?;
    let items = custom_fields::parse_changes(&bytes, &user.custom_fields().await?, kind)?;
    let result = user.update_custom_fields(kind, batch::values(&items)).await;
    several(result, &items, &access.place(&user)?)
}

/// The answer to a request that creates or changes several fields.
fn several<T>(
    result: Result<Vec<CustomField>, CommandError<FieldRejection>>,
    items: &[Item<T>],
    place: &Place<'_>,
) -> Result<HttpResponse, Problem> {
    let name = |at: usize| items.get(at).map(|item| item.request_id.as_str());
    let fields = result.map_err(|why| refused(why, |at| name(at).unwrap_or("0")))?;
    let view = |field, name| FieldMade::new(place, field, name);
    Ok(batch::answer("custom_fields", &fields, items, view))
}

pub(crate) async fn patch(
    access: Access<Administrator>,
    Entity(kind): Entity,
    Numbered(id): Numbered<FieldId>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let user = access.open().await?;
    let place = access.place(&user)?;
    refuse_predefined(&place, kind, id)?;
    let custom_fields = user.custom_fields().await?;
    let current = custom_fields.get(kind, id).ok_or_else(unknown)?;
    let bytes = access.entities(payload).await?;
    let change = custom_fields::parse_change(&bytes, current)?;
    let result = user.update_custom_field(kind, id, change).await;
    let field = result.map_err(|why| refused(why, |_| "0"))?;
    Ok(hal::ok(&FieldView::new(&place, Shown::Own(&field))))
}

pub(crate) async fn delete(
    access: Access<Administrator>,
    Entity(kind): Entity,
    Numbered(id): Numbered<FieldId>,
) -> Result<HttpResponse, Problem> {
    let user = access.open().await?;
    refuse_predefined(&access.place(&user)?, kind, id)?;
    let result = user.delete_custom_field(kind, id).await;
    result.map_err(|why| refused(why, |_| "0"))?;
    Ok(HttpResponse::NoContent().finish())
}

fn unknown() -> Problem {
    Problem::NotFound("there is no such custom field".to_owned())
}

/// Refuses changes of the fields that every account has.
fn refuse_predefined(place: &Place<'_>, kind: EntityKind, id: FieldId) -> Result<(), Problem> {
    let predefined = place.fields.field(id);
    match predefined.filter(|field| field.is_of(kind)) {
        None => Ok(()),
        Some(field) => Err(Problem::Forbidden(format!(
            "the field {} is predefined: every account has it as it is",
            field.code()
        ))),
    }
}

fn refused<'n>(why: CommandError<FieldRejection>, name: impl Fn(usize) -> &'n str) -> Problem {
    why.into_error(|rejection| {
        let detail = rejection.to_string();
        let wrong_item = |at, field| {
            let code = ViolationCode::InvalidValue;
            Problem::WrongItems(vec![ItemError::field(
                name(at),
                field,
                code,
                detail.clone(),
            )])
        };
        match rejection {
            FieldRejection::Unknown => unknown(),
            FieldRejection::TooMany => Problem::Forbidden(detail),
            FieldRejection::CodeTaken(at) => wrong_item(at, "code"),
            FieldRejection::NumberTaken(at) => wrong_item(at, "id"),
        }
    })
}
