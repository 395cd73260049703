//! Schemathesis, which makes up requests from `/openapi.json`: right ones, nearly right ones and wrong ones for every
//! operation. No answer is an error of the server, and each has a status, a type, headers and a body that the document has.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use image::ImageFormat;
use serde_json::{Value, json};

use super::{chat_user, python_packages, run, scripts};
use crate::inbox::snooze::in_seconds;
use crate::rights::floor;
use crate::support::client::{Client, message};
use crate::support::oauth::{OAUTH_CLIENT, installed};
use crate::support::random::times;
use crate::support::server::{
    ACCOUNT, CHANNEL, OPERATOR_TOKEN, OTHER_ACCOUNT, SECRET, Server, Setup, TOKEN,
};
use crate::support::skip::skipped;
use crate::support::upload::{picture, uploaded};
use crate::support::{PATIENCE, eventually};

/// The seed of the generated requests: which operations ever succeed depends on it, so each run has the same. `SEED=…` chooses
/// others, as `tests/long` does, `EXAMPLES=…` makes more of them.
const SEED: u64 = 2019;
const EXAMPLES: u64 = 8;

/// The checks of every answer. They do not include that wrong requests are refused and right ones accepted: the schemas
/// leave out what they cannot say.
const CHECKS: &str = "no_internal_error,status_code_conformance,content_type_conformance,\
                      response_headers_conformance,response_schema_conformance";

/// The operations that never succeed: no generator has a session or a code of a consent.
const UNREACHABLE: [&str; 10] = [
    "DELETE /inbox/v1/me/pushes/{id}",
    "DELETE /inbox/v1/oauth-clients/{id}/tokens/{token}",
    "DELETE /inbox/v1/session",
    "GET /inbox/v1/me/pushes",
    "PATCH /inbox/v1/me",
    "POST /inbox/v1/me/password",
    "POST /inbox/v1/me/pushes",
    "POST /inbox/v1/oauth-clients/{id}/consent",
    "POST /inbox/v1/oauth-clients/{id}/tokens",
    "POST /oauth2/access_token",
];
/// The number of other operations that may never have succeeded: some need a file or a moment that no generator makes
/// up, and earlier requests shut others, for example with another password.
const NEVER_MAX: usize = 18;

/// The number of a lead whose talk stays open: requests close the talk of the first one. A talk has the number of its lead.
const OPEN_LEAD: usize = 2;

/// The number of a template that is there. Requests make up smaller numbers, and delete those.
const TEMPLATE: usize = 40;

/// The number of a canned reply that is there, as of a template.
const CANNED_REPLY: usize = 40;
/// The number of a view that is there.
const VIEW: usize = 30;

/// The name of a picture that is there.
const PICTURE: &str = "menu.png";

/// No request that Schemathesis generates meets an internal error, or an answer that is not described.
#[tokio::test]
async fn generated_requests_get_only_described_answers() {
    let packages = match python_packages("schemathesis") {
        Ok(packages) => packages,
        Err(why) => return skipped(&why, "install Python 3 with pip; fetches from PyPI"),
    };
    // It takes longest, so it begins without a turn.
    let archive = tempfile::tempdir().unwrap();
    let relay = "[[relay]]\nchannel = \"shop\"\nsecret = \"s\"\nfrom = \"/relay/shop\"\nto = \"http://127.0.0.1:9/\"";
    let setup = Setup::default()
        .lines(relay)
        .archive(archive.path())
        // The request that is asked for stays in the list.
        .setting("requests", "keep_per_sender = 10000");
    let server = setup.start().await;
    let file = server.directory().join("report.json");
    let input = given(&server, &file).await;
    let variable = |name, default| times(name, default).to_string();
    let document = schema(&server).await;
    let mut schemathesis = Command::new("python3");
    schemathesis
        .args(["-m", "schemathesis.cli", "run"])
        .arg(document)
        .args(["--url", server.url()])
        // It never ends.
        .args(["--exclude-path", "/inbox/v1/events"])
        .args(["--phases", "coverage,fuzzing", "--checks", CHECKS])
        .args(["--max-examples", &variable("EXAMPLES", EXAMPLES)])
        .args(["--seed", &variable("SEED", SEED)])
        .arg(format!("--request-timeout={}", PATIENCE.as_secs()))
        .arg("--no-color")
        // Making up requests may take as long as it does.
        .args(["--suppress-health-check", "too_slow"])
        .current_dir(server.directory())
        .env("SWITCHBOARD", input.to_string())
        .env("SCHEMATHESIS_HOOKS", "hooks")
        .env("PYTHONPATH", python_path(&packages))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("NO_PROXY", "*")
        .env("no_proxy", "*");
    if let Err(why) = tokio::task::spawn_blocking(move || run(&mut schemathesis))
        .await
        .unwrap()
    {
        panic!("{why}");
    }
    reached(&std::fs::read_to_string(file).unwrap());
    // The token that all of it was done with still opens the account.
    server.client().get("/api/v4/account").await.is(200);
}

