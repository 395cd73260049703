//! Erasures by the real program: they go on by themselves, and leave nothing of a customer in any file, whatever
//! interrupts them.

mod connections;
mod kills;
mod names;
mod retention;
mod submissions;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use image::ImageFormat;
use serde_json::{Value, json};

use crate::rights::floor;
use crate::support::client::{Client, message, scope};
use crate::support::eventually;
use crate::support::limit::Limited as _;
use crate::support::operating::{json_in, printed_by, run_aside};
use crate::support::receiver::Receiver;
use crate::support::rounds::Rounds;
use crate::support::server::{ACCOUNT, CHANNEL, OTHER_ACCOUNT, Server, Setup, TOKEN};
use crate::support::upload::{picture, uploaded};

/// The name of the customer who is erased, and what only she says.
pub(crate) const NAME: &str = "Hedwig Kiesler";
pub(crate) const WORD: &str = "torpedo";

/// A message of the customer with this name, in a conversation of that name.
fn message_from(name: &str, msgid: &str, text: &str) -> Value {
    let mut event = message(msgid, name);
    event["payload"]["sender"]["name"] = name.into();
    event["payload"]["message"]["text"] = text.into();
    event
}

/// She and another customer write and are answered; gives her conversation.
pub(crate) async fn filled(client: &Client, messages: usize) -> String {
    client.connect("v2").await;
    let mut hers = String::new();
    for number in 0..messages {
        let text = format!("{WORD} {number}");
        let new_message = client
            .sent(&message_from(NAME, &format!("h-{number}"), &text))
            .await;
        hers = new_message["conversation_id"].as_str().unwrap().to_owned();
        client
            .sent(&message_from(
                "Somebody else",
                &format!("s-{number}"),
                "hello",
            ))
            .await;
    }
    client.replied(&hers, &format!("Which {WORD}?")).await;
    let draft = json!({ "based_on": 0, "text": format!("My {WORD}, {NAME}") });
    let target = format!("/inbox/v1/conversations/{hers}/drafts/reply");
    floor::admin(client, "PATCH", &target, &draft).await.is(200);
    let note = json!({ "text": format!("{NAME} wants a {WORD}"), "mentions": [1] });
    let target = format!("/inbox/v1/conversations/{hers}/notes");
    floor::admin(client, "POST", &target, &note).await.is(201);
    hers
}

/// Another customer writes more than a segment of the smallest size takes.
pub(crate) async fn long_messages(client: &Client) {
    let text = "long ".repeat(800);
    for number in 0..300 {
        let event = message_from("Somebody else", &format!("l-{number}"), &text);
        client.sent(&event).await;
    }
}

/// The account user sends her a picture.
pub(crate) async fn sends_a_picture(client: &Client, conversation: &str) {
    let file = uploaded(client, "of-hedwig.png", &picture(20, 20, ImageFormat::Png)).await;
    let body = json!({ "type": "picture", "media_id": file["id"] });
    let target = format!("/inbox/v1/conversations/{conversation}/messages");
    let request = client
        .request("POST", &target)
        .bearer(TOKEN)
        .header("Content-Type", "application/json");
    request.body(body.to_string()).send().await.is(201);
}

/// A note about the lead of the other customer names her; gives the address of the notes about it.
async fn note_elsewhere(client: &Client) -> String {
    let leads = client.leads().await;
    let other = leads.iter().find(|lead| lead["name"] == "Somebody else");
    let notes = format!("/api/v4/leads/{}/notes", other.unwrap()["id"]);
    let params =
        json!({ "text": format!("Ask {NAME} first."), "service": format!("Shop of {NAME}") });
    let note = json!({ "note_type": "service_message", "params": params });
    let request = client
        .request("POST", &notes)
        .bearer(TOKEN)
        .header("Content-Type", "application/json");
    request.body(note.to_string()).send().await.is(200);
    notes
}

/// The number of the contact with this name.
pub(crate) async fn contact(client: &Client, name: &str) -> u64 {
    let contacts = client.contacts().await;
    let entry = contacts.iter().find(|contact| contact["name"] == name);
    entry.unwrap()["id"].as_u64().unwrap()
}

/// Orders the erasure of her.
pub(crate) async fn order_hers(client: &Client) {
    let number = contact(client, NAME).await;
    let body = json!({ "what": "customer", "account_id": ACCOUNT, "contact_id": number });
    let order = client.operates("POST", "/admin/v1/erasures", &body).await;
    order.is(202);
}

async fn erasure(client: &Client, number: u64) -> Value {
    let target = format!("/admin/v1/erasures/{number}");
    client.operate("GET", &target).send().await.is(200).json
}

