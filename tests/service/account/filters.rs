//! Filters and orders of lists.

use serde_json::{Value, json};

use crate::rights::floor;
use crate::support::client::{Client, entries, message};
use crate::support::rounds::Rounds;
use crate::support::server::Server;

const LEADS: &str = "/api/v4/leads";
const CONTACTS: &str = "/api/v4/contacts";

async fn found(client: &Client, list: &str, query: &str) -> Vec<u64> {
    let list = format!("{list}?{query}");
    let kind = list.split(['?', '/']).nth(3).unwrap();
    floor::ids(&client.read(&list).await, kind)
}

fn person(name: &str, phone: &str, email: &str) -> Value {
    let field =
        |code: &str, value: &str| json!({ "field_code": code, "values": [{ "value": value }] });
    json!({ "name": name, "custom_fields_values": [field("PHONE", phone), field("EMAIL", email)] })
}

/// Three contacts; the second one has the second lead.
async fn with_contacts() -> Server {
    let server = Server::start().await;
    let client = server.client();
    let people = json!([
        person("Ada King", "+44 20 7946-0001", "ada@example.com"),
        person("Grace Hopper", "8 (915) 111-22-33", "Grace@Example.com"),
        person("Alan", "+1 202 555 0001", "alan@example.org"),
    ]);
    floor::admin(client, "POST", CONTACTS, &people)
        .await
        .is(200);
    let leads = json!([
        { "name": "Tulips" },
        { "name": "Roses", "_embedded": { "contacts": [{ "id": 2 }] } },
        { "name": "Tulips", "status_id": 3, "responsible_user_id": null },
    ]);
    floor::admin(client, "POST", LEADS, &leads).await.is(200);
    server
}

#[tokio::test]
async fn a_contact_is_found_by_phone_in_any_punctuation() {
    let server = with_contacts().await;
    let client = server.client();
    for (query, expected) in [
        ("%2B7+915+111+22+33", vec![2]),
        ("89151112233", vec![2]),
        ("9151112233", vec![2]),
        ("(915)+111-22-33", vec![2]),
        ("442079460001", vec![1]),
        ("0001", vec![1, 3]),
        ("grace@EXAMPLE.com", vec![2]),
        ("example.com", vec![1, 2]),
        ("hopper+grace", vec![2]),
        ("no-such-person@example.com", vec![]),
    ] {
        let ids = found(client, CONTACTS, &format!("query={query}")).await;
        assert_eq!(ids, expected, "{query}");
    }
    // The number is another one from now on.
    let change = person("Grace Hopper", "+7 999 000 00 00", "grace@example.com");
    floor::admin(client, "PATCH", "/api/v4/contacts/2", &change)
        .await
        .is(200);
    assert_eq!(
        found(client, CONTACTS, "query=9151112233").await,
        [0_u64; 0]
    );
    assert_eq!(found(client, CONTACTS, "query=79990000000").await, [2]);
}

#[tokio::test]
async fn leads_are_filtered_by_all_that_is_given() {
    let server = with_contacts().await;
    let client = server.client();
    for (query, expected) in [
        ("query=tulip", vec![1, 3]),
        ("query=grace", vec![2]),
        ("query=89151112233", vec![2]),
        ("filter[id]=2", vec![2]),
        ("filter[id][]=3&filter[id][]=1&filter[id][]=99", vec![1, 3]),
        ("filter[id][0]=3&order[id]=desc&filter[id][1]=1", vec![3, 1]),
        ("filter[name]=Roses", vec![2]),
        ("filter[responsible_user_id]=0", vec![3]),
        ("filter[responsible_user_id][]=1", vec![1, 2]),
        ("filter[pipeline_id]=1", vec![1, 2, 3]),
        ("filter[pipeline_id]=2", vec![]),
        (
            "filter[statuses][0][pipeline_id]=1&filter[statuses][0][status_id]=3",
            vec![3],
        ),
        (
            "filter[statuses][0][pipeline_id]=1&filter[statuses][0][status_id]=2&filter[statuses][1][pipeline_id]=1&filter[statuses][1][status_id]=3",
            vec![1, 2, 3],
        ),
        ("filter[created_at][from]=4000000000", vec![]),
        ("filter[created_at][to]=4000000000&query=roses", vec![2]),
        ("filter[updated_at][to]=1", vec![]),
        ("order[created_at]=desc", vec![3, 2, 1]),
        ("order[id]=desc&limit=2", vec![3, 2]),
        ("order[id]=desc&limit=2&page=2", vec![1]),
    ] {
        assert_eq!(found(client, LEADS, query).await, expected, "{query}");
    }
}

