//! Expectations of an answer.

use serde_json::Value;

/// Returns the first place where an answer differs from what is expected of it: fields that are not named may be there,
/// lists have as many items.
pub(super) fn difference(expected: &Value, answer: &Value) -> Option<String> {
    differs("", expected, answer)
}

fn differs(path: &str, expected: &Value, answer: &Value) -> Option<String> {
    match (expected, answer) {
        (Value::Object(fields), Value::Object(given)) => {
            fields.iter().find_map(|(name, expected)| {
                let path = format!("{path}/{name}");
                differs(&path, expected, given.get(name).unwrap_or(&Value::Null))
            })
        }
        (Value::Array(items), Value::Array(given)) if items.len() == given.len() => {
            let pairs = items.iter().zip(given).enumerate();
            pairs.into_iter().find_map(|(place, (expected, answer))| {
                differs(&format!("{path}/{place}"), expected, answer)
            })
        }
        (expected, answer) if expected == answer => None,
        (expected, answer) => Some(format!("{path} has to be {expected}, and is {answer}")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn named_fields_and_whole_lists_are_compared() {
        let answer = json!({ "met": true, "list": [{ "a": 1, "b": 2 }] });
        assert_eq!(difference(&json!({ "met": true }), &answer), None);
        assert_eq!(difference(&json!({ "list": [{ "b": 2 }] }), &answer), None);
        let differs = difference(&json!({ "list": [{ "b": 3 }] }), &answer);
        assert_eq!(differs.unwrap(), "/list/0/b has to be 3, and is 2");
        let differs = difference(&json!({ "list": [] }), &answer).unwrap();
        assert!(
            differs.starts_with("/list has to be [], and is ["),
            "{differs}"
        );
        assert!(
            difference(&json!({ "none": 1 }), &answer)
                .unwrap()
                .ends_with("is null")
        );
    }
}
