//! The pages of the bridge: health and metrics for programs, a page for people, files of customers.

use std::rc::Rc;

use hyper::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderValue, X_CONTENT_TYPE_OPTIONS,
};
use hyper::{Method, StatusCode};
use switchboard_bridge_core::bridge::Bridge;
use switchboard_bridge_core::clock::unix_seconds;
use switchboard_bridge_core::page::{PageRequest, PageResponse, text};
use url::form_urlencoded::byte_serialize;

use crate::exam;
use crate::files;
use crate::metrics::Gauges;
use crate::report::Report;
use crate::telegram::Telegram;

/// The age of a job, in seconds, at which something is wrong.
const OLD_SECONDS: u64 = 600;

/// Answers a request for a page; `None` when it is for none.
pub(crate) async fn answer(
    bridge: &Rc<Bridge<Telegram>>,
    request: &PageRequest<'_>,
) -> Option<PageResponse> {
    if request.path.starts_with("/files/") {
        return Some(files::serve(bridge, request).await);
    }
    if let Some(exam) = &bridge.messenger.exam
        && let Some(response) = exam::answer(exam, bridge, request).await
    {
        return Some(response);
    }
    if *request.method != Method::GET {
        return None;
    }
    match request.path {
        "/health" => {
            let report = report(bridge);
            let status = if report.is_healthy() {
                StatusCode::OK
            } else {
                StatusCode::SERVICE_UNAVAILABLE
            };
            Some(text(status, report.json().to_string()))
        }
        "/metrics" => {
            let metrics = bridge.messenger.counters.text(&gauges(bridge));
            Some(typed(metrics, "text/plain; version=0.0.4; charset=utf-8"))
        }
        // The browser comes back to any path with a code, and the service reports with a signature.
        "/" if request.query.0.is_empty() => {
            let page = report(bridge).html();
            Some(typed(page, "text/html; charset=utf-8"))
        }
        _ => None,
    }
}

fn typed(body: String, kind: &'static str) -> PageResponse {
    let mut response = text(StatusCode::OK, body);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(
        CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        ),
    );
    response
}

/// The state of the bridge now.
pub(crate) fn report(bridge: &Bridge<Telegram>) -> Report {
    let (is_uninstalled, is_installed) = {
        let account = bridge.store.account();
        (account.is_uninstalled, account.tokens.is_some())
    };
    let (is_connected, waiting) = (bridge.is_connected(), bridge.waiting());
    let age = waiting.oldest_at.map_or(0, |at| unix_seconds() - at);
    let oldest_seconds = u64::try_from(age).unwrap_or_default();
    let mut problems = bridge.messenger.status.problems();
    if is_uninstalled {
        problems.push("the account has uninstalled the bridge: nothing goes either way until an administrator installs it again".to_owned());
    } else if !is_connected {
        problems.push(format!(
            "the account is not connected to the channel yet: the service at {} does not answer, and is asked again. The log has the reason",
            bridge.settings.url
        ));
    }
    if oldest_seconds > OLD_SECONDS {
        problems.push(format!(
            "a job has waited for {oldest_seconds} s: the service or Telegram does not take it. The log has the reason"
        ));
    }
    Report {
        bot: bridge.messenger.status.bot(),
        problems,
        is_connected: is_connected && !is_uninstalled,
        is_installed,
        consent_url: consent_url(&bridge.settings.url, &bridge.settings.client_id),
        waiting: u64::try_from(waiting.jobs()).unwrap_or(u64::MAX),
        oldest_seconds,
    }
}

/// The address where an administrator installs the bridge; empty without a client.
pub(crate) fn consent_url(service: &str, client: &str) -> String {
    if client.is_empty() {
        return String::new();
    }
    let client: String = byte_serialize(client.as_bytes()).collect();
    format!("{service}/oauth?client_id={client}&state=telegram")
}

fn gauges(bridge: &Bridge<Telegram>) -> Gauges {
    let waiting = bridge.waiting();
    let kinds = [
        ("deliver", waiting.deliver),
        ("post", waiting.post),
        ("report", waiting.report),
        ("contact", waiting.contact),
    ];
    let report = report(bridge);
    Gauges {
        waiting: kinds
            .into_iter()
            .map(|(kind, count)| (kind, u64::try_from(count).unwrap_or(u64::MAX)))
            .collect(),
        oldest_seconds: report.oldest_seconds,
        is_healthy: report.is_healthy(),
    }
}