#[tokio::test]
async fn pages_of_a_filtered_list_follow_its_order() {
    let server = with_contacts().await;
    let client = server.client();
    let mut next = Some("/api/v4/leads?query=tulips&order[id]=desc&limit=1".to_owned());
    let mut ids = Vec::new();
    let mut rounds = Rounds::default();
    while let Some(target) = next {
        rounds.note();
        let page = client.read(&target).await;
        ids.extend(floor::ids(&page, "leads"));
        let link = page["_links"]["next"]["href"].as_str();
        next = link.map(|link| link.trim_start_matches(server.url()).to_owned());
    }
    assert_eq!(ids, [3, 1]);
}

#[tokio::test]
async fn lists_are_ordered_by_their_last_change() {
    let server = with_contacts().await;
    let client = server.client();
    client.connect("v2").await;
    for chat in ["c1", "c2"] {
        client.sent(&message("m", chat)).await;
    }
    let notes: Vec<Value> = (1..=3)
        .map(|_| json!({ "note_type": "common", "params": { "text": "x" } }))
        .collect();
    floor::admin(client, "POST", "/api/v4/leads/1/notes", &json!(notes))
        .await
        .is(200);
    for (list, changed) in [
        (LEADS, "/api/v4/leads/1"),
        (CONTACTS, "/api/v4/contacts/1"),
        ("/api/v4/leads/1/notes", "/api/v4/leads/1/notes/1"),
        ("/api/v4/leads/notes", "/api/v4/leads/notes/1"),
        ("/api/v4/talks", "/api/v4/leads/4"),
        ("/api/v4/leads/unsorted", "/api/v4/leads/4"),
    ] {
        let last = if changed.ends_with('4') { "4" } else { "1" };
        let mut tries = 0;
        // The clock of the service may stand still for a request or two.
        let mut rounds = Rounds::default();
        loop {
            rounds.note();
            tries += 1;
            let body =
                json!({ "name": format!("n{tries}"), "params": { "text": format!("n{tries}") } });
            floor::admin(client, "PATCH", changed, &body).await.is(200);
            let ids = walked(&server, &format!("{list}?order[updated_at]=asc&limit=1")).await;
            if ids.last().is_some_and(|id| id == last) {
                break;
            }
            assert!(tries < 100, "{list}: {ids:?}");
        }
        let ascending = walked(&server, &format!("{list}?order[updated_at]=asc&limit=1")).await;
        let mut descending =
            walked(&server, &format!("{list}?order[updated_at]=desc&limit=2")).await;
        descending.reverse();
        assert_eq!(ascending, descending, "{list}");
        let both = walked(
            &server,
            &format!("{list}?order[id]=asc&order[updated_at]=asc"),
        )
        .await;
        assert_eq!(ascending, both, "{list}");
    }
    for (query, named) in [
        (
            "order[updated_at]=up",
            "order[updated_at]: expected asc or desc",
        ),
        (
            "order[id]=asc&order[updated_at]=desc",
            "order[id] and order[updated_at]",
        ),
        ("order[updated_at]=asc&after=3", "after must be"),
        ("order[id]=asc&after=5-3", "after must be"),
        ("after=5-", "after must be"),
    ] {
        let answer = client.get(&format!("{LEADS}?{query}")).await.is(400);
        let detail = answer.json["detail"].as_str().unwrap();
        assert!(detail.starts_with(named), "{detail}");
    }
}

/// The numbers of all entries of a list, page by page.
async fn walked(server: &Server, target: &str) -> Vec<String> {
    let mut next = Some(target.to_owned());
    let mut pages = Vec::new();
    let mut rounds = Rounds::default();
    while let Some(target) = next {
        rounds.note();
        let page = server.client().read(&target).await;
        // The last page of talks may be empty: leads without a chat stand behind it.
        let Some(lists) = page["_embedded"].as_object() else {
            break;
        };
        for entry in lists.values().flat_map(|list| list.as_array().unwrap()) {
            let ids = ["id", "uid", "talk_id"].map(|key| &entry[key]);
            let id = ids.into_iter().find(|id| !id.is_null()).unwrap();
            pages.push(id.to_string().trim_matches('"').to_owned());
        }
        let link = page["_links"]["next"]["href"].as_str();
        next = link.map(|link| link.trim_start_matches(server.url()).to_owned());
        assert!(pages.len() < 100, "the pages do not end");
    }
    pages
}

