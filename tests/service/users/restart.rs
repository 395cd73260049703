//! Acknowledged changes are there after every kind of end.

use serde_json::{Value, json};

use super::team::{self, CLEO, DAN, all_rights, create_role, create_user, post, send, user};
use crate::support::client::Client;

async fn everything(client: &Client) -> (Value, Value) {
    let target = "/api/v4/users?limit=250&with=role,group,uuid,amojo_id,user_rank,phone_number";
    let users = client.get_as(CLEO, target).await.is(200).json;
    let roles = client
        .get_as(CLEO, "/api/v4/roles?with=users")
        .await
        .is(200)
        .json;
    (
        users["_embedded"]["users"].clone(),
        roles["_embedded"]["roles"].clone(),
    )
}

/// Links hold the port, which is another one after a restart.
fn without_links(mut value: Value) -> Value {
    match &mut value {
        Value::Object(fields) => {
            fields.remove("_links");
            for field in fields.values_mut() {
                *field = without_links(field.take());
            }
        }
        Value::Array(items) => {
            for item in items {
                *item = without_links(item.take());
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    value
}

#[tokio::test]
async fn users_roles_and_switches_survive_a_kill_and_a_stop() {
    let mut server = team::start().await;
    let client = server.client().clone();
    for name in ["Kept", "Edited", "Deleted"] {
        let body = json!({ "name": name, "rights": all_rights() });
        let role = create_role(&client, &body).await;
        let mut holder = user(name);
        holder["rights"] = json!({ "role_id": role["id"] });
        create_user(&client, &holder).await;
    }
    let narrower = json!({ "rights": { "leads": team::none() } }).to_string();
    send(&client, CLEO, "PATCH", "/api/v4/roles/2", narrower)
        .await
        .is(202);
    send(&client, CLEO, "DELETE", "/api/v4/roles/3", "")
        .await
        .is(204);
    post(
        &client,
        "/api/v4/users/deactivate",
        &json!([{ "id": 2 }, { "id": 5 }]),
    )
    .await
    .is(204);
    let (users, roles) = everything(&client).await;
    let before = (without_links(users), without_links(roles));
    for stop in [false, true] {
        if stop {
            assert_eq!(server.terminate().await, Some(0));
        } else {
            server.kill_9();
        }
        server.restart().await;
        let (users, roles) = everything(server.client()).await;
        assert_eq!((without_links(users), without_links(roles)), before);
        // A declaration does not switch on who was switched off.
        server.client().get_as(DAN, "/api/v4/account").await.is(401);
    }
    // Numbers go on where they were.
    let role = create_role(server.client(), &json!({ "name": "Next" })).await;
    assert_eq!(role["id"], 4);
    assert_eq!(create_user(server.client(), &user("Next")).await["id"], 6);
}