/// The schema of the service as a file: Schemathesis gives up an address that does not answer within its own time limit.
async fn schema(server: &Server) -> PathBuf {
    let file = server.directory().join("openapi.json");
    let request = server.client().request("GET", "/openapi.json");
    std::fs::write(&file, request.send().await.is(200).body).unwrap();
    file
}

fn python_path(packages: &Path) -> String {
    let hooks = scripts("schemathesis");
    format!("{}:{}", packages.display(), hooks.display())
}

/// A test that is refused at every door would pass: most operations have to have said yes.
fn reached(report: &str) {
    let report: BTreeMap<String, BTreeMap<String, u64>> = serde_json::from_str(report).unwrap();
    let said_yes = |statuses: &BTreeMap<String, u64>| statuses.keys().any(|it| it.starts_with('2'));
    let never: Vec<_> = report.iter().filter(|(_, it)| !said_yes(it)).collect();
    assert!(report.len() > 80, "{} operations", report.len());
    let (unreachable, never): (Vec<_>, Vec<_>) = never
        .into_iter()
        .partition(|(operation, _)| UNREACHABLE.contains(&operation.as_str()));
    assert!(never.len() <= NEVER_MAX, "never with success: {never:#?}");
    assert_eq!(unreachable.len(), UNREACHABLE.len(), "{unreachable:#?}");
}

