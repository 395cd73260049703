//! `/double/…`: the orders of tests.

use std::sync::Arc;

use hyper::body::Incoming;
use hyper::{Method, Request, Response};
use serde_json::{Value, json};

use super::answer::{self, Content};
use super::{bodies, page};
use crate::bounds::ORDER_BODY_MAX;
use crate::orders::{ORDERS, OrderError};
use crate::shared::Shared;
use crate::state::orders::{parse, shown};

type Outcome = Result<Value, OrderError>;

/// Does an order.
pub(super) async fn order(
    shared: &Arc<Shared>,
    name: &str,
    request: Request<Incoming>,
) -> Response<Content> {
    let method = request.method().clone();
    let query = request.uri().query().unwrap_or_default().to_owned();
    if method == Method::GET
        && let Some(part) = page::part(shared, name, &query)
    {
        return part.unwrap_or_else(|error| refusal(&error));
    }
    let outcome = match method {
        Method::GET => read(shared, name, &query),
        Method::POST => match bodies::read(shared, request.into_body(), ORDER_BODY_MAX).await {
            Ok(body) => post(shared, name, &body),
            Err(error) => Some(Err(OrderError::one("", error.description))),
        },
        Method::DELETE if name == "faults" => Some(bot(&query).map(|bot| {
            shared.change(|machine, _| machine.faults.clear(bot));
            json!({})
        })),
        _ => None,
    };
    match outcome {
        None => {
            let names = ORDERS.map(|it| format!("{} {}", it.method, it.path));
            let detail = format!(
                "there is no order {method} /double/{name}; there are: {}",
                names.join(", ")
            );
            answer::json(404, &json!({"errors": [{"path": "", "detail": detail}]}))
        }
        Some(Ok(value)) => answer::json(200, &value),
        Some(Err(error)) => refusal(&error),
    }
}

fn refusal(error: &OrderError) -> Response<Content> {
    match error {
        OrderError::Refused(problems) => answer::json(400, &json!(problems)),
        OrderError::Unreachable(_) => {
            let detail = error.to_string();
            answer::json(500, &json!({"errors": [{"path": "", "detail": detail}]}))
        }
    }
}

/// Reads `?bot=`.
fn bot(query: &str) -> Result<Option<i64>, OrderError> {
    page::number(query, "bot")
}

fn read(shared: &Shared, name: &str, query: &str) -> Option<Outcome> {
    Some(match name {
        "" => Ok(json!({
            "about": "a stand-in for the Telegram Bot API: bots call /bot<token>/<method> and /file/bot<token>/<path>, tests give these orders",
            "orders": ORDERS,
            "pages": ["/double/chat", "/double/chat?id=7"],
        })),
        "state" => bot(query).and_then(|bot| {
            if let Some(id) = bot {
                shared.quietly(|machine, _| machine.bot_id(Some(id)))?;
            }
            let is_held = shared.clock().is_held;
            shown(shared.quietly(|machine, now| machine.world(bot, now, is_held)))
        }),
        "confirmed" => bot(query)
            .and_then(|bot| shown(shared.quietly(|machine, now| machine.confirmed(bot, now))?)),
        "faults" => shown(shared.quietly(|machine, now| machine.faults.list(now))),
        "clock" => shown(shared.clock()),
        _ => return None,
    })
}

fn post(shared: &Shared, name: &str, body: &[u8]) -> Option<Outcome> {
    if name == "clock" {
        return Some(parse(body).and_then(|order| shown(shared.set_clock(order)?)));
    }
    shared.change(|machine, now| machine.order(name, body, now))
}
