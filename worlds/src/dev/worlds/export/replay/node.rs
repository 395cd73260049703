//! Calls of the kit for Node.

use serde_json::{Map, Value, json};

use super::World;
use super::call::Does;
use super::options::camel_case;

/// A file with a test of these lines; `from` is where `test` comes from.
pub(super) fn file(from: &str, title: &str, world: &World<'_>, lines: &str) -> String {
    let (title, options) = (json!(title), world.options.arguments(option));
    let assert = if lines.contains(ASSERT) {
        "import assert from 'node:assert/strict';\n"
    } else {
        ""
    };
    format!(
        "import {{ test }} from '{from}';\n{assert}import {{ withWorld }} from 'switchboard-testing';\n\ntest({title}, withWorld(async (world) => {{\n{lines}}}, {{ {options} }}));\n"
    )
}

/// The beginning of an assertion.
const ASSERT: &str = "assert.ok(";

pub(super) fn assertion(customer: &str, text: &str) -> String {
    let (customer, text) = (json!(customer), json!(text));
    format!(
        "{ASSERT}(await world.messages({customer})).some((message) => message.text === {text}));"
    )
}

pub(super) fn call(does: &Does) -> Option<String> {
    let call = match does {
        Does::Says { customer, text } => {
            format!("customer({}).says({})", json!(customer), json!(text))
        }
        Does::Replies { user, text, to } => {
            let to = to
                .as_ref()
                .map(|to| format!(", {{ to: {} }}", json!(to)))
                .unwrap_or_default();
            format!("user({}).replies({}{to})", json!(user), json!(text))
        }
        Does::Advance { seconds } => format!("advance({{ seconds: {seconds} }})"),
        Does::SetClock { mode } => format!("setClock({})", json!(mode)),
        Does::Restart => "restart()".to_owned(),
        Does::Fault { on, what, more } => {
            format!("fault({}, {}{})", json!(on), json!(what), options(more))
        }
        Does::EndFaults => "endFaults()".to_owned(),
        Does::Habit {
            who,
            name,
            what,
            after,
            text,
            seconds,
            times,
        } => {
            let text = text.as_ref().map(|text| format!("{}, ", json!(text)));
            let seconds = seconds.map(|seconds| format!("{{ seconds: {seconds} }}, "));
            let times = times.map(|times| format!(", times: {times}"));
            let first = text.or(seconds).unwrap_or_default();
            let times = times.unwrap_or_default();
            let (who, habit) = (who.function(), camel_case(what));
            format!(
                "{who}({}).{habit}({first}{{ after: {{ seconds: {after} }}{times} }})",
                json!(name)
            )
        }
        Does::EndHabits { of: None } => "endHabits()".to_owned(),
        Does::EndHabits {
            of: Some((who, name)),
        } => {
            format!("{}({}).endHabits()", who.function(), json!(name))
        }
        Does::Consents { user } => format!("user({}).consents()", json!(user)),
        Does::SetWebhook { url } => format!("setWebhook({})", json!(url)),
        Does::Subscribes { url, settings } => {
            let settings = settings.as_ref().map(|it| format!(", {it}"));
            format!("subscribe({}{})", json!(url), settings.unwrap_or_default())
        }
        Does::EndsHooks => "endHooks()".to_owned(),
        Does::Wait { until, more } => format!("wait({}{})", json!(until), options(more)),
        Does::Other => return None,
    };
    Some(format!("await world.{call};"))
}

/// An option of the world.
fn option(name: &str, value: &Value) -> String {
    format!("{}: {}", camel_case(name), literal(value))
}

/// A value as the kit takes it: keys are in camel case.
fn literal(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| option(name, value));
            format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => {
            let items = items.iter().map(literal);
            format!("[{}]", items.collect::<Vec<_>>().join(", "))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
    }
}

fn options(more: &Map<String, Value>) -> String {
    let options: Map<String, Value> = more
        .iter()
        .map(|(name, value)| match name.as_str() {
            // The kit takes lengths of time with their units.
            "timeout" => ("timeout".to_owned(), json!({ "seconds": value })),
            "retry_after" => ("retryAfter".to_owned(), value.clone()),
            name => (name.to_owned(), value.clone()),
        })
        .collect();
    if options.is_empty() {
        return String::new();
    }
    format!(", {}", Value::Object(options))
}
