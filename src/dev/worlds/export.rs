//! A journal in forms that other programs read: an archive of HTTP requests, and one page for people.

use serde_json::{Value, json};

use crate::dev::worlds::journal::{Entry, Event, Journal, JournalForm};
use crate::dev::worlds::reply::{MediaType, Reply};

/// A journal to be read, with what is known of its world.
pub(super) struct ShownJournal {
    pub(super) journal: Journal,
    pub(super) title: String,
    /// Where the world is or was.
    pub(super) base_url: String,
    /// When the world ended, and why.
    pub(super) ended: Option<(String, String)>,
}

impl ShownJournal {
    /// The newest entries after this one, so many at most, in this form.
    pub(super) fn shown(&self, form: JournalForm, after: u64, limit: usize) -> Reply {
        let mut entries = self.journal.after(after);
        entries.drain(..entries.len().saturating_sub(limit));
        match form {
            JournalForm::Json => Reply::Text(
                lines(&entries, |entry| json!(entry).to_string()),
                MediaType::Lines,
            ),
            JournalForm::Text => Reply::Text(lines(&entries, Entry::line), MediaType::Plain),
            JournalForm::Html => {
                let title = format!("Journal of {}", self.title);
                Reply::Text(page(&title, &entries), MediaType::Html)
            }
            JournalForm::Har => har(&self.base_url, &entries).into(),
            JournalForm::Document => {
                let ended = self.ended.as_ref();
                let ended = ended.map(|(at, why)| json!({ "at": at, "why": why }));
                let cursor = entries.last().map_or(after, |entry| entry.cursor);
                json!({ "cursor": cursor, "ended": ended, "entries": entries }).into()
            }
        }
    }
}

fn lines(entries: &[Entry], line: impl Fn(&Entry) -> String) -> String {
    entries
        .iter()
        .map(|entry| format!("{}\n", line(entry)))
        .collect()
}

/// The requests as an HTTP archive (HAR 1.2), which browsers and proxies open.
fn har(base: &str, entries: &[Entry]) -> Value {
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

fn archived(base: &str, entry: &Entry) -> Option<Value> {
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

/// The journal as one page, which needs nothing else.
fn page(title: &str, entries: &[Entry]) -> String {
    let rows: String = entries.iter().map(row).collect();
    let title = escaped(title);
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\n<style>{STYLE}</style></head>\n<body><h1>{title}</h1>\n<table><thead><tr><th>Time</th><th>What</th><th>Bodies</th></tr></thead><tbody>\n{rows}</tbody></table></body></html>\n"
    )
}

const STYLE: &str = "body{font:14px system-ui,sans-serif;margin:2rem}table{border-collapse:collapse}td,th{border-bottom:1px solid #ccc;padding:.3rem .6rem;text-align:left;vertical-align:top}pre{margin:0;max-width:60rem;overflow:auto;white-space:pre-wrap}";

fn row(entry: &Entry) -> String {
    let bodies = match &entry.event {
        Event::Request {
            request, answer, ..
        } => vec![request, answer],
        Event::Callback { body, .. } => vec![body],
        Event::Note { .. } => Vec::new(),
    };
    let bodies = bodies.iter().filter(|body| !body.is_empty());
    let bodies: String = bodies
        .map(|body| format!("<pre>{}</pre>", escaped(body)))
        .collect();
    let (at, what) = (escaped(&entry.at), escaped(&entry.event.line()));
    format!("<tr><td>{at}</td><td>{what}</td><td>{bodies}</td></tr>\n")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
