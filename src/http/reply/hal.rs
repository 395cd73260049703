//! Collections and links of the account side: `application/hal+json`.

use actix_web::HttpResponse;
use serde::Serialize;
use serde_json::{Value, json};

use crate::http::extract::query::Query;

/// The media type of answers.
pub(crate) const MEDIA_TYPE: &str = "application/hal+json";

/// 200 with this body.
pub(crate) fn ok(body: &impl Serialize) -> HttpResponse {
    match serde_json::to_string(body) {
        Ok(json) => HttpResponse::Ok().content_type(MEDIA_TYPE).body(json),
        Err(_never) => HttpResponse::InternalServerError().finish(),
    }
}

/// A page of a collection: `_page`, `_links`, which keep the rest of the query, and `_embedded.<name>`.
pub(crate) fn page(
    base: &str,
    path: &str,
    name: &str,
    query: &Query,
    window: Window,
    entries: Vec<Value>,
) -> HttpResponse {
    let href = |page: u64| {
        let query = query.at_page(page, window.limit);
        json!({ "href": format!("{base}{path}?{query}") })
    };
    let mut links = serde_json::Map::new();
    links.insert("self".to_owned(), href(window.page));
    if window.more {
        links.insert("next".to_owned(), href(window.page.saturating_add(1)));
    }
    if window.page > 1 {
        links.insert("first".to_owned(), href(1));
        links.insert("prev".to_owned(), href(window.page.saturating_sub(1)));
    }
    let embedded = serde_json::Map::from_iter([(name.to_owned(), Value::Array(entries))]);
    ok(&json!({ "_page": window.page, "_links": links, "_embedded": embedded }))
}

/// Which part of a collection a page shows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    /// The page, from 1.
    pub(crate) page: u64,
    /// How many entries a page has at most.
    pub(crate) limit: u64,
    /// Whether there is a page after this one.
    pub(crate) more: bool,
}
