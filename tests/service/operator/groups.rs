//! Groups come to an end, and have a command.

use serde_json::{Value, json};

use crate::operator::audit_log;
use crate::support::operating::{json_in, printed_by, run_here as run};
use crate::support::server::{ACCOUNT, Server};

const GROUPS: &str = "/admin/v1/accounts/0a1f2c3d-4e5f-4a6b-8c7d-8e9fa0b1c2d3/groups";
const ADA: &str = "/admin/v1/accounts/0a1f2c3d-4e5f-4a6b-8c7d-8e9fa0b1c2d3/users/1";

async fn made(server: &Server, name: &str) -> Value {
    let body = json!({ "name": name });
    let response = server.client().operates("POST", GROUPS, &body).await;
    response.is(201).json
}

async fn delete(server: &Server, id: &str) -> u16 {
    let request = server.client().operate("DELETE", &format!("{GROUPS}/{id}"));
    request.send().await.status
}

#[tokio::test]
async fn an_empty_group_can_be_deleted_and_its_number_is_not_reused() {
    let mut server = Server::start().await;
    assert_eq!(made(&server, "Support").await["id"], 2);
    let client = server.client().clone();
    let move_body = json!({ "group_id": 2 });
    client.operates("PATCH", ADA, &move_body).await.is(200);
    let conflict = client
        .operate("DELETE", &format!("{GROUPS}/2"))
        .send()
        .await
        .is(409)
        .json;
    let detail = conflict["detail"].as_str().unwrap();
    assert!(detail.contains("1 of the account's users"), "{detail}");
    assert_eq!(delete(&server, "1").await, 409, "the default group stays");
    let move_back = json!({ "group_id": 1 });
    client.operates("PATCH", ADA, &move_back).await.is(200);
    assert_eq!(delete(&server, "2").await, 204);
    for id in ["2", "9", "x", "-1"] {
        assert_eq!(delete(&server, id).await, 404, "{id}");
    }
    let gone_group = json!({ "group_id": 2 });
    client.operates("PATCH", ADA, &gone_group).await.is(400);
    for (crash, id) in [(true, 3), (false, 4)] {
        if crash {
            server.kill_9();
        } else {
            assert_eq!(server.terminate().await, Some(0));
        }
        server.restart().await;
        let group = made(&server, "Next").await;
        assert_eq!(group["id"], id);
        assert_eq!(delete(&server, &id.to_string()).await, 204);
    }
    let log = audit_log(&server).await;
    let entries = log["entries"].as_array().unwrap().iter();
    let deletions = entries.filter(|entry| entry["action"] == "group.delete");
    let objects: Vec<&Value> = deletions.map(|entry| &entry["object"]).collect();
    assert_eq!(objects, ["4", "3", "2"]);
}

#[tokio::test]
async fn groups_are_listed_created_renamed_and_deleted_by_command() {
    let server = Server::start().await;
    let printed = |args: &[&str]| printed_by(run(&server, args, ""), args);
    let group = json_in(&printed(&["group", "create", ACCOUNT, "Support", "--json"]));
    assert_eq!(group, json!({ "id": 2, "name": "Support" }));
    let renamed = printed(&["group", "update", ACCOUNT, "2", "Care"]);
    assert_eq!(renamed, "id    2\nname  Care\n");
    let table = printed(&["group", "list", ACCOUNT]);
    let group_table =
        "ID  NAME              USERS\n1   Sales department  1\n2   Care              0\n";
    assert_eq!(table, group_table);
    let text = printed(&["group", "delete", ACCOUNT, "2"]);
    assert!(text.starts_with("done"), "{text}");
    let output = run(&server, &["group", "delete", ACCOUNT, "1"], "");
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        stderr.contains("409") && stderr.contains("stays"),
        "{stderr}"
    );
    for args in [
        &["group", "update", ACCOUNT, "1"][..],
        &["group", "list", "x"],
    ] {
        assert_eq!(run(&server, args, "").status.code(), Some(2), "{args:?}");
    }
}
