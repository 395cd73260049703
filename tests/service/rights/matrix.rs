//! Every address of the account side, by every kind of caller: one table.

mod oauth;
mod writing;

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::floor::{self, Person};
use crate::support::client::{Client, Request};
use crate::support::server::{OTHER_TOKEN, Server, TOKEN};

/// The callers, in the order of the columns. Mia is the responsible user of lead 1 and its contact, and Gus is in her
/// group; lead 2 has no responsible user; leads 3 and 4 are unsorted.
const CALLERS: [&str; 10] = [
    "no token",
    "a token that nobody has",
    "another account's administrator",
    "who is switched off",
    "a free user",
    "D",
    "M",
    "G",
    "A",
    "an administrator",
];

/// Method, address, what stands for its parameters, body, and the status for each caller.
type Row = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    [u16; 10],
);

/// For every user of the account.
const EVERYBODY: [u16; 10] = [401, 401, 200, 401, 200, 200, 200, 200, 200, 200];
/// The statuses of an operation for the administrators of its own account only.
const fn administrators(foreign: u16, own: u16) -> [u16; 10] {
    [401, 401, foreign, 401, 403, 403, 403, 403, 403, own]
}
/// The statuses of an operation on an object of Mia, for those who may.
const fn of_mia(status: u16) -> [u16; 10] {
    [401, 401, 404, 401, 404, 404, status, status, status, status]
}
/// Objects without a responsible user: `status` for the callers who may.
const fn of_nobody(status: u16) -> [u16; 10] {
    [401, 401, 404, 401, 404, 404, 404, 404, status, status]
}
/// Unsorted objects: no user was given access to them.
const UNSORTED: [u16; 10] = [401, 401, 404, 401, 404, 404, 404, 404, 404, 200];

/// Reads that give nothing to callers who may not see Mia's objects.
const READ_OF_MIA: [u16; 10] = [401, 401, 204, 401, 204, 204, 200, 200, 200, 200];
/// Reads of objects without a responsible user.
const READ_OF_NOBODY: [u16; 10] = [401, 401, 204, 401, 204, 204, 204, 204, 200, 200];
/// Reads of unsorted objects.
const READ_UNSORTED: [u16; 10] = [401, 401, 204, 401, 204, 204, 204, 204, 204, 200];
/// Lists that are empty for every user.
const EMPTY: [u16; 10] = [401, 401, 204, 401, 204, 204, 204, 204, 204, 204];
/// Leads have no custom fields.
const NO_FIELD: [u16; 10] = [401, 401, 404, 401, 404, 404, 404, 404, 404, 404];
/// Several objects of Mia: what a caller may not see is an error of the item.
const SEVERAL_OF_MIA: [u16; 10] = [401, 401, 400, 401, 400, 400, 200, 200, 200, 200];

const EXPLAIN: &str = "?entity=leads&action=view";
const SEVERAL: &str = r#"[{"id":1,"name":"x"}]"#;
const ADA: &str = r#"{"email":"Ada@example.com","password":"Secr3tive","account_id":"0a1f2c3d-4e5f-4a6b-8c7d-8e9fa0b1c2d3"}"#;
const USER: &str = r#"[{"name":"New","email":"new@example.com","password":"aBcde1@345"}]"#;
/// The stream of events, which does not end, so it is requested by HEAD alone.
const EVENTS: &str = "/inbox/v1/events";
const FIRST: &str = r#"{"scope_id":"c0ffee00-1111-4222-8333-444455556666_0a1f2c3d-4e5f-4a6b-8c7d-8e9fa0b1c2d3","phone":"+44 20 7946 0000","text":"Hello"}"#;
const SIGN: &str = r#"{"type":"react","emoji":"x"}"#;
const REPLY: &str = r#"{"type":"text","text":"Yes"}"#;

