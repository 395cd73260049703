//! Kept requests as JSON.

use serde_json::{Value, json};
use switchboard_actors::KnownChannel;
use switchboard_actors::domain::signature::request::Presented;

use crate::http::admin::verdict;
use crate::http::openapi::{Field, Schema, must};
use crate::http::requests::kept::{Asked, Excerpt, KeptRequest};
use crate::http::state::AppState;

/// A line of the list.
pub(super) fn summary(kept: &KeptRequest) -> Value {
    let Asked {
        method,
        path,
        query,
        body,
        ..
    } = &kept.asked;
    let told = told(&kept.answer);
    json!({
        "id": kept.id.to_string(),
        "at_ms": kept.at.get(),
        "channel_id": kept.channel,
        "method": method,
        "path": path,
        "query": query,
        "length": body.length,
        "status": kept.status,
        "took_ms": kept.took.as_secs_f64() * 1e3,
        "error_type": told.get("error_type"),
        "error_description": told.get("error_description"),
        "hint": told.get("hint"),
    })
}

/// All of it.
pub(super) fn whole(kept: &KeptRequest, channel: Option<&KnownChannel>, state: &AppState) -> Value {
    let mut view = summary(kept);
    let headers = kept.asked.headers.iter();
    let headers: Vec<Value> = headers
        .map(|(name, value)| json!({ "name": name, "value": value }))
        .collect();
    let known = channel.filter(|_| kept.asked.body.is_whole());
    let signature = known.map(|channel| {
        let asked = &kept.asked;
        let header = |name| asked.header(name).map(str::as_bytes);
        let presented = Presented {
            method: &asked.method,
            path: &asked.path,
            query: asked.query.as_deref(),
            host: asked.header("host"),
            content_md5: header("content-md5"),
            content_type: header("content-type"),
            date: header("date"),
            body: &asked.body.bytes,
        };
        // The clock of then: a date that counted does not become wrong by being looked at later.
        verdict::of(state, channel, &presented, header("x-signature"), kept.at)
    });
    if let Some(view) = view.as_object_mut() {
        view.insert("headers".to_owned(), headers.into());
        view.insert("body".to_owned(), excerpt(&kept.asked.body));
        view.insert("answer".to_owned(), excerpt(&kept.answer));
        view.insert("signature".to_owned(), signature.into());
    }
    view
}

/// What an answer in the envelope of the chat interface says; nothing, when it is another.
fn told(answer: &Excerpt) -> Value {
    serde_json::from_slice(&answer.bytes).unwrap_or_default()
}

/// Text as it is, other bytes in hexadecimal.
fn excerpt(excerpt: &Excerpt) -> Value {
    let text = text(excerpt);
    let hex = text.is_none().then(|| hex::encode(&excerpt.bytes));
    json!({
        "text": text,
        "hex": hex,
        "length": excerpt.length,
        "is_whole": excerpt.is_whole(),
    })
}

/// The text, up to a character that was cut in two.
fn text(excerpt: &Excerpt) -> Option<&str> {
    match std::str::from_utf8(&excerpt.bytes) {
        Ok(text) => Some(text),
        Err(error) if error.error_len().is_none() && !excerpt.is_whole() => {
            let whole = excerpt.bytes.get(..error.valid_up_to())?;
            std::str::from_utf8(whole).ok()
        }
        Err(_) => None,
    }
}

/// A line of the list, for the document.
pub(super) fn summary_schema() -> Schema {
    Schema::named("RequestSummary", Schema::object(fields()))
}

/// All of it, for the document.
pub(super) fn schema() -> Schema {
    let header = Schema::object([
        must("name", Schema::text()),
        must(
            "value",
            Schema::text()
                .or_null()
                .says("At most 512 bytes of it; null for a secret."),
        ),
    ]);
    let mut fields = fields();
    fields.extend([
        must("headers", Schema::list(header)),
        must("body", excerpt_schema()),
        must("answer", excerpt_schema()),
        must(
            "signature",
            verdict::schema()
                .or_null()
                .says("Null when the channel is unknown or the body was not kept whole."),
        ),
    ]);
    Schema::named("RequestKept", Schema::object(fields))
}

fn fields() -> Vec<Field> {
    vec![
        must("id", Schema::text()),
        must("at_ms", Schema::millis()),
        must("channel_id", Schema::text().or_null()),
        must("method", Schema::text()),
        must("path", Schema::text()),
        must("query", Schema::text().or_null()),
        must(
            "length",
            Schema::count().says("How long the body is, in bytes."),
        ),
        must("status", Schema::between(100, 599)),
        must("took_ms", Schema::amount().says("In milliseconds.")),
        must("error_type", Schema::text().or_null()),
        must("error_description", Schema::text().or_null()),
        must("hint", Schema::text().or_null()),
    ]
}

fn excerpt_schema() -> Schema {
    let excerpt = Schema::object([
        must(
            "text",
            Schema::text().or_null().says("Null when it is no text."),
        ),
        must(
            "hex",
            Schema::text()
                .or_null()
                .says("What is no text, in hexadecimal."),
        ),
        must(
            "length",
            Schema::count().says("How long the whole is, in bytes."),
        ),
        must("is_whole", Schema::boolean()),
    ]);
    Schema::named("Excerpt", excerpt)
}
