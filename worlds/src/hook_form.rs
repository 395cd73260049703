//! Forms of hooks, as programs that receive them read them.

use serde_json::{Map, Value};
use url::form_urlencoded;

/// The most levels of brackets in a key; deeper ones stay in one name.
const DEPTH_MAX: usize = 16;
/// The account, which every form has beside its item.
const ACCOUNT: &str = "account";

/// The fields of a form, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HookForm {
    fields: Vec<(String, String)>,
}

impl HookForm {
    /// Reads the body of a request.
    #[must_use]
    pub fn parse(body: &[u8]) -> Self {
        Self {
            fields: form_urlencoded::parse(body).into_owned().collect(),
        }
    }

    /// The fields, each with its key in brackets, such as `message[add][0][text]`.
    #[must_use]
    pub fn fields(&self) -> &[(String, String)] {
        &self.fields
    }

    /// The value of the field with this key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        let field = self.fields.iter().find(|(name, _)| name == key);
        field.map(|(_, value)| value.as_str())
    }

    /// The code of the event, such as `add_message`; none when the form has no event.
    #[must_use]
    pub fn code(&self) -> Option<String> {
        let (object, verb) = self.event()?;
        let object = match object {
            "leads" => "lead",
            "contacts" => "contact",
            object => object,
        };
        Some(format!("{verb}_{object}"))
    }

    /// The first item of the event as JSON, as `qs` or PHP read it: lists are lists, and all values are texts. `null` when
    /// there is none.
    #[must_use]
    pub fn item(&self) -> Value {
        let Some((object, verb)) = self.event() else {
            return Value::Null;
        };
        let prefix = format!("{object}[{verb}][0]");
        let mut item = Value::Object(Map::new());
        for (key, value) in &self.fields {
            let Some(rest) = key.strip_prefix(&prefix) else {
                continue;
            };
            insert(&mut item, &names(rest), value);
        }
        listed(item)
    }

    /// The whole form as JSON, with the account.
    #[must_use]
    pub fn json(&self) -> Value {
        let mut whole = Value::Object(Map::new());
        for (key, value) in &self.fields {
            let (object, rest) = key.split_at(key.find('[').unwrap_or(key.len()));
            let mut path = vec![object];
            path.extend(names(rest));
            insert(&mut whole, &path, value);
        }
        listed(whole)
    }

    /// Returns whether a field has this text, in its value or as `key=value`.
    #[must_use]
    pub fn has(&self, text: &str) -> bool {
        let mut fields = self.fields.iter();
        fields.any(|(key, value)| value.contains(text) || format!("{key}={value}").contains(text))
    }

    /// The object and the verb of the event.
    fn event(&self) -> Option<(&str, &str)> {
        let keys = self.fields.iter().filter_map(|(key, _)| {
            let (object, rest) = key.split_once('[')?;
            let (verb, _) = rest.split_once(']')?;
            Some((object, verb))
        });
        keys.into_iter().find(|(object, _)| *object != ACCOUNT)
    }
}

/// The names in the brackets behind a key.
fn names(brackets: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut rest = brackets;
    while let Some((name, behind)) = rest.strip_prefix('[').and_then(|it| it.split_once(']')) {
        if names.len() == DEPTH_MAX {
            break;
        }
        names.push(name);
        rest = behind;
    }
    names
}

/// Puts a value at its place. One that has no place, since another value is on the way, is left out.
fn insert(object: &mut Value, path: &[&str], value: &str) {
    let Some((name, rest)) = path.split_first() else {
        return;
    };
    let Value::Object(fields) = object else {
        return;
    };
    let name = match *name {
        "" => fields.len().to_string(),
        name => name.to_owned(),
    };
    if rest.is_empty() {
        fields.insert(name, Value::from(value));
    } else {
        let inner = fields.entry(name).or_insert_with(|| Map::new().into());
        insert(inner, rest, value);
    }
}

/// Objects whose names count from 0 are lists.
fn listed(value: Value) -> Value {
    let Value::Object(fields) = value else {
        return value;
    };
    let count = fields.len();
    let is_list = count > 0 && (0..count).all(|place| fields.contains_key(&place.to_string()));
    let mut fields: Map<_, _> = fields
        .into_iter()
        .map(|(name, value)| (name, listed(value)))
        .collect();
    if !is_list {
        return fields.into();
    }
    (0..count)
        .filter_map(|place| fields.remove(&place.to_string()))
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_event_is_behind_the_account_or_before_it() {
        let item = "leads%5Bnote%5D%5B0%5D%5Bnote%5D%5Btext%5D=a+b&leads[note][0][note][id]=7";
        let account = "account%5Bid%5D=1&account[_links][self]=http://a";
        for body in [format!("{account}&{item}"), format!("{item}&{account}")] {
            let form = HookForm::parse(body.as_bytes());
            assert_eq!(form.code().as_deref(), Some("note_lead"));
            assert_eq!(form.item(), json!({ "note": { "text": "a b", "id": "7" } }));
            assert_eq!(form.get("account[id]"), Some("1"));
            assert_eq!(form.json()["account"]["_links"]["self"], "http://a");
            assert!(form.has("a b") && form.has("[note][id]=7") && !form.has("b c"));
        }
    }

    #[test]
    fn lists_are_lists() {
        let body = "unsorted[delete][0][leads][]=3&unsorted[delete][0][leads][]=5&unsorted[delete][0][v][0][x]=1";
        let form = HookForm::parse(body.as_bytes());
        assert_eq!(
            form.item(),
            json!({ "leads": ["3", "5"], "v": [{ "x": "1" }] })
        );
    }

    #[test]
    fn forms_of_strangers_do_no_harm() {
        let deep = format!("a[b][0]{}=1", "[x]".repeat(10_000));
        for form in [
            "",
            "a",
            "account[id]=1",
            "a[=1",
            "a[b]=1&a[b][0]=2&a[b][0][c]=3",
            "a[b][999999999]=1&__proto__[x]=2",
            &deep,
        ] {
            let parsed = HookForm::parse(form.as_bytes());
            assert!(parsed.item().is_null() || parsed.item().is_object());
            assert!(parsed.json().is_object());
        }
        let hostile = HookForm::parse(b"a[b][0]=1&a[b][0][c]=2");
        assert_eq!(hostile.item(), json!({ "c": "2" }));
    }
}
