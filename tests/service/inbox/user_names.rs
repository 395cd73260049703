//! `GET /inbox/v1/users`: a user who may see a lead or a contact reads the name of its responsible user, and no more.

use serde_json::json;

use crate::rights::floor::{self, Person, admin, rights};
use crate::support::client::Client;
use crate::support::server::{OTHER_TOKEN, Server, TOKEN};

const USERS: &str = "/inbox/v1/users";

async fn names(client: &Client, person: &Person, query: &str) -> Vec<String> {
    let page = person
        .reads(client, &format!("{USERS}{query}"))
        .await
        .is(200)
        .json;
    let users = page["users"].as_array().unwrap();
    for user in users {
        let fields: Vec<_> = user.as_object().unwrap().keys().collect();
        assert_eq!(
            fields,
            ["id", "is_active", "name", "presence"],
            "no more than names: {user}"
        );
    }
    users
        .iter()
        .map(|user| user["name"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn names_reach_as_far_as_the_rights_to_view() {
    let server = Server::start().await;
    let client = server.client();
    let all = floor::add(client, "All", &rights("A")).await;
    let group = floor::add(client, "Group", &rights("G")).await;
    let own = floor::add(client, "Own", &rights("M")).await;
    let none = floor::add(client, "None", &rights("D")).await;
    let mut of_a_stage = rights("D");
    of_a_stage["status_rights"] = json!([floor::stage(2, "A")]);
    let stage = floor::add(client, "Stage", &of_a_stage).await;
    let everybody = client.get_as(TOKEN, USERS).await.is(200).json["users"]
        .as_array()
        .unwrap()
        .len();
    assert_eq!(names(client, &all, "").await.len(), everybody);
    assert_eq!(
        names(client, &stage, "").await.len(),
        everybody,
        "any lead of that stage may be anybody's"
    );
    assert!(names(client, &group, "").await.contains(&"Own".to_owned()));
    assert_eq!(names(client, &own, "").await, ["Own"]);
    assert_eq!(names(client, &none, "").await, ["None"]);
    let others = client.get_as(OTHER_TOKEN, USERS).await.is(200).body;
    assert!(!others.contains("Group"), "{others}");
    client.request("GET", USERS).send().await.is(401);
    let wrong = all.reads(client, &format!("{USERS}?limt=1")).await.is(400);
    assert!(wrong.body.contains("limt"));
}

/// A subscriber sees the lead of any responsible user, and so the name.
#[tokio::test]
async fn a_subscriber_reads_who_is_responsible() {
    let server = Server::start().await;
    let client = server.client();
    let conversation = floor::conversations(client, 1).await.remove(0);
    let mut seller = rights("M");
    seller["leads"]["view"] = json!("M");
    let seller = floor::add(client, "Seller", &seller).await;
    let boss = floor::add(client, "Boss", &rights("A")).await;
    let give = async |id: u64| {
        let body = json!({ "responsible_user_id": id, "status_id": 2, "pipeline_id": 1 });
        admin(client, "PATCH", "/api/v4/leads/1", &body)
            .await
            .is(200);
    };
    give(seller.id).await;
    let target = format!("/inbox/v1/conversations/{conversation}/messages");
    let reply = json!({ "type": "text", "text": "Hello" });
    seller.sends(client, "POST", &target, &reply).await.is(201);
    give(boss.id).await;
    let path = format!("/inbox/v1/conversations/{conversation}");
    let conversation_view = seller.reads(client, &path).await.is(200).json;
    assert_eq!(conversation_view["lead"]["responsible_user_id"], boss.id);
    let query = format!("?conversation_id={conversation}");
    assert_eq!(names(client, &seller, &query).await, ["Boss"]);
    assert_eq!(names(client, &seller, "").await, ["Seller"]);
    let stranger = floor::add(client, "Stranger", &rights("D")).await;
    assert_eq!(names(client, &stranger, &query).await, Vec::<String>::new());
}
