//! The interface as it is committed: each change of it shows in a diff, and one that breaks a client is named.
//!
//! `REMAKE_OPENAPI=1` writes the file again.

use serde_json::{Map, Value, json};

use super::facts::facts;
use crate::support::described::DOCUMENT;

/// The promises of `before` that `now` breaks, a line each.
fn breaks(before: &Value, now: &Value) -> Vec<String> {
    let (before, now) = (facts(before), facts(now));
    let withdrawn_promises = before.promises.difference(&now.promises);
    let mut breaks: Vec<String> = withdrawn_promises
        .map(|fact| format!("no longer: {fact}"))
        .collect();
    for (fact, place) in &now.demands {
        let is_new_here = !before.demands.contains_key(fact) && before.promises.contains(place);
        let bound = now.bounds.get(fact);
        if is_new_here {
            breaks.push(format!("new: {fact}"));
        } else if bound
            .is_some_and(|bound| bound.is_narrower_than(before.bounds.get(fact).copied()))
            && before.bounds.contains_key(fact)
        {
            breaks.push(format!("narrower: {fact}"));
        }
    }
    breaks
}

/// The document without the words for people: of those there is no promise.
fn shape(document: &Value) -> Value {
    const WORDS: [&str; 6] = [
        "description",
        "example",
        "examples",
        "externalDocs",
        "summary",
        "title",
    ];
    fn without_words(value: &Value, names: bool) -> Value {
        match value {
            Value::Object(fields) => fields
                .iter()
                .filter(|(key, _)| names || !WORDS.contains(&key.as_str()))
                .map(|(key, value)| {
                    (
                        key.clone(),
                        without_words(value, !names && key == "properties"),
                    )
                })
                .collect::<Map<_, _>>()
                .into(),
            Value::Array(items) => items
                .iter()
                .map(|item| without_words(item, false))
                .collect(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
        }
    }
    without_words(document, false)
}

/// The shape as a file: a line for each operation and each part that several share.
fn lines(document: &Value) -> String {
    let shape = shape(document);
    let entry = |(key, value): (&String, &Value)| format!("{}:{value}", Value::from(key.as_str()));
    let block = |fields: &Value| {
        let entries: Vec<String> = fields.as_object().unwrap().iter().map(entry).collect();
        format!("{{\n{}\n}}", entries.join(",\n"))
    };
    let blocks = |fields: &Value| {
        let part = |(key, value): (&String, &Value)| {
            format!("{}:{}", Value::from(key.as_str()), block(value))
        };
        let parts: Vec<String> = fields.as_object().unwrap().iter().map(part).collect();
        format!("{{\n{}\n}}", parts.join(",\n"))
    };
    let (paths, components) = (blocks(&shape["paths"]), blocks(&shape["components"]));
    format!(
        "{{\"openapi\":{},\n\"paths\":{paths},\n\"components\":{components}}}\n",
        shape["openapi"]
    )
}

#[test]
fn the_interface_is_the_one_that_is_committed() {
    let path = format!("{}/tests/data/openapi.json", env!("CARGO_MANIFEST_DIR"));
    let now = lines(&DOCUMENT);
    if std::env::var_os("REMAKE_OPENAPI").is_some() {
        std::fs::write(&path, &now).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap();
    let before: Value = serde_json::from_str(&committed).unwrap();
    let breaks = breaks(&before, &serde_json::from_str(&now).unwrap());
    assert!(
        breaks.is_empty(),
        "these changes break clients; if that is meant, say so in CHANGELOG.md and run this test with REMAKE_OPENAPI=1:\n{}",
        breaks.join("\n")
    );
    assert!(
        committed == now,
        "the interface has grown, and no client breaks: run this test with REMAKE_OPENAPI=1 and commit tests/data/openapi.json"
    );
}

fn planted(change: impl FnOnce(&mut Value)) -> Vec<String> {
    let before = json!({ "paths": { "/users": {
        "get": { "operationId": "listUsers",
            "parameters": [{ "in": "query", "name": "limit", "schema": { "type": "integer", "maximum": 50 } }],
            "responses": { "200": { "content": { "application/json": { "schema": { "$ref": "#/components/schemas/User" } } } } } },
        "post": { "operationId": "createUser",
            "requestBody": { "content": { "application/json": { "schema": { "$ref": "#/components/schemas/NewUser" } } } },
            "responses": { "204": {} } } } },
        "components": { "schemas": {
            "User": { "type": "object", "required": ["id"], "properties": {
                "id": { "type": "integer" }, "friends": { "type": "array", "items": { "$ref": "#/components/schemas/User" } } } },
            "NewUser": { "type": "object", "required": ["name"], "properties": {
                "name": { "type": "string" }, "role": { "type": "string", "enum": ["admin", "user"] } } } } } });
    let mut now = before.clone();
    change(&mut now);
    breaks(&before, &now)
}

#[test]
fn a_change_that_breaks_clients_is_named() {
    const USER: &str = "/components/schemas/User";
    const NEW: &str = "/components/schemas/NewUser";
    let set = |pointer: &str, value: Value| {
        planted(|document| *document.pointer_mut(pointer).unwrap() = value)
    };
    let limit = "/paths/~1users/get/parameters/0";
    let changes = [
        (
            planted(|document| {
                drop(
                    document["paths"]["/users"]
                        .as_object_mut()
                        .unwrap()
                        .remove("post"),
                )
            }),
            "no longer: POST /users",
        ),
        (
            set("/paths/~1users/get/operationId", json!("getUsers")),
            "no longer: GET /users is called \"listUsers\"",
        ),
        (
            set(&format!("{limit}/schema/maximum"), json!(20)),
            "narrower: GET /users query limit has a maximum",
        ),
        (
            planted(|document| document.pointer_mut(limit).unwrap()["required"] = json!(true)),
            "new: GET /users query limit is required",
        ),
        (
            set(&format!("{USER}/properties/id/type"), json!("string")),
            "new: GET /users 200 has application/json.id may be \"string\"",
        ),
        (
            set(
                &format!("{USER}/properties/id/type"),
                json!(["integer", "null"]),
            ),
            "new: GET /users 200 has application/json.id may be \"null\"",
        ),
        (
            set(&format!("{USER}/required"), json!([])),
            "no longer: GET /users 200 has application/json.id is always there",
        ),
        (
            set(&format!("{NEW}/required"), json!(["name", "role"])),
            "new: POST /users takes application/json.role is required",
        ),
        (
            set(&format!("{NEW}/properties/role/enum"), json!(["user"])),
            "no longer: POST /users takes application/json.role may be the value \"admin\"",
        ),
        (
            set(
                &format!("{NEW}/properties/name"),
                json!({ "type": "string", "maxLength": 9 }),
            ),
            "new: POST /users takes application/json.name has a maxLength",
        ),
    ];
    for (breaks, line) in changes {
        assert!(breaks.iter().any(|it| it == line), "{line}: {breaks:#?}");
    }
}

#[test]
fn a_change_that_breaks_no_client_is_no_break() {
    let harmless = [
        planted(
            |document| document["paths"]["/more"] = json!({ "get": { "parameters": [{ "in": "query", "name": "q", "required": true, "schema": {} }] } }),
        ),
        planted(|document| {
            document["paths"]["/users"]["get"]["parameters"][0]["schema"]["maximum"] = json!(250)
        }),
        planted(|document| {
            document["components"]["schemas"]["User"]["properties"]["email"] =
                json!({ "type": ["string", "null"] })
        }),
        planted(|document| {
            document["components"]["schemas"]["NewUser"]["properties"]["email"] =
                json!({ "type": "string", "maxLength": 9 })
        }),
        planted(|document| document["components"]["schemas"]["NewUser"]["required"] = json!([])),
        planted(|document| document["paths"]["/users"]["get"]["summary"] = json!("Another word")),
    ];
    for breaks in harmless {
        assert!(breaks.is_empty(), "{breaks:#?}");
    }
}
