//! Salesbots: `GET`, `POST /api/v4/bots`, `GET` and `DELETE /api/v4/bots/{id}`, `POST …/run` and `…/stop`, and the addresses at which
//! programs answer their questions. The counterpart has no way to define them but its pages: `POST` and `DELETE` are ours.

pub(crate) mod run;

use std::time::Duration;

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::crm::entity::EntityKind;
use switchboard_actors::domain::id::{FieldId, SalesbotId, UserId};
use switchboard_actors::domain::salesbots::SalesbotRejection;
use switchboard_actors::domain::salesbots::salesbot::{Salesbot, SalesbotAction};
use switchboard_actors::domain::text::Name;
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::error::CommandError;
use switchboard_actors::system::user_access::{RunRejection, RunRequest};
use switchboard_actors::wire::account_body::salesbots::{
    self as bodies, NewSalesbot, ProgramAnswer, SalesbotKind,
};
use switchboard_actors::wire::body::Body;

use crate::account::filters;
use crate::extract::access::Access;
use crate::extract::caller::Administrator;
use crate::extract::numbered::{Numbered, nothing_at};
use crate::extract::query::Query;
use crate::inbox::reply::rejection;
use crate::openapi::{Operation, Schema, Seconds};
use crate::reply::hal::{self, Collection};
use crate::reply::problem::Problem;

const PATH: &str = "/api/v4/bots";
/// The key of the list, which is the counterpart's.
const ITEMS: &str = "items";
/// The wait that is asked for while too many runs wait for answers.
const WAIT: Duration = Duration::from_secs(60);

pub(crate) async fn list(access: Access) -> Result<HttpResponse, Problem> {
    let query = Query::from_request(&access.request)?;
    filters::check(&query, &[])?;
    let bots = access.open().await?.salesbots().await?;
    let page = Collection::new(&query, bots.iter().count())?;
    let entries = bots.iter().skip(page.skip()).take(page.limit());
    let views: Vec<_> = entries.map(SalesbotView::new).collect();
    if views.is_empty() {
        return Ok(hal::nothing());
    }
    let links = page.links(&access.base, PATH, access.request.query_string());
    Ok(hal::collection_page(&page, &links, ITEMS, &views))
}

pub(crate) async fn get(access: Access, id: web::Path<String>) -> Result<HttpResponse, Problem> {
    let bots = access.open().await?.salesbots().await?;
    let bot = id.parse().ok().and_then(|id| bots.get(id));
    Ok(hal::entry(bot.map(SalesbotView::new)))
}

pub(crate) async fn post(
    access: Access<Administrator>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let bytes = access.read_json(payload).await?;
    let user = access.open().await?;
    let fields = user.crm().await?.custom_fields;
    let guard = access.state.guard();
    let (name, action) = NewSalesbot::read_as(&bytes, |object, bot| {
        let reject = |field: &str, detail: String| {
            object.reject(field, ViolationCode::InvalidValue, detail);
        };
        let action = match bot.kind {
            SalesbotKind::SendField => {
                let id = FieldId(bot.field_id?.0);
                let field = fields.get(EntityKind::Leads, id);
                if !field.is_some_and(|field| field.settings.kind.has_text()) {
                    reject("field_id", "expected the id of a custom field of leads that has a text: of the type text, textarea, numeric, select, multiselect or url".to_owned());
                }
                SalesbotAction::SendField(id)
            }
            SalesbotKind::AskProgram => {
                let address = bot.url?;
                // Judged by its spelling, as the addresses of webhooks are; each request is checked again.
                if let Err(refusal) = guard.check(address.url()) {
                    reject("url", refusal.to_string());
                }
                SalesbotAction::AskProgram(address)
            }
        };
        Some((bot.name, action))
    })?;
    let result = user.create_salesbot(None, name, action).await;
    let bot = result.map_err(|refused| refused.into_error(rejected))?;
    Ok(hal::created_entry(&SalesbotView::new(&bot)))
}

pub(crate) async fn delete(
    access: Access<Administrator>,
    Numbered(id): Numbered<SalesbotId>,
) -> Result<HttpResponse, Problem> {
    let result = access.open().await?.delete_salesbot(id).await;
    result.map_err(|refused| refused.into_error(rejected))?;
    Ok(HttpResponse::NoContent().finish())
}

pub(crate) async fn stop(
    access: Access,
    Numbered(bot): Numbered<SalesbotId>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let body: bodies::RunSubject = access.json(payload).await?;
    let subject = run::subject(body);
    let request = RunRequest { bot, subject };
    let result = access.open().await?.stop_salesbot(request).await;
    result.map_err(not_run)?;
    Ok(HttpResponse::Accepted().finish())
}

pub(crate) async fn answer(
    access: Access,
    path: web::Path<(String, String)>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let (bot, number) = path.into_inner();
    let bot = bot
        .parse()
        .map_err(|_no_number| nothing_at(&access.request))?;
    let number = number
        .parse()
        .map_err(|_no_number| nothing_at(&access.request))?;
    let answer: ProgramAnswer = access.json(payload).await?;
    let user = access.open().await?;
    let result = user.continue_salesbot(bot, number, answer.texts()).await;
    result.map_err(not_run)?;
    Ok(HttpResponse::Accepted().finish())
}

/// Returns the answer that says why nothing is run, stopped or said.
fn not_run(refused: CommandError<RunRejection>) -> Problem {
    refused.into_error(problem)
}