/// The rows, in an order in which no change affects a later one.
const TABLE: [Row; 73] = [
    ("GET", "/api/v4/account", "", "", EVERYBODY),
    ("GET", "/api/v4/leads", "", "", READ_OF_MIA),
    ("GET", "/api/v4/leads/pipelines", "", "", EVERYBODY),
    ("GET", "/api/v4/leads/pipelines/{id}", "1", "", EVERYBODY),
    (
        "GET",
        "/api/v4/leads/pipelines/{id}/statuses",
        "1",
        "",
        EVERYBODY,
    ),
    (
        "GET",
        "/api/v4/leads/pipelines/{id}/statuses/{status}",
        "1",
        "",
        EVERYBODY,
    ),
    ("GET", "/api/v4/leads/custom_fields", "", "", EVERYBODY),
    ("GET", "/api/v4/leads/custom_fields/{id}", "1", "", NO_FIELD),
    ("GET", "/api/v4/contacts/custom_fields", "", "", EVERYBODY),
    (
        "GET",
        "/api/v4/contacts/custom_fields/{id}",
        "1",
        "",
        EVERYBODY,
    ),
    ("GET", "/api/v4/talks", "", "", EVERYBODY),
    ("GET", "/api/v4/leads/unsorted", "", "", READ_UNSORTED),
    (
        "GET",
        "/api/v4/leads/unsorted/{uid}",
        "3",
        "",
        READ_UNSORTED,
    ),
    ("GET", "/api/v4/leads/{id}", "1", "", READ_OF_MIA),
    ("GET", "/api/v4/leads/{id}", "2", "", READ_OF_NOBODY),
    ("GET", "/api/v4/leads/{id}", "3", "", READ_UNSORTED),
    ("GET", "/api/v4/contacts", "", "", READ_OF_MIA),
    ("GET", "/api/v4/contacts/{id}", "1", "", READ_OF_MIA),
    ("GET", "/api/v4/contacts/{id}", "2", "", READ_OF_NOBODY),
    (
        "GET",
        "/api/v4/contacts/chats",
        "?contact_id=1",
        "",
        READ_OF_MIA,
    ),
    // Whose chat it is already: saying so again changes nothing.
    (
        "POST",
        "/api/v4/contacts/chats",
        "",
        r#"[{"contact_id":1,"chat_id":"{c1}"}]"#,
        [401, 401, 400, 401, 400, 400, 200, 200, 200, 200],
    ),
    (
        "POST",
        "/api/v4/contacts/chats",
        "",
        r#"[{"contact_id":2,"chat_id":"{c2}"}]"#,
        [401, 401, 400, 401, 400, 400, 400, 400, 200, 200],
    ),
    ("GET", "/api/v4/talks/{id}", "1", "", of_mia(200)),
    ("GET", "/api/v4/talks/{id}", "2", "", of_nobody(200)),
    ("GET", "/api/v4/talks/{id}", "3", "", UNSORTED),
    ("GET", "/inbox/v1/me", "", "", EVERYBODY),
    ("GET", "/inbox/v1/users", "", "", EVERYBODY),
    ("GET", "/inbox/v1/counts", "", "", EVERYBODY),
    ("GET", "/inbox/v1/rights/explain", EXPLAIN, "", EVERYBODY),
    ("GET", "/inbox/v1/conversations", "", "", EVERYBODY),
    ("GET", EVENTS, "", "", EVERYBODY),
    (
        "POST",
        "/inbox/v1/conversations/{id}/unread",
        "c1",
        "",
        of_mia(204),
    ),
    (
        "POST",
        "/inbox/v1/conversations/{id}/unread",
        "c2",
        "",
        of_nobody(204),
    ),
    (
        "POST",
        "/inbox/v1/conversations/{id}/dismiss-failures",
        "c1",
        "",
        of_mia(204),
    ),
    (
        "POST",
        "/inbox/v1/conversations/{id}/dismiss-failures",
        "c2",
        "",
        of_nobody(204),
    ),
    // A customer's message waits for nothing.
    (
        "POST",
        "/inbox/v1/conversations/{id}/messages/{message}/withdraw",
        "c1",
        "",
        of_mia(404),
    ),
    (
        "POST",
        "/inbox/v1/conversations/{id}/read",
        "c1",
        "",
        of_mia(204),
    ),
    (
        "POST",
        "/inbox/v1/conversations/{id}/read",
        "c2",
        "",
        of_nobody(204),
    ),
    (
        "POST",
        "/inbox/v1/conversations/{id}/typing",
        "c1",
        "",
        of_mia(204),
    ),
    (
        "POST",
        "/inbox/v1/conversations/{id}/typing",
        "c2",
        "",
        of_nobody(204),
    ),
    (
        "POST",
        "/inbox/v1/conversations/{id}/messages/{message}/reactions",
        "c1",
        SIGN,
        of_mia(200),
    ),
    (
        "POST",
        "/inbox/v1/conversations/{id}/messages/{message}/reactions",
        "c2",
        SIGN,
        of_nobody(200),
    ),
    // The other account has no such scope; every other caller needs the right to write where there is no responsible
    // user.
    (
        "POST",
        "/inbox/v1/conversations",
        "",
        FIRST,
        [401, 401, 400, 401, 403, 403, 403, 403, 201, 201],
    ),
    // A caller who may write somewhere may upload: 415, because the body is no form.
    (
        "POST",
        "/inbox/v1/media",
        "",
        "{}",
        [401, 401, 415, 401, 403, 403, 415, 415, 415, 415],
    ),
    ("GET", "/inbox/v1/conversations/{id}", "c1", "", of_mia(200)),
    (
        "GET",
        "/inbox/v1/conversations/{id}",
        "c2",
        "",
        of_nobody(200),
    ),
    (
        "GET",
        "/inbox/v1/conversations/{id}/messages",
        "c1",
        "",
        of_mia(200),
    ),
    (
        "GET",
        "/inbox/v1/conversations/{id}/messages",
        "c2",
        "",
        of_nobody(200),
    ),
    (
        "GET",
        "/inbox/v1/conversations/{id}/messages",
        "c3",
        "",
        UNSORTED,
    ),
    ("GET", "/api/v4/users", "", "", administrators(200, 200)),
    (
        "GET",
        "/api/v4/users/{id}",
        "2",
        "",
        administrators(404, 200),
    ),
    ("GET", "/api/v4/roles", "", "", administrators(200, 200)),
    (
        "GET",
        "/api/v4/roles/{id}",
        "1",
        "",
        administrators(404, 200),
    ),
    ("PATCH", "/api/v4/leads", "", SEVERAL, SEVERAL_OF_MIA),
    ("PATCH", "/api/v4/contacts", "", SEVERAL, SEVERAL_OF_MIA),
    (
        "PATCH",
        "/api/v4/leads/{id}",
        "1",
        r#"{"name":"x"}"#,
        of_mia(200),
    ),
    (
        "PATCH",
        "/api/v4/leads/{id}",
        "2",
        r#"{"name":"x"}"#,
        of_nobody(200),
    ),
    (
        "PATCH",
        "/api/v4/contacts/{id}",
        "1",
        r#"{"name":"x"}"#,
        of_mia(200),
    ),
    (
        "POST",
        "/inbox/v1/conversations/{id}/messages",
        "c1",
        REPLY,
        of_mia(201),
    ),
    (
        "POST",
        "/inbox/v1/conversations/{id}/messages",
        "c2",
        REPLY,
        of_nobody(201),
    ),
    (
        "POST",
        "/api/v4/leads/unsorted/{uid}/accept",
        "3",
        "{}",
        UNSORTED,
    ),
    (
        "DELETE",
        "/api/v4/leads/unsorted/{uid}/decline",
        "4",
        "",
        UNSORTED,
    ),
    (
        "PATCH",
        "/api/v4/users/{id}",
        "7",
        r#"{"name":"Off"}"#,
        administrators(404, 202),
    ),
    // What users do with themselves they do with a session.
    (
        "PATCH",
        "/inbox/v1/me",
        "",
        r#"{"lang":"es"}"#,
        [401, 401, 400, 401, 200, 200, 200, 200, 200, 400],
    ),
    (
        "POST",
        "/inbox/v1/me/password",
        "",
        r#"{"current_password":"wrong","password":"aBcde1@345"}"#,
        [401, 401, 400, 401, 400, 400, 400, 400, 400, 400],
    ),
    ("POST", "/api/v4/users", "", USER, administrators(201, 201)),
    (
        "POST",
        "/api/v4/users/deactivate",
        "",
        r#"[{"id":7}]"#,
        administrators(400, 204),
    ),
    (
        "POST",
        "/api/v4/users/activate",
        "",
        r#"[{"id":7}]"#,
        administrators(400, 202),
    ),
    (
        "POST",
        "/api/v4/roles",
        "",
        r#"{"name":"Another"}"#,
        administrators(201, 201),
    ),
    (
        "PATCH",
        "/api/v4/roles/{id}",
        "2",
        r#"{"name":"x"}"#,
        administrators(404, 202),
    ),
    (
        "DELETE",
        "/api/v4/roles/{id}",
        "2",
        "",
        administrators(404, 204),
    ),
    ("POST", "/inbox/v1/session", "", ADA, [201; 10]),
    ("GET", "/inbox/v1/setup", "", "", [200; 10]),
];

