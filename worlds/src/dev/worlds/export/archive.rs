//! A journal as an archive of HTTP requests.

use serde_json::{Value, json};

use crate::dev::worlds::journal::{Event, NumberedEvent};

/// The requests as an HTTP archive (HAR 1.2), which browsers and proxies open.
pub(super) fn har(base: &str, entries: &[NumberedEvent]) -> Value {
    let requests: Vec<_> = entries
        .iter()
        .filter_map(|entry| archived(base, entry))
        .collect();
    json!({
        "log": {
            "version": "1.2",
            "creator": { "name": "Switchboard", "version": env!("CARGO_PKG_VERSION") },
            "entries": requests,
        },
    })
}

fn archived(base: &str, entry: &NumberedEvent) -> Option<Value> {
    let Event::Request {
        what,
        status,
        request,
        answer,
    } = &entry.event
    else {
        return None;
    };
    let (method, path) = what.split_once(' ')?;
    let none = Vec::<Value>::new();
    Some(json!({
        "startedDateTime": entry.at,
        "time": 0,
        "request": {
            "method": method,
            "url": format!("{base}{path}"),
            "httpVersion": "HTTP/1.1",
            "cookies": none,
            "headers": none,
            "queryString": none,
            "headersSize": -1,
            "bodySize": -1,
            "postData": { "mimeType": "application/json", "text": request },
        },
        // No answer is the status 0, as in browsers.
        "response": {
            "status": status.unwrap_or_default(),
            "statusText": "",
            "httpVersion": "HTTP/1.1",
            "cookies": none,
            "headers": none,
            "content": { "size": answer.len(), "mimeType": "application/json", "text": answer },
            "redirectURL": "",
            "headersSize": -1,
            "bodySize": -1,
        },
        "cache": {},
        "timings": { "send": 0, "wait": 0, "receive": 0 },
    }))
}