/// Waits until an erasure is carried out, and gives it. A connection that is kept alive may be closed meanwhile, and the
/// service may be reading its journal yet.
pub(crate) async fn done(client: &Client, number: u64) -> Value {
    let target = format!("/admin/v1/erasures/{number}");
    eventually("the erasure is carried out", async || {
        let answer = client.operate("GET", &target).attempt().await?;
        if answer.status == 503 {
            return None;
        }
        let erasure = answer.is(200).json;
        assert_ne!(erasure["state"], "failed", "{erasure}");
        (erasure["state"] == "done").then_some(erasure)
    })
    .await
}

/// The files of a directory that have one of these words in their bytes or their names.
pub(crate) fn traces(directory: &Path, words: &[&str]) -> Vec<String> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(traces(&path, words));
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        let name = path.display().to_string();
        let has = |word: &&&str| {
            name.contains(**word) || bytes.windows(word.len()).any(|it| it == word.as_bytes())
        };
        files.extend(words.iter().find(has).map(|word| format!("{name}: {word}")));
    }
    files
}

fn verify(directory: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_switchboard"))
        .args(["verify", "--json", "--data-dir"])
        .arg(directory)
        .limited_output()
        .unwrap()
}

/// Returns the number of erased records in a directory without damage.
fn erased(directory: &Path) -> u64 {
    let output = verify(directory);
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{stdout}");
    serde_json::from_str::<Value>(&stdout).unwrap()["erased"]
        .as_u64()
        .unwrap()
}

/// A task about the customer's contact, and one about nothing that names her, also in what it said before a change.
async fn tasks(client: &Client) {
    let number = contact(client, NAME).await;
    let body = json!([
        { "text": "Send roses", "complete_till": 1_764_086_340, "entity_id": number, "entity_type": "contacts" },
        { "text": format!("Call {NAME}"), "complete_till": 1_764_086_340, "is_completed": true,
          "result": { "text": format!("{NAME} was out") } },
    ]);
    let change = json!({ "duration": 60 });
    for (method, path, body) in [
        ("POST", "/api/v4/tasks", body),
        ("PATCH", "/api/v4/tasks/2", change),
    ] {
        let request = client
            .request(method, path)
            .bearer(TOKEN)
            .header("Content-Type", "application/json");
        request.body(body.to_string()).send().await.is(200);
    }
}

/// Looks at what an erasure would erase, and exports it. Nothing is erased.
async fn preview_and_export(server: &Server, hers: &str, which: &[&str]) {
    let client = server.client();
    let args = [&["erase", "customer", "--dry-run", "--json"], which].concat();
    let preview = json_in(&printed_by(run_aside(server, &args).await, &args));
    assert_eq!(preview["counts"]["messages"], 7);
    assert_eq!(client.messages(hers).await.len(), 7);
    let args = [&["export", "customer", "--to", "-"], which].concat();
    let export = printed_by(run_aside(server, &args).await, &args);
    assert!(
        export.lines().count() > 10 && export.contains(NAME),
        "{export}"
    );
    assert!(
        export
            .lines()
            .all(|line| serde_json::from_str::<Value>(line).is_ok())
    );
    assert!(!export.contains("Somebody else"), "{export}");
    let audit_log = client
        .operate("GET", "/admin/v1/audit?limit=5")
        .send()
        .await
        .is(200)
        .body;
    assert!(audit_log.contains("customer.export"), "{audit_log}");
}

