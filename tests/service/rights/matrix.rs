//! Every address of the account side, by every kind of caller: one table.

mod canned_replies;
mod changes;
mod hidden;
mod links;
mod oauth;
mod objects;
mod tasks;
mod templates;
mod views;
mod writing;

use std::collections::BTreeSet;

use serde_json::json;

use super::floor::{self, Person};
use crate::inbox::snooze::in_seconds;
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
/// There is nothing with this number.
const NO_FIELD: [u16; 10] = [401, 401, 404, 401, 404, 404, 404, 404, 404, 404];
/// Several objects of Mia: what a caller may not see is an error of the item.
const SEVERAL_OF_MIA: [u16; 10] = [401, 401, 400, 401, 400, 400, 200, 200, 200, 200];

/// Several objects without a responsible user.
const SEVERAL_OF_NOBODY: [u16; 10] = [401, 401, 400, 401, 400, 400, 400, 400, 202, 202];

/// The stream of events, which does not end, so it is requested by HEAD alone.
const EVENTS: &str = "/inbox/v1/events";

/// Signing out ends what the callers are known by, so it comes last. Bearer tokens are no sessions.
const SIGN_OUT: Row = (
    "DELETE",
    "/inbox/v1/session",
    "",
    "",
    [401, 401, 400, 401, 204, 204, 204, 204, 204, 400],
);

/// The rows, in an order in which no change affects a later one.
fn rows() -> impl Iterator<Item = Row> {
    let objects = objects::TABLE.into_iter().chain(changes::TABLE);
    let links = tasks::TABLE.into_iter().chain(links::TABLE);
    let areas = writing::TABLE
        .into_iter()
        .chain(oauth::TABLE)
        .chain(templates::TABLE)
        .chain(canned_replies::TABLE)
        .chain(views::TABLE);
    objects.chain(links).chain(areas).chain([SIGN_OUT])
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

/// A service with the callers, and the objects of the rows.
struct Stage {
    server: Server,
    people: People,
    conversations: Vec<String>,
}

impl Stage {
    async fn set() -> Self {
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
        Self {
            server,
            people,
            conversations,
        }
    }

    /// The address of a row, with values in place of its parameters.
    async fn target(&self, path: &str, parameter: &str) -> String {
        let parameter = match parameter {
            "c1" | "c2" | "c3" => {
                let place: usize = parameter[1..].parse().unwrap();
                self.conversations[place - 1].as_str()
            }
            other => other,
        };
        if !path.contains('{') {
            return format!("{path}{parameter}");
        }
        // Four callers write notes about the lead before the same four write about the contact.
        let note = if path.contains("contacts") { "5" } else { "1" };
        let target = path
            .replace("{id}", parameter)
            .replace("{uid}", parameter)
            .replace("{note}", note)
            .replace("{status}", "1")
            .replace("{review}", "1")
            .replace("{bot}", "1")
            .replace("{token}", "1")
            .replace("{kind}", "reply")
            .replace("{number}", "999");
        if !target.contains("{message}") {
            return target;
        }
        let messages = self.server.client().messages(parameter).await;
        target.replace("{message}", messages[0]["id"].as_str().unwrap())
    }

    /// The differences between a row and what its callers get.
    async fn differences(&self, row: Row) -> Vec<String> {
        let (method, path, parameter, body, statuses) = row;
        let (client, people) = (self.server.client(), &self.people);
        let target = self.target(path, parameter).await;
        let body = body
            .replace("{c1}", &self.conversations[0])
            .replace("{c2}", &self.conversations[1])
            .replace("\"{soon}\"", &in_seconds(3_600).to_string());
        let verb = if path == EVENTS { "HEAD" } else { method };
        let mut differences = Vec::new();
        for (column, (caller, status)) in CALLERS.into_iter().zip(statuses).enumerate() {
            let mut request = asks(client, people, column, verb, &target);
            if !body.is_empty() {
                let declared = request.header("Content-Type", "application/json");
                request = declared.body(body.as_str());
            }
            let answer = request.send().await;
            if answer.status != status {
                differences.push(format!(
                    "{method} {target} by {caller}: {status} expected, {} came: {}",
                    answer.status, answer.body
                ));
            }
            if answer.status == 401 && path != "/inbox/v1/session" {
                let first = client.request(verb, &target).send().await;
                assert_eq!(answer.body, first.body, "one 401 is like another");
            }
            if method == "GET" {
                let head = asks(client, people, column, "HEAD", &target).send().await;
                assert_eq!(head.status, answer.status, "HEAD {target} by {caller}");
            }
        }
        differences
    }
}

#[tokio::test]
async fn each_caller_gets_the_answer_of_the_table() {
    let stage = Stage::set().await;
    let mut differences = Vec::new();
    for row in rows() {
        differences.extend(stage.differences(row).await);
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
