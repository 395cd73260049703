//! `GET /api/v4/users`: pages and their links.

use serde_json::{Value, json};

use super::team::{self, CLEO, post, target, user};
use crate::support::client::Client;
use crate::support::rounds::Rounds;
use crate::support::server::{Server, Setup};

async fn with_12_users() -> Server {
    let server = team::start().await;
    let ten: Vec<Value> = (0..10)
        .map(|number| user(&format!("user{number}")))
        .collect();
    post(server.client(), "/api/v4/users", &json!(ten))
        .await
        .is(201);
    server
}

fn ids(page: &Value) -> Vec<u64> {
    let users = page["_embedded"]["users"].as_array().unwrap().iter();
    users.map(|user| user["id"].as_u64().unwrap()).collect()
}

#[tokio::test]
async fn a_list_has_its_size_its_page_and_its_own_link() {
    let server = team::start().await;
    let answer = server.client().get_as(CLEO, "/api/v4/users").await.is(200);
    assert_eq!(answer.header("content-type"), "application/hal+json");
    let page = answer.json;
    assert_eq!(
        (&page["_total_items"], &page["_page"], &page["_page_count"]),
        (&json!(2), &json!(1), &json!(1))
    );
    let own = format!("{}/api/v4/users", server.url());
    assert_eq!(page["_links"], json!({ "self": { "href": own } }));
    assert_eq!(ids(&page), [1, 2]);
}

#[tokio::test]
async fn following_next_lists_every_user_once_and_prev_leads_back() {
    let server = with_12_users().await;
    let client = server.client();
    let mut at = "/api/v4/users?with=role%2Cgroup&limit=5".to_owned();
    let mut rows = Vec::new();
    let mut pages = 0;
    let mut rounds = Rounds::default();
    loop {
        rounds.note();
        let page = client.get_as(CLEO, &at).await.is(200).json;
        rows.extend(ids(&page));
        pages += 1;
        assert_eq!(
            (&page["_page"], &page["_page_count"]),
            (&json!(pages), &json!(3))
        );
        let links = &page["_links"];
        assert_eq!(target(&server, &links["self"]["href"]), at);
        assert_eq!(links["first"].is_null(), pages == 1);
        assert_eq!(links["prev"].is_null(), pages == 1);
        assert_eq!(links["last"].is_null(), pages == 3);
        assert!(page["_embedded"]["users"][0]["_embedded"]["groups"].is_array());
        if links["next"].is_null() {
            break;
        }
        at = target(&server, &links["next"]["href"]).to_owned();
    }
    assert_eq!(rows, (1..13).collect::<Vec<_>>());
    let last = client.get_as(CLEO, &at).await.is(200).json;
    let prev = target(&server, &last["_links"]["prev"]["href"]).to_owned();
    assert_eq!(
        ids(&client.get_as(CLEO, &prev).await.is(200).json),
        [6, 7, 8, 9, 10]
    );
    let first = target(&server, &last["_links"]["first"]["href"]).to_owned();
    assert_eq!(
        ids(&client.get_as(CLEO, &first).await.is(200).json),
        [1, 2, 3, 4, 5]
    );
}

#[tokio::test]
async fn a_page_past_the_end_is_empty_and_links_back() {
    let server = with_12_users().await;
    let client = server.client();
    for page in ["4", "1000000000000000000", "18446744073709551615"] {
        let at = format!("/api/v4/users?limit=5&page={page}");
        let page = client.get_as(CLEO, &at).await.is(200).json;
        assert!(ids(&page).is_empty());
        assert!(page["_links"]["next"].is_null());
        let prev = target(&server, &page["_links"]["prev"]["href"]).to_owned();
        assert_eq!(
            ids(&client.get_as(CLEO, &prev).await.is(200).json),
            [11, 12]
        );
    }
}

#[tokio::test]
async fn limit_defaults_to_50_is_250_at_most_and_bad_ones_are_400() {
    let server = with_12_users().await;
    let client = server.client();
    for limit in ["250", "251", "1000000000"] {
        let at = format!("/api/v4/users?limit={limit}");
        assert_eq!(ids(&client.get_as(CLEO, &at).await.is(200).json).len(), 12);
    }
    // Real clients begin at 0.
    let first = client
        .get_as(CLEO, "/api/v4/users?limit=5&page=0")
        .await
        .is(200)
        .json;
    let same = client
        .get_as(CLEO, "/api/v4/users?limit=5&page=1")
        .await
        .is(200)
        .json;
    assert_eq!(first["_embedded"], same["_embedded"]);
    assert_eq!(first["_page"], 1);
    assert_eq!(first["_links"]["next"], same["_links"]["next"]);
    for query in [
        "limit=0",
        "limit=-1",
        "limit=abc",
        "limit=",
        "limit=1&limit=2",
        "page=-1",
        "page=1.5",
        "page=",
    ] {
        for kind in ["users", "roles"] {
            let at = format!("/api/v4/{kind}?{query}");
            client.get_as(CLEO, &at).await.is(400);
        }
    }
}

#[tokio::test]
async fn links_begin_with_the_public_url() {
    let setup = team::setup().setting("server", "public_url = \"https://crm.example.com:8443/\"");
    let server = Setup::start(setup).await;
    // No server has that address here: the service is reached where it listens.
    let client = Client::new(&format!(
        "http://{}",
        server.ready()["address"].as_str().unwrap()
    ));
    let request = client.request("GET", "/api/v4/users?limit=1&x=%D1%8F");
    let answer = request
        .bearer(CLEO)
        .header("Host", "crm.example.com:8443")
        .send()
        .await
        .is(200);
    let base = "https://crm.example.com:8443/api/v4/users";
    let links = &answer.json["_links"];
    assert_eq!(links["self"]["href"], format!("{base}?limit=1&x=%D1%8F"));
    assert_eq!(
        links["next"]["href"],
        format!("{base}?page=2&limit=1&x=%D1%8F")
    );
    assert_eq!(
        answer.json["_embedded"]["users"][0]["_links"]["self"]["href"],
        format!("{base}/1")
    );
}
