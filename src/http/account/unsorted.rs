//! `GET /api/v4/leads/unsorted`, `POST …/{uid}/accept`, `DELETE …/{uid}/decline`: deals that conversations opened and
//! nobody has taken on yet. The `uid` of a record is the number of its lead.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Value, json};
use switchboard_actors::domain::book::Deal;
use switchboard_actors::domain::chat::message::ContentKind;
use switchboard_actors::domain::id::AccountId;
use switchboard_actors::system::inbox::ConversationView;
use switchboard_actors::wire::account_body::book;

use crate::http::account::refused;
use crate::http::account::stage_fields;
use crate::http::extract::body;
use crate::http::extract::caller::AnyUser;
use crate::http::inbox;
use crate::http::openapi::{Asker, Operation, Schema, Tag, may, must};
use crate::http::reply::hal::{self, Asked};
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

const PATH: &str = "/api/v4/leads/unsorted";

pub(crate) async fn list(
    AnyUser(caller): AnyUser,
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let asked = Asked::by(&request)?;
    let desk = state.system().desk(&caller).await?;
    let listed = desk.unsorted(asked.start, asked.limit()).await?;
    let mut entries = Vec::with_capacity(listed.entries.len());
    for deal in &listed.entries {
        let conversation = desk.conversation(deal.conversation).await?;
        entries.push(record(&state, caller.account, deal, conversation.as_ref()));
    }
    let address = format!("{}{PATH}", state.public_url());
    Ok(asked.page(&address, "unsorted", entries, listed.next))
}

pub(crate) async fn accept(
    AnyUser(caller): AnyUser,
    uid: web::Path<String>,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let id = uid.parse().map_err(|_not_a_number| unknown())?;
    let desk = state.system().desk(&caller).await?;
    let seen = desk.lead(id).await?.ok_or_else(unknown)?;
    let bytes = body::read_json_or_nothing(&request, payload, state.body_limit()).await?;
    let known = (&desk.book().await?, desk.users());
    let accept = book::parse_accept(&bytes, known, seen.pipeline)?;
    let accepted = desk.accept(id, accept.stage, accept.responsible).await;
    let deal = accepted.map_err(|why| refused(why, unknown))?;
    Ok(hal::ok(&done(&state, &deal)))
}

pub(crate) async fn decline(
    AnyUser(caller): AnyUser,
    uid: web::Path<String>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let id = uid.parse().map_err(|_not_a_number| unknown())?;
    let desk = state.system().desk(&caller).await?;
    let declined = desk.decline(id).await;
    let deal = declined.map_err(|why| refused(why, unknown))?;
    Ok(hal::ok(&done(&state, &deal)))
}

fn unknown() -> Problem {
    Problem::NotFound("there is no such unsorted lead".to_owned())
}

/// What became of a record.
fn done(state: &AppState, deal: &Deal) -> Value {
    json!({
        "uid": deal.id.to_string(),
        "pipeline_id": deal.pipeline,
        "category": "chats",
        "created_at": deal.created_at.secs(),
        "_embedded": embedded(state, deal),
    })
}

fn record(
    state: &AppState,
    account: AccountId,
    deal: &Deal,
    conversation: Option<&ConversationView>,
) -> Value {
    let channel = state.system().channel(deal.scope.channel());
    let title = conversation.and_then(|view| view.title.clone());
    let name = title.or_else(|| channel.map(|known| known.channel.name.clone()));
    let known = conversation.map(|view| &view.state);
    let customer = known.and_then(|known| known.customer.as_ref());
    let client = customer.and_then(|customer| customer.client_id.as_ref());
    let origin = known.and_then(|known| known.origin.as_ref());
    let last = conversation.and_then(|view| view.last_message.as_ref());
    let last = last.map(inbox::view::message);
    let said = |field: &str| last.as_ref().and_then(|message| message.get(field));
    json!({
        "uid": deal.id.to_string(),
        "source_uid": deal.scope,
        "source_name": name,
        "category": "chats",
        "pipeline_id": deal.pipeline,
        "created_at": deal.created_at.secs(),
        "metadata": {
            "from": customer.map(|customer| customer.name.as_str()),
            "to": Value::Null,
            "received_at": deal.created_at.secs(),
            "service": deal.scope.channel(),
            "client": customer.map(|customer| json!({ "name": customer.name, "avatar": customer.avatar })),
            "origin": {
                "chat_id": deal.conversation,
                "ref": origin.and_then(|origin| origin.client_id.as_ref()),
                "visitor_uid": client,
            },
            "last_message_text": said("text"),
            "last_message_type": said("type"),
            "source_name": name,
        },
        "account_id": account,
        "_links": { "self": { "href": format!("{}{PATH}/{}", state.public_url(), deal.id) } },
        "_embedded": embedded(state, deal),
    })
}

