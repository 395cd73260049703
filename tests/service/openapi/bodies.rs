//! The bodies that the document describes are those that the service reads: its examples are accepted, each field is
//! checked, and required fields are required.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::cases::{Case, World, all, described};
use crate::rights::floor;
use crate::support::client::{Client, message, signature};
use crate::support::described::DOCUMENT;
use crate::support::oauth::Browser;
use crate::support::receiver::Receiver;
use crate::support::server::{Server, Setup, TOKEN};

/// A field that a schema names: the way to it, `[]` for any entry of an array.
#[derive(Debug)]
struct Field {
    way: Vec<String>,
    schema: Value,
}

/// Fields of which one at least has to be there.
#[derive(Debug)]
struct Needed {
    parent: Vec<String>,
    names: Vec<String>,
}

#[derive(Default)]
struct Walk {
    fields: Vec<Field>,
    needed: Vec<Needed>,
    /// Objects that take no other fields, with those that they take.
    closed: Vec<(Vec<String>, BTreeSet<String>)>,
}

/// Resolves a reference; of several schemas it takes the first that is no null, unless one is named.
fn resolved(schema: &Value, named: Option<&str>) -> Value {
    if let Some(name) = named {
        return resolved(&DOCUMENT["components"]["schemas"][name], None);
    }
    if let Some(pointer) = schema["$ref"].as_str() {
        let target = DOCUMENT.pointer(pointer.strip_prefix('#').unwrap());
        return resolved(target.unwrap(), None);
    }
    let mut each = schema["anyOf"].as_array().into_iter().flatten();
    match each.find(|one| one["type"] != "null") {
        Some(first) if schema["type"].is_null() => resolved(first, None),
        Some(_) | None => schema.clone(),
    }
}

fn words(value: &Value) -> Vec<String> {
    let words = value.as_array().into_iter().flatten();
    words
        .map(|word| word.as_str().unwrap().to_owned())
        .collect()
}

impl Walk {
    fn new(schema: &Value, named: Option<&str>) -> Self {
        let mut walk = Self::default();
        walk.descend(&resolved(schema, named), &[]);
        walk
    }

    fn descend(&mut self, schema: &Value, way: &[String]) {
        let step = |name: &str| [way, &[name.to_owned()]].concat();
        if !schema["items"].is_null() {
            self.descend(&resolved(&schema["items"], None), &step("[]"));
        }
        let Some(properties) = schema["properties"].as_object() else {
            return;
        };
        let parent = way.to_vec();
        for name in words(&schema["required"]) {
            let (parent, names) = (parent.clone(), vec![name]);
            self.needed.push(Needed { parent, names });
        }
        for group in schema["allOf"].as_array().into_iter().flatten() {
            let each = group["anyOf"].as_array().unwrap().iter();
            let names = each.flat_map(|one| words(&one["required"])).collect();
            let parent = parent.clone();
            self.needed.push(Needed { parent, names });
        }
        if schema["additionalProperties"] == false {
            self.closed
                .push((parent, properties.keys().cloned().collect()));
        }
        for (name, schema) in properties {
            let schema = resolved(schema, None);
            self.descend(&schema, &step(name));
            let way = step(name);
            self.fields.push(Field { way, schema });
        }
    }
}

/// The place at the end of the way; what is not there is made.
fn place<'b>(body: &'b mut Value, way: &[String]) -> &'b mut Value {
    let Some((first, rest)) = way.split_first() else {
        return body;
    };
    let next = if first == "[]" {
        if !body.is_array() {
            *body = json!([{}]);
        }
        &mut body[0]
    } else {
        if !body.is_object() {
            *body = json!({});
        }
        &mut body[first.as_str()]
    };
    place(next, rest)
}

/// The place at the end of the way, if it is there.
fn found<'b>(body: &'b mut Value, way: &[String]) -> Option<&'b mut Value> {
    way.iter().try_fold(body, |body, step| {
        if step == "[]" {
            body.get_mut(0)
        } else {
            body.get_mut(step)
        }
    })
}

/// The way as errors write it: those of a body that is an array are relative to its entry.
fn written(way: &[String]) -> String {
    let way = way.strip_prefix(&["[]".to_owned()]).unwrap_or(way);
    way.join(".").replace("[]", "0")
}

