//! A journal as one page for people.

use crate::dev::worlds::journal::{Event, NumberedEvent};
use crate::dev::xml::escaped;

/// The journal as one page, which needs nothing else.
pub(super) fn page(title: &str, entries: &[NumberedEvent]) -> String {
    let rows: String = entries.iter().map(row).collect();
    let title = escaped(title);
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\n<style>{STYLE}</style></head>\n<body><h1>{title}</h1>\n<table><thead><tr><th>Time</th><th>What</th><th>Bodies</th></tr></thead><tbody>\n{rows}</tbody></table></body></html>\n"
    )
}

const STYLE: &str = "body{font:14px system-ui,sans-serif;margin:2rem}table{border-collapse:collapse}td,th{border-bottom:1px solid #ccc;padding:.3rem .6rem;text-align:left;vertical-align:top}pre{margin:0;max-width:60rem;overflow:auto;white-space:pre-wrap}";

fn row(entry: &NumberedEvent) -> String {
    let bodies = match &entry.event {
        Event::Request {
            request, answer, ..
        } => vec![request, answer],
        Event::Callback { body, .. } => vec![body],
        Event::Hook(event) => vec![&event.form],
        Event::Question(event) => vec![&event.body],
        Event::Note { .. } => Vec::new(),
    };
    let blocks: String = bodies
        .iter()
        .filter(|body| !body.is_empty())
        .map(|body| format!("<pre>{}</pre>", escaped(body)))
        .collect();
    let (at, what) = (escaped(&entry.at), escaped(&entry.event.line()));
    format!("<tr><td>{at}</td><td>{what}</td><td>{blocks}</td></tr>\n")
}
