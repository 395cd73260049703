//! Texts with entities: as lists, or in `MarkdownV2`, Markdown and HTML.

mod html;
mod markdown;

use serde_json::{Map, Value, json};

use crate::bounds::{ENTITIES_BYTES_MAX, ENTITIES_MAX};
use crate::params::Params;
use crate::reply::ApiError;

/// A text with its entities.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Formatted {
    pub(crate) text: String,
    pub(crate) entities: Vec<Value>,
}

/// Collects a text and its entities, whose offsets are in UTF-16 units.
#[derive(Debug, Default)]
struct Writer {
    text: String,
    units: usize,
    entities: Vec<(usize, Value)>,
}

impl Writer {
    fn letter(&mut self, letter: char) {
        self.text.push(letter);
        self.units += letter.len_utf16();
    }

    /// Adds an entity that began at an offset.
    fn entity(&mut self, kind: &str, began: usize, extra: Option<Map<String, Value>>) {
        let length = self.units.saturating_sub(began);
        if length == 0 {
            return;
        }
        let mut entity = json!({"type": kind, "offset": began, "length": length});
        if let (Some(fields), Some(extra)) = (entity.as_object_mut(), extra) {
            fields.extend(extra);
        }
        self.entities.push((began, entity));
    }

    fn finish(mut self) -> Formatted {
        self.entities.sort_by_key(|(began, _)| *began);
        self.entities.truncate(ENTITIES_MAX);
        Formatted {
            text: self.text,
            entities: self
                .entities
                .into_iter()
                .map(|(_, entity)| entity)
                .collect(),
        }
    }
}

fn refusal(why: impl std::fmt::Display) -> ApiError {
    ApiError::bad(format!("can't parse entities: {why}"))
}

/// Reads a text and its entities: by `parse_mode`, or from a list.
pub(crate) fn formatted(params: &Params, field: &str, list: &str) -> Result<Formatted, ApiError> {
    let text = params.text(field).unwrap_or_default();
    let mode = params
        .text("parse_mode")
        .unwrap_or_default()
        .to_ascii_lowercase();
    match mode.as_str() {
        "" | "none" => {
            let entities = match params.structure(list)? {
                None => Vec::new(),
                Some(entities) => listed(&text, entities)?,
            };
            Ok(Formatted { text, entities })
        }
        "html" => html::parse(&text),
        "markdownv2" => markdown::parse(&text, true),
        "markdown" => markdown::parse(&text, false),
        _ => Err(ApiError::bad("unsupported parse_mode")),
    }
}

/// Checks a list of entities against its text.
pub(crate) fn listed(text: &str, entities: Value) -> Result<Vec<Value>, ApiError> {
    let Value::Array(mut entities) = entities else {
        return Err(refusal("expected an Array of entities"));
    };
    // Telegram drops those above the limit.
    entities.truncate(ENTITIES_MAX);
    let size: usize = entities.iter().map(|it| it.to_string().len()).sum();
    if size > ENTITIES_BYTES_MAX {
        return Err(refusal("the entities are too long"));
    }
    let units = u64::try_from(text.encode_utf16().count()).unwrap_or(u64::MAX);
    for entity in &entities {
        let number = |name: &str| entity.get(name).and_then(Value::as_u64);
        let (Some(offset), Some(length)) = (number("offset"), number("length")) else {
            return Err(refusal("an entity needs \"offset\" and \"length\""));
        };
        if entity.get("type").and_then(Value::as_str).is_none() {
            return Err(refusal("an entity needs \"type\""));
        }
        if offset.saturating_add(length) > units {
            return Err(refusal(format!(
                "the entity at {offset} with length {length} is beyond the text of {units} UTF-16 units"
            )));
        }
    }
    Ok(entities)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::formatted;
    use crate::params::Params;

    fn outcome(mode: &str, text: &str) -> Result<Value, String> {
        let mut params = Params::default();
        params.values.insert("text".to_owned(), text.into());
        params.values.insert("parse_mode".to_owned(), mode.into());
        formatted(&params, "text", "entities")
            .map(|it| json!([it.text, it.entities]))
            .map_err(|error| error.description)
    }

    fn entity(kind: &str, offset: usize, length: usize) -> Value {
        json!({"type": kind, "offset": offset, "length": length})
    }

    #[test]
    fn markdown_has_entities_in_utf16_units() {
        let good = outcome("MarkdownV2", "🙂 *bold* __under__ \\_a\\_");
        let entities = [entity("bold", 3, 4), entity("underline", 8, 5)];
        assert_eq!(good, Ok(json!(["🙂 bold under _a_", entities])));
        let link = outcome("MarkdownV2", "[a](https://b.example)");
        let entity =
            json!({"type": "text_link", "offset": 0, "length": 1, "url": "https://b.example"});
        assert_eq!(link, Ok(json!(["a", [entity]])));
    }

    #[test]
    fn an_underscore_of_a_customer_is_refused() {
        for text in ["snake_case", "the end.", "*a", "`a", "[a](b", "a | b"] {
            let error = outcome("MarkdownV2", text).err().unwrap_or_default();
            assert!(
                error.starts_with("Bad Request: can't parse entities"),
                "{text}: {error}"
            );
        }
        assert!(outcome("Markdown", "snake_case").is_err());
        assert!(outcome("Markdown", "the end.").is_ok());
    }

    #[test]
    fn html_nests_and_refuses_other_tags() {
        let good = outcome(
            "HTML",
            "<b>a<i>b</i></b> &lt;c&gt; <a href=\"https://d.example\">d</a>",
        );
        let entities = [
            entity("italic", 1, 1),
            entity("bold", 0, 2),
            json!({"type": "text_link", "offset": 7, "length": 1, "url": "https://d.example"}),
        ];
        let Ok(good) = good else {
            unreachable!("{good:?}")
        };
        assert_eq!(good[0], "ab <c> d");
        let list = good[1].as_array().cloned().unwrap_or_default();
        assert!(entities.iter().all(|it| list.contains(it)), "{list:?}");
        for text in ["<x>a</x>", "<b>a", "<b>a</i>", "a < b", "</b>"] {
            assert!(outcome("HTML", text).is_err(), "{text}");
        }
        assert!(outcome("Word", "a").is_err());
    }
}
