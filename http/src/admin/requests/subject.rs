//! The subject of a recorded request, in the ids of its interface.

use serde_json::Value;
use switchboard_actors::domain::text::beginning;

use switchboard_gate::requests::kept::{KeptBody, KeptRequest};
use switchboard_gate::requests::sender::Surface;

/// The longest text of a subject, in bytes.
const TEXT_MAX: usize = 256;
/// The most objects that a subject names.
const OBJECTS_MAX: usize = 3;

view! {
    /// The subject of a request, as far as its path and its recorded bodies say.
    #[schemars(inline)]
    pub(super) struct Subject(kept: &KeptRequest) [
        let body = json(&kept.asked.body);
        let payload = body.get("payload").unwrap_or(&body);
        let of_chat = (kept.surface == Surface::Chat).then_some(payload);
        let field = |name| of_chat.and_then(|payload| payload.get(name));
        let customer = |name| field("sender").or_else(|| field("user")).and_then(|who| who.get(name));
    ] {
        msgid: Option<String> = text(field("msgid")),
        conversation_id: Option<String> = text(field("conversation_id")),
        /// The name of the customer; their id where the body has no name.
        customer: Option<String> = text(customer("name").or_else(|| customer("id"))),
        /// The title or the account of a connection.
        connection: Option<String> = text(field("title").or_else(|| field("account_id"))),
        /// The delivery status that the integration reports.
        delivery_status: Option<i64> = field("delivery_status").and_then(Value::as_i64),
        /// The first three objects of a request of the account interface: their ids, or their names.
        objects: Vec<String> = if of_chat.is_some() { Vec::new() } else { objects(kept, &body) },
        /// The grant type of a client's request for tokens.
        grant_type: Option<String> = grant_type(kept, &body),
    }
}

/// The objects that the path names, else those of the body, else those that the answer gives.
fn objects(kept: &KeptRequest, body: &Value) -> Vec<String> {
    let variables = kept.route.map(|route| variables(route, &kept.asked.path));
    let of_path = variables.filter(|ids| !ids.is_empty());
    let of_body = || Some(of_entries(entries(body))).filter(|named| !named.is_empty());
    let of_answer = || {
        let answer = json(&kept.answer);
        let embedded = answer.get("_embedded").and_then(Value::as_object);
        let lists = embedded.into_iter().flat_map(|lists| lists.values());
        // A list that is only read names no object of the request.
        let is_made = kept.asked.method != "GET";
        of_entries(lists.filter(|_| is_made).flat_map(entries))
    };
    of_path.or_else(of_body).unwrap_or_else(of_answer)
}

/// The variable parts of a path.
fn variables(route: &str, path: &str) -> Vec<String> {
    let parts = route.split('/').zip(path.split('/'));
    let variable = parts.filter(|(known, _)| known.starts_with('{'));
    let ids = variable.map(|(_, part)| beginning(part, TEXT_MAX).to_owned());
    ids.take(OBJECTS_MAX).collect()
}

/// The entries of a list; an object is its own entry.
fn entries(body: &Value) -> std::slice::Iter<'_, Value> {
    if let Value::Array(entries) = body {
        entries.iter()
    } else {
        std::slice::from_ref(body).iter()
    }
}

fn of_entries<'v>(entries: impl Iterator<Item = &'v Value>) -> Vec<String> {
    let names = entries.filter_map(
        |entry| match entry.get("id").or_else(|| entry.get("name")) {
            Some(Value::Number(id)) => Some(id.to_string()),
            other => text(other),
        },
    );
    names.take(OBJECTS_MAX).collect()
}

fn text(value: Option<&Value>) -> Option<String> {
    let text = value.and_then(Value::as_str);
    text.map(|text| beginning(text, TEXT_MAX).to_owned())
}

/// A body that was kept whole.
fn json(body: &KeptBody) -> Value {
    serde_json::from_slice(&body.bytes).unwrap_or_default()
}

/// The body of a request for tokens, which may be a form.
fn grant_type(kept: &KeptRequest, body: &Value) -> Option<String> {
    if kept.surface != Surface::Oauth {
        return None;
    }
    text(body.get("grant_type")).or_else(|| {
        let mut fields = url::form_urlencoded::parse(&kept.asked.body.bytes);
        let (_, grant_type) = fields.find(|(name, _)| name == "grant_type")?;
        Some(beginning(&grant_type, TEXT_MAX).to_owned())
    })
}