/// The credentials, and what there is to be asked for.
async fn given(server: &Server, report: &Path) -> Value {
    let client = server.client();
    chat_user(server).await;
    let new_message = client.sent(&message("m2", "c")).await;
    let conversation = new_message["conversation_id"].as_str().unwrap();
    let reply = client.replied(conversation, "Yes").await;
    installed(client).await;
    let note = json!({ "note_type": "common", "params": { "text": "Call back." } });
    let request = client
        .request("POST", "/api/v4/leads/1/notes")
        .bearer(TOKEN)
        .header("Content-Type", "application/json");
    let note = request.body(note.to_string()).send().await.is(200).json;
    let file = sent_picture(client, conversation).await;
    for entity in ["leads", "contacts"] {
        let field = json!({ "name": "Size", "type": "text" });
        let target = format!("/api/v4/{entity}/custom_fields");
        floor::admin(client, "POST", &target, &field).await.is(200);
    }
    salesbots(client).await;
    texts(client, conversation).await;
    let hook = hook(client).await;
    let role = json!({ "name": "Sellers" });
    add(client, "/api/v4/roles", &role).await;
    let user = json!([{ "name": "Bo", "email": "bo@example.com", "password": "Secr3tive" }]);
    add(client, "/api/v4/users", &user).await;
    let account = format!("/admin/v1/accounts/{ACCOUNT}");
    let group = json!({ "name": "Support" });
    operated(client, &format!("{account}/groups"), &group).await;
    let token = json!({ "name": "report" });
    operated(client, &format!("{account}/users/2/tokens"), &token).await;
    let job = json!({ "state": "dead" });
    operated(client, "/admin/v1/replays", &job).await;
    // What the operator does to a channel must not end the one that requests are signed for.
    let webhook = json!({ "name": "Third", "webhook_v2": "http://127.0.0.1:9/" });
    let channel = operated(client, "/admin/v1/channels", &webhook).await;
    let response = client.operate("GET", "/admin/v1/requests").send().await;
    let scope = format!("{CHANNEL}_{ACCOUNT}");
    let mut known = json!({
            "channel_id": CHANNEL, "channel": CHANNEL, "version": "v2", "scope_id": scope,
            "conversation_id": conversation, "msgid": reply, "message": reply,
            "user": 2, "group": 2, "token": 1, "uid": "1", "webhook": 3, "hook": hook,
            "/admin/v1/accounts/{id}/webhooks/{webhook} webhook": 4,
            "/ui/{name} name": "app.js",
            "/docs/{page} page": "worlds.md",
            "/docs/{folder}/{page} folder": "exam", "/docs/{folder}/{page} page": "09.md",
            "/docs/{folder}/{subfolder}/{page} folder": "kits",
            "/docs/{folder}/{subfolder}/{page} subfolder": "python",
            "/docs/{folder}/{subfolder}/{page} page": "README.md",
            "note": note["_embedded"]["notes"][0]["id"], "media": file["id"],
            "/media/{id}/{name} name": PICTURE, "/media/{id}/{name}/thumbnail name": PICTURE,
            "accounts": ACCOUNT, "channels": channel["id"], "deliveries": reply, "replays": 1, "relays": "shop",
            "requests": response.json["requests"][0]["id"], "conversations": conversation,
            "oauth-clients": OAUTH_CLIENT, "grants": ACCOUNT,
            "/api/v4/leads/custom_fields/{id} id": 3, "/api/v4/contacts/custom_fields/{id} id": 4,
            "contacts": 1, "leads": 1, "talks": 1, "roles": 1, "users": 2,
    });
    know_numbers(&mut known);
    for (address, bot) in [("", 1), ("/run", 2), ("/stop", 2)] {
        known[format!("/api/v4/bots/{{id}}{address} id")] = json!(bot);
    }
    json!({
        "operator": OPERATOR_TOKEN,
        "token": TOKEN,
        "secret": SECRET,
        "report": report,
        "known": known,
        "whole": whole_bodies(),
        "bodies": bodies(conversation, &reply, &scope),
    })
}

/// Stores texts that are sent later, or again and again.
async fn texts(client: &Client, conversation: &str) {
    templates(client).await;
    canned_replies(client).await;
    views(client).await;
    scheduled_replies(client, conversation).await;
}

/// Opens a second talk, and defines two salesbots that send a field of its lead, which has a value. A request deletes the first one.
async fn salesbots(client: &Client) {
    client.sent(&message("m3", "c3")).await;
    let field = json!({ "name": "Answer", "type": "text" });
    let target = "/api/v4/leads/custom_fields";
    let answer = floor::admin(client, "POST", target, &field).await.is(200);
    let id = &answer.json["_embedded"]["custom_fields"][0]["id"];
    let value = json!([{ "field_id": id, "values": [{ "value": "At nine." }] }]);
    let lead = json!({ "custom_fields_values": value });
    let target = format!("/api/v4/leads/{OPEN_LEAD}");
    let changed = floor::admin(client, "PATCH", &target, &lead).await;
    changed.is(200);
    for name in ["First", "Second"] {
        let bot = json!({ "name": name, "kind": "send_field", "field_id": id });
        let created = floor::admin(client, "POST", "/api/v4/bots", &bot).await;
        created.is(201);
    }
}

/// The number of the open talk, and those of templates for each request: a deletion, and a change, which ends reviews, must not be of the others'.
fn know_numbers(known: &mut Value) {
    known["templates"] = json!(TEMPLATE);
    known["review"] = json!(1);
    known["views"] = json!(VIEW);
    known["DELETE /inbox/v1/views/{id} id"] = json!(VIEW - 1);
    known["canned-replies"] = json!(CANNED_REPLY);
    known["DELETE /inbox/v1/canned-replies/{id} id"] = json!(CANNED_REPLY - 1);
    known["POST /api/v4/talks/{id}/send_message id"] = json!(OPEN_LEAD);
    for (method, number) in [("PATCH", 1), ("DELETE", 2)] {
        let request = "/inbox/v1/conversations/{id}/scheduled-replies/{number}";
        known[format!("{method} {request} number")] = json!(number);
    }
    for (request, template) in [
        ("DELETE /api/v4/chats/templates/{id}", TEMPLATE - 2),
        // Reviews are replaced when there are other sources by then.
        ("POST /api/v4/chats/templates/{id}/review", TEMPLATE - 4),
        (
            "POST /api/v4/chats/templates/{id}/review/{review}",
            TEMPLATE - 3,
        ),
        (
            "PATCH /api/v4/chats/templates/{id}/review/{review}",
            TEMPLATE - 3,
        ),
    ] {
        known[format!("{request} id")] = json!(template);
    }
}

