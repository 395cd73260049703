//! `GET /inbox/v1/conversations` and `GET /inbox/v1/conversations/{id}`: newest activity first.
//!
//! `state` is `all`, `mine`, `mentioned`, `unread` or `failed`, `status` the turn of the conversation, `responsible` the user who answers for
//! it. A `view` is such filters under a name. `query` is looked for in the customer's name, phone number and e-mail address, in the ids of conversation and customer,
//! and in what was said. A conversation that was found by what was said has the newest such message as `found`. A page may be
//! short, even empty, and still have a `next`; that of a search says in `searched` how far it went.

use std::time::Duration;

use actix_web::http::header::HeaderName;
use actix_web::{HttpResponse, web};
use schemars::JsonSchema;
use serde::Serialize;
use switchboard_actors::System;
use switchboard_actors::domain::conversation::filters::ConversationFilters;
use switchboard_actors::domain::conversation::status::ConversationStatus;
use switchboard_actors::domain::text::search::Search;
use switchboard_actors::system::inbox::{ConversationCursor, SearchPart};
use switchboard_actors::system::user_access::{self, ConversationFilter, SearchBudget, UserAccess};

use crate::base::Base;
use crate::extract::access::Access;
use crate::extract::query::Query;
use crate::inbox::place::{self, NO_CONVERSATION, unknown};
use crate::inbox::saved_views::refused;
use crate::inbox::view::{Conversation, Message};
use crate::openapi::{Operation, Schema, Seconds};
use crate::reply::problem::Problem;

/// The effort of one request of a search. The time ends it; the looks bound it where time stands still.
const BUDGET: SearchBudget = SearchBudget {
    looks: 200_000,
    time: Duration::from_secs(1),
};

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

pub(crate) async fn list(access: Access) -> Result<HttpResponse, Problem> {
    let parameters = [&ConversationFilters::NAMES[..], &["query", "view"]].concat();
    let query = Query::of_list(&access.request, &parameters)?;
    let limit = query.entries()?;
    let after = query.cursor(ConversationCursor::from_text)?;
    let user = access.open().await?;
    let filter = filter(&query, &user).await?;
    // Before the list is read: a stream behind it has all that the list lacks.
    let last_event = access.system().last_event();
    let page = user.conversations(&filter, after.as_ref(), limit).await?;
    let entries = page.entries.iter();
    let conversations =
        entries.map(|entry| FoundConversation::new(access.system(), entry, &access.base));
    let mut response = HttpResponse::Ok().json(ConversationPage {
        conversations: conversations.collect(),
        next: page.next.map(|cursor| cursor.to_text()),
        searched: page.searched.as_ref().map(Searched::new),
    });
    let headers = response.headers_mut();
    headers.insert(LAST_EVENT_ID, last_event.into());
    Ok(response)
}

pub(crate) async fn get(access: Access, id: web::Path<String>) -> Result<HttpResponse, Problem> {
    let id = place::conversation(&id)?;
    let user = access.open().await?;
    let conversation = user.conversation(id).await?.ok_or_else(unknown)?;
    Ok(HttpResponse::Ok().json(Conversation::new(
        access.system(),
        &conversation,
        &access.base,
    )))
}

/// The filter that a query asks for, with the view that it names.
async fn filter(query: &Query, user: &UserAccess) -> Result<ConversationFilter, Problem> {
    let of_query =
        ConversationFilters::parse(|name| query.text(name)).map_err(Problem::Validation)?;
    let search = Search::parse(query.text("query").unwrap_or_default())
        .map_err(|why| Problem::BadRequest(format!("query: {why}")))?;
    let view = query.parsed("view")?;
    let list = user.list_filters(of_query, view).await.map_err(refused)?;
    Ok(ConversationFilter {
        list,
        search,
        budget: BUDGET,
    })
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct ConversationPage<'f> {
    conversations: Vec<FoundConversation<'f>>,
    next: Option<String>,
    /// The progress of a search; there with `query` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    searched: Option<Searched>,
}

view! {
    #[schemars(inline)]
    struct Searched(searched: &user_access::Searched) {
        /// The stage of the search. `keys`: exact phone numbers, e-mail addresses and ids; `message_ids`: the
        /// integration's ids of messages; `conversations`: names, parts of numbers and ids; `messages`: texts.
        #[schemars(extend("enum" = ["keys", "message_ids", "conversations", "messages"]))]
        part: &'static str = word(searched.part),
        /// The last activity of the conversation that was examined last in this part, which begins with the newest.
        back_to: Option<Seconds> = searched.back_to.map(Seconds::from),
        /// True if everything was examined: then there is no `next`.
        is_complete: bool = searched.complete,
    }

    struct FoundConversation<'f>(system: &System, found: &'f user_access::FoundConversation, base: &Base) {
        #[serde(flatten)]
        conversation: Conversation<'f> = Conversation::new(system, &found.view, base),
        /// The newest message that matches the search.
        found ?: Message<'f> = found.message.as_ref().map(|message| Message::new(message, base)),
    }
}

fn word(part: SearchPart) -> &'static str {
    match part {
        SearchPart::Keys => "keys",
        SearchPart::MessageIds => "message_ids",
        SearchPart::Conversations => "conversations",
        SearchPart::Texts => "messages",
    }
}

pub(crate) fn describe_list() -> Operation {
    let query = Schema::text().says(
        "Finds an exact phone number, e-mail address or id (of a conversation, a customer or a message, ours or the integration's) at once; then searches names, parts of numbers and ids, and texts of messages, for about a second per request. At most 100 characters.",
    );
    Operation::inbox(
        "listConversations",
        "List the conversations that the caller may see.",
    )
    .says(
        "Newest activity first. The response has the header `Last-Event-ID`: a stream of live events that continues after it misses no change of the list.",
    )
    .query(
        "state",
        Schema::words(["all", "mine", "mentioned", "unread", "failed"])
            .default_is("all")
            .says("`mine`: the caller is responsible for the lead, or has replied or was mentioned. `mentioned`: a note of the team mentioned the caller. `unread`, `failed`: with such a message."),
    )
    .query(
        "responsible",
        Schema::text().says("`me`, `none` or the id of a user: the responsible user of the newest lead. Conversations without a lead have none."),
    )
    .query(
        "group",
        Schema::text().says("`mine`, `none` or the id of a group: the group to which the conversation is assigned. `mine` is the group of the caller."),
    )
    .query("status", Schema::choice(&ConversationStatus::NAMES))
    .query("channel", Schema::text().says("The id of a channel of the account."))
    .query("tag", Schema::number().says("The id of a tag of leads: the newest lead of the conversation has it."))
    .query("view", Schema::number().says("The id of a view of the caller or of the team. A filter that both the view and the query have must have the same value in both. `me` and `mine` in a view of the team are of the caller."))
    .query("query", query)
    .cursor()
    .gives::<ConversationPage<'_>>(
        200,
        "A page. It may be short, even empty, while `next` is there.",
    )
}

pub(crate) fn describe_get() -> Operation {
    Operation::inbox("getConversation", "Get a conversation.")
        .path("id", Schema::uuid())
        .gives::<Conversation<'_>>(200, "The conversation.")
        .refuses(404, NO_CONVERSATION)
}
