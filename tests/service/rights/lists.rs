//! A list shows exactly what could be read one by one, whatever the size of its pages.

use serde_json::{Value, json};

use super::floor::{self, Person};
use crate::support::server::Server;

const LEADS: u64 = 9;

/// Nine leads over three stages and three responsible users.
async fn spread(server: &Server, users: &[Person]) -> Vec<String> {
    let client = server.client();
    let conversations = floor::conversations(client, 9).await;
    for lead in 1..=LEADS {
        let place = usize::try_from(lead).unwrap() % (users.len() + 1);
        let responsible = users.get(place).map(|user| user.id);
        if lead % 3 != 0 {
            floor::place(client, lead, 2 + lead % 2, responsible).await;
        }
        let contact = json!({ "responsible_user_id": responsible });
        let target = format!("/api/v4/contacts/{lead}");
        floor::admin(client, "PATCH", &target, &contact)
            .await
            .is(200);
    }
    conversations
}

/// Those of the numbers that can be read one by one.
async fn readable(server: &Server, who: &Person, kind: &str) -> Vec<u64> {
    let mut ids = Vec::new();
    for id in 1..=LEADS {
        let answer = who
            .reads(server.client(), &format!("/api/v4/{kind}/{id}"))
            .await;
        match answer.status {
            200 => ids.push(id),
            204 => {}
            other => panic!("{other}: {}", answer.body),
        }
    }
    ids
}

async fn users(server: &Server) -> Vec<Person> {
    let client = server.client();
    let with_stages = |letter: &str, stages: Value| {
        let mut rights = floor::rights(letter);
        rights["status_rights"] = stages;
        rights
    };
    let all = [
        ("Dee", floor::rights("D")),
        ("Mia", floor::rights("M")),
        ("Gus", floor::rights("G")),
        ("All", floor::rights("A")),
        // A stage takes away, or adds.
        (
            "Less",
            with_stages("A", json!([floor::stage(2, "D"), floor::stage(1, "A")])),
        ),
        ("More", with_stages("D", json!([floor::stage(3, "A")]))),
        (
            "Both",
            with_stages("M", json!([floor::stage(2, "D"), floor::stage(1, "A")])),
        ),
    ];
    let mut people = Vec::new();
    for (name, rights) in &all {
        people.push(floor::add(client, name, rights).await);
    }
    people
}

#[tokio::test]
async fn each_caller_lists_only_readable_objects_page_by_page() {
    let server = Server::start().await;
    let people = users(&server).await;
    let conversations = spread(&server, &people[..3]).await;
    let mut counts = Vec::new();
    for who in &people {
        let leads = readable(&server, who, "leads").await;
        let contacts = readable(&server, who, "contacts").await;
        for limit in [1, 2, 50] {
            let target = format!("/api/v4/leads?limit={limit}");
            assert_eq!(floor::all(&server, who, &target, "leads").await, leads);
            let target = format!("/api/v4/contacts?limit={limit}");
            let ids = floor::all(&server, who, &target, "contacts").await;
            assert_eq!(ids, contacts);
            // The conversations are those of the leads, the one that was written last first.
            let conversations_of_leads: Vec<&String> = leads
                .iter()
                .rev()
                .map(|lead| &conversations[usize::try_from(*lead).unwrap() - 1])
                .collect();
            let inbox = floor::inbox(server.client(), who, limit).await;
            assert_eq!(inbox.iter().collect::<Vec<_>>(), conversations_of_leads);
        }
        for stage in [1, 2, 3] {
            let filter = format!(
                "filter[statuses][0][pipeline_id]=1&filter[statuses][0][status_id]={stage}"
            );
            let target = format!("/api/v4/leads?limit=2&{filter}");
            let mut ids = floor::all(&server, who, &target, "leads").await;
            assert!(ids.is_sorted_by(|newer, older| newer > older));
            ids.retain(|lead| !leads.contains(lead));
            assert!(ids.is_empty(), "{ids:?}");
        }
        counts.push(leads.len());
    }
    // Nothing, own, the group's, all that is sorted; without a stage, one stage, own and unsorted.
    let [dee, mia, gus, all, less, more, both] = counts[..] else {
        panic!("{counts:?}")
    };
    assert_eq!((dee, all), (0, 6));
    assert!(0 < mia && mia < gus && gus < all, "{counts:?}");
    assert_eq!(less, 3 + 3, "one of two stages, and the unsorted one");
    assert_eq!(more, 3);
    assert!(both >= 3, "{counts:?}");
}

#[tokio::test]
async fn numbered_pages_contain_only_visible_objects() {
    let server = Server::start().await;
    let people = users(&server).await;
    spread(&server, &people[..3]).await;
    for who in &people[1..] {
        let leads = readable(&server, who, "leads").await;
        for (page, expected) in leads.chunks(2).enumerate() {
            let target = format!("/api/v4/leads?limit=2&page={}", page + 1);
            let answer = who.reads(server.client(), &target).await.is(200);
            assert_eq!(floor::ids(&answer.json, "leads"), expected);
            let links = &answer.json["_links"];
            assert_eq!(links["prev"].is_null(), page == 0);
        }
        let far = who
            .reads(server.client(), "/api/v4/leads?page=1000000")
            .await;
        far.is(204);
    }
    for wrong in ["x", "1.", ".1", "-1", "1.2.3"] {
        let target = format!("/api/v4/leads?after={wrong}");
        people[3].reads(server.client(), &target).await.is(400);
    }
}