/// Schedules two replies: a request changes one, another deletes the other.
async fn scheduled_replies(client: &Client, conversation: &str) {
    let target = format!("/inbox/v1/conversations/{conversation}/scheduled-replies");
    let body = json!({ "type": "text", "text": "At nine.", "send_at": in_seconds(86_400) });
    for _ in 0..2 {
        let answer = floor::admin(client, "POST", &target, &body).await;
        answer.is(201);
    }
}

/// Creates templates up to [`TEMPLATE`], and asks for the review of one of them.
async fn templates(client: &Client) {
    let template = json!({ "name": "Hours", "content": "We open at nine." });
    let all = json!(vec![template; TEMPLATE]);
    let review = format!("/api/v4/chats/templates/{}/review", TEMPLATE - 3);
    for (target, body) in [("/api/v4/chats/templates", all), (&review, json!({}))] {
        floor::admin(client, "POST", target, &body).await.is(200);
    }
}

/// Creates canned replies up to [`CANNED_REPLY`].
async fn canned_replies(client: &Client) {
    for number in 1..=CANNED_REPLY {
        let reply = json!({ "name": format!("Hours {number}"), "text": "We open at nine." });
        let target = "/inbox/v1/canned-replies";
        floor::admin(client, "POST", target, &reply).await.is(201);
    }
}

/// Saves views up to [`VIEW`].
async fn views(client: &Client) {
    for number in 1..=VIEW {
        let view = json!({ "name": format!("Mine {number}"), "filters": { "responsible": "me" } });
        let target = "/inbox/v1/views";
        floor::admin(client, "POST", target, &view).await.is(201);
    }
}

/// Subscribes four webhooks; gives the number of a hook of the third. Requests with the least numbers delete others.
async fn hook(client: &Client) -> Value {
    for place in 1..=4 {
        let destination = format!("https://hooks.example/{place}");
        let webhook = json!({ "destination": destination, "settings": ["add_message"] });
        let answer = floor::admin(client, "POST", "/api/v4/webhooks", &webhook).await;
        answer.is(201);
    }
    client.sent(&message("of a hook", "c")).await;
    let target = format!("/admin/v1/accounts/{ACCOUNT}/webhooks/3/hooks");
    eventually("the hook is made", async || {
        let list = client.operate("GET", &target).send().await.json;
        let id = list["hooks"][0]["id"].clone();
        id.is_number().then_some(id)
    })
    .await
}

