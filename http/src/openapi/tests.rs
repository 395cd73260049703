//! The document as a whole.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::all_addresses;
use crate::openapi::{Nullable, Schema, Seconds, document, webhooks};

/// Every operation: its method, its path, and what the document says of it.
fn operations(document: &Value) -> Vec<(String, String, Value)> {
    let paths = document["paths"].as_object().unwrap();
    let mut operations = Vec::new();
    for (path, methods) in paths {
        for (method, operation) in methods.as_object().unwrap() {
            operations.push((method.clone(), path.clone(), operation.clone()));
        }
    }
    operations
}

#[test]
fn the_document_is_openapi_3_1() {
    let text = include_str!("../../../tests/data/openapi-3.1.schema.json");
    let schema: Value = serde_json::from_str(text).unwrap();
    let rules = jsonschema::validator_for(&schema).unwrap();
    let document = document();
    let wrong: Vec<String> = rules
        .iter_errors(&document)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    // The rules do refuse something.
    let mut spoilt = document;
    spoilt["paths"]["/healthz"]["get"]["responses"] = json!({});
    assert!(!rules.is_valid(&spoilt));
}

#[test]
fn every_route_is_in_the_document_and_nothing_else_is() {
    let document = document();
    let described: BTreeSet<_> = operations(&document)
        .into_iter()
        .map(|(method, path, _)| (method.to_ascii_uppercase(), path))
        .collect();
    let mut registered = BTreeSet::new();
    for address in all_addresses() {
        for (method, _) in address.operations {
            let new = registered.insert(((*method).to_owned(), address.path.to_owned()));
            assert!(new, "{method} {} is registered twice", address.path);
        }
    }
    assert_eq!(described, registered);
    assert!(described.len() > 60, "{}", described.len());
}

/// Each list of the operator has pages of one form: `limit`, `cursor`, and `next` in the answer.
#[test]
fn every_list_of_the_operator_has_pages() {
    let document = document();
    let mut lists = 0;
    for (method, path, operation) in operations(&document) {
        let declaration = &operation["responses"]["200"]["content"]["application/json"]["schema"];
        let schema = match declaration["$ref"].as_str() {
            Some(reference) => document.pointer(reference.trim_start_matches('#')).unwrap(),
            None => declaration,
        };
        let properties = schema["properties"].as_object();
        let name = operation["operationId"].as_str().unwrap();
        let is_list = name.starts_with("list")
            || properties
                .is_some_and(|all| all.len() == 1 && all.values().any(|it| it["type"] == "array"));
        if method != "get" || !path.starts_with("/admin/v1") || !is_list {
            continue;
        }
        lists += 1;
        let parameters: Vec<&str> = operation["parameters"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|parameter| parameter["name"].as_str())
            .collect();
        for wanted in ["limit", "cursor"] {
            assert!(parameters.contains(&wanted), "{name} has no {wanted}");
        }
        assert!(!parameters.contains(&"page"), "{name}");
        let properties = properties.unwrap();
        assert!(properties.contains_key("next"), "{name} has no next");
    }
    assert!(lists >= 13, "{lists}");
}

#[test]
fn operations_have_names_of_their_own_and_sentences() {
    let document = document();
    let mut names = BTreeSet::new();
    for (method, path, operation) in operations(&document) {
        let name = operation["operationId"].as_str().unwrap().to_owned();
        assert!(names.insert(name.clone()), "{name} is given twice");
        let summary = operation["summary"].as_str().unwrap();
        assert!(summary.ends_with('.'), "{method} {path}: {summary}");
        let succeeds = operation["responses"].as_object().unwrap().keys();
        assert!(
            succeeds.into_iter().any(|status| status.starts_with('2')),
            "{name}"
        );
    }
}

#[test]
fn path_parameters_match_their_templates() {
    for (method, path, operation) in operations(&document()) {
        let in_path: BTreeSet<&str> = path
            .split('/')
            .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
            .collect();
        let parameters = operation["parameters"].as_array();
        let declarations: BTreeSet<&str> = parameters
            .into_iter()
            .flatten()
            .filter(|parameter| parameter["in"] == "path")
            .map(|parameter| parameter["name"].as_str().unwrap())
            .collect();
        assert_eq!(in_path, declarations, "{method} {path}");
    }
}

/// A schema of the document that stands alone.
fn whole(document: &Value, schema: &Value) -> Value {
    json!({ "allOf": [schema], "components": document["components"] })
}

