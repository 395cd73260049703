//! Templates: `GET`, `POST`, `PATCH` and `DELETE /api/v4/chats/templates` and `/api/v4/chats/templates/{id}`. An OAuth client has
//! those that it created, and finds no others.

pub(crate) mod create_template_reviews;
pub(crate) mod update_template_review;
mod view;

use std::collections::BTreeSet;

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::id::{AccountNumber, TemplateId};
use switchboard_actors::domain::templates::template::Template;
use switchboard_actors::domain::templates::update::NumberedChange;
use switchboard_actors::domain::templates::{TEMPLATES_MAX, TemplateRejection, Templates};
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::error::CommandError;
use switchboard_actors::system::user_access::UserAccess;
use switchboard_actors::wire::account_body::batch::ItemError;
use switchboard_actors::wire::account_body::items::{self, Item, WithId};
use switchboard_actors::wire::account_body::templates::{
    self as bodies, ChangedTemplate, ITEMS_MAX, NewTemplate, OwnTemplates,
};
use switchboard_actors::wire::body::Body;

use crate::account::batch;
use crate::account::filters::{self, Filter};
use crate::extract::access::{Access, Who};
use crate::extract::caller::Administrator;
use crate::extract::numbered::Numbered;
use crate::extract::query::Query;
use crate::openapi::{Operation, Schema};
use crate::reply::hal::{self, Collection};
use crate::reply::problem::Problem;
use view::{TemplateMade, TemplateView, View};

const PATH: &str = "/api/v4/chats/templates";
/// The key of the list.
const NAME: &str = "chat_templates";
/// The filters of the list.
const FILTERS: [Filter; 1] = [Filter::ExternalId];
const ADMINISTRATORS: &str = "Only administrators may do this.";
const UNKNOWN: &str = "The integration has no such template.";
const FIXED: &str = "The template is under review or has passed it, or the templates of the account take too much room.";

pub(crate) async fn list(access: Access<Administrator>) -> Result<HttpResponse, Problem> {
    let query = Query::from_request(&access.request)?;
    filters::check(&query, &FILTERS)?;
    let external_ids: BTreeSet<String> = query.all(Filter::ExternalId.name(), TEMPLATES_MAX)?;
    let user = access.open().await?;
    let (templates, client) = (user.templates().await?, user.template_client());
    let is_wanted = |it: &&Template| {
        let external_id = it.settings.external_id.as_ref();
        let is_named = || external_id.is_some_and(|id| external_ids.contains(id.as_str()));
        it.client == client && (external_ids.is_empty() || is_named())
    };
    let own: Vec<_> = templates.iter().filter(is_wanted).collect();
    let page = Collection::new(&query, own.len())?;
    let view = View::new(&access.base, account(&access, &user)?, &query);
    let entries = own.into_iter().skip(page.skip()).take(page.limit());
    let views: Vec<_> = entries.map(|it| TemplateView::new(&view, it)).collect();
    if views.is_empty() {
        return Ok(hal::nothing());
    }
    let links = page.links(&access.base, PATH, access.request.query_string());
    Ok(hal::collection_page(&page, &links, NAME, &views))
}

pub(crate) async fn get(
    access: Access,
    Numbered(id): Numbered<TemplateId>,
) -> Result<HttpResponse, Problem> {
    let query = Query::from_request(&access.request)?;
    let user = access.open().await?;
    let templates = user.templates().await?;
    let template = templates.find(id, user.template_client());
    let view = View::new(&access.base, account(&access, &user)?, &query);
    let template = template.ok_or_else(|| unknown(TemplateRejection::Unknown))?;
    Ok(hal::ok(&TemplateView::new(&view, template)))
}

pub(crate) async fn post(
    access: Access<Administrator>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let bytes = access.entities(payload).await?;
    let items = bodies::parse_new(&bytes)?;
    let user = access.open().await?;
    let result = user.create_templates(batch::values(&items)).await;
    several(result, &items, &access, &user)
}

pub(crate) async fn patch_several(
    access: Access<Administrator>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let bytes = access.entities(payload).await?;
    let user = access.open().await?;
    let templates = user.templates().await?;
    let own = own(&user, &templates);
    let items = bodies::parse_changes(&bytes, &own)?;
    let result = user.update_templates(batch::values(&items)).await;
    several(result, &items, &access, &user)
}

/// The answer to a request that creates or changes several templates.
fn several<T>(
    result: Result<Vec<Template>, CommandError<TemplateRejection>>,
    items: &[Item<T>],
    access: &Access<Administrator>,
    user: &UserAccess,
) -> Result<HttpResponse, Problem> {
    let name = |place: usize| items.get(place).map(|item| item.request_id.as_str());
    let templates = result.map_err(|why| refused(why, |place| name(place).unwrap_or("0")))?;
    let view = View::brief(&access.base, account(access, user)?);
    Ok(batch::answer(NAME, &templates, items, |template, name| {
        TemplateMade::new(&view, template, name)
    }))
}

pub(crate) async fn patch(
    access: Access<Administrator>,
    Numbered(id): Numbered<TemplateId>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let bytes = access.entities(payload).await?;
    let change = bodies::parse_change(&bytes)?;
    let user = access.open().await?;
    let result = user.update_template(NumberedChange { id, change }).await;
    let template = result.map_err(|why| refused(why, |_| "0"))?;
    let view = View::brief(&access.base, account(&access, &user)?);
    Ok(hal::ok(&TemplateView::new(&view, &template)))
}

