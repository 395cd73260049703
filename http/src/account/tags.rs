//! `GET` and `POST /api/v4/leads/tags` and `/api/v4/contacts/tags`: the tags that leads, or contacts, can have.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::crm::tag::Tag;
use switchboard_actors::domain::id::TagId;
use switchboard_actors::domain::text::normal_form::folded;
use switchboard_actors::system::user_access::TagFilter;
use switchboard_actors::wire::account_body::items::ENTRIES_MAX;
use switchboard_actors::wire::account_body::tags::{self, NewTag};

use crate::account::batch;
use crate::account::entity::Entity;
use crate::account::filters::Filter;
use crate::account::{refused, unkept};
use crate::extract::access::Access;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

/// The most numbers, and the most names, that one request asks for.
const VALUES_MAX: usize = 50;

pub(crate) async fn list(access: Access, Entity(of): Entity) -> Result<HttpResponse, Problem> {
    let page = access.page(&[Filter::Query, Filter::Id, Filter::Name])?;
    let query = page.query.text("query");
    let filter = TagFilter {
        ids: page.query.all("filter[id]", VALUES_MAX)?,
        names: page.query.all("filter[name]", VALUES_MAX)?,
        query: query.filter(|query| !query.is_empty()).map(folded),
    };
    let user = access.open().await?;
    let tags = user.tags(of, &filter, page.start, page.limit()).await?;
    let entries = tags.entries.iter().map(TagView::new);
    let address = access.address(&format!("/api/v4/{}/tags", of.word()));
    Ok(page.page_or_nothing(&address, "tags", entries, tags.next))
}

pub(crate) async fn post(
    access: Access,
    Entity(of): Entity,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let items = tags::parse(&access.entities(payload).await?)?;
    let user = access.open().await?;
    let result = user.create_tags(of, batch::values(&items)).await;
    let unknown = || Problem::NotFound("there are no such tags".to_owned());
    let tags = result.map_err(|why| refused(why, unknown))?;
    Ok(batch::answer("tags", &tags, &items, TagMade::new))
}

view! {
    #[schemars(rename = "Tag")]
    pub(crate) struct TagView<'t>(tag: &'t Tag) {
        id: TagId = tag.id,
        name: &'t str = tag.name.as_str(),
        color: () = (),
    }

    struct TagMade<'t>(tag: &'t Tag, request_id: &'t str) {
        #[serde(flatten)]
        tag: TagView<'t> = TagView::new(tag),
        request_id: &'t str = request_id,
    }
}

fn listing(operation: Operation) -> Operation {
    let several = |schema| Schema::few(schema, 0, VALUES_MAX);
    let query = Schema::text()
        .says("Only tags with this in their name, in any case, with or without accents.");
    operation
        .query("query", query)
        .query("filter[id]", Schema::number())
        .query("filter[id][]", several(Schema::number()))
        .query("filter[name]", Schema::text())
        .query("filter[name][]", several(Schema::text()))
        .answers_page::<TagView<'_>>("tags")
        .or_nothing()
}

fn adding(operation: Operation) -> Operation {
    operation
        .says("The body may also be a single tag, or an object of tags by number. A tag that is there already stays as it is.")
        .takes_items::<NewTag>(ENTRIES_MAX, json!([{ "name": "Regular" }]))
        .answers_several::<TagMade<'_>>(200, &unkept::TAGS.answer("On disk, also when they were there already."), "tags")
        .refuses(403, "The caller may not add what the tags are for, or the account has too many tags.")
}

pub(crate) fn describe_list_of_leads() -> Operation {
    listing(Operation::leads("listLeadTags", "List the tags of leads."))
}

pub(crate) fn describe_list_of_contacts() -> Operation {
    listing(Operation::leads(
        "listContactTags",
        "List the tags of contacts.",
    ))
}

pub(crate) fn describe_post_of_leads() -> Operation {
    adding(Operation::leads(
        "createLeadTags",
        "Create tags of leads (atomic).",
    ))
}

pub(crate) fn describe_post_of_contacts() -> Operation {
    adding(Operation::leads(
        "createContactTags",
        "Create tags of contacts (atomic).",
    ))
}
