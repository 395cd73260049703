//! The journal of a world, and its refused requests.

use serde_json::{Value, json};
use switchboard_worlds::dev::Worlds;

use crate::mcp::answer::{Answer, document, page};
use crate::mcp::orders::{order, path};
use crate::mcp::parameter::Arguments;

/// The most earlier refusals that are named beside the one that is explained.
const OTHERS_MAX: usize = 20;
/// The most ordered faults that are named.
const FAULTS_MAX: usize = 10;

/// A page of the journal.
pub(super) async fn read(worlds: &Worlds, arguments: &Arguments) -> Answer {
    let after = arguments.whole("after").unwrap_or_default();
    let form = arguments.text("form").unwrap_or("text");
    let skip = arguments.whole("skip").unwrap_or_default();
    let target = format!(
        "{}?form={form}&after={after}",
        path(arguments, &["journal"])
    );
    let journal = order(worlds, "GET", &target, &Value::Null).await?;
    // One entry alone reads as a document.
    let text = journal
        .as_str()
        .map_or_else(|| journal.to_string(), str::to_owned);
    let page = page(&text, usize::try_from(skip).unwrap_or(usize::MAX));
    if page.is_empty() {
        return Ok(format!(
            "nothing more; the journal has {} lines here",
            text.lines().count()
        ));
    }
    Ok(page)
}

/// The explanation of a refused request.
pub(super) async fn explain(worlds: &Worlds, arguments: &Arguments) -> Answer {
    let target = format!("{}?form=document", path(arguments, &["journal"]));
    let journal = order(worlds, "GET", &target, &Value::Null).await?;
    let list = journal.get("entries").and_then(Value::as_array);
    let entries: &[Value] = list.map(Vec::as_slice).unwrap_or_default();
    let number = arguments.whole("entry");
    let is_asked_for = |entry: &&Value| number.is_none_or(|number| cursor(entry) == Some(number));
    let refusals = entries.iter().rev().filter(|entry| is_refusal(entry));
    let Some(refusal) = refusals.clone().find(is_asked_for) else {
        let cursors: Vec<String> = refusals
            .filter_map(cursor)
            .take(OTHERS_MAX)
            .map(|it| it.to_string())
            .collect();
        return Err(match (number, cursors.is_empty()) {
            (_, true) => {
                "the world has refused no request; read_journal shows what came".to_owned()
            }
            (Some(number), false) => format!(
                "the entry {number} is no refused request; the newest ones are {}",
                cursors.join(", ")
            ),
            (None, false) => "the refusal cannot be read".to_owned(),
        });
    };
    let before = |entry: &&Value| cursor(entry) < cursor(refusal);
    let earlier = refusals.filter(before).take(OTHERS_MAX).map(|entry| {
        json!({ "entry": entry.get("cursor"), "request": entry.get("what"), "status": entry.get("status") })
    });
    let faults = entries.iter().rev().filter(before).filter_map(fault);
    Ok(document(&json!({
        "entry": refusal.get("cursor"),
        "at": refusal.get("at"),
        "request": refusal.get("what"),
        "status": refusal.get("status"),
        "answer": answer(refusal),
        "sent": refusal.get("request"),
        "faults_ordered_before": faults.take(FAULTS_MAX).collect::<Vec<_>>(),
        "earlier_refusals": earlier.collect::<Vec<_>>(),
    })))
}

fn cursor(entry: &Value) -> Option<u64> {
    entry.get("cursor")?.as_u64()
}

fn is_refusal(entry: &Value) -> bool {
    let status = entry.get("status").and_then(Value::as_u64);
    entry.get("kind") == Some(&json!("request")) && status.is_some_and(|status| status >= 400)
}

/// The reasons in the answer; one that is no document, or was cut, is a text.
fn answer(refusal: &Value) -> Value {
    let text = refusal
        .get("answer")
        .and_then(Value::as_str)
        .unwrap_or_default();
    serde_json::from_str(text).unwrap_or_else(|_text| text.into())
}

/// An order of a fault, or of its end, in words.
fn fault(entry: &Value) -> Option<&str> {
    let order = entry.pointer("/order/path")?.as_str()?;
    let words = entry.get("what")?.as_str()?;
    (order == "/faults").then_some(words)
}
