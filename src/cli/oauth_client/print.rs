//! OAuth clients for people to read.

use serde_json::Value;
use switchboard_actors::domain::oauth::clients::settings::OauthClientSettings;

use crate::cli::fields;
use crate::cli::table::{NOTHING, aligned, listed, text, time};
use crate::config::program::command;

/// All clients, one line each.
pub(super) fn table(answer: &Value) -> String {
    let rows = entries(answer, "oauth_clients")
        .map(|client| ["id", "name", "redirect_uri", "channel"].map(|name| text(client, name)));
    listed(
        ["ID", "NAME", "REDIRECT URI", "CHANNEL"],
        rows,
        &format!(
            "no OAuth clients; this makes one:  {}",
            command("oauth-client create NAME REDIRECT_URI")
        ),
    )
}

/// One client, one line for each thing that there is to say.
pub(super) fn client(client: &Value) -> String {
    let mut lines = vec![["id".to_owned(), text(client, "id")]];
    lines.extend(fields::lines::<OauthClientSettings>(client));
    let fingerprint = text(client, "secret_fingerprint");
    lines.push(["fingerprint".to_owned(), fingerprint]);
    if let Some(secret) = client.get("secret").and_then(Value::as_str) {
        lines.push(["secret".to_owned(), secret.to_owned()]);
    }
    aligned(&lines)
}

/// The accounts that installed a client, with the newest use of a refresh token.
pub(super) fn grants(answer: &Value) -> String {
    let rows = entries(answer, "grants").map(|grant| {
        let used = |list: &str| {
            let issued = grant.get(list).and_then(Value::as_array);
            let used = issued.into_iter().flatten();
            used.filter_map(|issued| issued.get("used_by").filter(|by| !by.is_null()))
                .max_by_key(|by| by.get("at").and_then(Value::as_i64))
                .map_or_else(|| NOTHING.to_owned(), request)
        };
        let count = grant.get("long_lived_tokens").and_then(Value::as_array);
        [
            text(grant, "account_id"),
            moment(grant, "since"),
            text(grant, "user_id"),
            used("codes"),
            used("refresh_tokens"),
            count.map_or(0, Vec::len).to_string(),
        ]
    });
    listed(
        [
            "ACCOUNT",
            "SINCE",
            "USER",
            "LAST CODE USED",
            "LAST REFRESH",
            "LONG-LIVED TOKENS",
        ],
        rows,
        "no account has installed the client",
    )
}

/// The users who stay of a client that was uninstalled, behind a sentence; nothing if there are none.
pub(super) fn admitted(answer: &Value) -> String {
    let rows: Vec<_> = entries(answer, "users")
        .map(|user| {
            let tokens = user.get("tokens").and_then(Value::as_array);
            let names = tokens
                .into_iter()
                .flatten()
                .map(|token| text(token, "name"));
            let names = names.collect::<Vec<_>>().join(", ");
            let named = ["id", "name", "email", "sessions"].map(|name| text(user, name));
            let [id, name, email, sessions] = named;
            let names = if names.is_empty() {
                NOTHING.to_owned()
            } else {
                names
            };
            [id, name, email, sessions, names]
        })
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    let titles = ["USER", "NAME", "E-MAIL", "SESSIONS", "TOKENS"];
    let table = listed(titles, rows.into_iter(), "");
    format!(
        "\nit created these users or was the last to activate them, and they are still active:\n{table}"
    )
}

/// The newest token requests.
pub(super) fn token_requests(answer: &Value) -> String {
    let rows = entries(answer, "token_requests").map(|asked| {
        let outcome = match asked.get("hint").and_then(Value::as_str) {
            Some(_) => text(asked, "hint"),
            None => format!("issued for account {}", text(asked, "account_id")),
        };
        [request(asked), text(asked, "grant_type"), outcome]
    });
    listed(
        ["REQUEST", "GRANT TYPE", "OUTCOME"],
        rows,
        "no token requests since the service started",
    )
}

fn entries<'a>(answer: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    let list = answer.get(name).and_then(Value::as_array);
    list.into_iter().flatten()
}

/// When, from where and by which program.
fn request(by: &Value) -> String {
    let (address, agent) = (text(by, "address"), text(by, "user_agent"));
    format!("{} {address} {agent}", moment(by, "at"))
}

fn moment(of: &Value, name: &str) -> String {
    let at = of.get(name).and_then(Value::as_i64);
    at.map_or_else(|| NOTHING.to_owned(), time)
}
