//! Details that customers give of themselves reach the book of contacts, and never replace what users wrote there.

use std::process::Command;

use serde_json::{Value, json};

use crate::rights::floor;
use crate::support::client::{Client, message, scope, silent_message};
use crate::support::limit::Limited as _;
use crate::support::server::{ACCOUNT, CHANNEL, Server};

const CONTACT: &str = "/api/v4/contacts/1";
const PHONE: &str = "+7 900 000-00-01";
const EMAIL: &str = "olga@example.com";

/// A message of Olga.
fn says(msgid: &str, conversation: &str, profile: &Value) -> Value {
    of_olga(message(msgid, conversation), profile)
}

fn of_olga(mut event: Value, profile: &Value) -> Value {
    let sender = &mut event["payload"]["sender"];
    sender["id"] = json!("u1");
    sender["name"] = json!("Olga");
    if !profile.is_null() {
        sender["profile"] = profile.clone();
    }
    event
}

fn profile() -> Value {
    json!({ "phone": PHONE, "email": EMAIL })
}

/// The phone number and the e-mail address of a contact.
fn fields(contact: &Value) -> [Value; 2] {
    let fields = contact["custom_fields_values"].as_array();
    ["PHONE", "EMAIL"].map(|code| {
        let mut fields = fields.into_iter().flatten();
        let field = fields.find(|field| field["field_code"] == code);
        field.map_or(Value::Null, |field| field["values"][0]["value"].clone())
    })
}

async fn known(client: &Client) -> [Value; 2] {
    fields(&client.read(CONTACT).await)
}

/// A user sets a field, or empties it.
async fn set(client: &Client, code: &str, value: Option<&str>) {
    let values: Vec<Value> = value
        .iter()
        .map(|value| json!({ "value": value }))
        .collect();
    let body = json!({ "custom_fields_values": [{ "field_code": code, "values": values }] });
    floor::admin(client, "PATCH", CONTACT, &body).await.is(200);
}

async fn close(client: &Client, lead: u64) {
    let body = json!({ "status_id": 142 });
    let lead = format!("/api/v4/leads/{lead}");
    floor::admin(client, "PATCH", &lead, &body).await.is(200);
}

async fn open_chat(client: &Client, conversation: &str, profile: &Value) {
    let tail = format!("{}/chats", scope(CHANNEL, ACCOUNT));
    let user = json!({ "id": "u1", "name": "Olga", "profile": profile });
    let body = json!({ "conversation_id": conversation, "user": user });
    client.post_today(&tail, &body).await.is(200);
}

/// Each way in which details can come: they are in the contact when the request is answered.
#[tokio::test]
async fn details_reach_an_empty_field_whatever_brings_them() {
    for way in [
        "2019",
        "current",
        "silent",
        "chat",
        "same chat",
        "second",
        "imported",
    ] {
        let server = Server::start().await;
        let client = server.client();
        client.connect("v2").await;
        client.sent(&says("m1", "c", &Value::Null)).await;
        assert_eq!(known(client).await, [Value::Null, Value::Null]);
        let brings = says("m2", "c", &profile());
        match way {
            "2019" => drop(client.sent(&brings).await),
            "current" => drop(client.sent_today(&brings).await),
            "silent" => drop(
                client
                    .sent(&of_olga(silent_message("m2", "c"), &profile()))
                    .await,
            ),
            "chat" => open_chat(client, "another", &profile()).await,
            "same chat" => open_chat(client, "c", &profile()).await,
            "second" => drop(
                client
                    .sent(&of_olga(silent_message("m2", "d"), &profile()))
                    .await,
            ),
            _ => {
                let mut event = brings.clone();
                event["payload"]["receiver"] = event["payload"]["sender"].clone();
                let bot = server.ready()["bots"][0].clone();
                event["payload"]["sender"] = json!({ "ref_id": bot });
                client.sent_today(&event).await;
            }
        }
        assert_eq!(known(client).await, [json!(PHONE), json!(EMAIL)], "{way}");
        let list = client.read("/api/v4/contacts?query=79000000001").await;
        assert_eq!(floor::ids(&list, "contacts"), [1], "{way}");
        assert_eq!(client.leads().await.len(), 1, "{way}");
        if way == "same chat" {
            assert_eq!(client.conversations().await[0]["customer"]["phone"], PHONE);
        }
    }
}

/// A new contact has the details that other conversations know.
#[tokio::test]
async fn a_new_contact_has_what_other_conversations_know() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    open_chat(client, "a", &json!({ "email": EMAIL })).await;
    let silent = of_olga(silent_message("m1", "b"), &json!({ "phone": PHONE }));
    client.sent(&silent).await;
    assert_eq!(client.conversations().await.len(), 1);
    client.sent(&says("m2", "c", &Value::Null)).await;
    assert_eq!(known(client).await, [json!(PHONE), json!(EMAIL)]);
}

