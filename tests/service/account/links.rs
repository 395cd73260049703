//! The links between leads and contacts.

use serde_json::{Value, json};

use crate::rights::floor;
use crate::support::answer::Answer;
use crate::support::client::{Client, message};
use crate::support::server::Server;

async fn posts(client: &Client, target: &str, body: &Value) -> Answer {
    floor::admin(client, "POST", &format!("/api/v4/{target}"), body).await
}

/// Two leads and two contacts, without links.
async fn world() -> Server {
    let server = Server::start().await;
    let two = json!([{ "name": "A" }, { "name": "B" }]);
    posts(server.client(), "leads", &two).await.is(200);
    posts(server.client(), "contacts", &two).await.is(200);
    server
}

fn contact(id: u64) -> Value {
    json!([{ "to_entity_id": id, "to_entity_type": "contacts", "metadata": { "is_main": true, "updated_by": 1 } }])
}

fn from(entity: u64, id: u64, kind: &str) -> Value {
    json!({ "entity_id": entity, "to_entity_id": id, "to_entity_type": kind })
}

async fn contact_of(client: &Client, lead: u64) -> Value {
    let lead = client.read(&format!("/api/v4/leads/{lead}")).await;
    lead["_embedded"]["contacts"][0]["id"].clone()
}

#[tokio::test]
async fn a_lead_is_linked_and_unlinked_from_either_end() {
    let mut server = world().await;
    let client = server.client();
    client.get("/api/v4/leads/1/links").await.is(204);
    let response = posts(client, "leads/1/link", &contact(1)).await.is(200);
    assert_eq!(
        response.body,
        r#"{"_total_items":1,"_embedded":{"links":[{"entity_id":1,"entity_type":"leads","to_entity_id":1,"to_entity_type":"contacts","metadata":{"main_contact":true}}]}}"#
    );
    let lead = client.read("/api/v4/leads/1").await;
    posts(client, "leads/1/link", &contact(1)).await.is(200);
    assert_eq!(client.read("/api/v4/leads/1").await, lead, "no change");
    let links = client.get("/api/v4/leads/1/links").await.is(200);
    let url = server.url();
    assert_eq!(
        links.body,
        format!(
            r#"{{"_total_items":1,"_page":1,"_page_count":1,"_links":{{"self":{{"href":"{url}/api/v4/leads/1/links"}}}},"_embedded":{{"links":[{{"to_entity_id":1,"to_entity_type":"contacts","metadata":{{"main_contact":true}}}}]}}}}"#
        )
    );
    let both = json!([from(1, 2, "leads")]);
    posts(client, "contacts/link", &both).await.is(200);
    let links = client.read("/api/v4/contacts/1/links").await;
    let ids: Vec<_> = links["_embedded"]["links"]
        .as_array()
        .unwrap()
        .iter()
        .collect();
    assert_eq!(
        json!(ids),
        json!([
            { "to_entity_id": 2, "to_entity_type": "leads", "metadata": null },
            { "to_entity_id": 1, "to_entity_type": "leads", "metadata": null },
        ])
    );
    server.kill_9();
    server.restart().await;
    let client = server.client();
    assert_eq!(contact_of(client, 1).await, 1);
    // What is not linked stays as it is.
    let response = posts(client, "leads/1/unlink", &contact(2)).await.is(204);
    assert_eq!(
        (response.body.as_str(), contact_of(client, 1).await),
        ("", json!(1))
    );
    posts(client, "leads/1/unlink", &contact(1)).await.is(204);
    assert_eq!(contact_of(client, 1).await, Value::Null);
    let lead = json!([from(1, 2, "leads")]);
    posts(client, "contacts/unlink", &lead).await.is(204);
    client.get("/api/v4/contacts/1/links").await.is(204);
    posts(client, "leads/1/link", &contact(2)).await.is(200);
    assert_eq!(contact_of(client, 1).await, 2);
}

#[tokio::test]
async fn the_links_of_several_are_listed_and_filtered() {
    let server = world().await;
    let client = server.client();
    let links = json!([from(1, 1, "contacts"), from(2, 2, "contacts")]);
    posts(client, "leads/link", &links).await.is(200);
    let rows = async |query: &str| {
        let answer = client.get(&format!("/api/v4/leads/{query}")).await;
        let list = answer.json["_embedded"]["links"].as_array().cloned();
        let links = list.unwrap_or_default().into_iter();
        links
            .map(|link| link["to_entity_id"].as_u64().unwrap())
            .collect::<Vec<_>>()
    };
    let all = "links?filter[entity_id][]=1&filter[entity_id][]=2";
    assert_eq!(rows(all).await, [1, 2]);
    assert_eq!(
        rows(&format!(
            "{all}&filter[to_entity_id]=2&filter[to_entity_type]=contacts"
        ))
        .await,
        [2]
    );
    assert_eq!(
        rows(&format!("{all}&filter[to_entity_type]=leads")).await,
        [0; 0]
    );
    assert_eq!(rows(&format!("{all}&limit=1&page=2")).await, [2]);
    assert_eq!(rows("1/links?filter[to_entity_id]=2").await, [0; 0]);
    let list = client.read(&format!("/api/v4/leads/{all}")).await;
    let first = json!({ "entity_id": 1, "entity_type": "leads", "to_entity_id": 1, "to_entity_type": "contacts", "metadata": { "main_contact": true } });
    assert_eq!(list["_embedded"]["links"][0], first);
    for query in [
        "links",
        "links?filter[entity_id][]=x",
        "1/links?filter[to_catalog_id]=1",
        "1/links?filter[to_entity_type]=companies",
    ] {
        client.get(&format!("/api/v4/leads/{query}")).await.is(400);
    }
    client.get("/api/v4/leads/9/links").await.is(404);
}

