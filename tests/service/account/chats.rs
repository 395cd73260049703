//! `/api/v4/contacts/chats`: whose chats these are.

use serde_json::{Value, json};

use crate::rights::floor;
use crate::support::client::{Client, entries, message, silent_message};
use crate::support::server::Server;

const CHATS: &str = "/api/v4/contacts/chats";

/// Returns the chats of a list, each with its contact.
fn pairs(answer: &Value) -> Vec<(String, u64)> {
    let chats = entries(answer, "chats");
    chats
        .iter()
        .map(|chat| {
            let contact = chat["contact_id"].as_u64().unwrap();
            (chat["chat_id"].as_str().unwrap().to_owned(), contact)
        })
        .collect()
}

async fn link(client: &Client, body: &Value) -> Value {
    floor::admin(client, "POST", CHATS, body).await.is(200).json
}

#[tokio::test]
async fn a_chat_with_a_lead_belongs_to_the_contact_of_its_customer() {
    let server = Server::start().await;
    let client = server.client();
    let chats = floor::conversations(client, 3).await;
    let target = format!("{CHATS}?chat_id[]={}&chat_id[]={}", chats[2], chats[0]);
    let list = client.read(&target).await;
    let chat_contacts = vec![(chats[0].clone(), 1), (chats[2].clone(), 3)];
    assert_eq!(pairs(&list), chat_contacts);
    for target in [
        "contact_id=1&contact_id[]=3",
        "contact_id[0]=1&contact_id[1]=3",
    ] {
        let list = client.read(&format!("{CHATS}?{target}")).await;
        assert_eq!(pairs(&list), chat_contacts, "{target}");
    }
    let both = format!("{CHATS}?contact_id=2&chat_id={}", chats[0]);
    assert!(pairs(&client.read(&both).await).is_empty());
    let never = "deadbeef-0000-4000-8000-000000000000";
    let unknown = format!("{CHATS}?chat_id={never}");
    assert!(pairs(&client.read(&unknown).await).is_empty());
}

/// A chat is linked to a contact with its open lead, and stays linked.
#[tokio::test]
async fn linking_a_chat_moves_its_open_lead_to_the_contact() {
    let mut server = Server::start().await;
    let client = server.client().clone();
    let chats = floor::conversations(&client, 2).await;
    let body = json!([{ "contact_id": 1, "chat_id": chats[1], "request_id": "mine" }]);
    let linked = link(&client, &body).await;
    assert_eq!(linked["_total_items"], 1);
    let links = json!([
        { "id": 2, "chat_id": chats[1], "contact_id": 1, "request_id": "mine" }
    ]);
    assert_eq!(linked["_embedded"]["chats"], links);
    assert_eq!(
        link(&client, &body).await,
        linked,
        "a repeat changes nothing"
    );
    for _ in 0..2 {
        let client = server.client();
        let list = client
            .read(&format!("{CHATS}?contact_id[]=1&contact_id[]=2"))
            .await;
        assert_eq!(pairs(&list), [(chats[0].clone(), 1), (chats[1].clone(), 1)]);
        let lead = client.read("/api/v4/leads/2").await;
        assert_eq!(lead["_embedded"]["contacts"][0]["id"], 1);
        server.kill_9();
        server.restart().await;
    }
    // The lead after that is about the same contact, and the customer's profile is not merged into another's.
    let client = server.client();
    floor::place(client, 2, 142, None).await;
    let mut event = message("m2", "c2");
    event["payload"]["sender"]["profile"] = json!({ "phone": "+4930" });
    client.sent(&event).await;
    let lead = client.read("/api/v4/leads/3").await;
    assert_eq!(lead["_embedded"]["contacts"][0]["id"], 1);
    let contact = client.read("/api/v4/contacts/1").await;
    assert_eq!(contact["custom_fields_values"], Value::Null);
}

#[tokio::test]
async fn a_chat_without_a_lead_can_be_linked_before_its_first_lead() {
    let server = Server::start().await;
    let client = server.client();
    let chats = floor::conversations(client, 1).await;
    let new_message = client.sent(&silent_message("m", "quiet")).await;
    let quiet = new_message["conversation_id"].as_str().unwrap();
    let target = format!("{CHATS}?chat_id={quiet}");
    assert!(pairs(&client.read(&target).await).is_empty());
    link(client, &json!([{ "contact_id": 1, "chat_id": quiet }])).await;
    assert_eq!(pairs(&client.read(&target).await), [(quiet.to_owned(), 1)]);
    client.sent(&message("m2", "quiet")).await;
    assert_eq!(client.contacts().await.len(), 1, "nobody new");
    let lead = client.read("/api/v4/leads/2").await;
    assert_eq!(lead["_embedded"]["contacts"][0]["id"], 1);
    let list = client.read(&format!("{CHATS}?contact_id=1&limit=1")).await;
    assert_eq!(pairs(&list), [(chats[0].clone(), 1)]);
    let next = list["_links"]["next"]["href"].as_str().unwrap();
    let list = client.read(next.strip_prefix(server.url()).unwrap()).await;
    assert_eq!(pairs(&list), [(quiet.to_owned(), 1)]);
    assert!(list["_links"]["next"].is_null());
}

