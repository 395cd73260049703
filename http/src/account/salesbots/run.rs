//! `POST /api/v4/bots/{id}/run`, `POST /api/v4/bots/run` and `POST /api/v2/salesbot/run`: programs run salesbots.

use actix_web::{HttpResponse, web};
use serde_json::{Value, json};
use switchboard_actors::domain::id::SalesbotId;
use switchboard_actors::domain::salesbots::SalesbotRejection;
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::system::user_access::{
    RunRejection, RunRequest, RunSubject, RunsRejection,
};
use switchboard_actors::wire::account_body::batch::ItemError;
use switchboard_actors::wire::account_body::items::Item;
use switchboard_actors::wire::account_body::salesbots::{self as bodies, NewRun, RUNS_MAX};

use super::{not_run, problem};
use crate::extract::access::Access;
use crate::extract::numbered::Numbered;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

pub(crate) async fn one(
    access: Access,
    Numbered(bot): Numbered<SalesbotId>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let body: bodies::RunSubject = access.json(payload).await?;
    let subject = subject(body);
    let request = RunRequest { bot, subject };
    let result = access.open().await?.run_salesbot(request).await;
    result.map_err(not_run)?;
    Ok(HttpResponse::Accepted().finish())
}

pub(crate) async fn several(
    access: Access,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let bytes = access.entities(payload).await?;
    let items = bodies::parse_runs(&bytes)?;
    let requests = items.iter().map(|item| RunRequest {
        bot: SalesbotId(item.value.bot_id.0),
        subject: subject(item.value.subject),
    });
    let runs: Vec<_> = requests.collect();
    let result = access.open().await?.run_salesbots(&runs).await;
    result.map_err(|refused| refused.into_error(|why| refused_runs(why, &items)))?;
    Ok(HttpResponse::Accepted().finish())
}

/// The subject of a run that a body names.
pub(super) fn subject(body: bodies::RunSubject) -> RunSubject {
    RunSubject {
        kind: body.entity_type.0,
        id: body.entity_id.0,
    }
}

/// The answer to runs that do not begin. All that is wrong with the items is reported at once; what has a status of its own
/// comes alone.
fn refused_runs(RunsRejection(refused): RunsRejection, items: &[Item<NewRun>]) -> Problem {
    let mut wrong = Vec::new();
    for (place, why) in refused {
        let path = match &why {
            RunRejection::Salesbot(SalesbotRejection::Unknown) | RunRejection::FieldGone(_) => {
                "bot_id"
            }
            RunRejection::UnknownSubject(_) | RunRejection::NoChat | RunRejection::NoValue(_) => {
                "entity_id"
            }
            RunRejection::Uninstalled | RunRejection::Salesbot(_) | RunRejection::Answer(_) => {
                return problem(why);
            }
        };
        if let Some(item) = items.get(place) {
            let code = ViolationCode::InvalidValue;
            wrong.push(ItemError::field(
                &item.request_id,
                path,
                code,
                why.to_string(),
            ));
        }
    }
    Problem::WrongItems(wrong)
}

fn described(operation: Operation) -> Operation {
    operation
        .answers_nothing(202, "On disk: the message is queued, or the program is asked.")
        .refuses(402, "The account has used up its quota of messages of bots.")
        .refuses(403, "The caller may not edit the lead.")
        .refuses(409, "The account is not connected to the channel of the talk, or has uninstalled the OAuth client that defined the salesbot.")
        .refuses(429, "The lead had 10 runs within a minute, too many runs wait for answers, or too many callbacks are queued.")
}

fn described_several(operation: Operation, example: Value) -> Operation {
    described(operation)
        .says("All of them or none. The body may also be a single run. When a message is refused, those before it are sent.")
        .takes_items::<NewRun>(RUNS_MAX, example)
        .refuses(422, "The talk of a lead is closed.")
}

pub(crate) fn describe_one() -> Operation {
    let example = json!({ "entity_id": 1, "entity_type": "leads" });
    described(Operation::leads("runSalesbot", "Run a salesbot for a lead or a contact."))
        .says("It writes to the talk of the lead, or of the newest lead of the contact. A run takes the place of one of the same salesbot and lead that waits for an answer.")
        .path("id", Schema::number())
        .takes::<bodies::RunSubject>(example)
        .refuses(404, "There is no such salesbot, or no such lead or contact that the caller may see.")
        .refuses(422, "The talk is closed, there is no chat, or the field of the lead is empty.")
}

pub(crate) fn describe_several() -> Operation {
    let example = json!([{ "bot_id": 1, "entity_id": 1, "entity_type": "leads" }]);
    described_several(
        Operation::leads("runSalesbots", "Run salesbots (atomic)."),
        example,
    )
}

pub(crate) fn describe_by_number() -> Operation {
    let example = json!([{ "bot_id": 1, "entity_id": 1, "entity_type": 2 }]);
    let operation = Operation::leads(
        "runSalesbotsByNumber",
        "Run salesbots (atomic), at the address of version 2.",
    );
    described_several(operation, example)
}