#[tokio::test]
async fn a_customer_is_erased_and_the_service_goes_on_by_itself() {
    let receiver = Receiver::start().await;
    let mut server = Server::calling(&receiver).await;
    let client = server.client();
    let hers = filled(client, 5).await;
    sends_a_picture(client, &hers).await;
    receiver.callbacks(2).await;
    let notes = note_elsewhere(client).await;
    tasks(client).await;
    let number = contact(client, NAME).await.to_string();
    let which = ["--account", ACCOUNT, "--contact", &number];

    preview_and_export(&server, &hers, &which).await;
    let args = [&["erase", "customer"], &which[..]].concat();
    let text = printed_by(run_aside(&server, &args).await, &args);
    for line in [
        "messages          7",
        "contacts          1",
        "files             1",
    ] {
        assert!(
            text.lines().any(|it| it == line),
            "{line} is not in:\n{text}"
        );
    }
    let pid = server.pid();
    client
        .get(&format!("/inbox/v1/conversations/{hers}"))
        .await
        .is(404);
    assert_eq!(client.conversations().await.len(), 1);
    assert_eq!(client.leads().await.len(), 1);
    assert_eq!(client.contacts().await.len(), 1);
    let masked = client.read(&notes).await["_embedded"]["notes"][0]["params"].take();
    assert_eq!(masked["text"], "Ask [erased] first.");
    assert_eq!(masked["service"], "Shop of [erased]");
    // Of the tasks, the one about her contact is gone, and the other one names no customer.
    let tasks = client.read("/api/v4/tasks").await["_embedded"]["tasks"].take();
    let texts = (&tasks[0]["text"], &tasks[0]["result"]["text"]);
    assert_eq!(tasks.as_array().map(Vec::len), Some(1));
    assert_eq!(texts, (&json!("Call [erased]"), &json!("[erased] was out")));
    client
        .sent(&message_from("Somebody else", "s-after", "still here"))
        .await;
    // The same customer is a new one.
    client.sent(&message_from(NAME, "h-0", "again")).await;
    assert_eq!(contact(client, NAME).await, 3);
    assert_eq!(client.conversations().await.len(), 2);
    let erasure_view = erasure(client, 1).await;
    assert_eq!(
        erasure_view["certificate"]["hash"].as_str().unwrap().len(),
        64
    );
    assert_eq!(
        (&erasure_view["state"], &erasure_view["contact_id"]),
        (&json!("done"), &json!(1))
    );
    assert_eq!(server.pid(), pid);
    assert!(server.log().contains("an erasure was carried out"));
    assert_eq!(server.terminate().await, Some(0));
    assert_eq!(traces(&server.data(), &[WORD, "of-hedwig"]), [""; 0]);
    assert!(erased(&server.data()) >= 9);
}

#[tokio::test]
async fn orders_for_unknown_or_declared_targets_are_refused() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let order = async |body: Value| client.operates("POST", "/admin/v1/erasures", &body).await;
    let customer = json!({ "what": "customer", "account_id": ACCOUNT, "contact_id": 7 });
    order(customer).await.is(404);
    let person = json!({ "what": "customer", "account_id": ACCOUNT, "person_id": OTHER_ACCOUNT });
    order(person).await.is(404);
    let nameless = order(json!({ "what": "customer", "account_id": ACCOUNT }))
        .await
        .is(400);
    assert_eq!(nameless.wrong()[0].0, "contact_id");
    let both = json!({ "what": "account", "account_id": ACCOUNT, "contact_id": 7 });
    assert_eq!(order(both).await.is(400).wrong()[0].0, "contact_id");
    let declared = order(json!({ "what": "account", "account_id": ACCOUNT }))
        .await
        .is(409);
    assert!(
        declared
            .body
            .contains("the configuration names this account"),
        "{}",
        declared.body
    );
    client
        .operate("GET", "/admin/v1/erasures/1")
        .send()
        .await
        .is(404);
    let list = client
        .operate("GET", "/admin/v1/erasures")
        .send()
        .await
        .is(200);
    assert_eq!(list.json, json!({ "erasures": [], "next": null }));
    let target = format!("/admin/v1/accounts/{ACCOUNT}/customer");
    client.operate("GET", &target).send().await.is(400);
    let target = format!("{target}?contact_id=7");
    client.operate("GET", &target).send().await.is(404);
}

/// Sends a message; whether the erasure still waits when it is answered.
async fn is_waiting_behind(client: &Client, event: &Value) -> bool {
    let body = event.to_string();
    let request = client.signed("POST", &scope(CHANNEL, ACCOUNT), body);
    if request.attempt().await.is_none() {
        return false;
    }
    let answer = client
        .operate("GET", "/admin/v1/erasures/1")
        .attempt()
        .await;
    answer.is_some_and(|shown| shown.json["state"] == "waiting")
}

/// Requests are answered while most of an erasure is prepared, and what they say is erased as well.
#[tokio::test]
async fn requests_are_answered_while_an_erasure_is_prepared() {
    let setup = Setup::default().setting("store", "segment_mib = 1");
    let mut server = setup.start().await;
    let client = server.client();
    filled(client, 30).await;
    long_messages(client).await;
    order_hers(client).await;
    // Her messages, and the question of the account user.
    let mut hers = 31;
    let mut rounds = Rounds::default();
    while is_waiting_behind(client, &message_from(NAME, &format!("w-{hers}"), WORD)).await {
        rounds.note();
        hers += 1;
    }
    let erasure = done(client, 1).await;
    let count = erasure["certificate"]["counts"]["messages"]
        .as_u64()
        .unwrap();
    // The last message came before the pause or after it.
    assert!((hers..=hers + 1).contains(&count), "{count} of {hers}");
    assert!(hers > 31, "no request was answered meanwhile");
    assert_eq!(server.terminate().await, Some(0));
    verify(&server.data());
}

