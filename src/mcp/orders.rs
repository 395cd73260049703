//! Orders to worlds: each tool gives one, through the door that `/dev/v1` gives its orders through.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value, json};
use switchboard_worlds::dev::Worlds;
use switchboard_worlds::dev::scenario::WORLD_VARIABLES;
use url::{Host, Url, form_urlencoded};

use crate::mcp::answer::{Answer, TEXT_MAX, document};
use crate::mcp::parameter::Arguments;

/// Gives an order; a refusal is an error for people.
pub(super) async fn order(
    worlds: &Worlds,
    method: &str,
    path: &str,
    body: &Value,
) -> Result<Value, String> {
    let answer = worlds.accepted_order(method, path, body).await;
    answer.map_err(|why| format!("{why:#}"))
}

/// The path of the world of this call, with these words behind it.
pub(super) fn path(arguments: &Arguments, words: &[&str]) -> String {
    let world = arguments.text("world").unwrap_or_default();
    let words = std::iter::once(&world).chain(words);
    words
        .map(|word| format!("/{}", utf8_percent_encode(word, NON_ALPHANUMERIC)))
        .collect()
}

/// Makes a world.
pub(super) async fn make_world(worlds: &Worlds, arguments: &Arguments) -> Answer {
    if let Some(why) = arguments.text("webhook").and_then(foreign) {
        return Err(why);
    }
    let world = order(worlds, "POST", "", &arguments.body_without(&[])).await?;
    let environment: Map<String, Value> = WORLD_VARIABLES
        .into_iter()
        .filter_map(|(name, pointer)| Some((name.to_owned(), world.pointer(pointer)?.clone())))
        .collect();
    Ok(document(
        &json!({ "world": world, "environment": environment }),
    ))
}

/// Returns the reason why the address of a webhook is refused. A text that an agent reads may steer it, so its worlds send
/// nothing to other machines.
fn foreign(webhook: &str) -> Option<String> {
    let url = match Url::parse(webhook) {
        Ok(url) => url,
        Err(why) => return Some(format!("webhook: «{webhook}» is no address: {why}")),
    };
    let is_loopback = match url.host() {
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        Some(Host::Domain(domain)) => domain == "localhost",
        None => false,
    };
    (!is_loopback).then(|| {
        format!("webhook: «{webhook}» is not on this machine; name an address such as http://127.0.0.1:9000/")
    })
}

/// A customer writes.
pub(super) async fn say(worlds: &Worlds, arguments: &Arguments) -> Answer {
    let customer = arguments.text("customer").unwrap_or_default();
    let target = path(arguments, &["customers", customer, "say"]);
    let body = arguments.body_without(&["world", "customer"]);
    Ok(document(&order(worlds, "POST", &target, &body).await?))
}

/// An account user answers.
pub(super) async fn reply(worlds: &Worlds, arguments: &Arguments) -> Answer {
    let user = arguments.text("user").unwrap_or("ada");
    let target = path(arguments, &["users", user, "reply"]);
    let body = arguments.body_without(&["world", "user"]);
    Ok(document(&order(worlds, "POST", &target, &body).await?))
}

/// Waits for a state.
pub(super) async fn wait(worlds: &Worlds, arguments: &Arguments) -> Answer {
    let mut query = form_urlencoded::Serializer::new(String::new());
    let parameters = arguments.body_without(&["world"]);
    for (name, value) in parameters.as_object().into_iter().flatten() {
        let text = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        query.append_pair(name, &text);
    }
    let target = format!("{}?{}", path(arguments, &["wait"]), query.finish());
    let mut outcome = order(worlds, "GET", &target, &Value::Null).await?;
    let text = document(&outcome);
    if text.len() <= TEXT_MAX {
        return Ok(text);
    }
    if let Some(entries) = outcome.get_mut("entries") {
        let count = entries.as_array().map_or(0, Vec::len);
        *entries = format!("{count} entries, too long to show: read_journal has them").into();
    }
    Ok(document(&outcome))
}

/// Orders a fault, or ends all of them.
pub(super) async fn order_fault(worlds: &Worlds, arguments: &Arguments) -> Answer {
    let target = path(arguments, &["faults"]);
    let body = arguments.body_without(&["world", "end"]);
    if !arguments.flag("end") {
        return Ok(document(&order(worlds, "POST", &target, &body).await?));
    }
    if body.as_object().is_some_and(|body| !body.is_empty()) {
        return Err(
            "end: ends all faults, and orders none; call order_fault again for a new one"
                .to_owned(),
        );
    }
    Ok(document(
        &order(worlds, "DELETE", &target, &Value::Null).await?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_this_machine_are_taken() {
        for address in [
            "http://127.0.0.1:9000/hooks",
            "http://127.1.2.3/",
            "http://[::1]:9000/",
            "http://localhost:9000/",
        ] {
            assert_eq!(foreign(address), None, "{address}");
        }
        for address in [
            "http://10.0.0.1/",
            "https://example.com/",
            "http://localhost.example.com/",
            "http://169.254.169.254/latest",
            "http://[::ffff:10.0.0.1]/",
            "mailto:bo@localhost",
            "nonsense",
        ] {
            let why = foreign(address).unwrap();
            assert!(why.starts_with("webhook: «"), "{why}");
        }
    }
}
