//! The document of the service as the measure of what it does: every answer, event and callback that a test receives
//! must be described. A status, a media type or a field that the document lacks fails the test that met it.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex};

use jsonschema::Validator;
use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use switchboard_worlds::sink::Received;

use super::answer::CHAT;

/// The content of `GET /openapi.json`.
pub static DOCUMENT: LazyLock<Value> = LazyLock::new(switchboard_http::openapi::document);

/// Schemas that were made ready, by their places in the document.
static READY: Mutex<BTreeMap<String, Arc<Validator>>> = Mutex::new(BTreeMap::new());

/// Statuses that say the same at every address, also where nothing is.
const EVERYWHERE: [u16; 5] = [414, 421, 429, 431, 503];
/// A header of the console's pages, and of nothing else: they are for people, not part of an interface.
const OF_A_PAGE: &str = "content-security-policy";

/// The mark in the body of an answer for parts of the counterpart's interface that the service lacks.
const NOT_OFFERED: &str = r#""code":"NotOffered""#;

/// Fails unless the document describes this answer.
#[track_caller]
pub fn answer(method: &str, target: &str, status: u16, headers: &HeaderMap, body: &str) {
    if status == 404 && body.contains(NOT_OFFERED) {
        // What is not offered is not described.
        return;
    }
    let path = target.split('?').next().unwrap();
    let Some(template) = template(path) else {
        let is_unknown = matches!(status, 404 | 405) || EVERYWHERE.contains(&status);
        let nothing = is_unknown || headers.contains_key(OF_A_PAGE);
        assert!(
            nothing,
            "{method} {path} answered {status}: openapi.json has no such path"
        );
        return;
    };
    let described_method = if method == "HEAD" { "get" } else { method };
    let word = described_method.to_ascii_lowercase();
    let operation = &DOCUMENT["paths"][template][&word];
    if operation.is_null() || (status == 405 && path.starts_with(CHAT)) {
        // What cannot be an id is not found, whatever the method.
        let is_page = matches!(status, 404 | 405) || EVERYWHERE.contains(&status);
        assert!(
            is_page,
            "{method} {template} answered {status}: openapi.json has no such operation"
        );
        return;
    }
    let name = format!(
        "{method} {template} ({}), {status}",
        operation["operationId"]
    );
    let response = &operation["responses"][status.to_string()];
    assert!(
        !response.is_null(),
        "{name}: openapi.json has no such status of it: {body}"
    );
    let Some(content) = response["content"].as_object() else {
        assert_eq!(body, "", "{name}: openapi.json says that there is no body");
        return;
    };
    let media_type = headers
        .get("content-type")
        .map_or("", |value| value.to_str().unwrap())
        .split(';')
        .next()
        .unwrap();
    let (kind, told) = content.iter().next().unwrap();
    let is_kind = kind == "*/*" || kind == media_type;
    assert!(
        is_kind,
        "{name}: {media_type} is not {kind} as in openapi.json: {body}"
    );
    // A file is bytes, also if it happens to be JSON.
    if method == "HEAD" || kind == "*/*" || !media_type.ends_with("json") {
        return;
    }
    let json = serde_json::from_str(body).unwrap_or_else(|error| panic!("{name}: {error}: {body}"));
    let place = format!("{word} {template} {status}");
    holds(&place, &told["schema"], &json, &name);
}

/// Fails unless the document describes this event of the inbox.
#[track_caller]
pub fn event(name: &str, data: &Value) {
    let words = name.split('_').map(|word| {
        let (first, rest) = word.split_at(1);
        first.to_ascii_uppercase() + rest
    });
    let schema = format!("Event{}", words.collect::<String>());
    let description = &DOCUMENT["components"]["schemas"][&schema];
    assert!(
        !description.is_null(),
        "openapi.json has no schema {schema}: {data}"
    );
    holds(&schema, description, data, &format!("the event {name}"));
}

/// Fails unless the document describes this callback.
#[track_caller]
pub fn callback(received: &Received) {
    let json: Value = serde_json::from_slice(&received.body).unwrap();
    let names = webhooks_of(&json);
    let [name] = names.as_slice() else {
        panic!("openapi.json has {names:?} for this callback: {json}");
    };
    let post = &DOCUMENT["webhooks"][name]["post"];
    for header in post["parameters"].as_array().unwrap() {
        let header = header["name"].as_str().unwrap();
        let there = received.header(&header.to_ascii_lowercase());
        assert!(there.is_some(), "the callback {name} has no {header}");
    }
}

/// The callbacks that may look like this.
fn webhooks_of(json: &Value) -> Vec<String> {
    let webhooks = DOCUMENT["webhooks"].as_object().unwrap();
    let fits = |webhook: &Value, name: &str| {
        let content = &webhook["post"]["requestBody"]["content"];
        ready(name, &content["application/json"]["schema"]).is_valid(json)
    };
    let fitting = webhooks
        .iter()
        .filter(|(name, webhook)| fits(webhook, name));
    fitting.map(|(name, _)| name.clone()).collect()
}

#[track_caller]
fn holds(place: &str, schema: &Value, json: &Value, name: &str) {
    let rules = ready(place, schema);
    let wrong: Vec<String> = rules
        .iter_errors(json)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(
        wrong.is_empty(),
        "{name}: not as openapi.json describes it: {wrong:#?}\n{json:#}"
    );
}

fn ready(place: &str, schema: &Value) -> Arc<Validator> {
    let mut ready = READY.lock().unwrap();
    let entry = ready.entry(place.to_owned());
    Arc::clone(entry.or_insert_with(|| Arc::new(validator(schema))))
}

/// Checks what this schema of the document says.
pub fn validator(schema: &Value) -> Validator {
    let schema = json!({ "allOf": [schema], "components": DOCUMENT["components"] });
    let options = jsonschema::options().should_validate_formats(true);
    options.build(&schema).unwrap()
}

/// The path of the document that a path is one of; words go before variable parts.
fn template(path: &str) -> Option<&'static str> {
    let parts: Vec<&str> = path.split('/').collect();
    let fits = |template: &str| {
        let segments: Vec<&str> = template.split('/').collect();
        let mut both = segments.iter().zip(&parts);
        segments.len() == parts.len()
            && both.all(|(wanted, part)| {
                wanted == part || (wanted.starts_with('{') && !part.is_empty())
            })
    };
    let paths = DOCUMENT["paths"].as_object().unwrap();
    let fitting = paths.keys().filter(|template| fits(template));
    fitting
        .min_by_key(|template| template.matches('{').count())
        .map(String::as_str)
}