/// A signal that comes while nothing is served stops the service as well.
#[tokio::test]
async fn a_service_is_stopped_while_it_erases() {
    for pause in [0, 240, 280, 360, 520] {
        let mut server = Server::start().await;
        let client = server.client();
        filled(client, 20).await;
        order_hers(client).await;
        tokio::time::sleep(std::time::Duration::from_millis(pause)).await;
        assert_eq!(server.terminate().await, Some(0), "after {pause} ms");
        verify(&server.data());
    }
}

#[tokio::test]
async fn an_account_is_erased_with_its_users_and_tokens() {
    const VIEW: &str = "Boilers and warheads";
    let mut server = Server::start().await;
    let client = server.client();
    let body = json!({ "name": "Torpedo works", "lang": "en", "plan": "enterprise" });
    let response = client
        .operates("POST", "/admin/v1/accounts", &body)
        .await
        .is(201)
        .json;
    let account = response["id"].as_str().unwrap();
    let user = json!({ "name": "George", "email": "george@example.com", "is_admin": true, "password": "Secr3tive" });
    let target = format!("/admin/v1/accounts/{account}/users");
    let user = client.operates("POST", &target, &user).await.is(201).json;
    let target = format!("{target}/{}/tokens", user["id"]);
    let name = json!({ "name": "George" });
    let answer = client.operates("POST", &target, &name).await.is(201);
    let token = answer.json["token"].as_str().unwrap();
    let view = json!({ "name": VIEW, "is_shared": true, "filters": {} });
    let request = client.request("POST", "/inbox/v1/views").bearer(token);
    let with_type = request.header("Content-Type", "application/json");
    with_type.body(view.to_string()).send().await.is(201);
    client.connect_account(account, "v2").await.is(200);
    let scope = crate::support::client::scope(crate::support::server::CHANNEL, account);
    client
        .post(&scope, &message_from(NAME, "h-1", WORD))
        .await
        .is(200);
    let order = json!({ "what": "account", "account_id": account });
    client
        .operates("POST", "/admin/v1/erasures", &order)
        .await
        .is(202);
    let erasure = done(client, 1).await;
    let counts = &erasure["certificate"]["counts"];
    assert_eq!(
        (&counts["users"], &counts["messages"]),
        (&json!(1), &json!(1))
    );
    let accounts = client
        .operate("GET", "/admin/v1/accounts")
        .send()
        .await
        .is(200);
    assert_eq!(accounts.json["accounts"].as_array().unwrap().len(), 2);
    client
        .post(&scope, &message_from(NAME, "h-2", "x"))
        .await
        .is(404);
    assert_eq!(server.terminate().await, Some(0));
    let words = ["Torpedo works", "george@example.com", VIEW, NAME, WORD];
    assert_eq!(traces(&server.data(), &words), [""; 0]);
    assert!(erased(&server.data()) > 3);
}

#[tokio::test]
async fn a_service_that_keeps_nothing_refuses_to_erase() {
    let server = Setup::default().argument("--ephemeral").start().await;
    let client = server.client();
    client.connect("v2").await;
    client.sent(&message_from(NAME, "h-1", WORD)).await;
    let body = json!({ "what": "customer", "account_id": ACCOUNT, "contact_id": 1 });
    let refusal = client
        .operates("POST", "/admin/v1/erasures", &body)
        .await
        .is(409);
    assert!(refusal.body.contains("keeps nothing"), "{}", refusal.body);
}

/// Orders that come in a row are carried out with one end of a round.
#[tokio::test]
async fn many_orders_share_one_pause() {
    let mut server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    for number in 1..=12 {
        let name = format!("Customer {number}");
        client
            .sent(&message_from(&name, &format!("m-{number}"), WORD))
            .await;
    }
    for number in 1..=12 {
        let body = json!({ "what": "customer", "account_id": ACCOUNT, "contact_id": number });
        let order = client.operates("POST", "/admin/v1/erasures", &body).await;
        order.is(202);
    }
    for number in 1..=12 {
        let erasure = done(client, number).await;
        let counts = &erasure["certificate"]["counts"];
        assert_eq!(
            (&counts["messages"], &counts["contacts"]),
            (&json!(1), &json!(1))
        );
    }
    // A machine that is busy may take longer for an order than the service waits for the next one.
    let pauses = server.log().matches("erasing: finishing").count();
    assert!(pauses < 12, "{pauses} pauses");
    assert_eq!(server.terminate().await, Some(0));
    assert_eq!(traces(&server.data(), &[WORD]), [""; 0]);
    assert!(erased(&server.data()) >= 12);
}
