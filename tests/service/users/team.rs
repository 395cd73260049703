//! Two more accounts: a team on the Enterprise plan, and a small one.

use serde_json::{Value, json};

use crate::support::answer::Answer;
use crate::support::client::Client;
use crate::support::server::{Server, Setup};

/// The token of Cleo, user 1 of the team and its administrator.
pub(crate) const CLEO: &str = "token-of-cleo";
/// The token of Dan, user 2 of the team and no administrator.
pub(crate) const DAN: &str = "token-of-dan";
/// The token of Eve, the administrator of an account on the base plan.
pub(crate) const EVE: &str = "token-of-eve";

/// A service with both accounts.
pub(crate) fn setup() -> Setup {
    let user = |name: &str, is_admin: bool, token: &str| {
        format!(
            "[[accounts.users]]\nname = \"{name}\"\nemail = \"{name}@example.com\"\npassword = \"Secr3tive\"\n\
             is_admin = {is_admin}\ntoken = \"{token}\"\n"
        )
    };
    let account = |id: &str, lang: &str, plan: &str| {
        format!(
            "[[accounts]]\nid = \"{id}\"\nname = \"Team\"\nlang = \"{lang}\"\nplan = \"{plan}\"\n"
        )
    };
    Setup::default()
        .lines(&account(
            "2c3f4d5e-6f7a-4c8d-9e0f-a1b2c3d4e5f6",
            "ru",
            "enterprise",
        ))
        .lines(&user("Cleo", true, CLEO))
        .lines(&user("Dan", false, DAN))
        .lines(&account(
            "3d4f5e6f-7a8b-4d9e-8f0a-b2c3d4e5f6a7",
            "en",
            "base",
        ))
        .lines(&user("Eve", true, EVE))
}

pub(crate) async fn start() -> Server {
    setup().start().await
}

/// A request with a JSON body.
pub(crate) async fn send(
    client: &Client,
    token: &str,
    method: &str,
    target: &str,
    body: impl Into<Vec<u8>>,
) -> Answer {
    client
        .request(method, target)
        .bearer(token)
        .header("Content-Type", "application/json")
        .body(body)
        .send()
        .await
}

pub(crate) async fn post(client: &Client, target: &str, body: &Value) -> Answer {
    send(client, CLEO, "POST", target, body.to_string()).await
}

/// A user of all rights denied, for tests to change.
pub(crate) fn user(name: &str) -> Value {
    json!({ "name": name, "email": format!("{name}@example.com"), "password": "aBcde1@345" })
}

/// Adds one user, which must work, and gives them as the answer shows them.
pub(crate) async fn create_user(client: &Client, user: &Value) -> Value {
    let answer = post(client, "/api/v4/users", &json!([user])).await.is(201);
    answer.json["_embedded"]["users"][0].clone()
}

/// Adds one role, which must work, and gives it as the answer shows it.
pub(crate) async fn create_role(client: &Client, role: &Value) -> Value {
    let answer = post(client, "/api/v4/roles", role).await.is(201);
    answer.json["_embedded"]["roles"][0].clone()
}

/// Everything over one kind of entity.
pub(crate) fn all() -> Value {
    json!({ "view": "A", "edit": "A", "add": "A", "delete": "A", "export": "A" })
}

/// Nothing over one kind of entity.
pub(crate) fn none() -> Value {
    json!({ "view": "D", "edit": "D", "add": "D", "delete": "D", "export": "D" })
}

/// Rights over all four, everything allowed.
pub(crate) fn all_rights() -> Value {
    json!({
        "leads": all(), "contacts": all(), "companies": all(), "tasks": { "edit": "A", "delete": "A" },
        "mail_access": true, "catalog_access": true,
    })
}

/// The unsorted stage, without access.
pub(crate) fn unsorted_denied() -> Value {
    json!({
        "entity_type": "leads", "pipeline_id": 1, "status_id": 1,
        "rights": { "view": "D", "edit": "D", "delete": "D" },
    })
}

/// The target without the address of the service, of a link's `href`.
pub(crate) fn target<'a>(server: &Server, href: &'a Value) -> &'a str {
    href.as_str().unwrap().strip_prefix(server.url()).unwrap()
}
