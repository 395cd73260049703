//! The leads of an account and its pipelines.

use crate::rights::floor;
use crate::support::client::message;
use crate::support::rounds::Rounds;
use crate::support::server::Server;

async fn with_leads(count: u64) -> Server {
    let server = Server::start().await;
    server.client().connect("v2").await;
    for number in 1..=count {
        server
            .client()
            .sent(&message("m", &format!("c{number}")))
            .await;
    }
    server
}

fn ids(list: &serde_json::Value) -> Vec<u64> {
    floor::ids(list, "leads")
}

#[tokio::test]
async fn an_account_has_one_pipeline_from_unsorted_to_won_and_lost() {
    let server = Server::start().await;
    let list = server.client().read("/api/v4/leads/pipelines").await;
    assert_eq!(list["_total_items"], 1);
    let pipeline = &list["_embedded"]["pipelines"][0];
    assert_eq!(pipeline["is_main"], true);
    let stages = pipeline["_embedded"]["statuses"].as_array().unwrap();
    let kinds: Vec<_> = stages
        .iter()
        .map(|stage| stage["type"].as_u64().unwrap())
        .collect();
    assert_eq!(kinds[0], 1, "unsorted");
    assert_eq!(kinds.iter().sum::<u64>(), 1, "only one");
    let ends: Vec<_> = stages
        .iter()
        .rev()
        .take(2)
        .map(|stage| stage["id"].as_u64().unwrap())
        .collect();
    assert_eq!(ends, [143, 142], "the numbers of won and lost are fixed");
}

#[tokio::test]
async fn leads_are_listed_by_number_page_by_page() {
    let server = with_leads(5).await;
    let mut pages = Vec::new();
    let mut target = "/api/v4/leads?page=1&limit=2".to_owned();
    let mut rounds = Rounds::default();
    loop {
        rounds.note();
        let list = server.client().read(&target).await;
        pages.extend(ids(&list));
        let Some(next) = list["_links"]["next"]["href"].as_str() else {
            break;
        };
        target = next.strip_prefix(server.url()).unwrap().to_owned();
    }
    assert_eq!(pages, [1, 2, 3, 4, 5]);
    let past = server.client().read("/api/v4/leads?page=9&limit=2").await;
    assert!(ids(&past).is_empty());
}

#[tokio::test]
async fn leads_of_one_stage_are_listed_newest_first() {
    let server = with_leads(3).await;
    let client = server.client();
    let filter = |stage: u64| {
        format!(
            "/api/v4/leads?filter[statuses][0][pipeline_id]=1&filter[statuses][0][status_id]={stage}"
        )
    };
    assert_eq!(ids(&client.read(&filter(1)).await), [3, 2, 1]);
    assert!(ids(&client.read(&filter(142)).await).is_empty());
    let paged = format!("{}&limit=1&page=2", filter(1));
    let list = client.read(&paged).await;
    assert_eq!(ids(&list), [2]);
    let next = list["_links"]["next"]["href"]
        .as_str()
        .unwrap()
        .strip_prefix(server.url())
        .unwrap();
    assert_eq!(
        ids(&client.read(next).await),
        [1],
        "the filter goes along: {next}"
    );
}

#[tokio::test]
async fn links_begin_with_the_public_url() {
    let server = with_leads(1).await;
    let lead = server.client().read("/api/v4/leads/1").await;
    let link = format!("{}/api/v4/leads/1", server.url());
    assert_eq!(lead["_links"]["self"]["href"], link.as_str());
}