pub(crate) async fn delete(
    access: Access<Administrator>,
    Numbered(id): Numbered<TemplateId>,
) -> Result<HttpResponse, Problem> {
    let result = access.open().await?.delete_template(id).await;
    result.map_err(|why| refused(why, |_| "0"))?;
    Ok(HttpResponse::NoContent().finish())
}

pub(crate) async fn delete_several(
    access: Access<Administrator>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let bytes = access.entities(payload).await?;
    let user = access.open().await?;
    let templates = user.templates().await?;
    let own = own(&user, &templates);
    let ids = bodies::parse_ids(&bytes, &own)?;
    let result = user.delete_templates(ids).await;
    result.map_err(|why| refused(why, |_| "0"))?;
    Ok(HttpResponse::NoContent().finish())
}

/// The templates of the caller's integration.
fn own<'t>(user: &UserAccess, templates: &'t Templates) -> OwnTemplates<'t> {
    OwnTemplates {
        all: templates,
        client: user.template_client(),
    }
}

/// The number of the account that the templates belong to.
fn account<W: Who>(access: &Access<W>, user: &UserAccess) -> Result<AccountNumber, Problem> {
    Ok(access.place(user)?.account)
}

fn unknown(why: TemplateRejection) -> Problem {
    Problem::NotFound(why.to_string())
}

/// Returns the answer that says why templates are not changed.
fn refused<'n>(why: CommandError<TemplateRejection>, name: impl Fn(usize) -> &'n str) -> Problem {
    why.into_error(|rejection| match rejection {
        TemplateRejection::Unknown | TemplateRejection::UnknownReview => unknown(rejection),
        TemplateRejection::TooMany | TemplateRejection::TooLarge => {
            Problem::Unprocessable(rejection.to_string())
        }
        TemplateRejection::Fixed(place) => {
            let (code, detail) = (ViolationCode::InvalidValue, rejection.to_string());
            let item = ItemError::field(name(place), "content", code, detail);
            Problem::WrongItems(vec![item])
        }
    })
}

/// An example of a template to be created.
fn example() -> serde_json::Value {
    json!({
        "name": "Order is paid",
        "content": "Dear {{contact.name}}, your order is paid.",
        "external_id": "order-paid",
        "buttons": [{ "type": "inline", "text": "Thanks" }],
    })
}

fn with(operation: Operation) -> Operation {
    operation.query(
        "with",
        Schema::text().says("`reviews` adds the reviews and what they say together."),
    )
}

pub(crate) fn describe_list() -> Operation {
    with(Operation::leads("listTemplates", "List the templates of the integration."))
        .says("Those that the OAuth client of the token created; for a token without one, those that such tokens created.")
        .filtered(&FILTERS)
        .pages()
        .answers_collection::<TemplateView<'_>>(NAME)
        .or_nothing()
        .refuses(403, ADMINISTRATORS)
}

pub(crate) fn describe_get() -> Operation {
    with(Operation::leads(
        "getTemplate",
        "Get a template of the integration.",
    ))
    .path("id", Schema::number())
    .gives_hal::<TemplateView<'_>>(200, "The template.")
    .refuses(404, UNKNOWN)
}

pub(crate) fn describe_post() -> Operation {
    Operation::leads("createTemplates", "Create templates (atomic).")
        .says("The body may also be a single template, or an object of templates by number.")
        .takes_items::<NewTemplate>(ITEMS_MAX, json!([example()]))
        .answers_several::<TemplateMade<'_>>(200, "On disk.", NAME)
        .refuses(403, ADMINISTRATORS)
        .refuses(
            422,
            "An account has at most 500 templates, of 16 MiB together.",
        )
}

pub(crate) fn describe_patch_several() -> Operation {
    Operation::leads("updateTemplates", "Update templates (atomic).")
        .says("The body may also be a single template, or an object of templates by number. Null ends what a field holds.")
        .takes_changes::<ChangedTemplate>(ITEMS_MAX, json!([{ "id": 1, "content": "Your order is paid." }]))
        .answers_several::<TemplateMade<'_>>(200, "On disk.", NAME)
        .refuses(403, ADMINISTRATORS)
        .refuses(404, "A template no longer exists.")
        .refuses(422, FIXED)
}

pub(crate) fn describe_patch() -> Operation {
    Operation::leads("updateTemplate", "Update a template.")
        .says("Fields that the body does not name keep their values. Null ends what a field holds.")
        .path("id", Schema::number())
        .takes::<ChangedTemplate>(json!({ "content": "Your order is paid." }))
        .gives_hal::<TemplateView<'_>>(200, "The template as it is now.")
        .refuses(403, ADMINISTRATORS)
        .refuses(404, UNKNOWN)
        .refuses(422, FIXED)
}

pub(crate) fn describe_delete_several() -> Operation {
    Operation::leads("deleteTemplates", "Delete templates (atomic).")
        .says("Messages that were made of them stay as they are.")
        .body(
            items::schema(WithId::fields(), ITEMS_MAX),
            json!([{ "id": 1 }]),
        )
        .answers_nothing(204, "On disk.")
        .refuses(403, ADMINISTRATORS)
        .refuses(404, "A template no longer exists.")
}

pub(crate) fn describe_delete() -> Operation {
    Operation::leads("deleteTemplate", "Delete a template.")
        .says("Messages that were made of it stay as they are.")
        .path("id", Schema::number())
        .answers_nothing(204, "On disk.")
        .refuses(403, ADMINISTRATORS)
        .refuses(404, UNKNOWN)
}