#[tokio::test]
async fn a_field_that_a_user_set_or_emptied_stays() {
    let mut server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    client.sent(&says("m1", "c", &profile())).await;
    // The newest that the customer says counts, until a user says otherwise.
    let other = json!({ "phone": "+7 900 000-00-02" });
    client.sent(&says("m2", "c", &other)).await;
    assert_eq!(
        known(client).await,
        [json!("+7 900 000-00-02"), json!(EMAIL)]
    );
    // What libraries send back unchanged is nobody's decision.
    let whole = client.read(CONTACT).await;
    floor::admin(client, "PATCH", CONTACT, &whole).await.is(200);
    client.sent(&says("m3", "c", &profile())).await;
    assert_eq!(known(client).await, [json!(PHONE), json!(EMAIL)]);

    set(client, "PHONE", Some("+7 900 000-00-99")).await;
    set(client, "EMAIL", None).await;
    let user_details = [json!("+7 900 000-00-99"), Value::Null];
    for round in 0..3 {
        let client = server.client();
        close(client, round + 1).await;
        let details = json!({ "phone": format!("+7 900 000-01-0{round}"), "email": format!("o{round}@example.com") });
        let bare = says(&format!("bare {round}"), "c", &Value::Null);
        client.sent(&bare).await;
        let full = says(&format!("full {round}"), "c", &details);
        client.sent_today(&full).await;
        open_chat(client, &format!("c{round}"), &details).await;
        let second = says(&format!("second {round}"), &format!("d{round}"), &details);
        client.sent(&second).await;
        assert_eq!(known(client).await, user_details, "{round}");
        close(client, client.leads().await.len().try_into().unwrap()).await;
        // Who owns a field survives a crash, and an index that is made of the journal alone.
        server.kill_9();
        if round == 1 {
            let mut verify = Command::new(env!("CARGO_BIN_EXE_switchboard"));
            verify.args(["verify", "--rebuild-index", "--data-dir"]);
            let rebuilt = verify.arg(server.data()).limited_output().unwrap();
            assert!(rebuilt.status.success(), "{rebuilt:?}");
        }
        server.restart().await;
        assert_eq!(known(server.client()).await, user_details, "{round}");
    }
    // A user can give it anew.
    let client = server.client();
    set(client, "EMAIL", Some("right@example.com")).await;
    client
        .sent(&says("last", "c", &json!({ "email": "wrong@example.com" })))
        .await;
    assert_eq!(known(client).await[1], "right@example.com");
}

/// A chat that a user gave to a contact: that one gets what its customer says, unless it is another customer's.
#[tokio::test]
async fn details_reach_the_contact_that_a_chat_was_given_to() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let field = json!({ "field_code": "PHONE", "values": [{ "value": "+1 202 555 0001" }] });
    let new = json!([{ "name": "Ltd", "custom_fields_values": [field] }, { "name": "Empty" }]);
    floor::admin(client, "POST", "/api/v4/contacts", &new)
        .await
        .is(200);
    let give = async |chat: &str, contact: u64| {
        let silent = silent_message(&format!("m {chat}"), chat);
        let new_message = client.sent(&of_olga(silent, &Value::Null)).await;
        let link = json!([{ "chat_id": new_message["conversation_id"], "contact_id": contact }]);
        let linked = floor::admin(client, "POST", "/api/v4/contacts/chats", &link);
        linked.await.is(200);
    };
    give("a", 1).await;
    client.sent(&says("m1", "a", &profile())).await;
    // The number is the one that the user added the contact with.
    let contact = client.read(CONTACT).await;
    assert_eq!(fields(&contact), [json!("+1 202 555 0001"), json!(EMAIL)]);
    give("b", 2).await;
    client
        .sent(&of_olga(silent_message("m2", "b"), &profile()))
        .await;
    let contact = client.read("/api/v4/contacts/2").await;
    assert_eq!(fields(&contact), [json!(PHONE), json!(EMAIL)]);
    assert_eq!(client.contacts().await.len(), 2);
}

/// A number stands for a name until there is one: in the contact, and in the lead.
#[tokio::test]
async fn a_number_as_a_name_gives_way_to_the_first_name() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let message_of = |msgid: &str, conversation: &str, name: &str| {
        let mut event = message(msgid, conversation);
        let sender = &mut event["payload"]["sender"];
        sender["id"] = json!(format!("customer of {conversation}"));
        sender["name"] = json!(name);
        event
    };
    let names = async |id: u64| {
        let contact = client.read(&format!("/api/v4/contacts/{id}")).await;
        let lead = client.read(&format!("/api/v4/leads/{id}")).await;
        [contact["name"].clone(), lead["name"].clone()]
    };
    for (id, stand_in) in [(1, "+7 900 000-00-01"), (2, "79000000002"), (3, "\u{200b}")] {
        let conversation = format!("c{id}");
        client
            .sent(&message_of("m1", &conversation, stand_in))
            .await;
        assert_eq!(names(id).await, [stand_in, stand_in]);
        client
            .sent(&message_of("m2", &conversation, "+7 900 000-00-09"))
            .await;
        client.sent(&message_of("m3", &conversation, "Olga")).await;
        assert_eq!(names(id).await[0], "Olga", "{stand_in}");
        // A name is no stand-in, and stays.
        client
            .sent(&message_of("m4", &conversation, "Olga P."))
            .await;
        assert_eq!(names(id).await[0], "Olga", "{stand_in}");
    }
    assert_eq!(names(1).await, ["Olga", "Olga"]);
    // What users called them stays, though it is a number.
    client.sent(&message_of("m1", "c4", "79000000004")).await;
    for target in ["/api/v4/contacts/4", "/api/v4/leads/4"] {
        let body = json!({ "name": "Order 79000000044" });
        floor::admin(client, "PATCH", target, &body).await.is(200);
    }
    client.sent(&message_of("m2", "c4", "Olga")).await;
    assert_eq!(names(4).await, ["Order 79000000044", "Order 79000000044"]);
    let body = json!({ "name": "89000000044" });
    floor::admin(client, "PATCH", "/api/v4/contacts/4", &body)
        .await
        .is(200);
    client.sent(&message_of("m3", "c4", "Olga P.")).await;
    assert_eq!(names(4).await[0], "89000000044");
}
