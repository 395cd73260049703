//! `GET`, `POST`, `PATCH` and `DELETE /api/v4/sources` and `/api/v4/sources/{id}`: the entrances of integrations. A source
//! picks the stage of the lead that a message with its `external_id` opens.

use std::collections::BTreeSet;

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::crm::source::{SOURCES_MAX, Source};
use switchboard_actors::domain::crm::sources::SourceRejection;
use switchboard_actors::domain::id::{PipelineId, SourceNumber, StageId};
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::error::CommandError;
use switchboard_actors::wire::account_body::batch::ItemError;
use switchboard_actors::wire::account_body::items::{self, Item, WithId};
use switchboard_actors::wire::account_body::sources::{self, ChangedSource, NewSource};
use switchboard_actors::wire::body::Body;

use crate::account::batch;
use crate::account::filters::{self, Filter};
use crate::account::unkept;
use crate::extract::access::Access;
use crate::extract::caller::Administrator;
use crate::extract::numbered::Numbered;
use crate::extract::query::Query;
use crate::openapi::{Operation, Schema};
use crate::reply::hal::{self, Links};
use crate::reply::problem::Problem;

/// The filters of the list.
const FILTERS: [Filter; 1] = [Filter::ExternalId];

pub(crate) async fn list(access: Access) -> Result<HttpResponse, Problem> {
    let query = Query::from_request(&access.request)?;
    filters::check(&query, &FILTERS)?;
    let external_ids: BTreeSet<String> = query.all(Filter::ExternalId.name(), SOURCES_MAX)?;
    let mut sources = access.open().await?.sources().await?;
    let is_wanted = |it: &Source| external_ids.contains(it.settings.external_id.as_str());
    sources.retain(|source| external_ids.is_empty() || is_wanted(source));
    if sources.is_empty() {
        return Ok(hal::nothing());
    }
    let views = sources.iter().map(|it| SourceView::new(&access.base, it));
    Ok(hal::collection("sources", &views.collect::<Vec<_>>()))
}

pub(crate) async fn get(
    access: Access,
    Numbered(id): Numbered<SourceNumber>,
) -> Result<HttpResponse, Problem> {
    let crm = access.open().await?.crm().await?;
    let source = crm.source(id);
    Ok(hal::entry(
        source.map(|source| SourceView::new(&access.base, source)),
    ))
}

pub(crate) async fn post(
    access: Access<Administrator>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let bytes = access.entities(payload).await?;
    let user = access.open().await?;
    let items = sources::parse_new(&bytes, &user.crm().await?)?;
    let result = user.create_sources(batch::values(&items)).await;
    several(result, &items, &access.base)
}

pub(crate) async fn patch_several(
    access: Access<Administrator>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let bytes = access.entities(payload).await?;
    let user = access.open().await?;
    let items = sources::parse_changes(&bytes, &user.crm().await?)?;
    let result = user.update_sources(batch::values(&items)).await;
    several(result, &items, &access.base)
}

/// The answer to a request that adds or changes several sources.
fn several<T>(
    result: Result<Vec<Source>, CommandError<SourceRejection>>,
    items: &[Item<T>],
    base: &str,
) -> Result<HttpResponse, Problem> {
    let name = |place: usize| items.get(place).map(|item| item.request_id.as_str());
    let sources = result.map_err(|why| refused(why, |place| name(place).unwrap_or("0")))?;
    Ok(batch::answer("sources", &sources, items, |source, name| {
        SourceMade::new(base, source, name)
    }))
}

pub(crate) async fn patch(
    access: Access<Administrator>,
    Numbered(id): Numbered<SourceNumber>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let user = access.open().await?;
    let crm = user.crm().await?;
    let current = crm.source(id).ok_or_else(unknown)?;
    let bytes = access.entities(payload).await?;
    let change = sources::parse_change(&bytes, &crm, current.settings.pipeline)?;
    let result = user.update_source(id, change).await;
    let source = result.map_err(|why| refused(why, |_| "0"))?;
    Ok(hal::ok(&SourceView::new(&access.base, &source)))
}

pub(crate) async fn delete(
    access: Access<Administrator>,
    Numbered(id): Numbered<SourceNumber>,
) -> Result<HttpResponse, Problem> {
    let result = access.open().await?.delete_source(id).await;
    result.map_err(|why| refused(why, |_| "0"))?;
    Ok(HttpResponse::NoContent().finish())
}

pub(crate) async fn delete_several(
    access: Access<Administrator>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let bytes = access.entities(payload).await?;
    let user = access.open().await?;
    let ids = sources::parse_ids(&bytes, &user.crm().await?)?;
    let result = user.delete_sources(ids).await;
    result.map_err(|why| refused(why, |_| "0"))?;
    Ok(HttpResponse::NoContent().finish())
}