/// The path and the message of each error in a body that must be refused.
type Told = Vec<(String, String)>;

/// One operation, and what is not as the document says.
struct Trial<'t> {
    client: &'t Client,
    case: &'t Case,
    walk: Walk,
    wrong: Vec<String>,
}

impl Trial<'_> {
    /// Sends a body that must be refused; `expected` checks the reported errors.
    async fn refused(&mut self, body: &Value, what: &str, expected: impl Fn(&Told) -> bool) {
        let answer = self.case.send(self.client, body).await;
        let chat = answer.json["errors"].as_array();
        let other = answer.json["validation-errors"][0]["errors"].as_array();
        let wrong = chat.or(other).into_iter().flatten();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let errors: Told = wrong
            .map(|wrong| (text(&wrong["path"]), text(&wrong["detail"])))
            .collect();
        if answer.status != 400 || !expected(&errors) {
            let operation = self.case.operation;
            let context = format!("{operation}: {what}: {} {}", answer.status, answer.body);
            self.wrong.push(context);
        }
    }

    async fn refuses_what_is_missing(&mut self) {
        for Needed { parent, names } in std::mem::take(&mut self.walk.needed) {
            let mut body = self.case.body.clone();
            // What stands in no example is seen by the trial of wrong types.
            let Some(Value::Object(object)) = found(&mut body, &parent) else {
                continue;
            };
            for name in &names {
                object.remove(name);
            }
            let missing_paths: Vec<String> = names
                .iter()
                .map(|name| written(&[parent.as_slice(), std::slice::from_ref(name)].concat()))
                .collect();
            let names_it = |told: &Told| told.iter().any(|(path, _)| missing_paths.contains(path));
            self.refused(&body, &format!("without {missing_paths:?}"), names_it)
                .await;
        }
    }

    async fn refuses_what_is_of_another_type(&mut self) {
        for Field { way, schema } in std::mem::take(&mut self.walk.fields) {
            let is_object = schema["properties"].is_object() || schema["type"] == "array";
            let mut body = self.case.body.clone();
            // Fields of one kind of message are checked in messages of that kind.
            for (length, kind) in way.iter().enumerate() {
                if matches!(kind.as_str(), "location" | "contact") {
                    place(&mut body, &way[..length])["type"] = json!(kind);
                }
            }
            *place(&mut body, &way) = if is_object { json!(7) } else { json!({}) };
            let field_path = written(&way);
            let names_it = |told: &Told| told.iter().any(|(path, _)| *path == field_path);
            self.refused(&body, &format!("{field_path} of another type"), names_it)
                .await;
        }
    }

    /// Checks that the refusal of an unknown field names the known ones.
    async fn knows_the_fields_that_are_described(&mut self) {
        for (way, properties) in std::mem::take(&mut self.walk.closed) {
            let mut body = self.case.body.clone();
            let object = place(&mut body, &way);
            if !object.is_object() {
                *object = json!({});
            }
            object["surplus"] = json!(1);
            let surplus = written(&[way.as_slice(), &["surplus".to_owned()]].concat());
            let names_known = |told: &Told| {
                let detail = told.iter().find(|(path, _)| *path == surplus);
                let list =
                    detail.and_then(|(_, told)| told.strip_prefix("unknown key, expected only "));
                let keys: Option<BTreeSet<String>> =
                    list.map(|known| known.split(", ").map(str::to_owned).collect());
                keys.as_ref() == Some(&properties)
            };
            self.refused(
                &body,
                &format!("{surplus}, and no others but {properties:?}"),
                names_known,
            )
            .await;
        }
    }
}

/// A conversation of the customer that the examples name, with an answer.
async fn world(client: &Client, receiver: &Receiver) -> World {
    client.connect("v2").await;
    let mut event = message("m-1", "c-ada");
    event["payload"]["sender"]["id"] = json!("u-ada");
    let new_message = client.sent(&event).await;
    client.sent(&message("m-b", "c-bob")).await;
    let conversation = new_message["conversation_id"].as_str().unwrap().to_owned();
    let message = new_message["msgid"].as_str().unwrap().to_owned();
    let reply = client.replied(&conversation, "Yes?").await;
    let ada = Browser::sign_in(client, "Ada@example.com").await;
    review(client).await;
    World {
        code: ada.consents().await,
        question: question(client, receiver).await,
        conversation,
        message,
        reply,
    }
}

