//! The facts of an OpenAPI document that a client relies on: what it may send and what it may expect.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// The facts of a document, each as a line that begins with its place, such as `GET /users 200.users[].id`.
#[derive(Default)]
pub(super) struct Facts {
    /// Without one of these, a client that relies on it fails.
    pub(super) promises: BTreeSet<String>,
    /// With a new one of these, a client that does not know it fails: the fact, and the place that it is about.
    pub(super) demands: BTreeMap<String, String>,
    /// The greatest and the least that a request may have, by fact.
    pub(super) bounds: BTreeMap<String, Bound>,
}

/// A bound of what a request may have.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Bound {
    AtMost(f64),
    AtLeast(f64),
}

impl Bound {
    /// Returns whether this bound refuses what `earlier` allows.
    pub(super) fn is_narrower_than(self, earlier: Option<Self>) -> bool {
        match (self, earlier) {
            (Self::AtMost(now), Some(Self::AtMost(before))) => now < before,
            (Self::AtLeast(now), Some(Self::AtLeast(before))) => now > before,
            _ => true,
        }
    }
}

/// The direction in which a schema's value goes.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Request,
    Answer,
}

/// The facts of `document`.
pub(super) fn facts(document: &Value) -> Facts {
    let mut reader = Reader {
        document,
        facts: Facts::default(),
    };
    for (path, operations) in document["paths"].as_object().into_iter().flatten() {
        for (method, operation) in operations.as_object().into_iter().flatten() {
            let method = method.to_ascii_uppercase();
            reader.operation(&format!("{method} {path}"), operation);
        }
    }
    reader.facts
}

struct Reader<'d> {
    document: &'d Value,
    facts: Facts,
}

impl<'d> Reader<'d> {
    fn promise(&mut self, fact: String) {
        self.facts.promises.insert(fact);
    }

    fn demand(&mut self, place: &str, fact: String) {
        self.facts.demands.insert(fact, place.to_owned());
    }

    fn target(&self, schema: &'d Value) -> &'d Value {
        let pointer = schema["$ref"].as_str().and_then(|it| it.strip_prefix('#'));
        pointer.map_or(schema, |pointer| self.document.pointer(pointer).unwrap())
    }

    fn operation(&mut self, place: &str, operation: &'d Value) {
        self.promise(place.to_owned());
        self.promise(format!("{place} is called {}", operation["operationId"]));
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let parameter = self.target(parameter);
            let kind = parameter["in"].as_str().unwrap();
            let name = parameter["name"].as_str().unwrap();
            let at = format!("{place} {kind} {name}");
            self.promise(at.clone());
            if parameter["required"] == true && kind != "path" {
                self.demand(place, format!("{at} is required"));
            }
            self.schema(Side::Request, &at, &parameter["schema"], &[]);
        }
        let body = self.target(&operation["requestBody"]);
        if body["required"] == true {
            self.demand(place, format!("{place} requires a body"));
        }
        self.contents(Side::Request, place, "takes", body);
        for (status, answer) in operation["responses"].as_object().into_iter().flatten() {
            if status.starts_with('2') {
                let answer = self.target(answer);
                self.promise(format!("{place} {status}"));
                for name in answer["headers"].as_object().into_iter().flatten() {
                    self.promise(format!("{place} {status} has the header {}", name.0));
                }
                self.contents(Side::Answer, &format!("{place} {status}"), "has", answer);
            }
        }
    }

    fn contents(&mut self, side: Side, place: &str, verb: &str, body: &'d Value) {
        for (kind, content) in body["content"].as_object().into_iter().flatten() {
            let at = format!("{place} {verb} {kind}");
            self.promise(at.clone());
            self.schema(side, &at, &content["schema"], &[]);
        }
    }

    /// `open` has the schemas that this one is part of: one of them may be part of itself.
    fn schema(&mut self, side: Side, at: &str, schema: &'d Value, open: &[&'d str]) {
        let mut open = open.to_vec();
        if let Some(name) = schema["$ref"].as_str() {
            if open.contains(&name) {
                return;
            }
            open.push(name);
        }
        let schema = self.target(schema);
        for kind in ["allOf", "anyOf", "oneOf"] {
            for part in schema[kind].as_array().into_iter().flatten() {
                self.schema(side, at, part, &open);
            }
        }
        self.values(side, at, schema);
        self.properties(side, at, schema, &open);
        if schema["items"].is_object() {
            self.schema(side, &format!("{at}[]"), &schema["items"], &open);
        }
        if schema["additionalProperties"].is_object() {
            let values = &schema["additionalProperties"];
            self.schema(side, &format!("{at}.*"), values, &open);
        }
    }

    fn values(&mut self, side: Side, at: &str, schema: &'d Value) {
        let kind = &schema["type"];
        let one = std::slice::from_ref(kind).iter();
        let kinds = kind.as_array().map_or(one, |kinds| kinds.iter());
        for kind in kinds.filter(|kind| kind.is_string()) {
            match side {
                Side::Request => self.promise(format!("{at} may be {kind}")),
                Side::Answer => self.demand(at, format!("{at} may be {kind}")),
            }
        }
        if side == Side::Answer {
            return;
        }
        for value in schema["enum"].as_array().into_iter().flatten() {
            self.promise(format!("{at} may be the value {value}"));
        }
        let (most, least): (fn(f64) -> Bound, fn(f64) -> Bound) = (Bound::AtMost, Bound::AtLeast);
        for (key, bound) in [
            ("maximum", most),
            ("maxLength", most),
            ("maxItems", most),
            ("minimum", least),
            ("minLength", least),
            ("minItems", least),
        ] {
            if let Some(value) = schema[key].as_f64() {
                let fact = format!("{at} has a {key}");
                self.facts.bounds.insert(fact.clone(), bound(value));
                self.demand(at, fact);
            }
        }
    }

    fn properties(&mut self, side: Side, at: &str, schema: &'d Value, open: &[&'d str]) {
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            let place = format!("{at}.{name}");
            self.promise(place.clone());
            self.schema(side, &place, property, open);
        }
        for name in schema["required"].as_array().into_iter().flatten() {
            let name = name.as_str().unwrap();
            match side {
                Side::Request => self.demand(at, format!("{at}.{name} is required")),
                Side::Answer => self.promise(format!("{at}.{name} is always there")),
            }
        }
    }
}