fn unknown() -> Problem {
    Problem::NotFound("there is no such source".to_owned())
}

fn refused<'n>(why: CommandError<SourceRejection>, name: impl Fn(usize) -> &'n str) -> Problem {
    why.into_error(|rejection| match rejection {
        SourceRejection::Unknown => unknown(),
        SourceRejection::StageGone => Problem::Conflict(rejection.to_string()),
        SourceRejection::TooMany => Problem::Forbidden(rejection.to_string()),
        SourceRejection::Taken(place) => {
            let (code, detail) = (ViolationCode::InvalidValue, rejection.to_string());
            let item = ItemError::field(name(place), "external_id", code, detail);
            Problem::WrongItems(vec![item])
        }
    })
}

view! {
    #[schemars(rename = "Source")]
    struct SourceView<'s>(base: &str, source: &'s Source) [
        let settings = &source.settings;
    ] {
        id: SourceNumber = source.id,
        name: &'s str = settings.name.as_str(),
        external_id: &'s str = settings.external_id.as_str(),
        pipeline_id: PipelineId = settings.pipeline,
        /// The stage of its leads; null for the unsorted one.
        status_id: Option<StageId> = settings.stage,
        default: bool = settings.default,
        origin_code: () = (),
        services: [(); 0] = [],
        _links: Links = Links::to(format!("{base}/api/v4/sources/{}", source.id)),
    }

    struct SourceMade<'s>(base: &str, source: &'s Source, request_id: &'s str) {
        #[serde(flatten)]
        source: SourceView<'s> = SourceView::new(base, source),
        request_id: &'s str = request_id,
    }
}

pub(crate) fn describe_list() -> Operation {
    Operation::leads("listSources", "List sources.")
        .filtered(&FILTERS)
        .answers_several::<SourceView<'_>>(200, "The sources.", "sources")
        .answers_nothing(204, "There are none.")
        .refuses(400, "The list has no such filter.")
}

pub(crate) fn describe_get() -> Operation {
    Operation::leads("getSource", "Get a source.")
        .path("id", Schema::number())
        .gives_entry::<SourceView<'_>>("The source.", "There is no such source in the account.")
}

pub(crate) fn describe_post() -> Operation {
    let example = json!([{ "name": "Shop", "external_id": "78001234567", "status_id": 2 }]);
    Operation::leads("createSources", "Create sources (atomic).")
        .says("The body may also be a single source, or an object of sources by number.")
        .takes_items::<NewSource>(SOURCES_MAX, example)
        .answers_several::<SourceMade<'_>>(200, &unkept::SOURCES.answer("On disk."), "sources")
        .refuses(
            403,
            "Only administrators may do this, and an account has at most 50 sources.",
        )
        .refuses(409, "The pipeline or stage was deleted at the same time.")
}

pub(crate) fn describe_patch() -> Operation {
    Operation::leads("updateSource", "Update a source.")
        .says(
            "Fields that the body does not name keep their values. A stage goes with its pipeline.",
        )
        .path("id", Schema::number())
        .takes::<ChangedSource>(json!({ "name": "Shop", "status_id": 3 }))
        .gives_hal::<SourceView<'_>>(200, &unkept::SOURCES.answer("The source as it is now."))
        .refuses(403, "Only administrators may do this.")
        .refuses(404, "There is no such source in the account.")
        .refuses(409, "The pipeline or stage was deleted at the same time.")
}

pub(crate) fn describe_patch_several() -> Operation {
    Operation::leads("updateSources", "Update sources (atomic).")
        .says("The body may also be a single source, or an object of sources by number.")
        .takes_changes::<ChangedSource>(SOURCES_MAX, json!([{ "id": 1, "name": "Shop" }]))
        .answers_several::<SourceMade<'_>>(200, &unkept::SOURCES.answer("On disk."), "sources")
        .refuses(403, "Only administrators may do this.")
        .refuses(404, "A source no longer exists.")
        .refuses(409, "The pipeline or stage was deleted at the same time.")
}

pub(crate) fn describe_delete_several() -> Operation {
    Operation::leads("deleteSources", "Delete sources (atomic).")
        .says("Leads that came through them stay as they are.")
        .body(
            items::schema(WithId::fields(), SOURCES_MAX),
            json!([{ "id": 1 }]),
        )
        .answers_nothing(204, "On disk.")
        .refuses(403, "Only administrators may do this.")
        .refuses(404, "A source no longer exists.")
}

pub(crate) fn describe_delete() -> Operation {
    Operation::leads("deleteSource", "Delete a source.")
        .says("Leads that came through it stay as they are.")
        .path("id", Schema::number())
        .answers_nothing(204, "On disk.")
        .refuses(403, "Only administrators may do this.")
        .refuses(404, "There is no such source in the account.")
}