/// Signing out ends what the callers are known by, so it comes last. Bearer tokens are no sessions.
const SIGN_OUT: Row = (
    "DELETE",
    "/inbox/v1/session",
    "",
    "",
    [401, 401, 400, 401, 204, 204, 204, 204, 204, 400],
);

fn rows() -> impl Iterator<Item = Row> {
    let areas = writing::TABLE.into_iter().chain(oauth::TABLE);
    TABLE.into_iter().chain(areas).chain([SIGN_OUT])
}

#[test]
fn every_address_of_the_account_side_is_in_the_table() {
    let registered: BTreeSet<_> = switchboard_http::account_addresses().collect();
    let rows_asked: BTreeSet<_> = rows().map(|(method, path, ..)| (method, path)).collect();
    let missing: Vec<_> = registered.difference(&rows_asked).collect();
    assert!(missing.is_empty(), "add rows for these: {missing:?}");
    let obsolete: Vec<_> = rows_asked.difference(&registered).collect();
    assert!(
        obsolete.is_empty(),
        "nothing answers here any more: {obsolete:?}"
    );
}

/// Those of the callers who signed in.
struct People {
    off: Person,
    free: Person,
    by_letter: [Person; 4],
}

async fn people(client: &Client) -> People {
    let free = floor::add(client, "Fay", &json!({ "is_free": true })).await;
    let dee = floor::add(client, "Dee", &floor::rights("D")).await;
    let mia = floor::add(client, "Mia", &floor::rights("M")).await;
    let gus = floor::add(client, "Gus", &floor::rights("G")).await;
    let all = floor::add(client, "All", &floor::rights("A")).await;
    let off = floor::add(client, "Off", &floor::rights("A")).await;
    People {
        off,
        free,
        by_letter: [dee, mia, gus, all],
    }
}

