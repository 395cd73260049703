//! The lists of the operator: pages of one form, whatever is listed.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::rights::floor;
use crate::support::client::{Client, message};
use crate::support::operating::{json_in, printed_by, run_here as run};
use crate::support::rounds::Rounds;
use crate::support::server::{ACCOUNT, CHANNEL, Server};

/// Every list in the document, with an object of each kind in its path.
async fn lists(client: &Client, oauth_client: &str) -> Vec<String> {
    let document = client.get("/openapi.json").await.is(200).json;
    let paths = document["paths"].as_object().unwrap().iter();
    let lists = paths.filter(|(path, methods)| {
        let name = methods["get"]["operationId"].as_str().unwrap_or_default();
        // No relay is in the configuration of this service.
        let is_of_relay = path.starts_with("/admin/v1/relays/");
        path.starts_with("/admin/v1") && name.starts_with("list") && !is_of_relay
    });
    let of = |path: &String| {
        let id = match path.split('/').nth(3).unwrap() {
            "accounts" => ACCOUNT,
            "channels" => CHANNEL,
            _ => oauth_client,
        };
        path.replace("{id}", id)
            .replace("{user}", "1")
            .replace("{account}", ACCOUNT)
            .replace("{webhook}", "1")
    };
    lists.map(|(path, _)| of(path)).collect()
}

/// Three of everything that can be made here.
async fn fill(client: &Client) -> String {
    let mut oauth_client = String::new();
    let users = format!("/admin/v1/accounts/{ACCOUNT}/users");
    let webhook = json!({ "destination": "https://hooks.example/in", "settings": ["add_contact"] });
    floor::admin(client, "POST", "/api/v4/webhooks", &webhook)
        .await
        .is(201);
    for n in 0..3 {
        let name = json!({ "name": format!("N{n}") });
        for address in [
            "/admin/v1/accounts",
            "/admin/v1/channels",
            &format!("/admin/v1/accounts/{ACCOUNT}/groups"),
            &format!("{users}/1/tokens"),
        ] {
            client.operates("POST", address, &name).await.is(201);
        }
        let user = json!({ "name": format!("U{n}"), "email": format!("u{n}@example.com") });
        client.operates("POST", &users, &user).await.is(201);
        let program = json!({ "name": format!("P{n}"), "redirect_uri": "https://example.com/" });
        let response = client
            .operates("POST", "/admin/v1/oauth-clients", &program)
            .await
            .is(201)
            .json;
        response["id"]
            .as_str()
            .unwrap()
            .clone_into(&mut oauth_client);
    }
    client.connect("v2").await;
    client.sent(&message("m", "c")).await;
    oauth_client
}

/// The entries of a page.
fn entries(page: &Value) -> Vec<Value> {
    let mut arrays = page.as_object().unwrap().values();
    let entries = arrays.find_map(Value::as_array).unwrap();
    assert!(page.get("next").is_some(), "{page}");
    entries.clone()
}

#[tokio::test]
async fn every_list_has_pages_and_refuses_parameters_it_does_not_obey() {
    let server = Server::start().await;
    let client = server.client();
    let oauth_client = fill(client).await;
    let read = async |target: String| client.operate("GET", &target).send().await;
    let lists = lists(client, &oauth_client).await;
    assert!(lists.len() >= 13, "{lists:?}");
    let mut long = BTreeSet::new();
    for list in &lists {
        let whole_page = read(format!("{list}?limit=250")).await.is(200).json;
        let whole = entries(&whole_page);
        let (mut walked, mut cursor) = (Vec::new(), String::new());
        let mut rounds = Rounds::default();
        loop {
            rounds.note();
            let page = read(format!("{list}?limit=1{cursor}")).await.is(200).json;
            let entries = entries(&page);
            assert!(entries.len() <= 1, "{list}: {page}");
            walked.extend(entries);
            let Some(next) = page["next"].as_str() else {
                break;
            };
            cursor = format!("&cursor={next}");
        }
        // Requests are recorded while this asks.
        if list != "/admin/v1/requests" {
            assert_eq!(walked, whole, "{list}");
        }
        if whole.len() >= 3 {
            long.insert(list.as_str());
        }
        for wrong in ["limit=0", "limit=x", "cursor=%20", "page=2", "query=x"] {
            let answer = read(format!("{list}?{wrong}")).await;
            assert_eq!(answer.status, 400, "{list}?{wrong}: {}", answer.body);
        }
    }
    assert!(long.len() >= 6, "{long:?}");
}

/// A parameter that is ignored lets everything pass, and the first page comes again for ever.
#[tokio::test]
async fn every_list_names_the_parameters_that_it_does_not_know() {
    let server = Server::start().await;
    let client = server.client();
    let oauth_client = fill(client).await;
    let conversations = client.conversations().await;
    let conversation = conversations[0]["id"].as_str().unwrap();
    let mut lists = lists(client, &oauth_client).await;
    lists.extend([
        "/inbox/v1/conversations".to_owned(),
        format!("/inbox/v1/conversations/{conversation}/messages"),
        "/inbox/v1/oauth-clients".to_owned(),
        format!("/inbox/v1/oauth-clients/{oauth_client}/users"),
    ]);
    for list in &lists {
        let is_of_operator = list.starts_with("/admin");
        let read = async |query: &str| {
            let target = format!("{list}?{query}");
            if is_of_operator {
                client.operate("GET", &target).send().await
            } else {
                client.get(&target).await
            }
        };
        for (query, unknown) in [
            ("sate=unread", "«sate»"),
            ("limt=1", "«limt»"),
            ("limit=1&colour=red", "«colour»"),
            ("starting_after=x", "«starting_after»"),
        ] {
            let value = read(query).await.is(400).json["detail"].take();
            let detail = value.as_str().unwrap();
            assert!(detail.contains(unknown), "{list}: {detail}");
            assert!(detail.contains("there are"), "{list}: {detail}");
        }
        let value = read("limt=1&next=x").await.is(400).json["detail"].take();
        let detail = value.as_str().unwrap();
        assert!(
            detail.contains("«limt»") && detail.contains("«next»"),
            "{list}: {detail}"
        );
        if list != "/inbox/v1/oauth-clients" {
            assert!(detail.contains("did you mean limit?"), "{list}: {detail}");
            assert!(detail.contains("did you mean cursor?"), "{list}: {detail}");
        }
        read("").await.is(200);
    }
    let detail = client.get("/inbox/v1/conversations?before=x").await.is(400);
    assert!(
        detail.body.contains("did you mean cursor?"),
        "{}",
        detail.body
    );
}

#[tokio::test]
async fn commands_print_whole_lists() {
    let server = Server::start().await;
    let client = server.client();
    let groups = format!("/admin/v1/accounts/{ACCOUNT}/groups");
    let makes = (0..260).map(|n| {
        let groups = &groups;
        async move {
            let body = json!({ "name": format!("Group {n}") });
            client.operates("POST", groups, &body).await.is(201);
        }
    });
    futures_util::future::join_all(makes).await;
    let first = client
        .operate("GET", &format!("{groups}?limit=1000"))
        .send()
        .await
        .is(200)
        .json;
    assert_eq!(entries(&first).len(), 250);
    let args = ["group", "list", ACCOUNT, "--json"];
    let printed = json_in(&printed_by(run(&server, &args, ""), &args));
    assert_eq!(printed["groups"].as_array().unwrap().len(), 261);
    assert_eq!(printed.get("next"), None);
}
