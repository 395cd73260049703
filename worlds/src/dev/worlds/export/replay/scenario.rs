//! Orders as steps of a scenario file.

use serde_json::{Value, json};

use super::call::{Call, Does};

pub(super) fn call(call: &Call<'_>) -> String {
    let request = call.request;
    let order = toml(&json!(format!("{} {}", request.method, request.path)));
    let body = Some(&request.body)
        .filter(|body| !body.is_null())
        .map(|body| format!(", body = {}", toml(body)))
        .unwrap_or_default();
    let expect = if matches!(call.does, Does::Wait { .. }) {
        ", expect = { met = true }"
    } else {
        ""
    };
    format!("{{ order = {order}{body}{expect} }},")
}

/// A value as TOML has it on one line; what is null is left out.
pub(super) fn toml(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .filter(|(_, value)| !value.is_null())
                .map(|(name, value)| format!("{} = {}", json!(name), toml(value)));
            format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => {
            let items = items.iter().map(toml);
            format!("[{}]", items.collect::<Vec<_>>().join(", "))
        }
        // TOML wants this sign escaped, and JSON does not.
        Value::String(_) => value.to_string().replace('\u{7f}', "\\u007f"),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}