fn embedded(state: &AppState, deal: &Deal) -> Value {
    let base = state.public_url();
    let link = |kind: &str, id: u64| {
        let href = format!("{base}/api/v4/{kind}/{id}");
        json!([{ "id": id, "_links": { "self": { "href": href } } }])
    };
    json!({
        "leads": link("leads", deal.id.0),
        "contacts": link("contacts", deal.contact.0),
        "companies": [],
    })
}

pub(crate) fn describe_list() -> Operation {
    let client = Schema::object([
        must("name", Schema::text()),
        must("avatar", Schema::url().or_null()),
    ]);
    let origin = Schema::object([
        must("chat_id", Schema::uuid()),
        must("ref", Schema::text().or_null()),
        must("visitor_uid", Schema::text().or_null()),
    ]);
    let metadata = Schema::object([
        must("from", Schema::text().or_null()),
        must("to", Schema::only(Value::Null)),
        must("received_at", Schema::seconds()),
        must("service", Schema::text().says("The channel's id.")),
        must("client", client.or_null()),
        must("origin", origin),
        must("last_message_text", Schema::text().or_null()),
        must(
            "last_message_type",
            Schema::choice(&ContentKind::NAMES).or_null(),
        ),
        must("source_name", Schema::text()),
    ]);
    let record = Schema::object([
        must("uid", Schema::text().says("The number of the deal.")),
        must("source_uid", Schema::text().says("The scope's id.")),
        must("source_name", Schema::text()),
        must("category", Schema::only("chats")),
        must("pipeline_id", Schema::number()),
        must("created_at", Schema::seconds()),
        must("metadata", metadata),
        must("account_id", Schema::uuid()),
        hal::links(),
        must("_embedded", embedded_schema()),
    ]);
    let summary = "Lists the deals that conversations opened and nobody has taken on yet.";
    Operation::new(Tag::Deals, Asker::User, "listUnsorted", summary)
        .answers_page("unsorted", Schema::named("Unsorted", record))
}

pub(crate) fn describe_accept() -> Operation {
    let [pipeline, stage] = stage_fields();
    let responsible = Schema::number()
        .or_null()
        .says("Who answers for it; the caller if it is left out.");
    let body = Schema::object([may("user_id", responsible), pipeline, stage]).open();
    Operation::new(
        Tag::Deals,
        Asker::User,
        "acceptUnsorted",
        "Takes an unsorted deal on.",
    )
    .path("uid", Schema::number())
    .body_or_nothing(body, json!({ "user_id": 1, "status_id": 2 }))
    .answers_hal(200, "Done.", done_schema())
    .refuses(403, "The caller may not edit it.")
    .refuses(
        404,
        "There is no such unsorted deal that the caller may see.",
    )
    .refuses(409, "It is not unsorted any more.")
}

pub(crate) fn describe_decline() -> Operation {
    Operation::new(
        Tag::Deals,
        Asker::User,
        "declineUnsorted",
        "Closes an unsorted deal as lost.",
    )
    .path("uid", Schema::number())
    .answers_hal(200, "Done.", done_schema())
    .refuses(403, "The caller may not delete it.")
    .refuses(
        404,
        "There is no such unsorted deal that the caller may see.",
    )
    .refuses(409, "It is not unsorted any more.")
}

fn done_schema() -> Schema {
    let done = Schema::object([
        must("uid", Schema::text().says("The number of the deal.")),
        must("pipeline_id", Schema::number()),
        must("category", Schema::only("chats")),
        must("created_at", Schema::seconds()),
        must("_embedded", embedded_schema()),
    ]);
    Schema::named("SortedLead", done)
}

fn embedded_schema() -> Schema {
    let linked = || Schema::list(Schema::object([must("id", Schema::number()), hal::links()]));
    Schema::object([
        must("leads", linked()),
        must("contacts", linked()),
        must("companies", Schema::few(Schema::any(), 0, 0)),
    ])
}
