//! The unsorted leads of `/api/v4/leads/unsorted`: those that chats, forms and calls opened and no user has accepted yet.
//! The `uid` of a record is the number of its lead.

pub(crate) mod create;
pub(crate) mod link;
mod view;

use std::collections::BTreeSet;

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::crm::Lead;
use switchboard_actors::domain::crm::submission::UnsortedCategory;
use switchboard_actors::domain::id::LeadId;
use switchboard_actors::error::UnavailableError;
use switchboard_actors::system::user_access::{
    EntityFilter, Listed, UserAccess, WaitingConversation,
};
use switchboard_actors::wire::account_body::crm::{self, AcceptBody};

use self::view::{SortedLead, Unsorted};
use crate::account::filters::{Filter, entity_filter};
use crate::account::refused;
use crate::extract::access::Access;
use crate::extract::body;
use crate::extract::numbered::Numbered;
use crate::openapi::{Operation, Schema};
use crate::reply::hal;
use crate::reply::problem::Problem;

/// More categories than the counterpart has.
const CATEGORIES_MAX: usize = 10;
/// The filters of the list.
const FILTERS: [Filter; 10] = [
    Filter::Query,
    Filter::Uid,
    Filter::Name,
    Filter::Category,
    Filter::Responsible,
    Filter::Pipeline,
    Filter::Created,
    Filter::Updated,
    Filter::Order,
    Filter::OrderByChange,
];

pub(super) const PATH: &str = "/api/v4/leads/unsorted";

pub(crate) async fn list(access: Access) -> Result<HttpResponse, Problem> {
    let page = access.page(&FILTERS)?;
    let words = page
        .query
        .all::<String>("filter[category]", CATEGORIES_MAX)?;
    let in_words = words
        .iter()
        .filter_map(|word| UnsortedCategory::by_word(word));
    let categories: BTreeSet<_> = in_words.collect();
    let is_of_none = categories.is_empty() && !words.is_empty();
    let filter = EntityFilter {
        categories,
        ..entity_filter(&page.query, &FILTERS)?
    };
    let user = access.open().await?;
    let leads = match is_of_none {
        // Nothing of other categories ever arrives here.
        true => Listed::default(),
        false => user.unsorted(&filter, page.start, page.limit()).await?,
    };
    let mut conversations = Vec::with_capacity(leads.entries.len());
    for lead in &leads.entries {
        conversations.push(conversation_of(&user, lead).await?);
    }
    let place = access.place(&user)?;
    let pairs = leads.entries.iter().zip(&conversations);
    let entries = pairs.filter_map(|(lead, conversation)| {
        Unsorted::of_lead(&access, &place, lead, conversation.as_ref())
    });
    let address = access.address(PATH);
    Ok(page.page_or_nothing(&address, "unsorted", entries, leads.next))
}

pub(crate) async fn get(
    access: Access,
    Numbered(id): Numbered<LeadId>,
) -> Result<HttpResponse, Problem> {
    let user = access.open().await?;
    let Some(lead) = user.unsorted_lead(id).await? else {
        return Ok(hal::nothing());
    };
    let conversation = conversation_of(&user, &lead).await?;
    let place = access.place(&user)?;
    let view = Unsorted::of_lead(&access, &place, &lead, conversation.as_ref());
    Ok(view.map_or_else(hal::nothing, |view| hal::ok(&view)))
}

/// The conversation of a lead that a chat opened.
async fn conversation_of(
    user: &UserAccess,
    lead: &Lead,
) -> Result<Option<WaitingConversation>, UnavailableError> {
    match lead.conversation() {
        Some(conversation) => user.waiting_conversation(conversation).await,
        None => Ok(None),
    }
}

pub(crate) async fn accept(
    access: Access,
    Numbered(id): Numbered<LeadId>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let user = access.open().await?;
    let current = user.lead(id).await?.ok_or_else(unknown)?;
    let limit = access.state.body_limit();
    let bytes = body::read_json_or_nothing(&access.request, payload, limit).await?;
    let account_crm = user.crm().await?;
    let accept = crm::parse_accept(&bytes, &account_crm, user.users(), current.pipeline)?;
    let acceptance = user.accept_unsorted(id, accept.stage, accept.responsible);
    let lead = acceptance.await.map_err(|why| refused(why, unknown))?;
    Ok(hal::ok(&SortedLead::new(&access.base, &lead)))
}

pub(crate) async fn decline(
    access: Access,
    Numbered(id): Numbered<LeadId>,
) -> Result<HttpResponse, Problem> {
    let result = access.open().await?.decline_unsorted(id).await;
    let lead = result.map_err(|why| refused(why, unknown))?;
    Ok(hal::ok(&SortedLead::new(&access.base, &lead)))
}

fn unknown() -> Problem {
    Problem::NotFound("there is no such unsorted lead".to_owned())
}

pub(crate) fn describe_list() -> Operation {
    Operation::leads(
        "listUnsorted",
        "List unsorted leads.",
    )
        .says("A conversation, a form or a call opens an unsorted lead; it stays unsorted until a user accepts, declines or links it. There are no leads of the category mail.")
    .filtered(&FILTERS)
    .answers_page::<Unsorted<'_>>("unsorted")
    .or_nothing()
}

pub(crate) fn describe_get() -> Operation {
    Operation::leads("getUnsorted", "Get an unsorted lead.")
        .path("uid", Schema::number())
        .gives_hal::<Unsorted<'_>>(200, "The unsorted lead.")
        .answers_nothing(
            204,
            "There is no such unsorted lead that the caller may see.",
        )
}

pub(crate) fn describe_accept() -> Operation {
    Operation::leads("acceptUnsorted", "Accept an unsorted lead.")
        .path("uid", Schema::number())
        .takes_or_nothing::<AcceptBody>(json!({ "user_id": 1, "status_id": 2 }))
        .gives_hal::<SortedLead>(200, "Done.")
        .refuses(403, "The caller may not edit it.")
        .refuses(
            404,
            "There is no such unsorted lead that the caller may see.",
        )
        .refuses(
            409,
            "The lead is no longer unsorted, or the stage was deleted at the same time.",
        )
}

pub(crate) fn describe_decline() -> Operation {
    Operation::leads("declineUnsorted", "Decline an unsorted lead.")
        .says("Closes the lead as lost.")
        .path("uid", Schema::number())
        .gives_hal::<SortedLead>(200, "Done.")
        .refuses(403, "The caller may not delete it.")
        .refuses(
            404,
            "There is no such unsorted lead that the caller may see.",
        )
        .refuses(409, "The lead is no longer unsorted.")
}