/// A request of the caller of this column.
fn asks<'c>(
    client: &'c Client,
    people: &People,
    column: usize,
    method: &str,
    target: &str,
) -> Request<'c> {
    let bare = client.request(method, target);
    match column {
        0 => bare,
        1 => bare.bearer("a-token-that-nobody-has"),
        2 => bare.bearer(OTHER_TOKEN),
        3 => people.off.asks(client, method, target),
        4 => people.free.asks(client, method, target),
        9 => bare.bearer(TOKEN),
        letter => people.by_letter[letter - 5].asks(client, method, target),
    }
}

/// The address with its second parameter: four callers write notes about the lead before the same four write about the
/// contact.
fn second_parameter(target: &str) -> String {
    let note = if target.contains("contacts") {
        "5"
    } else {
        "1"
    };
    let target = target.replace("{note}", note).replace("{status}", "1");
    target.replace("{token}", "1")
}

#[tokio::test]
async fn each_caller_gets_the_answer_of_the_table() {
    let server = Server::start().await;
    let client = server.client();
    let conversations = floor::conversations(client, 4).await;
    let people = people(client).await;
    let [_, mia, ..] = &people.by_letter;
    for role in ["One", "Two"] {
        let role = json!({ "name": role });
        floor::admin(client, "POST", "/api/v4/roles", &role)
            .await
            .is(201);
    }
    let acceptance = json!({ "user_id": mia.id });
    let accept = "/api/v4/leads/unsorted/1/accept";
    floor::admin(client, "POST", accept, &acceptance)
        .await
        .is(200);
    floor::place(client, 2, 2, None).await;
    let off = json!([{ "id": people.off.id }]);
    assert_eq!(off, json!([{ "id": 7 }]));
    let deactivate = "/api/v4/users/deactivate";
    floor::admin(client, "POST", deactivate, &off).await.is(204);
    let mut wrong = Vec::new();
    for (method, path, parameter, body, statuses) in rows() {
        let parameter = match parameter {
            "c1" | "c2" | "c3" => {
                let place: usize = parameter[1..].parse().unwrap();
                conversations[place - 1].as_str()
            }
            other => other,
        };
        let target = match path.find('{') {
            Some(_) => path.replace("{id}", parameter).replace("{uid}", parameter),
            None => format!("{path}{parameter}"),
        };
        let body = body
            .replace("{c1}", &conversations[0])
            .replace("{c2}", &conversations[1]);
        let with_place = second_parameter(&target);
        let target = match with_place.contains("{message}") {
            true => {
                let messages = client.messages(parameter).await;
                with_place.replace("{message}", messages[0]["id"].as_str().unwrap())
            }
            false => with_place,
        };
        let verb = if path == EVENTS { "HEAD" } else { method };
        for (column, (caller, status)) in CALLERS.into_iter().zip(statuses).enumerate() {
            let mut request = asks(client, &people, column, verb, &target);
            if !body.is_empty() {
                let declared = request.header("Content-Type", "application/json");
                request = declared.body(body.as_str());
            }
            let answer = request.send().await;
            if answer.status != status {
                wrong.push(format!(
                    "{method} {target} by {caller}: {status} expected, {} came: {}",
                    answer.status, answer.body
                ));
            }
            if answer.status == 401 && path != "/inbox/v1/session" {
                let first = client.request(verb, &target).send().await;
                assert_eq!(answer.body, first.body, "one 401 is like another");
            }
            if method == "GET" {
                let head = asks(client, &people, column, "HEAD", &target).send().await;
                assert_eq!(head.status, answer.status, "HEAD {target} by {caller}");
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn a_hidden_object_is_answered_like_an_unknown_one() {
    let server = Server::start().await;
    let client = server.client();
    let conversations = floor::conversations(client, 1).await;
    let dee = floor::add(client, "Dee", &floor::rights("D")).await;
    let never = "deadbeef-0000-4000-8000-000000000000";
    for entity in ["leads", "contacts", "leads/unsorted"] {
        for id in [1, 99] {
            let target = format!("/api/v4/{entity}/{id}");
            dee.reads(client, &target).await.is(204);
        }
    }
    let pairs = [
        (
            format!("/inbox/v1/conversations/{}", conversations[0]),
            format!("/inbox/v1/conversations/{never}"),
        ),
        (
            format!("/inbox/v1/conversations/{}/messages", conversations[0]),
            format!("/inbox/v1/conversations/{never}/messages"),
        ),
    ];
    for (hidden, unknown) in pairs {
        let refusal = dee.reads(client, &hidden).await.is(404);
        let unknown = dee.reads(client, &unknown).await.is(404);
        assert_eq!(refusal.body, unknown.body);
    }
    let body = json!({ "name": 7 });
    for method in ["PATCH"] {
        let response = dee.sends(client, method, "/api/v4/leads/1", &body).await;
        let unknown = dee.sends(client, method, "/api/v4/leads/99", &body).await;
        assert_eq!(response.is(404).body, unknown.is(404).body);
    }
    for deed in ["read", "typing"] {
        let target = |id: &str| format!("/inbox/v1/conversations/{id}/{deed}");
        let response = dee
            .sends(client, "POST", &target(&conversations[0]), &json!({}))
            .await;
        let unknown = dee.sends(client, "POST", &target(never), &json!({})).await;
        assert_eq!(response.is(404).body, unknown.is(404).body);
    }
    let explained = "/inbox/v1/rights/explain?entity=leads&action=view&id=";
    let refusal = dee.reads(client, &format!("{explained}1")).await.is(404);
    let unknown = dee.reads(client, &format!("{explained}99")).await.is(404);
    assert_eq!(refusal.body, unknown.body);
    assert_eq!(client.leads().await[0]["name"], Value::from("Grace"));
}
