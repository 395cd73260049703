//! `GET /api/v4/talks/{id}`: a talk is what is said about one lead; it has the lead's number, ends with it, and is seen by
//! whoever may see the lead.

use actix_web::{HttpResponse, web};
use serde_json::{Value, json};
use switchboard_actors::domain::book::Deal;
use switchboard_actors::domain::id::AccountId;

use crate::http::extract::caller::AnyUser;
use crate::http::openapi::{Asker, Operation, Schema, Tag, must};
use crate::http::reply::hal;
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

pub(crate) async fn get(
    AnyUser(caller): AnyUser,
    id: web::Path<String>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let unknown = || Problem::NotFound("there is no such talk".to_owned());
    let id = id.parse().map_err(|_not_a_number| unknown())?;
    let desk = state.system().desk(&caller).await?;
    let deal = desk.lead(id).await?.ok_or_else(unknown)?;
    let conversation = desk.conversation(deal.conversation).await?;
    // What is unread belongs to the newest deal of the conversation.
    let unread = conversation.is_some_and(|view| {
        view.state.unread > 0 && view.deal.is_some_and(|newest| newest.id == deal.id)
    });
    Ok(hal::ok(&view(&state, caller.account, &deal, unread)))
}

fn view(state: &AppState, account: AccountId, deal: &Deal, unread: bool) -> Value {
    let base = state.public_url();
    let embedded = |kind: &str, id: u64| {
        let href = format!("{base}/api/v4/{kind}/{id}");
        json!([{ "id": id, "_links": { "self": { "href": href } } }])
    };
    json!({
        "talk_id": deal.id,
        "created_at": deal.created_at.secs(),
        "updated_at": deal.updated_at.secs(),
        "rate": 0,
        "contact_id": deal.contact,
        "chat_id": deal.conversation,
        "entity_id": deal.id,
        "entity_type": "lead",
        "is_in_work": deal.is_active(),
        "is_read": !unread,
        "origin": deal.scope.channel(),
        "missed_at": Value::Null,
        "account_id": account,
        "_links": { "self": { "href": format!("{base}/api/v4/talks/{}", deal.id) } },
        "_embedded": {
            "contacts": embedded("contacts", deal.contact.0),
            "leads": embedded("leads", deal.id.0),
        },
    })
}

pub(crate) fn describe() -> Operation {
    let linked = || Schema::list(Schema::object([must("id", Schema::number()), hal::links()]));
    let embedded = Schema::object([must("contacts", linked()), must("leads", linked())]);
    let talk = Schema::object([
        must("talk_id", Schema::number()),
        must("created_at", Schema::seconds()),
        must("updated_at", Schema::seconds()),
        must("rate", Schema::only(0)),
        must("contact_id", Schema::number()),
        must("chat_id", Schema::uuid()),
        must(
            "entity_id",
            Schema::number().says("The number of the deal."),
        ),
        must("entity_type", Schema::only("lead")),
        must(
            "is_in_work",
            Schema::boolean().says("Whether the deal is neither won nor lost."),
        ),
        must("is_read", Schema::boolean()),
        must("origin", Schema::text().says("The channel's id.")),
        must("missed_at", Schema::only(Value::Null)),
        must("account_id", Schema::uuid()),
        hal::links(),
        must("_embedded", embedded),
    ]);
    let summary = "Tells one talk: what is said about one deal, under the deal's number.";
    Operation::new(Tag::Deals, Asker::User, "getTalk", summary)
        .path("id", Schema::number())
        .answers_hal(200, "The talk.", Schema::named("Talk", talk))
        .refuses(404, "There is no such talk that the caller may see.")
}
