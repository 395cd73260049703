//! Calls of the kit for PHP.

use serde_json::{Map, Value};

use super::call::Does;
use super::options::camel_case;

pub(super) fn call(does: &Does) -> Option<String> {
    let call = match does {
        Does::Says { customer, text } => {
            format!("customer({})->says({})", quoted(customer), quoted(text))
        }
        Does::Replies { user, text, to } => {
            let to = to
                .as_ref()
                .map(|to| format!(", to: {}", quoted(to)))
                .unwrap_or_default();
            format!("user({})->replies({}{to})", quoted(user), quoted(text))
        }
        Does::Advance { seconds } => format!("advance({seconds})"),
        Does::SetClock { mode } => format!("setClock({})", quoted(mode)),
        Does::Restart => "restart()".to_owned(),
        Does::Fault { on, what, more } => {
            format!("fault({}, {}{})", quoted(on), quoted(what), named(more))
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
            let text = text.as_ref().map(|text| format!("{}, ", quoted(text)));
            let seconds = seconds.map(|seconds| format!("{seconds}, "));
            let times = times.map(|times| format!(", times: {times}"));
            let first = text.or(seconds).unwrap_or_default();
            let times = times.unwrap_or_default();
            let (who, habit) = (who.function(), camel_case(what));
            format!(
                "{who}({})->{habit}({first}after: {after}{times})",
                quoted(name)
            )
        }
        Does::EndHabits { of: None } => "endHabits()".to_owned(),
        Does::EndHabits {
            of: Some((who, name)),
        } => {
            format!("{}({})->endHabits()", who.function(), quoted(name))
        }
        Does::Consents { user } => format!("user({})->consents()", quoted(user)),
        Does::SetWebhook { url: None } => "setWebhook(null)".to_owned(),
        Does::SetWebhook { url: Some(url) } => format!("setWebhook({})", quoted(url)),
        Does::Subscribes { url, settings } => {
            let url = url
                .as_ref()
                .map_or_else(|| "null".to_owned(), |url| quoted(url));
            let settings = settings.as_ref().map(|it| format!(", {}", literal(it)));
            format!("subscribe({url}{})", settings.unwrap_or_default())
        }
        Does::EndsHooks => "endHooks()".to_owned(),
        Does::Wait { until, more } => format!("wait({}{})", quoted(until), named(more)),
        Does::Other => return None,
    };
    Some(format!("$world->{call};"))
}

pub(super) fn assertion(customer: &str, text: &str) -> String {
    let (customer, text) = (quoted(customer), quoted(text));
    format!("self::assertContains({text}, array_column($world->messages({customer}), 'text'));")
}

fn named(more: &Map<String, Value>) -> String {
    more.iter()
        .map(|(name, value)| format!(", {name}: {}", literal(value)))
        .collect()
}

/// An argument of the world.
pub(super) fn argument(name: &str, value: &Value) -> String {
    format!("{}: {}", camel_case(name), literal(value))
}

fn literal(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(name, value)| format!("{} => {}", quoted(name), literal(value)));
            format!("[{}]", fields.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => {
            let items = items.iter().map(literal);
            format!("[{}]", items.collect::<Vec<_>>().join(", "))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

/// A text in single quotes, in which PHP reads nothing but these two escapes.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}
