//! The form that derived schemas get in the document.

use serde_json::{Map, Value, json};

/// Brings a derived schema into the form of the document: objects are closed, whole numbers have one format, and a choice
/// of words is a list of them.
pub(super) fn settle(schema: &mut Value) {
    if let Value::Array(each) = schema {
        each.iter_mut().for_each(settle);
    }
    let Value::Object(schema) = schema else {
        return;
    };
    schema.values_mut().for_each(settle);
    let kind = schema.get("type").cloned().unwrap_or_default();
    let kinds = kind
        .as_array()
        .map_or(std::slice::from_ref(&kind), Vec::as_slice);
    if kinds.iter().any(|kind| kind == "object") {
        let is_closed = close(schema);
        schema.entry(is_closed).or_insert(Value::Bool(false));
    }
    if let Some(Value::String(says)) = schema.get_mut("description") {
        *says = says.replace('\n', " ");
    }
    let keyword = schema.remove("format");
    let format = keyword.as_ref().and_then(Value::as_str).unwrap_or_default();
    if format.starts_with("uint") || format.starts_with("int") {
        schema.insert("format".to_owned(), json!("int64"));
        // How wide a number is in memory says nothing of what it may be.
        let widest = [json!(u8::MAX), json!(u16::MAX)];
        if schema
            .get("maximum")
            .is_some_and(|most| widest.contains(most))
        {
            schema.remove("maximum");
        }
    } else if !matches!(format, "" | "double") {
        schema.insert("format".to_owned(), json!(format));
    }
    let words = schema.get("oneOf").and_then(Value::as_array);
    if let Some(words) = words.and_then(|each| each.iter().map(word).collect::<Option<Vec<_>>>()) {
        schema.remove("oneOf");
        schema.insert("type".to_owned(), json!("string"));
        schema.insert("enum".to_owned(), words.into_iter().flatten().collect());
    }
}

/// The word that closes an object: one that looks like this or like that is closed as a whole.
fn close(object: &mut Map<String, Value>) -> &'static str {
    let Some(Value::Array(each)) = object.get_mut("oneOf") else {
        return "additionalProperties";
    };
    for other in each.iter_mut().filter_map(Value::as_object_mut) {
        other.remove("additionalProperties");
    }
    "unevaluatedProperties"
}

/// The words of a choice that is one of words.
fn word(schema: &Value) -> Option<Vec<Value>> {
    match (schema.get("const"), schema.get("enum")) {
        (Some(word @ Value::String(_)), None) => Some(vec![word.clone()]),
        (None, Some(Value::Array(words))) => Some(words.clone()),
        _ => None,
    }
}