/// Right bodies, by operation: of those whose fields depend on each other, and of those that chance seldom makes up.
fn whole_bodies() -> Value {
    let user = json!({ "name": "Cy", "email": "user*@example.com", "password": "Secr3tive" });
    let run = |kind: Value| json!([{ "bot_id": 2, "entity_id": OPEN_LEAD, "entity_type": kind }]);
    json!({
            "POST /api/v4/bots/{id}/run": { "entity_id": OPEN_LEAD, "entity_type": "leads" },
            "POST /api/v4/bots/run": run(json!("leads")),
            "POST /api/v2/salesbot/run": run(json!(2)),
            "POST /api/v4/users": [user],
            "POST /api/v4/chats/templates": [{ "name": "Hours", "content": "We open at nine." }],
            "PATCH /api/v4/chats/templates": [{ "id": TEMPLATE - 1, "content": "We open at ten." }],
            "PATCH /api/v4/chats/templates/{id}": { "content": "We open at ten." },
            "POST /api/v4/chats/templates/{id}/review/{review}": { "status": "approved" },
            "PATCH /api/v4/chats/templates/{id}/review/{review}": { "status": "approved" },
            "POST /api/v4/talks/{id}/send_message": { "text": "At nine." },
            "POST /admin/v1/erasures/preview": { "what": "account", "account_id": OTHER_ACCOUNT },
            "POST /v2/origin/custom/{scope_id}/chats": {
                "conversation_id": "chat-*", "user": { "id": "customer-*", "name": "Bo" },
            },
            "POST /inbox/v1/canned-replies": { "name": "New hours *", "text": "We open at nine." },
            "PATCH /inbox/v1/canned-replies/{id}": { "text": "We open at ten." },
            "POST /inbox/v1/views": { "name": "Ours *", "is_shared": true, "filters": { "status": "open" } },
            "PATCH /inbox/v1/views/{id}": { "filters": { "state": "unread" } },
            "PATCH /inbox/v1/conversations/{id}/drafts/{kind}": { "based_on": 0, "text": "At ten." },
            "POST /inbox/v1/conversations/{id}/notes": { "text": "At ten.", "mentions": [1] },
            "PATCH /inbox/v1/conversations/{id}/responsible": { "user_id": 1, "replaces": 1 },
            "PATCH /inbox/v1/conversations": { "action": "close", "conversations": [{ "id": ACCOUNT }] },
            "POST /inbox/v1/conversations/{id}/scheduled-replies": { "type": "text", "text": "At ten.", "send_at": in_seconds(86_400) },
            "PATCH /inbox/v1/conversations/{id}/scheduled-replies/{number}": { "based_on": 1, "text": "At eleven." },
            "POST /inbox/v1/conversations/{id}/snooze": { "until": in_seconds(86_400), "wake_on_message": false },
    })
}

/// The values of bodies that generated ones must have.
fn bodies(conversation: &str, reply: &str, scope: &str) -> Value {
    json!({
            "/v2/origin/custom/{channel_id}/connect": { "account_id": ACCOUNT },
            "/v2/origin/custom/{channel_id}/disconnect": { "account_id": OTHER_ACCOUNT },
            "/v2/origin/custom/{scope_id}/{msgid}/delivery_status": { "msgid": reply },
            "/v2/origin/custom/{scope_id}/react": {
                "conversation_id": "c", "msgid": "m2", "user": { "id": "customer of c" },
            },
            "/v2/origin/custom/{scope_id}/typing": {
                "conversation_id": "c", "sender": { "id": "customer of c" },
            },
            "/api/v4/users": { "email": "user*@example.com", "password": "Secr3tive" },
            "/api/v4/leads/custom_fields": { "id": 3 },
            "/api/v4/contacts/custom_fields": { "id": 4 },
            "/api/v4/bots/run": { "bot_id": 2, "entity_id": 1, "entity_type": "leads" },
            "/api/v2/salesbot/run": { "bot_id": 2, "entity_id": 1, "entity_type": 2 },
            "/api/v4/users/activate": { "id": 2 },
            "/api/v4/users/deactivate": { "id": 2 },
            "/api/v4/contacts/chats": { "contact_id": 1, "chat_id": conversation },
            "/inbox/v1/conversations": { "scope_id": scope, "phone": "+1555*" },
            "/inbox/v1/session": {
                "email": "ada@example.com", "password": "Secr3tive", "account_id": ACCOUNT,
            },
    })
}

/// A picture that the account user has sent.
async fn sent_picture(client: &Client, conversation: &str) -> Value {
    let file = uploaded(client, PICTURE, &picture(20, 20, ImageFormat::Png)).await;
    let body = json!({ "type": "picture", "media_id": file["id"] });
    let target = format!("/inbox/v1/conversations/{conversation}/messages");
    add(client, &target, &body).await;
    file
}

/// Adds something to [`ACCOUNT`].
async fn add(client: &Client, target: &str, body: &Value) {
    let request = client
        .request("POST", target)
        .bearer(TOKEN)
        .header("Content-Type", "application/json");
    request.body(body.to_string()).send().await.is(201);
}

/// The operator adds something; gives it.
async fn operated(client: &Client, target: &str, body: &Value) -> Value {
    let answer = client.operates("POST", target, body).await;
    assert!(matches!(answer.status, 201 | 202), "{answer:?}");
    answer.json
}
