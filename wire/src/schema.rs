//! JSON schemas as typed values: what bodies hold, said beside the code that reads or writes them.
//!
//! An object holds the fields that are named and no others, unless it is [`Schema::open`].

mod settle;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use self::settle::settle;

/// The schemas that others refer to, by name.
pub type Parts = BTreeMap<String, Value>;

/// Marks the schema of a secret: its values are never recorded.
pub const SECRET: &str = "x-secret";

/// The schema of a value.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    json: Map<String, Value>,
    parts: Parts,
}

/// A field of an object.
#[derive(Clone, Debug)]
pub struct Field {
    name: &'static str,
    schema: Schema,
    needed: bool,
}

/// A field that is always there.
pub fn must(name: &'static str, schema: Schema) -> Field {
    Field {
        name,
        schema,
        needed: true,
    }
}

/// A field that may be left out.
pub fn may(name: &'static str, schema: Schema) -> Field {
    Field {
        name,
        schema,
        needed: false,
    }
}

impl Field {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The same field, whose values are secrets.
    #[must_use]
    pub fn secret(mut self) -> Self {
        self.schema = self.schema.secret();
        self
    }

    /// The same field, which may be left out.
    #[must_use]
    pub fn optional(self) -> Self {
        Self {
            needed: false,
            ..self
        }
    }

    /// The same field, which has to be there.
    #[must_use]
    pub fn needed(self) -> Self {
        Self {
            needed: true,
            ..self
        }
    }

    /// The same field, where null stands for nothing.
    #[must_use]
    pub fn or_null(self) -> Self {
        let schema = self.schema.or_null();
        Self { schema, ..self }
    }

    /// The same field, with this value when nothing is given.
    #[must_use]
    pub fn default_is(self, value: impl Into<Value>) -> Self {
        let schema = self.schema.default_is(value);
        Self {
            schema,
            needed: false,
            ..self
        }
    }

    /// The same field with another schema.
    #[must_use]
    pub fn with_schema(self, schema: Schema) -> Self {
        let is_secret = self.schema.json.contains_key(SECRET);
        let schema = if is_secret { schema.secret() } else { schema };
        Self { schema, ..self }
    }

    /// The same field with the lines of a comment as its description, if there are any.
    #[must_use]
    pub fn described(self, lines: &[&str]) -> Self {
        if lines.is_empty() {
            return self;
        }
        let lines: Vec<_> = lines.iter().map(|line| line.trim()).collect();
        let schema = self.schema.says(&lines.join(" "));
        Self { schema, ..self }
    }
}

impl Schema {
    /// The schema of the form that values of this type are written in.
    pub fn for_type<T: JsonSchema>() -> Self {
        let mut settings = SchemaSettings::draft2020_12().for_serialize();
        settings.definitions_path = "/components/schemas".into();
        let mut generator = settings.into_generator();
        let mut json = generator.subschema_for::<T>().to_value();
        settle(&mut json);
        let parts = generator
            .take_definitions(false)
            .into_iter()
            .map(|(name, mut part)| {
                settle(&mut part);
                (name, part)
            });
        Self {
            parts: parts.collect(),
            json: json.as_object().cloned().unwrap_or_default(),
        }
    }

    fn kind(name: &str) -> Self {
        Self::default().with("type", name)
    }

    /// Text, also none.
    pub fn text() -> Self {
        Self::kind("string")
    }

    /// Text of 1 to `longest` characters.
    pub fn line(longest: u32) -> Self {
        Self::text().with("minLength", 1).with("maxLength", longest)
    }

    /// The same text, which is a secret.
    #[must_use]
    pub fn secret(self) -> Self {
        self.with(SECRET, true)
    }

    /// A UUID.
    pub fn uuid() -> Self {
        Self::text().with("format", "uuid")
    }

    /// An absolute address.
    pub fn url() -> Self {
        Self::text().with("format", "uri").with("maxLength", 2_048)
    }

    /// The file of something: an address, or nothing where there is none.
    pub fn url_or_nothing() -> Self {
        Self::text().with("maxLength", 2_048)
    }

    /// A whole number.
    pub fn whole() -> Self {
        Self::kind("integer").with("format", "int64")
    }

    /// A whole number, from `least` on.
    pub fn from(least: i64) -> Self {
        Self::whole().with("minimum", least)
    }

    /// A whole number from `least` to `most`.
    pub fn between(least: i64, most: i64) -> Self {
        Self::from(least).with("maximum", most)
    }

    /// The number that something goes by.
    pub fn number() -> Self {
        Self::from(1)
    }

    /// The schema of a count.
    pub fn count() -> Self {
        Self::from(0)
    }

    /// A moment, in seconds since 1970.
    pub fn seconds() -> Self {
        Self::from(0).says("Unix time, in seconds.")
    }

