//! The people of the double.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::files::Content;

/// A person, as an order gives one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Person {
    /// The id; without it the double chooses one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<i64>,
    /// The first name.
    pub first_name: String,
    /// The last name, which people may lack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_name: Option<String>,
    /// The user name, which people may lack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    /// The language of the app, such as `en`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language_code: Option<String>,
    /// The size of the avatar in bytes; without it there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub photo_size: Option<u64>,
}

#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) person: Person,
    pub(crate) is_deactivated: bool,
}

#[derive(Debug, Default)]
pub(crate) struct People {
    pub(crate) list: BTreeMap<i64, Known>,
}

impl Person {
    /// A person with a first name.
    pub fn named(first_name: &str) -> Self {
        Self {
            first_name: first_name.to_owned(),
            ..Self::default()
        }
    }

    /// The same person with an id.
    #[must_use]
    pub fn with_id(mut self, id: i64) -> Self {
        self.id = Some(id);
        self
    }

    pub(crate) fn photo(&self) -> Option<Content> {
        self.photo_size.map(Content::Size)
    }
}

impl People {
    pub(crate) fn get(&self, id: i64) -> Option<&Known> {
        self.list.get(&id)
    }

    /// Returns an id that no person has.
    pub(crate) fn free_id(&self) -> i64 {
        let last = self.list.last_key_value().map_or(1_000, |(id, _)| *id);
        last.saturating_add(1).max(1_001)
    }

    /// Returns a person as `from` shows one.
    pub(crate) fn user_json(&self, id: i64) -> Value {
        let mut user = json!({"id": id, "is_bot": false});
        self.add_names(id, &mut user, true);
        user
    }

    /// Returns a person as a private `chat` shows one.
    pub(crate) fn chat_json(&self, id: i64) -> Value {
        let mut chat = json!({"id": id, "type": "private"});
        self.add_names(id, &mut chat, false);
        chat
    }

    fn add_names(&self, id: i64, json: &mut Value, has_language: bool) {
        let (Some(known), Some(fields)) = (self.get(id), json.as_object_mut()) else {
            return;
        };
        let person = &known.person;
        // A deleted account has an empty name.
        let first = if known.is_deactivated {
            ""
        } else {
            &person.first_name
        };
        fields.insert("first_name".to_owned(), first.into());
        if known.is_deactivated {
            return;
        }
        let language = person.language_code.as_ref().filter(|_| has_language);
        let names = [
            ("last_name", person.last_name.as_ref()),
            ("username", person.username.as_ref()),
            ("language_code", language),
        ];
        for (name, value) in names {
            if let Some(value) = value {
                fields.insert(name.to_owned(), value.as_str().into());
            }
        }
    }
}