#[tokio::test]
async fn a_batch_is_all_or_nothing_and_names_every_error() {
    let server = Server::start().await;
    let client = server.client();
    let chats = floor::conversations(client, 2).await;
    let never = "deadbeef-0000-4000-8000-000000000000";
    let body = json!([
        { "contact_id": 1, "chat_id": chats[1] },
        { "contact_id": 9, "chat_id": chats[0], "request_id": "second" },
        { "contact_id": 9, "chat_id": never },
    ]);
    let answer = floor::admin(client, "POST", CHATS, &body).await.is(400);
    let wrong: Vec<(&str, Vec<&str>)> = answer.json["validation-errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| {
            let errors = item["errors"].as_array().unwrap().iter();
            let paths = errors.map(|error| error["path"].as_str().unwrap());
            (item["request_id"].as_str().unwrap(), paths.collect())
        })
        .collect();
    assert_eq!(
        wrong,
        [
            ("second", vec!["contact_id"]),
            ("2", vec!["contact_id", "chat_id"]),
        ]
    );
    let list = client.read(&format!("{CHATS}?contact_id=1")).await;
    assert_eq!(pairs(&list), [(chats[0].clone(), 1)]);
}

#[tokio::test]
async fn invalid_bodies_are_refused_with_every_error() {
    let server = Server::start().await;
    let client = server.client();
    let chats = floor::conversations(client, 1).await;
    let chat = chats[0].as_str();
    let many: Vec<Value> = (0..251)
        .map(|n| json!({ "contact_id": n, "chat_id": chat }))
        .collect();
    for (body, wrong) in [
        (json!([]), ""),
        (json!(many), ""),
        (json!({}), ""),
        (json!(null), ""),
        (json!([7]), ""),
        (json!([{}]), "chat_id contact_id"),
        (
            json!([{ "contact_id": "1", "chat_id": chat }]),
            "contact_id",
        ),
        (
            json!([{ "contact_id": 1.0, "chat_id": chat }]),
            "contact_id",
        ),
        (json!([{ "contact_id": 0, "chat_id": chat }]), "contact_id"),
        (
            json!([{ "contact_id": null, "chat_id": chat }]),
            "contact_id",
        ),
        (json!([{ "contact_id": 1, "chat_id": "x" }]), "chat_id"),
        (json!([{ "contact_id": 1, "chat_id": [chat] }]), "chat_id"),
        (
            json!([{ "contact_id": 1, "chat_id": chat, "request_id": 5 }]),
            "request_id",
        ),
        (
            json!([{ "contact_id": 1, "chat_id": chat }, { "contact_id": 1, "chat_id": chat }]),
            "chat_id",
        ),
    ] {
        let answer = floor::admin(client, "POST", CHATS, &body).await.is(400);
        let items = answer.json["validation-errors"].as_array();
        let errors = items
            .into_iter()
            .flatten()
            .flat_map(|item| item["errors"].as_array().unwrap());
        let mut paths: Vec<&str> = errors
            .map(|error| error["path"].as_str().unwrap())
            .collect();
        paths.sort_unstable();
        assert_eq!(paths.join(" "), wrong, "{body}");
    }
    for query in [
        "",
        "?chat_id=x",
        "?contact_id=x",
        "?contact_id[]=1&contact_id[]=",
        "?page=2",
    ] {
        client.get(&format!("{CHATS}{query}")).await.is(400);
    }
    let many: Vec<String> = (1..=51).map(|n| format!("contact_id[]={n}")).collect();
    client
        .get(&format!("{CHATS}?{}", many.join("&")))
        .await
        .is(400);
}

/// A user who may view both sees the link, and a user who may edit both sets it.
#[tokio::test]
async fn links_need_the_right_to_view_or_edit_chat_and_contact() {
    let server = Server::start().await;
    let client = server.client();
    let chats = floor::conversations(client, 2).await;
    let mia = floor::add(client, "Mia", &floor::rights("M")).await;
    let mut rights = floor::rights("A");
    rights["contacts"] =
        json!({ "view": "A", "edit": "D", "add": "D", "delete": "D", "export": "D" });
    let reader = floor::add(client, "Rea", &rights).await;
    let accept = json!({ "user_id": mia.id });
    floor::admin(client, "POST", "/api/v4/leads/unsorted/1/accept", &accept)
        .await
        .is(200);
    floor::place(client, 2, 2, None).await;
    let everything = format!("{CHATS}?contact_id[]=1&contact_id[]=2");
    let count =
        async |who: &floor::Person| pairs(&who.reads(client, &everything).await.is(200).json).len();
    assert_eq!((count(&mia).await, count(&reader).await), (1, 2));
    // What may not be seen is named like what is not there.
    for (contact, chat) in [(2, 0), (1, 1)] {
        let body = json!([{ "contact_id": contact, "chat_id": chats[chat] }]);
        mia.sends(client, "POST", CHATS, &body).await.is(400);
    }
    let body = json!([{ "contact_id": 1, "chat_id": chats[1] }]);
    let denied = reader.sends(client, "POST", CHATS, &body).await.is(403);
    let detail = denied.json["detail"].as_str().unwrap();
    assert!(detail.contains("edit the contact"), "{detail}");
    rights["contacts"] =
        json!({ "view": "A", "edit": "A", "add": "D", "delete": "D", "export": "D" });
    rights["leads"]["edit"] = json!("D");
    rights["leads"]["delete"] = json!("D");
    let other = floor::add(client, "Oth", &rights).await;
    let denied = other.sends(client, "POST", CHATS, &body).await.is(403);
    let detail = denied.json["detail"].as_str().unwrap();
    assert!(detail.contains("lead of the chat"), "{detail}");
    // Its contact becomes hers with the chat, so she sees it from then on.
    link(client, &body).await;
    floor::place(client, 2, 2, Some(mia.id)).await;
    assert_eq!(count(&mia).await, 2);
}
