//! Calls of the kit for Python.

use serde_json::{Map, Value, json};

use super::call::Does;

pub(super) fn call(does: &Does) -> Option<String> {
    let call = match does {
        Does::Says { customer, text } => {
            format!("customer({}).says({})", json!(customer), json!(text))
        }
        Does::Replies { user, text, to } => {
            let to = to
                .as_ref()
                .map(|to| format!(", to={}", json!(to)))
                .unwrap_or_default();
            format!("user({}).replies({}{to})", json!(user), json!(text))
        }
        Does::Advance { seconds } => format!("advance({seconds})"),
        Does::SetClock { mode } => format!("clock({})", json!(mode)),
        Does::Restart => "restart()".to_owned(),
        Does::Fault { on, what, more } => {
            format!("fault({}, {}{})", json!(on), json!(what), named(more))
        }
        Does::EndFaults => "end_faults()".to_owned(),
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
            let seconds = seconds.map(|seconds| format!("{seconds}, "));
            let times = times.map(|times| format!(", times={times}"));
            let first = text.or(seconds).unwrap_or_default();
            let times = times.unwrap_or_default();
            let who = who.function();
            format!("{who}({}).{what}({first}after={after}{times})", json!(name))
        }
        Does::EndHabits { of: None } => "end_habits()".to_owned(),
        Does::EndHabits {
            of: Some((who, name)),
        } => {
            format!("{}({}).end_habits()", who.function(), json!(name))
        }
        Does::Consents { user } => format!("user({}).consents()", json!(user)),
        Does::SetWebhook { url: None } => "set_webhook(None)".to_owned(),
        Does::SetWebhook { url: Some(url) } => format!("set_webhook({})", json!(url)),
        Does::Subscribes { url, settings } => {
            let url = url
                .as_ref()
                .map_or_else(|| "None".to_owned(), |url| json!(url).to_string());
            let settings = settings.as_ref().map(|it| format!(", {it}"));
            format!("subscribe({url}{})", settings.unwrap_or_default())
        }
        Does::EndsHooks => "end_hooks()".to_owned(),
        Does::Wait { until, more } => format!("wait({}{})", json!(until), named(more)),
        Does::Other => return None,
    };
    Some(format!("world.{call}"))
}

/// An argument of the world. What it holds is written alike in JSON and in Python.
pub(super) fn argument(name: &str, value: &Value) -> String {
    format!("{name}={value}")
}

pub(super) fn assertion(customer: &str, text: &str) -> String {
    let (customer, text) = (json!(customer), json!(text));
    format!("assert {text} in [message.text for message in world.messages({customer})]")
}

fn named(more: &Map<String, Value>) -> String {
    more.iter()
        .map(|(name, value)| format!(", {name}={value}"))
        .collect()
}