#[tokio::test]
async fn a_list_refuses_filters_that_it_does_not_have() {
    let server = Server::start().await;
    let client = server.client();
    for (list, query) in [
        (LEADS, "filter[price]"),
        (LEADS, "order[price]"),
        (CONTACTS, "filter[pipeline_id]"),
        ("/api/v4/leads/unsorted", "filter[id]"),
        ("/api/v4/talks", "filter[status_id]"),
        ("/api/v4/users", "filter[email]"),
        ("/api/v4/users", "order[updated_at]"),
        ("/api/v4/roles", "query"),
        ("/api/v4/leads/notes", "filter[text]"),
        ("/api/v4/leads/custom_fields", "filter[name]"),
        ("/api/v4/sources", "filter[name]"),
    ] {
        let answer = client.get(&format!("{list}?{query}=1")).await.is(400);
        let detail = answer.json["detail"].as_str().unwrap();
        let text = format!("this list has no {query}; it has ");
        assert!(detail.starts_with(&text), "{detail}");
    }
}

#[tokio::test]
async fn talks_and_unsorted_leads_and_users_are_filtered() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let first = client.sent(&message("m", "c1")).await;
    client.sent(&message("m", "c2")).await;
    let chat = first["conversation_id"].as_str().unwrap();
    let talks = async |query: &str| {
        let list = client.read(&format!("/api/v4/talks?{query}")).await;
        let talks = entries(&list, "talks");
        let ids = talks.iter().map(|talk| talk["talk_id"].as_u64().unwrap());
        ids.collect::<Vec<u64>>()
    };
    assert_eq!(talks("").await, [2, 1], "newest first");
    assert_eq!(talks("order[id]=asc").await, [1, 2]);
    assert_eq!(talks(&format!("filter[chat_id]={chat}")).await, [1]);
    assert_eq!(talks("filter[contact_id]=99").await, [0_u64; 0]);
    assert_eq!(talks("filter[contact_id]=2").await, [2]);
    assert_eq!(
        talks("filter[contact_id][]=2&filter[contact_id][]=1").await,
        [2, 1]
    );
    assert_eq!(talks("filter[id][]=2&query=grace").await, [2]);
    assert_eq!(talks("filter[responsible_user_id]=1").await, [0_u64; 0]);
    assert_eq!(talks("filter[updated_at][to]=1").await, [0_u64; 0]);
    let unsorted = async |query: &str| {
        let response = client
            .read(&format!("/api/v4/leads/unsorted?{query}"))
            .await;
        let list = entries(&response, "unsorted");
        let ids = list.iter().map(|it| it["uid"].as_str().unwrap().to_owned());
        ids.collect::<Vec<String>>()
    };
    assert_eq!(unsorted("").await, ["2", "1"]);
    assert_eq!(unsorted("filter[uid]=1").await, ["1"]);
    assert_eq!(unsorted("filter[category][]=sip").await, [""; 0]);
    assert_eq!(unsorted("filter[pipeline_id]=7").await, [""; 0]);
    assert_eq!(unsorted("filter[responsible_user_id]=1").await, [""; 0]);
    assert_eq!(unsorted("filter[name]=Grace&query=grace").await, ["2", "1"]);
    assert_eq!(
        unsorted("filter[created_at][from]=4000000000").await,
        [""; 0]
    );
    assert_eq!(unsorted("order[created_at]=asc").await, ["1", "2"]);
    let team = json!([{ "name": "Zoe", "email": "zoe@example.com", "password": "aBcde1@345" }]);
    floor::admin(client, "POST", "/api/v4/users", &team)
        .await
        .is(201);
    for (query, ids) in [
        ("query=ADA", vec![1]),
        ("query=zoe@example", vec![2]),
        ("filter[id]=2", vec![2]),
        ("filter[name]=Ada", vec![1]),
        ("order[id]=desc", vec![2, 1]),
    ] {
        assert_eq!(found(client, "/api/v4/users", query).await, ids, "{query}");
    }
    assert_eq!(
        found(client, "/api/v4/users", "query=bob").await,
        [0_u64; 0]
    );
}
