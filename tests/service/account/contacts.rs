//! The contacts of an account.

use serde_json::{Value, json};

use crate::rights::floor;
use crate::support::client::{Client, message};
use crate::support::server::Server;

async fn fields(client: &Client) -> Vec<(String, String)> {
    let contacts = client.contacts().await;
    assert_eq!(contacts.len(), 1);
    let fields = contacts[0]["custom_fields_values"].as_array();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    fields
        .into_iter()
        .flatten()
        .map(|field| {
            (
                text(&field["field_code"]),
                text(&field["values"][0]["value"]),
            )
        })
        .collect()
}

#[tokio::test]
async fn phone_and_email_of_the_profile_are_in_the_contact() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let mut event = message("m", "c");
    event["payload"]["sender"]["profile"] =
        json!({ "phone": "+4930", "email": "grace@example.com" });
    client.sent(&event).await;
    let pair = |code: &str, value: &str| (code.to_owned(), value.to_owned());
    assert_eq!(
        fields(client).await,
        [pair("PHONE", "+4930"), pair("EMAIL", "grace@example.com")]
    );
    let contact = client.contacts().await.remove(0);
    assert_eq!(contact["name"], "Grace");
    let lead = client.leads().await.remove(0);
    assert_eq!(lead["_embedded"]["contacts"][0]["id"], contact["id"]);
}

#[tokio::test]
async fn profiles_of_silent_messages_are_merged_into_the_contact() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let mut silent = message("m1", "c");
    silent["payload"]["silent"] = json!(true);
    silent["payload"]["sender"]["profile"] = json!({ "phone": "+4930" });
    client.sent(&silent).await;
    let mut loud = message("m2", "c");
    loud["payload"]["sender"]["profile"] = json!({ "email": "grace@example.com" });
    client.sent(&loud).await;
    let pair = |code: &str, value: &str| (code.to_owned(), value.to_owned());
    assert_eq!(
        fields(client).await,
        [pair("PHONE", "+4930"), pair("EMAIL", "grace@example.com")]
    );
}

#[tokio::test]
async fn contacts_are_paged_by_number() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    for number in 1..=5 {
        let mut event = message("m", &format!("c{number}"));
        event["payload"]["sender"]["name"] = json!(format!("customer {number}"));
        client.sent(&event).await;
    }
    let mut names = Vec::new();
    for page in 1..=4 {
        let answer = client
            .get(&format!("/api/v4/contacts?limit=2&page={page}"))
            .await;
        if page == 4 {
            answer.is(204);
            break;
        }
        let list = answer.is(200).json;
        assert_eq!(list["_page"], page);
        assert_eq!(list["_links"]["next"].is_object(), page < 3, "{page}");
        assert_eq!(list["_links"]["prev"].is_object(), page > 1, "{page}");
        for contact in list["_embedded"]["contacts"].as_array().unwrap() {
            names.push(contact["name"].as_str().unwrap().to_owned());
        }
    }
    let all_names: Vec<_> = (1..=5).map(|number| format!("customer {number}")).collect();
    assert_eq!(names, all_names);
}

#[tokio::test]
async fn a_contact_shows_its_leads_when_asked() {
    let mut server = Server::start().await;
    let client = server.client();
    let chats = floor::conversations(client, 2).await;
    let own = json!([
        { "name": "More", "_embedded": { "contacts": [{ "id": 1 }] } },
        { "name": "Nobody's" },
    ]);
    floor::admin(client, "POST", "/api/v4/leads", &own)
        .await
        .is(200);
    let leads = async |client: &Client, id: u64| {
        let contact = client
            .read(&format!("/api/v4/contacts/{id}?with=leads"))
            .await;
        floor::ids(&contact, "leads")
    };
    assert_eq!(leads(client, 1).await, [3, 1]);
    assert_eq!(leads(client, 2).await, [2]);
    let plain = client.read("/api/v4/contacts/1").await;
    assert_eq!(plain["_embedded"].get("leads"), None);
    // The lead of a chat goes with it.
    let link = json!([{ "chat_id": chats[0], "contact_id": 2 }]);
    floor::admin(client, "POST", "/api/v4/contacts/chats", &link)
        .await
        .is(200);
    server.kill_9();
    server.restart().await;
    let client = server.client();
    let list = client
        .read("/api/v4/contacts?with=catalog_elements,leads")
        .await;
    let leads_of_each: Vec<_> = list["_embedded"]["contacts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|contact| floor::ids(contact, "leads"))
        .collect();
    assert_eq!(leads_of_each, [vec![3], vec![2, 1]]);
    let href = format!("{}/api/v4/leads/3", server.url());
    assert_eq!(
        list["_embedded"]["contacts"][0]["_embedded"]["leads"][0]["_links"]["self"]["href"],
        href
    );
    let talks: Vec<_> = client
        .read("/api/v4/talks?filter[contact_id]=2&order[id]=desc")
        .await["_embedded"]["talks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|talk| talk["talk_id"].clone())
        .collect();
    assert_eq!(talks, [2, 1]);
    // A user sees the leads that their rights cover.
    let mut rights = floor::rights("D");
    rights["contacts"] = floor::rights("A")["contacts"].clone();
    let dee = floor::add(client, "Dee", &rights).await;
    let response = dee
        .reads(client, "/api/v4/contacts/1?with=leads")
        .await
        .is(200);
    assert_eq!(response.json["_embedded"]["leads"], json!([]));
}