#[tokio::test]
async fn a_contact_has_the_links_of_its_newest_leads() {
    let server = world().await;
    let client = server.client();
    let lead = json!({ "_embedded": { "contacts": [{ "id": 1 }] } });
    for count in [249, 2] {
        let leads = Value::from(vec![lead.clone(); count]);
        posts(client, "leads", &leads).await.is(200);
    }
    let list = client.read("/api/v4/contacts/1/links?limit=250").await;
    let links = list["_embedded"]["links"].as_array().unwrap();
    assert_eq!(list["_total_items"], 250);
    assert_eq!((links.len(), &links[0]["to_entity_id"]), (250, &json!(253)));
}

#[tokio::test]
async fn a_second_contact_and_other_entities_are_refused() {
    let server = world().await;
    let client = server.client();
    posts(client, "leads/1/link", &contact(1)).await.is(200);
    let second = posts(client, "leads/1/link", &contact(2)).await.is(400);
    assert!(second.body.contains("a lead has one contact here"));
    let twice = json!([from(2, 1, "contacts"), from(2, 2, "contacts")]);
    posts(client, "leads/link", &twice).await.is(400);
    for kind in ["companies", "customers", "catalog_elements"] {
        let refusal = posts(client, "leads/link", &json!([from(1, 1, kind)]))
            .await
            .is(400);
        assert!(
            refusal.body.contains(&kind.replace('_', " ")),
            "{}",
            refusal.body
        );
    }
    for body in [
        json!([from(2, 1, "leads")]),
        json!([from(2, 9, "contacts")]),
        json!([from(9, 1, "contacts")]),
        json!([from(2, 1, "contacts"), from(1, 2, "contacts")]),
        json!([{ "to_entity_id": 1, "to_entity_type": "contacts" }]),
        json!([{ "entity_id": "1", "to_entity_id": -1, "to_entity_type": 7 }]),
        json!([{ "entity_id": 2, "to_entity_id": 1, "to_entity_type": "contacts", "metadata": [] }]),
        json!([]),
        json!("x"),
        Value::from(vec![from(2, 1, "contacts"); 251]),
    ] {
        posts(client, "leads/link", &body).await.is(400);
    }
    assert_eq!(contact_of(client, 1).await, 1);
    assert_eq!(contact_of(client, 2).await, Value::Null);
    posts(client, "leads/9/link", &contact(1)).await.is(404);
}

#[tokio::test]
async fn both_ends_must_be_seen_and_edited() {
    let server = world().await;
    let client = server.client();
    let mut rights = floor::rights("A");
    for action in ["edit", "delete"] {
        rights["contacts"][action] = json!("D");
    }
    let mia = floor::add(client, "Mia", &rights).await;
    let link = "/api/v4/leads/1/link";
    mia.sends(client, "POST", link, &contact(1)).await.is(403);
    let mut rights = floor::rights("A");
    rights["contacts"] = floor::rights("D")["contacts"].clone();
    let dee = floor::add(client, "Dee", &rights).await;
    let hidden = dee.sends(client, "POST", link, &contact(1)).await.is(400);
    let unknown = dee.sends(client, "POST", link, &contact(9)).await.is(400);
    assert_eq!(hidden.body, unknown.body);
    posts(client, "leads/1/link", &contact(1)).await.is(200);
    dee.reads(client, "/api/v4/leads/1/links").await.is(204);
    mia.reads(client, "/api/v4/leads/1/links").await.is(200);
}

#[tokio::test]
async fn the_lead_of_a_chat_is_unlinked_and_goes_on() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 1).await;
    posts(client, "leads/1/unlink", &contact(1)).await.is(204);
    assert_eq!(contact_of(client, 1).await, Value::Null);
    client.sent(&message("m2", "c1")).await;
    posts(client, "contacts", &json!({ "name": "Grace" }))
        .await
        .is(200);
    posts(client, "leads/1/link", &contact(2)).await.is(200);
    assert_eq!(contact_of(client, 1).await, 2);
    assert_eq!(client.leads().await.len(), 1);
}
