//! The pages of the exam.

use std::rc::Rc;
use std::time::Duration;

use hyper::{Method, StatusCode};
use serde_json::Value;
use switchboard_bridge_core::bridge::Bridge;
use switchboard_bridge_core::forms::{part, text};
use switchboard_bridge_core::page::{self, PageRequest, PageResponse};

use super::Exam;
use super::double::OrderError;
use crate::telegram::Telegram;

/// The longest delivery, in seconds.
const TAKES_MAX: f64 = 86_400.0;

/// Answers a request for a page of the exam; `None` when it is for none.
pub(crate) async fn answer(
    exam: &Exam,
    bridge: &Rc<Bridge<Telegram>>,
    request: &PageRequest<'_>,
) -> Option<PageResponse> {
    if !request.path.starts_with("/exam/") {
        return None;
    }
    Some(match page(exam, bridge, request).await {
        Ok(response) => response,
        Err(why @ OrderError::Refused { .. }) => {
            page::text(StatusCode::BAD_REQUEST, why.to_string())
        }
        Err(why @ OrderError::Lost(_)) => {
            page::text(StatusCode::SERVICE_UNAVAILABLE, why.to_string())
        }
    })
}

async fn page(
    exam: &Exam,
    bridge: &Rc<Bridge<Telegram>>,
    request: &PageRequest<'_>,
) -> Result<PageResponse, OrderError> {
    let order: Value = serde_json::from_slice(request.body).unwrap_or_default();
    match (request.method, request.path) {
        (&Method::GET, "/exam/seen") => {
            let arrivals = exam.seen(bridge).await?;
            // Texts are JSON.
            let list = serde_json::to_string(&arrivals).unwrap_or_default();
            return Ok(page::text(StatusCode::OK, list));
        }
        (&Method::POST, "/exam/outside") => {
            if let Some(seconds) = part(&order, "takes").as_f64() {
                let time = Duration::from_secs_f64(seconds.clamp(0.0, TAKES_MAX));
                exam.slow_down(time).await?;
                return Ok(page::text(StatusCode::OK, "{}"));
            }
        }
        (&Method::POST, "/exam/say") => {
            let (customer, words) = (text(&order, "from"), text(&order, "text"));
            if !customer.is_empty() && !words.is_empty() {
                return Ok(if exam.say(bridge, customer, words).await? {
                    page::text(StatusCode::CREATED, "{}")
                } else {
                    page::unavailable(1)
                });
            }
        }
        _ => {}
    }
    Ok(page::text(StatusCode::NOT_FOUND, "{}"))
}
