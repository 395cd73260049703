//! The contacts of an account.

use serde_json::{Value, json};

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
    let deal = client.deals().await.remove(0);
    assert_eq!(deal["_embedded"]["contacts"][0]["id"], contact["id"]);
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
        let list = client
            .read(&format!("/api/v4/contacts?limit=2&page={page}"))
            .await;
        assert_eq!(list["_page"], page);
        assert_eq!(list["_links"]["next"].is_object(), page < 3, "{page}");
        assert_eq!(list["_links"]["prev"].is_object(), page > 1, "{page}");
        for contact in list["_embedded"]["contacts"].as_array().unwrap() {
            names.push(contact["name"].as_str().unwrap().to_owned());
        }
    }
    let expected: Vec<_> = (1..=5).map(|number| format!("customer {number}")).collect();
    assert_eq!(names, expected);
}
