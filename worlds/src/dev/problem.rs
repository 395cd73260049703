//! Problem documents of what only the development of integrations has.

use serde_json::{Value, json};

pub(super) use switchboard_http::reply::problem::MEDIA_TYPE;

/// A problem document, with the members that those of the service have.
pub(super) fn problem(status: u16, title: &str, detail: &str) -> Value {
    json!({
        "type": format!("https://httpstatus.es/{status}"),
        "title": title,
        "status": status,
        "detail": detail,
    })
}

/// Returns the detail of an answer that is a problem document; another answer as it is.
pub(crate) fn detail(answer: &Value) -> String {
    let detail = answer.get("detail").and_then(Value::as_str);
    detail.map_or_else(|| answer.to_string(), str::to_owned)
}
