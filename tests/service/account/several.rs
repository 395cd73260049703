//! Several leads or contacts changed by one request, and changes that change nothing.

use serde_json::{Value, json};

use crate::rights::floor;
use crate::support::client::{Client, message};
use crate::support::server::Server;
use crate::users::team::{self, CLEO};

const LEADS: &str = "/api/v4/leads";

async fn names(client: &Client) -> Vec<Value> {
    let leads = client.leads().await;
    leads.iter().map(|lead| lead["name"].clone()).collect()
}

#[tokio::test]
async fn several_are_changed_in_every_form_that_clients_send() {
    let server = Server::start().await;
    let client = server.client();
    for kind in ["leads", "contacts"] {
        let list = format!("/api/v4/{kind}");
        let new = json!([{ "name": "A" }, { "name": "B" }]);
        floor::admin(client, "POST", &list, &new).await.is(200);
        for (body, id, request_id) in [
            (
                json!([{ "id": 1, "name": "C", "request_id": "mine" }]),
                1,
                "mine",
            ),
            (json!({ "5": { "id": 2, "name": "D" } }), 2, "5"),
            (json!({ "id": 2, "name": "E" }), 2, "0"),
        ] {
            let answer = floor::admin(client, "PATCH", &list, &body).await.is(200);
            let entry = &answer.json["_embedded"][kind][0];
            assert_eq!(
                (&entry["id"], &entry["request_id"]),
                (&json!(id), &json!(request_id))
            );
            assert!(entry["updated_at"].is_u64(), "{entry}");
        }
        let second = client.read(&format!("{list}/2")).await;
        assert_eq!(second["name"], "E");
    }
}

/// Libraries send the whole entry back on every save.
#[tokio::test]
async fn an_entry_of_a_user_who_left_is_saved_as_it_was_read() {
    let server = team::start().await;
    let client = server.client();
    for kind in ["leads", "contacts"] {
        let list = format!("/api/v4/{kind}");
        let new = |name: &str| json!({ "name": name, "responsible_user_id": 2, "_embedded": { "tags": [{ "name": "vip" }] } });
        let body = json!([new("A"), new("B"), { "name": "C" }]);
        team::send(client, CLEO, "POST", &list, body.to_string())
            .await
            .is(200);
    }
    let rest = json!([{ "id": 2 }]);
    team::post(client, "/api/v4/users/deactivate", &rest)
        .await
        .is(204);
    for kind in ["leads", "contacts"] {
        let list = format!("/api/v4/{kind}");
        let read = async |id: u64| {
            let answer = client.get_as(CLEO, &format!("{list}/{id}")).await;
            answer.is(200).json
        };
        let patch = async |target: String, body: &Value| {
            team::send(client, CLEO, "PATCH", &target, body.to_string()).await
        };
        let mut whole = read(1).await;
        whole["name"] = json!("Changed");
        let one = format!("{list}/1");
        let saved = patch(one.clone(), &whole).await.is(200).json;
        assert_eq!(
            (&saved["name"], &saved["responsible_user_id"]),
            (&json!("Changed"), &json!(2))
        );
        assert_eq!(saved["_embedded"]["tags"], whole["_embedded"]["tags"]);
        let mut both = [read(1).await, read(2).await];
        both[1]["name"] = json!("Too");
        patch(list.clone(), &json!(both)).await.is(200);
        assert_eq!(read(2).await["name"], "Too");
        assert_eq!(read(2).await["responsible_user_id"], 2);
        // A user who left gets nothing new.
        for (id, user) in [(3, 2), (1, 77)] {
            let body = json!({ "responsible_user_id": user });
            let refusal = patch(format!("{list}/{id}"), &body).await.is(400);
            let path = "responsible_user_id".to_owned();
            assert_eq!(refusal.wrong(), [(path, "NotSupportedChoice".to_owned())]);
        }
        patch(one.clone(), &json!({ "responsible_user_id": 1 }))
            .await
            .is(200);
        patch(one, &json!({ "responsible_user_id": 2 }))
            .await
            .is(400);
    }
}

#[tokio::test]
async fn nothing_changes_when_one_of_several_is_wrong() {
    let server = Server::start().await;
    let client = server.client();
    let new = json!([{ "name": "A" }, { "name": "B" }]);
    floor::admin(client, "POST", LEADS, &new).await.is(200);
    for body in [
        json!([{ "id": 1, "name": "x" }, { "id": 99, "name": "x" }]),
        json!([{ "id": 1, "name": "x" }, { "name": "x" }]),
        json!([{ "id": 1, "name": "x" }, { "id": 2, "status_id": 77 }]),
        json!([]),
    ] {
        floor::admin(client, "PATCH", LEADS, &body).await.is(400);
        assert_eq!(names(client).await, ["A", "B"], "{body}");
    }
    let many: Vec<Value> = (0..251).map(|_| json!({ "id": 1, "name": "x" })).collect();
    floor::admin(client, "PATCH", LEADS, &json!(many))
        .await
        .is(400);
    assert_eq!(names(client).await, ["A", "B"]);
}

#[tokio::test]
async fn an_unchanged_value_is_no_change() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    client.sent(&message("m", "c")).await;
    let lead = client.read("/api/v4/leads/1").await;
    let contact = client.read("/api/v4/contacts/1").await;
    let audit = client
        .operate("GET", "/admin/v1/audit")
        .send()
        .await
        .is(200)
        .json;
    // The whole entity comes back, as typed clients send it.
    for (target, whole) in [("/api/v4/leads/1", &lead), ("/api/v4/contacts/1", &contact)] {
        let answer = floor::admin(client, "PATCH", target, whole).await.is(200);
        assert_eq!(answer.json, *whole, "{target}");
    }
    let several = json!([{ "id": 1, "status_id": 1, "responsible_user_id": 0 }]);
    floor::admin(client, "PATCH", LEADS, &several).await.is(200);
    assert_eq!(client.read("/api/v4/leads/1").await, lead);
    let later = client
        .operate("GET", "/admin/v1/audit")
        .send()
        .await
        .is(200)
        .json;
    assert_eq!(later, audit);
}
