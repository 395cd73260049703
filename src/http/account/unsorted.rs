//! `GET /api/v4/leads/unsorted`, `POST …/{uid}/accept`, `DELETE …/{uid}/decline`: deals that conversations opened and
//! nobody has taken on yet. The `uid` of a record is the number of its lead.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Value, json};
use switchboard_actors::domain::book::Deal;
use switchboard_actors::domain::id::AccountId;
use switchboard_actors::system::inbox::ConversationView;
use switchboard_actors::wire::account_body::book;

use crate::http::account::{body_problem, refused};
use crate::http::extract::body;
use crate::http::extract::caller::AnyUser;
use crate::http::extract::query::Query;
use crate::http::inbox;
use crate::http::reply::hal::{self, Window};
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

const PATH: &str = "/api/v4/leads/unsorted";

pub(crate) async fn list(
    AnyUser(caller): AnyUser,
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let query = Query::of(&request)?;
    let (page, limit, start) = query.start()?;
    let desk = state.system().desk(&caller).await?;
    let shown = usize::try_from(limit).unwrap_or(1);
    let listed = desk.unsorted(start, shown).await?;
    let mut entries = Vec::with_capacity(listed.entries.len());
    for deal in &listed.entries {
        let conversation = desk.conversation(deal.conversation).await?;
        entries.push(record(&state, caller.account, deal, conversation.as_ref()));
    }
    let next = listed.next;
    let window = Window { page, limit, next };
    let base = state.public_url();
    Ok(hal::page(base, PATH, "unsorted", &query, window, entries))
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
    let accept = book::parse_accept(&bytes, known, seen.pipeline).map_err(body_problem)?;
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
    let name = channel.map_or_else(String::new, |known| known.channel.name.clone());
    let known = conversation.map(|view| &view.state);
    let customer = known.and_then(|known| known.customer.as_ref());
    let client = customer.and_then(|customer| customer.client_id.as_ref());
    let origin = known.and_then(|known| known.origin.as_ref());
    let last = conversation.and_then(|view| view.last_message.as_ref());
    let last = last.map(inbox::view::message);
    let text = last.as_ref().and_then(|message| message.get("text"));
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
            "last_message_text": text,
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