fn problem(why: RunRejection) -> Problem {
    match why {
        RunRejection::UnknownSubject(_) => Problem::NotFound(why.to_string()),
        RunRejection::NoChat | RunRejection::FieldGone(_) | RunRejection::NoValue(_) => {
            Problem::Unprocessable(why.to_string())
        }
        RunRejection::Uninstalled => Problem::Conflict(why.to_string()),
        RunRejection::Salesbot(why) => rejected(why),
        RunRejection::Answer(why) => rejection(why),
    }
}

fn rejected(why: SalesbotRejection) -> Problem {
    let detail = why.to_string();
    match why {
        SalesbotRejection::Unknown | SalesbotRejection::NothingWaits => Problem::NotFound(detail),
        SalesbotRejection::TooMany => Problem::Forbidden(detail),
        SalesbotRejection::NumberTaken => Problem::Conflict(detail),
        SalesbotRejection::TooOften { retry_after } => Problem::TooManyRequests {
            detail,
            retry_after,
        },
        SalesbotRejection::TooManyWait => Problem::TooManyRequests {
            detail,
            retry_after: WAIT,
        },
    }
}

view! {
    #[schemars(rename = "SalesbotSettings")]
    struct SettingsView() {
        /// Always true: a salesbot that is not wanted is deleted.
        active: bool = true,
    }

    #[schemars(rename = "Salesbot")]
    struct SalesbotView<'b>(bot: &'b Salesbot) [
        let (kind, field, host) = match &bot.action {
            SalesbotAction::SendField(field) => ("send_field", Some(*field), None),
            SalesbotAction::AskProgram(address) => ("ask_program", None, Some(address.host())),
        };
    ] {
        id: SalesbotId = bot.id,
        name: &'b Name = &bot.name,
        /// Always `regular`.
        type_functionality: &'static str = "regular",
        /// Always false: requests define salesbots here.
        is_visual_editor: bool = false,
        settings: SettingsView = SettingsView::new(),
        /// `send_field` or `ask_program`.
        kind: &'static str = kind,
        /// The custom field whose value it sends.
        field_id: Option<FieldId> = field,
        /// The host of the program that it asks. Programs put secrets into addresses, so no answer has the rest.
        host: Option<String> = host,
        created_by: UserId = bot.created_by,
        created_at: Seconds = bot.created_at.into(),
    }
}

pub(crate) fn describe_list() -> Operation {
    Operation::leads("listSalesbots", "List the salesbots of the account.")
        .pages()
        .answers_collection::<SalesbotView<'_>>(ITEMS)
        .or_nothing()
}

pub(crate) fn describe_get() -> Operation {
    Operation::leads("getSalesbot", "Get a salesbot.")
        .path("id", Schema::number())
        .gives_hal::<SalesbotView<'_>>(200, "The salesbot.")
        .or_nothing()
}

pub(crate) fn describe_post() -> Operation {
    let example = json!({ "name": "Answer", "kind": "send_field", "field_id": 3 });
    Operation::leads("createSalesbot", "Create a salesbot.")
        .says("The counterpart has no such request: there, people define salesbots on its pages. One that an OAuth client defines signs its questions with the secret of the client.")
        .takes::<NewSalesbot>(example)
        .gives_hal::<SalesbotView<'_>>(201, "On disk.")
        .refuses(403, "Only administrators may do this, and an account has at most 100 salesbots.")
}

pub(crate) fn describe_delete() -> Operation {
    Operation::leads("deleteSalesbot", "Delete a salesbot, and end its runs.")
        .path("id", Schema::number())
        .answers_nothing(204, "On disk.")
        .refuses(403, "Only administrators may do this.")
        .refuses(404, "There is no such salesbot.")
}

pub(crate) fn describe_stop() -> Operation {
    let example = json!({ "entity_id": 1, "entity_type": "leads" });
    Operation::leads("stopSalesbot", "Stop a salesbot for a lead or a contact.")
        .says("A run that waits for the answer of its program ends: the address of its question takes no answer any more.")
        .path("id", Schema::number())
        .takes::<bodies::RunSubject>(example)
        .answers_nothing(202, "On disk, also when nothing waited.")
        .refuses(403, "The caller may not edit the lead.")
        .refuses(404, "There is no such salesbot, or no such lead or contact that the caller may see.")
        .refuses(422, "There is no chat.")
}

pub(crate) fn describe_answer() -> Operation {
    let example = json!({
        "data": { "status": "success" },
        "execute_handlers": [{ "handler": "show", "params": { "type": "text", "value": "We open at nine." } }],
    });
    Operation::leads("continueSalesbot", "Answer the question of a salesbot.")
        .says("The address is the `return_url` of the question. It takes one answer, within a day. The texts leave as messages of the salesbot, one after the other; when one is refused, those before it are sent.")
        .path("bot", Schema::number())
        .path("continue_id", Schema::text().secret())
        .takes::<ProgramAnswer>(example)
        .answers_nothing(202, "On disk and queued.")
        .refuses(402, "The account has used up its quota of messages of bots.")
        .refuses(403, "The caller may not edit the lead.")
        .refuses(404, "Nothing waits for an answer at this address.")
        .refuses(409, "The account is not connected to the channel of the talk.")
        .refuses(422, "The talk is closed.")
}