    /// A moment, in milliseconds since 1970.
    pub fn millis() -> Self {
        Self::from(0).says("Unix time, in milliseconds.")
    }

    /// A number with a fraction, from `-most` to `most`.
    pub fn degrees(most: f64) -> Self {
        Self::kind("number")
            .with("minimum", -most)
            .with("maximum", most)
    }

    /// Any number, whole or not.
    pub fn any_number() -> Self {
        Self::kind("number")
    }

    /// True or false.
    pub fn boolean() -> Self {
        Self::kind("boolean")
    }

    /// One of these words.
    pub fn words<'w>(words: impl IntoIterator<Item = &'w str>) -> Self {
        let words: Vec<Value> = words.into_iter().map(Value::from).collect();
        Self::text().with("enum", words)
    }

    /// One of the words of a table that a reader of bodies uses.
    pub fn choice<T>(choices: &[(&str, T)]) -> Self {
        Self::words(choices.iter().map(|(word, _)| *word))
    }

    /// This value and no other.
    pub fn only(value: impl Into<Value>) -> Self {
        Self::default().with("const", value)
    }

    /// An array of these.
    pub fn list(entry: Self) -> Self {
        let list = Self::kind("array").with("items", entry.json);
        Self {
            parts: entry.parts,
            ..list
        }
    }

    /// An array of these with `least` to `most` entries.
    pub fn few(entry: Self, least: usize, most: usize) -> Self {
        Self::list(entry)
            .with("minItems", least)
            .with("maxItems", most)
    }

    /// An object of these fields and no others.
    pub fn object(fields: impl IntoIterator<Item = Field>) -> Self {
        let (mut properties, mut required) = (Map::new(), Vec::new());
        let mut object = Self::kind("object").with("additionalProperties", false);
        for field in fields {
            properties.insert(field.name.to_owned(), field.schema.json.into());
            object.parts.extend(field.schema.parts);
            if field.needed {
                required.push(Value::from(field.name));
            }
        }
        if !required.is_empty() {
            object = object.with("required", required);
        }
        object.with("properties", properties)
    }

    /// The same object, where other fields are ignored.
    pub fn open(mut self) -> Self {
        self.json.remove("additionalProperties");
        self
    }

    /// The same object, where one of these fields at least must be there.
    pub fn needing_one_of(mut self, names: &[&str]) -> Self {
        let each: Vec<Value> = names
            .iter()
            .map(|name| json!({ "required": [name] }))
            .collect();
        let needs = self.json.entry("allOf").or_insert_with(|| json!([]));
        if let Some(needs) = needs.as_array_mut() {
            needs.push(json!({ "anyOf": each }));
        }
        self
    }

    /// The same object, which must not be empty.
    pub fn needing_one_field(self) -> Self {
        self.with("minProperties", 1)
    }

    /// The same text, which carries data of one of these schemas.
    pub fn telling(self, told: impl IntoIterator<Item = Self>) -> Self {
        let schema = Self::either(told);
        let parts = schema.parts;
        let mut telling = self.with("x-data", Value::from(schema.json));
        telling.parts.extend(parts);
        telling
    }

    /// Any of these.
    pub fn either(schemas: impl IntoIterator<Item = Self>) -> Self {
        let (mut each, mut either) = (Vec::new(), Self::default());
        for schema in schemas {
            each.push(Value::from(schema.json));
            either.parts.extend(schema.parts);
        }
        either.with("anyOf", each)
    }

    /// The same, by a name that others refer to.
    pub fn named(name: &'static str, schema: Self) -> Self {
        let path = format!("#/components/schemas/{name}");
        let mut reference = Self::default().with("$ref", path);
        reference.parts = schema.parts;
        reference.parts.insert(name.to_owned(), schema.json.into());
        reference
    }

    /// The same, or null.
    pub fn or_null(mut self) -> Self {
        let plain = !self.json.contains_key("enum");
        if let Some(Value::String(kind)) = self.json.get("type").filter(|_| plain) {
            let kinds = json!([kind, "null"]);
            return self.with("type", kinds);
        }
        let description = self.json.remove("description");
        let either = Self::either([self, Self::kind("null")]);
        match description {
            Some(description) => either.with("description", description),
            None => either,
        }
    }

    /// Adds the description, in plain English, with the unit and the limits.
    pub fn says(self, description: &str) -> Self {
        self.with("description", description)
    }

    /// Adds the default.
    pub fn default_is(self, value: impl Into<Value>) -> Self {
        self.with("default", value)
    }

    fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.json.insert(key.to_owned(), value.into());
        self
    }

    /// The schema of a value that refers to no other.
    pub fn plain(self) -> schemars::Schema {
        self.json.into()
    }

    /// The schema, and those that it refers to.
    pub fn taken(self) -> (Value, Parts) {
        (self.json.into(), self.parts)
    }
}