/// Creates a template, and asks for its review: both have the number 1.
async fn review(client: &Client) {
    let template = json!({ "name": "Welcome", "content": "Hello" });
    for (target, body) in [
        ("/api/v4/chats/templates", template),
        ("/api/v4/chats/templates/1/review", json!({})),
    ] {
        floor::admin(client, "POST", target, &body).await.is(200);
    }
}

/// Runs a salesbot that asks the receiver; the last part of the address of its question.
async fn question(client: &Client, receiver: &Receiver) -> String {
    let bot = json!({ "name": "Ask", "kind": "ask_program", "url": receiver.webhook("ask") });
    let send = async |target: &str, body: Value| {
        let bare = client.request("POST", target).bearer(TOKEN);
        let request = bare.header("Content-Type", "application/json");
        request.body(body.to_string()).send().await
    };
    send("/api/v4/bots", bot).await.is(201);
    let lead = json!({ "entity_id": 1, "entity_type": "leads" });
    send("/api/v4/bots/1/run", lead).await.is(202);
    let mut count = 1;
    loop {
        let requests = receiver.requests(count).await;
        count = requests.len() + 1;
        let bodies = requests
            .iter()
            .map(|it| serde_json::from_slice::<Value>(&it.body).unwrap());
        let mut urls = bodies.filter_map(|body| Some(body["return_url"].as_str()?.to_owned()));
        if let Some(url) = urls.next() {
            return url.rsplit('/').next().unwrap().to_owned();
        }
    }
}

/// The hook that the examples of the relay are about.
async fn relay_a_hook(server: &Server) {
    let hook = r#"{"message":{"conversation":{"id":"c"},"message":{"id":"8e4d4baa-9e6c-4a88-838a-5f62be227bdc"}}}"#;
    let request = reqwest::Client::new()
        .post(format!("{}/relay/shop", server.url()))
        .header("X-Signature", signature("s", hook.as_bytes()))
        .body(hook);
    assert_eq!(request.send().await.unwrap().status(), 200);
}

#[tokio::test]
async fn bodies_are_read_as_described() {
    let receiver = Receiver::start().await;
    let relay = "[[relay]]\nchannel = \"shop\"\nsecret = \"s\"\nfrom = \"/relay/shop\"\nto = \"http://127.0.0.1:9/\"";
    let setup = Setup::default().webhook(&receiver).lines(relay);
    let server = setup.start().await;
    let client = server.client();
    let cases = all(&world(client, &receiver).await);
    relay_a_hook(&server).await;
    let mut wrong = Vec::new();
    for case in &cases {
        let (_, _, operation) = described(case.operation);
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        let walk = Walk::new(schema, case.schema);
        let mut trial = Trial {
            client,
            case,
            walk,
            wrong: Vec::new(),
        };
        trial.refuses_what_is_missing().await;
        trial.refuses_what_is_of_another_type().await;
        trial.knows_the_fields_that_are_described().await;
        wrong.append(&mut trial.wrong);
        let answer = case.send(client, &case.body).await;
        if !(200..300).contains(&answer.status) {
            let operation = case.operation;
            let text = format!(
                "{operation}: its example: {} {}",
                answer.status, answer.body
            );
            wrong.push(text);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let tested: BTreeSet<&str> = cases.iter().map(|case| case.operation).collect();
    assert_eq!(
        tested,
        with_bodies(),
        "add a case for each operation with a JSON body"
    );
}

fn with_bodies() -> BTreeSet<&'static str> {
    let paths = DOCUMENT["paths"].as_object().unwrap().values();
    let operations = paths.flat_map(|methods| methods.as_object().unwrap().values());
    operations
        .filter(|operation| operation["requestBody"]["content"]["application/json"].is_object())
        .map(|operation| operation["operationId"].as_str().unwrap())
        .collect()
}
