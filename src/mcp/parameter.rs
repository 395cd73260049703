//! Parameters of tools: declared once, shown as a schema, and read with all problems at once.

use serde_json::{Map, Value, json};

/// A parameter of a tool.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) is_needed: bool,
    /// A sentence for agents.
    pub(super) says: &'static str,
}

/// The kind of a parameter's value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A whole number, 0 or more.
    Whole,
    Number,
    Flag,
    /// A list of whole numbers.
    Wholes,
    /// A list of objects, which the world reads.
    Objects,
    /// Texts by names.
    Texts,
}

impl Parameter {
    pub(super) const fn new(name: &'static str, kind: Kind, says: &'static str) -> Self {
        Self {
            name,
            kind,
            is_needed: false,
            says,
        }
    }

    /// The same parameter, which every call has to have.
    pub(super) const fn needed(self) -> Self {
        Self {
            is_needed: true,
            ..self
        }
    }
}

impl Kind {
    fn schema(self) -> Value {
        match self {
            Self::Text => json!({ "type": "string" }),
            Self::Word(words) => json!({ "type": "string", "enum": words }),
            Self::Whole => json!({ "type": "integer", "minimum": 0 }),
            Self::Number => json!({ "type": "number" }),
            Self::Flag => json!({ "type": "boolean" }),
            Self::Wholes => {
                json!({ "type": "array", "items": { "type": "integer", "minimum": 0 } })
            }
            Self::Objects => json!({ "type": "array", "items": { "type": "object" } }),
            Self::Texts => {
                json!({ "type": "object", "additionalProperties": { "type": "string" } })
            }
        }
    }

    fn takes(self, value: &Value) -> bool {
        let all = |is: fn(&Value) -> bool| value.as_array().is_some_and(|it| it.iter().all(is));
        match self {
            Self::Text => value.is_string(),
            Self::Word(words) => value.as_str().is_some_and(|it| words.contains(&it)),
            Self::Whole => value.is_u64(),
            Self::Number => value.is_number(),
            Self::Flag => value.is_boolean(),
            Self::Wholes => all(Value::is_u64),
            Self::Objects => all(Value::is_object),
            Self::Texts => value
                .as_object()
                .is_some_and(|it| it.values().all(Value::is_string)),
        }
    }

    /// The value that was expected, for people.
    fn in_words(self) -> String {
        match self {
            Self::Text => "a text".to_owned(),
            Self::Word(words) => format!("one of {}", words.join(", ")),
            Self::Whole => "a whole number".to_owned(),
            Self::Number => "a number".to_owned(),
            Self::Flag => "true or false".to_owned(),
            Self::Wholes => "a list of whole numbers".to_owned(),
            Self::Objects => "a list of objects".to_owned(),
            Self::Texts => "an object with texts".to_owned(),
        }
    }
}

/// The JSON schema of these parameters.
pub(super) fn schema(parameters: &[Parameter]) -> Map<String, Value> {
    let property = |it: &Parameter| {
        let mut schema = it.kind.schema();
        if let Some(fields) = schema.as_object_mut() {
            fields.insert("description".to_owned(), it.says.into());
        }
        (it.name.to_owned(), schema)
    };
    let properties: Map<String, Value> = parameters.iter().map(property).collect();
    let needed = parameters.iter().filter(|it| it.is_needed);
    let required: Vec<&str> = needed.map(|it| it.name).collect();
    let fields = [
        ("type", json!("object")),
        ("properties", properties.into()),
        ("required", json!(required)),
        ("additionalProperties", json!(false)),
    ];
    fields
        .map(|(name, value)| (name.to_owned(), value))
        .into_iter()
        .collect()
}

/// The arguments of a call, which its parameters allow.
#[derive(Clone, Debug, Default)]
pub(super) struct Arguments(Map<String, Value>);

impl Arguments {
    /// Reads the arguments of a call. One that is `null` is absent.
    ///
    /// # Errors
    /// With everything that is wrong, each with its name.
    pub(super) fn read(
        parameters: &[Parameter],
        mut values: Map<String, Value>,
    ) -> Result<Self, String> {
        values.retain(|_, value| !value.is_null());
        let mut wrong = Vec::new();
        for name in values.keys() {
            if parameters.iter().all(|it| it.name != name) {
                let names: Vec<&str> = parameters.iter().map(|it| it.name).collect();
                let names = names.join(", ");
                wrong.push(format!(
                    "{name}: there is no such parameter; there are {names}"
                ));
            }
        }
        for parameter in parameters {
            let (name, kind) = (parameter.name, parameter.kind);
            match values.get(name) {
                None if parameter.is_needed => {
                    wrong.push(format!("{name}: is missing; expected {}", kind.in_words()));
                }
                Some(value) if !kind.takes(value) => {
                    wrong.push(format!("{name}: expected {}", kind.in_words()));
                }
                None | Some(_) => {}
            }
        }
        if wrong.is_empty() {
            Ok(Self(values))
        } else {
            Err(wrong.join("\n"))
        }
    }

    pub(super) fn value(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.value(name)?.as_str()
    }

    pub(super) fn whole(&self, name: &str) -> Option<u64> {
        self.value(name)?.as_u64()
    }

    pub(super) fn flag(&self, name: &str) -> bool {
        self.value(name) == Some(&Value::Bool(true))
    }

    /// The arguments as a body, without these.
    pub(super) fn body_without(&self, names: &[&str]) -> Value {
        let fields = self
            .0
            .iter()
            .filter(|(name, _)| !names.contains(&name.as_str()));
        let body: Map<String, Value> = fields
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        body.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMETERS: [Parameter; 4] = [
        Parameter::new("world", Kind::Text, "The world.").needed(),
        Parameter::new("count", Kind::Whole, "The count."),
        Parameter::new("form", Kind::Word(&["text", "json"]), "The form."),
        Parameter::new("only", Kind::Wholes, "The rules."),
    ];

    fn read(values: &Value) -> Result<Arguments, String> {
        Arguments::read(&PARAMETERS, values.as_object().unwrap().clone())
    }

    #[test]
    fn everything_wrong_is_named_at_once() {
        let wrong = read(&json!({ "count": -1, "form": "html", "only": [1, "2"], "color": "red" }))
            .unwrap_err();
        let lines: Vec<&str> = wrong.lines().collect();
        assert_eq!(
            lines,
            [
                "color: there is no such parameter; there are world, count, form, only",
                "world: is missing; expected a text",
                "count: expected a whole number",
                "form: expected one of text, json",
                "only: expected a list of whole numbers",
            ]
        );
    }

    #[test]
    fn arguments_that_are_null_are_absent() {
        let arguments = read(&json!({ "world": "w1", "count": null, "only": [9] })).unwrap();
        assert_eq!(arguments.text("world"), Some("w1"));
        assert_eq!(arguments.whole("count"), None);
        assert_eq!(arguments.body_without(&["world"]), json!({ "only": [9] }));
    }

    #[test]
    fn the_schema_says_what_is_read() {
        let schema = Value::Object(schema(&PARAMETERS));
        assert_eq!(schema["required"], json!(["world"]));
        assert_eq!(schema["additionalProperties"], json!(false));
        let form = &schema["properties"]["form"];
        assert_eq!(form["enum"], json!(["text", "json"]));
        assert_eq!(form["description"], "The form.");
    }
}
