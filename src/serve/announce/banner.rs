//! The first text for people: the declarations of the configuration, and the next steps.

use switchboard_actors::domain::installation::channels::Channel;
use switchboard_actors::domain::webhook::WebhookAddress;
use url::Host;

use crate::config::Settings;
use crate::config::exposure::PRINTED;
use crate::config::program::command;
use crate::terminal::aligned;

/// The channels of the configuration, and the credentials that the shipped one prints: they are no secret.
pub(crate) fn declared(settings: &Settings) -> Vec<[String; 2]> {
    let public = |secret: &str| PRINTED.contains(&secret);
    let row = |name: &str, text: String| [name.to_owned(), text];
    let mut rows = Vec::new();
    for channel in &settings.channels {
        let name_of_channel = format!("{} «{}»", channel.id, channel.settings.name);
        rows.push(row("Channel", name_of_channel));
    }
    for user in settings.accounts.iter().flat_map(|account| &account.users) {
        let password = user.password.expose();
        if public(password) {
            let how = format!("{} with the password {password}", user.email);
            rows.push(row("Sign in", how));
        }
        if let Some(token) = user.token.as_ref().filter(|token| public(token.expose())) {
            let whose = format!("{} of the user {}", token.expose(), user.name);
            rows.push(row("Bearer token", whose));
        }
    }
    let operator = settings.operator.token.as_ref();
    if let Some(token) = operator.filter(|token| public(token.expose())) {
        rows.push(row(
            "Bearer token",
            format!("{} of the operator", token.expose()),
        ));
    }
    rows
}

/// The next steps with a service that has no account.
pub(crate) fn first_steps(base: &str) -> Option<String> {
    let step = |words: &str, what: &str| [command(words), what.to_owned()];
    let rows = [
        [
            format!("{base}/"),
            "in a browser: makes an account and its administrator".to_owned(),
        ],
        step("account create \"Mine\"", "does so in a terminal, ..."),
        step(
            "user create --help",
            "... with a user, an administrator with --admin",
        ),
        step("channel create \"Mine\"", "makes a channel and its secret"),
    ];
    Some(format!("Begin with:\n{}", indented(&rows)))
}

/// The next steps with a service that only relays.
pub(crate) fn relay_steps(base: &str) -> String {
    let check = format!("relay check --url {base}");
    let rows = [
        [
            format!("{base}/"),
            "in a browser: the relays, for the operator".to_owned(),
        ],
        [command(&check), "tries the way in".to_owned()],
    ];
    format!("Begin with:\n{}", indented(&rows))
}

/// The next steps with the declarations of the configuration, with `flag` in their commands; `None` if it declares too
/// little. Nothing, if it declares too little.
pub(crate) fn next_steps(settings: &Settings, flag: &str) -> Option<String> {
    let channel = settings.channels.first()?;
    settings.accounts.first()?;
    let mut users = settings.accounts.iter().flat_map(|account| &account.users);
    let has_token = users.any(|user| user.token.is_some());
    let all = [
        (
            is_received_here(channel),
            "listen",
            "receives and checks callbacks, in a terminal of its own",
        ),
        (true, "send \"Hello\"", "posts a customer's message"),
        (
            has_token,
            "reply \"Hello!\"",
            "answers it as an account user",
        ),
    ];
    let steps = all.iter().filter(|(is_possible, ..)| *is_possible);
    let rows: Vec<_> = steps
        .map(|(_, words, what)| [format!("{}{flag}", command(words)), (*what).to_owned()])
        .collect();
    Some(format!("Try it, in other terminals:\n{}", indented(&rows)))
}

/// Returns whether `switchboard listen` on this machine would get the callbacks of the channel.
fn is_received_here(channel: &Channel) -> bool {
    let settings = &channel.settings;
    let webhook = settings
        .webhook_v2
        .as_ref()
        .or(settings.webhook_v1.as_ref());
    let host = webhook.map(WebhookAddress::url).and_then(|url| url.host());
    match host {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

/// Rows of a table, indented.
pub(crate) fn indented(rows: &[[String; 2]]) -> String {
    let table = aligned(rows);
    let lines = table.lines().map(|line| format!("  {line}"));
    lines.collect::<Vec<_>>().join("\n")
}
