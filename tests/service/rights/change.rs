//! `PATCH /api/v4/leads/{id}` and `PATCH /api/v4/contacts/{id}`.

use serde_json::json;

use super::floor;
use crate::support::client::message;
use crate::support::server::Server;

#[tokio::test]
async fn a_reassigned_lead_moves_from_one_list_to_another() {
    let mut server = Server::start().await;
    let client = server.client().clone();
    let conversations = floor::conversations(&client, 2).await;
    let mia = floor::add(&client, "Mia", &floor::rights("M")).await;
    let max = floor::add(&client, "Max", &floor::rights("M")).await;
    floor::place(&client, 1, 2, Some(mia.id)).await;
    assert_eq!(
        floor::inbox(&client, &mia, 50).await,
        [conversations[0].clone()]
    );
    assert!(floor::inbox(&client, &max, 50).await.is_empty());
    // Mia hands it on, and sees it no more.
    let body = json!({ "responsible_user_id": max.id, "name": "Tulips" });
    let response = mia
        .sends(&client, "PATCH", "/api/v4/leads/1", &body)
        .await
        .is(200);
    assert_eq!(response.json["name"], "Tulips");
    assert_eq!(response.json["responsible_user_id"], max.id);
    mia.reads(&client, "/api/v4/leads/1").await.is(204);
    assert!(floor::inbox(&client, &mia, 50).await.is_empty());
    assert_eq!(
        floor::inbox(&client, &max, 50).await,
        [conversations[0].clone()]
    );
    // It stays so, also when something is written, and after a restart.
    client.sent(&message("m2", "c1")).await;
    assert_eq!(
        floor::inbox(&client, &max, 50).await,
        [conversations[0].clone()]
    );
    server.kill_9();
    server.restart().await;
    let client = server.client();
    assert_eq!(
        floor::inbox(client, &max, 50).await,
        [conversations[0].clone()]
    );
    assert_eq!(
        floor::all(&server, &max, "/api/v4/leads", "leads").await,
        [1]
    );
    assert!(
        floor::all(&server, &mia, "/api/v4/leads", "leads")
            .await
            .is_empty()
    );
}

#[tokio::test]
async fn the_next_message_after_a_closed_lead_opens_another() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 1).await;
    for (number, end) in [(1, 142), (2, 143)] {
        client
            .sent(&message(&format!("again {number}"), "c1"))
            .await;
        assert_eq!(
            client.leads().await.len(),
            number,
            "one that is open is enough"
        );
        floor::place(client, u64::try_from(number).unwrap(), end, Some(1)).await;
        client.sent(&message(&format!("next {number}"), "c1")).await;
        assert_eq!(client.leads().await.len(), number + 1);
    }
    // The new lead has no responsible user, and an older lead that changes does not take its place.
    let conversation = &client.conversations().await[0];
    assert_eq!(conversation["lead"]["id"], 3);
    floor::place(client, 1, 2, Some(1)).await;
    let conversation = &client.conversations().await[0];
    assert_eq!(conversation["lead"]["id"], 3);
    assert_eq!(conversation["lead"]["responsible_user_id"], json!(null));
    // One that is worked on again needs no other.
    floor::place(client, 3, 142, None).await;
    floor::place(client, 3, 2, None).await;
    client.sent(&message("last", "c1")).await;
    assert_eq!(client.leads().await.len(), 3);
}

#[tokio::test]
async fn a_user_without_the_edit_right_gets_403_with_its_name() {
    let server = Server::start().await;
    let client = server.client();
    let conversations = floor::conversations(client, 1).await;
    let mut rights = floor::rights("A");
    for entity in ["leads", "contacts"] {
        rights[entity] =
            json!({ "view": "A", "edit": "D", "add": "D", "delete": "D", "export": "D" });
    }
    let sue = floor::add(client, "Sue", &rights).await;
    floor::place(client, 1, 2, Some(sue.id)).await;
    for target in ["/api/v4/leads/1", "/api/v4/contacts/1"] {
        sue.reads(client, target).await.is(200);
        let refusal = sue
            .sends(client, "PATCH", target, &json!({ "name": "x" }))
            .await
            .is(403);
        let detail = refusal.json["detail"].as_str().unwrap();
        assert!(detail.contains("edit"), "{detail}");
    }
    let target = format!("/inbox/v1/conversations/{}/messages", conversations[0]);
    let body = json!({ "type": "text", "text": "x" });
    sue.sends(client, "POST", &target, &body).await.is(403);
    assert_eq!(client.messages(&conversations[0]).await.len(), 1);
    assert_eq!(client.leads().await[0]["name"], "Grace");
}

#[tokio::test]
async fn every_error_of_a_body_is_named_with_its_path() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 1).await;
    let off = floor::add(client, "Off", &floor::rights("A")).await;
    let id = json!([{ "id": off.id }]);
    floor::admin(client, "POST", "/api/v4/users/deactivate", &id)
        .await
        .is(204);
    let wrong = |path: &str, code: &str| (path.to_owned(), code.to_owned());
    for (body, expected) in [
        (
            json!({ "name": "", "status_id": "2", "responsible_user_id": 99 }),
            vec![
                wrong("name", "InvalidValue"),
                wrong("responsible_user_id", "NotSupportedChoice"),
                wrong("status_id", "InvalidType"),
            ],
        ),
        (
            json!({ "status_id": 99 }),
            vec![wrong("status_id", "NotSupportedChoice")],
        ),
        (
            json!({ "pipeline_id": 2 }),
            vec![wrong("pipeline_id", "NotSupportedChoice")],
        ),
        (
            json!({ "responsible_user_id": off.id }),
            vec![wrong("responsible_user_id", "NotSupportedChoice")],
        ),
    ] {
        let answer = floor::admin(client, "PATCH", "/api/v4/leads/1", &body).await;
        assert_eq!(answer.is(400).wrong(), expected);
    }
    let body = json!({ "name": 7, "responsible_user_id": -1 });
    let answer = floor::admin(client, "PATCH", "/api/v4/contacts/1", &body).await;
    let errors = [
        wrong("name", "InvalidType"),
        wrong("responsible_user_id", "InvalidValue"),
    ];
    assert_eq!(answer.is(400).wrong(), errors);
    // Clients send fields that the service does not store.
    let body = json!({ "price": 100, "custom_fields_values": null, "name": "Tulips" });
    let answer = floor::admin(client, "PATCH", "/api/v4/leads/1", &body).await;
    let response = answer.is(200).json;
    assert_eq!(
        (&response["name"], &response["price"]),
        (&json!("Tulips"), &json!(100))
    );
}

#[tokio::test]
async fn concurrent_changes_are_applied_one_after_the_other() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 1).await;
    let changes = (0..16_u64).map(async |number| {
        let body = json!({ "status_id": 2 + number % 3, "responsible_user_id": 1, "name": format!("n{number}") });
        let answer = floor::admin(client, "PATCH", "/api/v4/leads/1", &body).await;
        match answer.status {
            200 => assert_eq!(answer.json["name"], format!("n{number}")),
            // Others were faster four times.
            status => assert_eq!(status, 503),
        }
    });
    futures_util::future::join_all(changes).await;
    // In exactly one stage, and once with who answers for it.
    let mut count = 0;
    for stage in [1, 2, 3, 4, 142, 143] {
        let filter =
            format!("filter[statuses][0][pipeline_id]=1&filter[statuses][0][status_id]={stage}");
        let list = client.read(&format!("/api/v4/leads?{filter}")).await;
        count += floor::ids(&list, "leads").len();
    }
    assert_eq!(count, 1);
}