#[test]
fn examples_match_their_schemas() {
    let document = document();
    let mut count = 0;
    let mut fits = |name: &str, schema: &Value, example: &Value| {
        let whole_schema = whole(&document, schema);
        let rules = jsonschema::validator_for(&whole_schema).unwrap();
        let wrong: Vec<String> = rules
            .iter_errors(example)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(wrong.is_empty(), "{name}: {wrong:#?}");
        count += 1;
    };
    for (method, path, operation) in operations(&document) {
        let body = &operation["requestBody"]["content"]["application/json"];
        if !body.is_null() {
            let name = format!("{method} {path}");
            fits(&name, &body["schema"], &body["example"]);
        }
    }
    for (name, webhook) in document["webhooks"].as_object().unwrap() {
        let body = &webhook["post"]["requestBody"]["content"]["application/json"];
        let examples = body["examples"].as_object().unwrap();
        assert!(!examples.is_empty(), "{name}");
        for example in examples.values() {
            fits(name, &body["schema"], &example["value"]);
        }
    }
    assert!(count > 20, "{count}");
}

#[test]
fn every_reference_resolves() {
    let document = document();
    let text = document.to_string();
    let mut references = text.split("\"$ref\":\"#").skip(1);
    assert!(references.all(|rest| {
        let pointer = rest.split('"').next().unwrap();
        document.pointer(pointer).is_some()
    }));
}

/// Two schemas of one name would hide each other.
#[test]
fn a_schema_name_belongs_to_one_schema() {
    let operations = all_addresses().flat_map(|address| address.operations);
    let of_operations = operations.map(|(method, describe)| describe().written(method).1);
    let (_, of_webhooks) = webhooks::all();
    let mut schemas = BTreeMap::new();
    for (name, schema) in of_operations.chain([of_webhooks]).flatten() {
        let first = schemas
            .entry(name.clone())
            .or_insert_with(|| schema.clone());
        assert_eq!(*first, schema, "{name} is given twice");
    }
    assert!(schemas.len() > 20, "{}", schemas.len());
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "snake_case")]
enum Colour {
    /// Of most tulips.
    Red,
    /// Of few.
    DarkBlue,
}

#[derive(Clone, Copy, Serialize, JsonSchema)]
#[schemars(inline)]
#[serde(tag = "step", rename_all = "snake_case")]
enum Step {
    /// One that has a field.
    Long { metres: u32 },
    /// One that has none.
    Short,
}

view! {
    struct Sample<'s>(name: &'s str, note: Option<Option<&'s str>>, step: Option<Step>) {
        /// The name of the sample.
        name: &'s str = name,
        colour: Colour = if note.is_some() { Colour::Red } else { Colour::DarkBlue },
        at: Option<Seconds> = None,
        note ?: Nullable<&'s str> = note.map(Nullable),
        walk ?: Walk = step.map(Walk::new),
    }

    #[schemars(inline)]
    struct Walk(step: Step) {
        #[serde(flatten)]
        step: Step = step,
        count: usize = 1,
    }
}

/// A view is written exactly as its schema says, and the schema says no more than that.
#[test]
fn a_view_matches_its_schema() {
    let (reference, parts) = Schema::for_type::<Sample<'_>>().taken();
    assert_eq!(reference, json!({ "$ref": "#/components/schemas/Sample" }));
    let schema = &parts["Sample"];
    let rules = jsonschema::validator_for(schema).unwrap();
    let right = [
        Sample::new("a", None, None),
        Sample::new("a", Some(None), Some(Step::Short)),
        Sample::new("a", Some(Some("b")), Some(Step::Long { metres: 7 })),
    ];
    let mut values = Vec::new();
    for sample in right {
        let json = serde_json::to_value(sample).unwrap();
        assert!(rules.is_valid(&json), "{json}");
        values.push(json);
    }
    let [first, second, third] = values.try_into().unwrap();
    assert_eq!(
        first,
        json!({ "name": "a", "colour": "dark_blue", "at": null })
    );
    assert_eq!(second["note"], Value::Null);
    assert_eq!(
        third["walk"],
        json!({ "step": "long", "metres": 7, "count": 1 })
    );
    // Whatever is spoilt is refused.
    for (pointer, wrong) in [
        ("/name", json!(null)),
        ("/colour", json!("green")),
        ("/at", json!("now")),
        ("/at", json!(-1)),
        ("/walk", json!(null)),
        ("/walk/step", json!("short")),
        ("/walk/metres", json!(-7)),
        ("/walk/count", json!(0.5)),
    ] {
        let mut spoilt = third.clone();
        *spoilt.pointer_mut(pointer).unwrap() = wrong.clone();
        assert!(!rules.is_valid(&spoilt), "{pointer}: {wrong}");
    }
    for place in ["", "/walk"] {
        let mut spoilt = third.clone();
        spoilt.pointer_mut(place).unwrap()["more"] = json!(1);
        assert!(!rules.is_valid(&spoilt), "{place} is open");
    }
    let properties = &schema["properties"];
    assert_eq!(properties["name"]["description"], "The name of the sample.");
    assert_eq!(properties["colour"]["enum"], json!(["red", "dark_blue"]));
    assert_eq!(schema["required"], json!(["name", "colour", "at"]));
}
