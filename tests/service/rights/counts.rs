//! `GET /inbox/v1/counts`: what waits for each caller is what their lists hold.

use serde_json::{Value, json};

use super::floor::{self, Person};
use crate::support::client::{Client, entries, message};
use crate::support::server::{OTHER_TOKEN, Server};

const COUNTS: &str = "/inbox/v1/counts";

async fn counts(client: &Client, who: &Person) -> Value {
    who.reads(client, COUNTS).await.is(200).json
}

fn exactly(count: usize) -> Value {
    json!({ "count": count, "capped": false })
}

async fn people(client: &Client) -> Vec<Person> {
    let mut unsorted = floor::rights("A");
    unsorted["status_rights"] = json!([floor::stage(1, "A")]);
    let all = [
        ("Dee", floor::rights("D")),
        ("Mia", floor::rights("M")),
        ("Gus", floor::rights("G")),
        ("All", floor::rights("A")),
        ("Una", unsorted),
    ];
    let mut people = Vec::new();
    for (name, rights) in &all {
        people.push(floor::add(client, name, rights).await);
    }
    people
}

#[tokio::test]
async fn the_counts_of_each_caller_match_their_lists() {
    let server = Server::start().await;
    let client = server.client();
    let conversations = floor::conversations(client, 6).await;
    let people = people(client).await;
    let [dee, mia, ..] = &people[..] else {
        panic!("{people:?}")
    };
    // Leads 1 to 4 are sorted: two are Mia's, one is Dee's, and one has no responsible user. 5 and 6 are unsorted.
    for (lead, responsible) in [
        (1, Some(mia.id)),
        (2, Some(mia.id)),
        (3, Some(dee.id)),
        (4, None),
    ] {
        floor::place(client, lead, 2, responsible).await;
    }
    let read = |place: usize| format!("/inbox/v1/conversations/{}/read", conversations[place]);
    floor::admin(client, "POST", &read(1), &json!({}))
        .await
        .is(204);
    for who in &people {
        let count = floor::inbox_of(client, who, "unread", 50).await.len();
        let response = who
            .reads(client, "/api/v4/leads/unsorted")
            .await
            .when_read()
            .json;
        let unsorted = entries(&response, "unsorted");
        let counters = counts(client, who).await;
        assert_eq!(counters["unread"], exactly(count));
        assert_eq!(counters["failed"], exactly(0));
        assert_eq!(counters["unsorted"], exactly(unsorted.len()));
    }
    let mut unread = Vec::new();
    for who in &people {
        let counters = counts(client, who).await;
        unread.push((
            counters["unread"]["count"].as_u64().unwrap(),
            counters["unsorted"]["count"].as_u64().unwrap(),
        ));
    }
    assert_eq!(unread, [(0, 0), (1, 0), (2, 0), (3, 0), (5, 2)]);
    let foreign = client.get_as(OTHER_TOKEN, COUNTS).await.is(200);
    assert_eq!(foreign.json["unread"], exactly(0));
    assert_eq!(foreign.json["unsorted"], exactly(0));
}

#[tokio::test]
async fn counting_ends_at_250_and_is_marked_so() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let send = async |number: usize| {
        client.sent(&message("m", &format!("c{number}"))).await;
    };
    for number in 0..250 {
        send(number).await;
    }
    let each_has = |capped: bool| {
        let many = json!({ "count": 250, "capped": capped });
        json!({
            "unread": many,
            "failed": exactly(0),
            "unsorted": many,
            "disabled_webhooks": exactly(0),
        })
    };
    assert_eq!(client.read(COUNTS).await, each_has(false));
    send(250).await;
    assert_eq!(client.read(COUNTS).await, each_has(true));
}
