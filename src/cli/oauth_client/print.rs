//! OAuth clients for people to read.

use serde_json::Value;
use switchboard_actors::domain::id::AccountId;
use switchboard_actors::domain::oauth::clients::settings::OauthClientSettings;

use crate::cli::fields;
use crate::cli::table::{self, NOTHING, aligned, cell, entries, listed, text};
use crate::config::program::command;

/// All clients, one line each.
pub(super) fn table(answer: &Value) -> String {
    table::table(
        answer,
        "oauth_clients",
        [
            ("ID", "id"),
            ("NAME", "name"),
            ("REDIRECT URI", "redirect_uri"),
            ("CHANNEL", "channel"),
        ],
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
        let last_use = |list: &str| {
            entries(grant, list)
                .filter_map(|issued| issued.get("used_by").filter(|by| !by.is_null()))
                .max_by_key(|by| by.get("at").and_then(Value::as_i64))
                .map_or_else(|| NOTHING.to_owned(), request)
        };
        [
            cell(grant, "account_id"),
            cell(grant, "since"),
            cell(grant, "user_id"),
            last_use("codes"),
            last_use("refresh_tokens"),
            entries(grant, "long_lived_tokens").count().to_string(),
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

/// The end of a grant: the account, and the users of the client who stay, if there are any.
pub(super) fn revoked(account: AccountId, answer: &Value) -> String {
    let headline = format!("uninstalled from account {account}");
    let rows: Vec<_> = entries(answer, "users")
        .map(|user| {
            let names: Vec<_> = entries(user, "tokens")
                .map(|token| text(token, "name"))
                .collect();
            let tokens = if names.is_empty() {
                NOTHING.to_owned()
            } else {
                names.join(", ")
            };
            let [id, name, email, sessions] =
                ["id", "name", "email", "sessions"].map(|name| cell(user, name));
            [id, name, email, sessions, tokens]
        })
        .collect();
    if rows.is_empty() {
        return headline;
    }
    let titles = ["USER", "NAME", "E-MAIL", "SESSIONS", "TOKENS"];
    let table = listed(titles, rows.into_iter(), "");
    format!(
        "{headline}\nit created these users or was the last to activate them, and they are still active:\n{table}"
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

/// The time, the address and the program of a request.
fn request(by: &Value) -> String {
    ["at", "address", "user_agent"]
        .map(|field| cell(by, field))
        .join(" ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_of_users_and_sessions_are_shown() {
        let grant = json!({ "account_id": "a", "since": 0, "user_id": 7, "codes": [],
            "refresh_tokens": [{ "used_by": { "at": 1, "address": "h", "user_agent": "p" } }], "long_lived_tokens": [{}] });
        let table = grants(&json!({ "grants": [grant] }));
        let row: Vec<&str> = table
            .lines()
            .last()
            .unwrap()
            .split("  ")
            .map(str::trim)
            .filter(|it| !it.is_empty())
            .collect();
        let cells = [
            "a",
            "1970-01-01T00:00:00Z",
            "7",
            "-",
            "1970-01-01T00:00:01Z h p",
            "1",
        ];
        assert_eq!(row, cells);
        let user = json!({ "id": 7, "name": "Eve", "email": "e@h", "sessions": 2, "tokens": [] });
        let account = "af9945ff-1490-4cad-807d-945c15d88bec".parse().unwrap();
        let users = revoked(account, &json!({ "users": [user] }));
        let row: Vec<&str> = users.lines().last().unwrap().split_whitespace().collect();
        assert_eq!(row, ["7", "Eve", "e@h", "2", "-"]);
        let none = revoked(account, &json!({ "users": [] }));
        assert_eq!(none, format!("uninstalled from account {account}"));
    }
}
