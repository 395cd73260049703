use std::cell::Cell;
use std::rc::Rc;

use serde_json::json;
use tempfile::TempDir;

use super::{Fake, Toy, run, settings, until};
use crate::Bridge;
use crate::posts::{Delivery, Post};
use crate::state::{Change, Kind, Lane};

async fn start(directory: &TempDir, url: &str) -> Rc<Bridge<Toy>> {
    let settings = settings(directory.path(), url);
    Bridge::start(settings, Toy::default()).await.unwrap()
}

fn post(bridge: &Bridge<Toy>, post: &Post) -> Change {
    let lane = Lane::new(Kind::Post, "talk");
    Change::Begin(bridge.store.job(lane, 0, post.to_text()))
}

#[test]
fn posts_of_a_lane_keep_their_order_and_their_paths() {
    let directory = TempDir::new().unwrap();
    run(async {
        let fails = Cell::new(true);
        let service = Fake::start(move |_| match fails.replace(false) {
            true => (500, json!({})),
            false => (200, json!({})),
        });
        let fake = service.await;
        let bridge = start(&directory, &fake.url).await;
        let posts = [
            Post::message(json!({ "number": 1 })),
            Post::reaction(json!({ "number": 2 })),
            Post::message(json!({ "number": 3 })),
        ];
        let changes = posts.iter().map(|it| post(&bridge, it)).collect();
        bridge.commit(changes).await;
        until(|| bridge.waiting().jobs() == 0).await;
        let requests = fake.requests.borrow();
        let posts_at_service = requests
            .iter()
            .map(|it| (it.path.as_str(), it.body["number"].as_u64()));
        let message = "/v2/origin/custom/c-1_a-1";
        let reaction = "/v2/origin/custom/c-1_a-1/react";
        assert_eq!(
            posts_at_service.collect::<Vec<_>>(),
            [
                (message, Some(1)),
                (message, Some(1)),
                (reaction, Some(2)),
                (message, Some(3))
            ]
        );
        assert_eq!(
            bridge.store.get("posts", "talk").as_deref(),
            Some("posted 200")
        );
    });
}

#[test]
fn a_refused_post_is_left_and_the_next_one_goes_on() {
    let directory = TempDir::new().unwrap();
    run(async {
        let service = Fake::start(|request| match request.body["number"].as_u64() {
            Some(1) => (400, json!({ "title": "no" })),
            _ => (200, json!({})),
        });
        let fake = service.await;
        let bridge = start(&directory, &fake.url).await;
        let posts = [1, 2].map(|number| Post::message(json!({ "number": number })));
        let changes = posts.iter().map(|it| post(&bridge, it)).collect();
        bridge.commit(changes).await;
        until(|| bridge.waiting().jobs() == 0).await;
        until(|| bridge.messenger.has("posted 200")).await;
        assert_eq!(*bridge.messenger.events.borrow(), ["refused", "posted 200"]);
    });
}

#[test]
fn a_body_without_a_path_is_left() {
    let directory = TempDir::new().unwrap();
    run(async {
        let bridge = start(&directory, "http://127.0.0.1:9").await;
        let lane = Lane::new(Kind::Post, "talk");
        let job = bridge.store.job(lane, 0, "words".to_owned());
        bridge.commit(vec![Change::Begin(job)]).await;
        until(|| bridge.waiting().jobs() == 0).await;
    });
}

#[test]
fn a_report_names_the_message_and_the_reason() {
    let directory = TempDir::new().unwrap();
    run(async {
        let fake = Fake::start(|_| (200, json!({}))).await;
        let bridge = start(&directory, &fake.url).await;
        let failure = Delivery::Failed {
            code: 905,
            why: "It is too large.".to_owned(),
        };
        let reports = [("m 1", Delivery::Delivered), ("m-2", failure)];
        let jobs = reports.map(|(id, delivery)| bridge.report_job(id, &delivery));
        bridge.commit(jobs.map(Change::Begin).into()).await;
        until(|| bridge.waiting().jobs() == 0).await;
        assert_eq!(fake.count("/c-1_a-1/m%201/delivery_status"), 1);
        let requests = fake.requests.borrow();
        let failure = requests.iter().find(|it| it.path.contains("m-2")).unwrap();
        let body = json!({ "msgid": "m-2", "delivery_status": -1, "error_code": 905, "error": "It is too large." });
        assert_eq!(failure.body, body);
    });
}

#[test]
fn a_start_connects_the_account_and_says_what_is_wrong() {
    let directory = TempDir::new().unwrap();
    run(async {
        let service = Fake::start(|request| match request.body["account_id"].as_str() {
            Some("a-1") => (200, json!({})),
            _ => (404, json!({ "title": "no such account" })),
        });
        let fake = service.await;
        let mut wrong = settings(directory.path(), &fake.url);
        wrong.connect = true;
        wrong.account_id = "a-2".to_owned();
        let outcome = Bridge::start(wrong, Toy::default()).await;
        let error = outcome.err().unwrap().to_string();
        assert!(error.contains("no such account"), "{error}");
        assert!(error.contains("Check the id and the secret"), "{error}");
        let mut right = settings(directory.path(), &fake.url);
        right.connect = true;
        Bridge::start(right, Toy::default()).await.unwrap();
        let requests = fake.requests.borrow();
        let last = requests.last().unwrap();
        assert_eq!(last.path, "/v2/origin/custom/c-1/connect");
        let body = json!({ "account_id": "a-1", "title": "Bridge", "hook_api_version": "v2" });
        assert_eq!(last.body, body);
    });
}

#[test]
fn nothing_is_posted_before_the_account_is_connected() {
    let directory = TempDir::new().unwrap();
    run(async {
        let failures = Cell::new(2_u32);
        let service = Fake::start(move |request| {
            let is_up = !request.path.ends_with("/connect") || failures.get() == 0;
            failures.set(failures.get().saturating_sub(1));
            if is_up {
                (200, json!({}))
            } else {
                (503, json!({}))
            }
        });
        let fake = service.await;
        let mut settings = settings(directory.path(), &fake.url);
        settings.connect = true;
        let bridge = Bridge::start(settings, Toy::default()).await.unwrap();
        let message = post(&bridge, &Post::message(json!({})));
        bridge.commit(vec![message]).await;
        until(|| bridge.waiting().jobs() == 0).await;
        let requests = fake.requests.borrow();
        let paths: Vec<&str> = requests.iter().map(|it| it.path.as_str()).collect();
        let connect = "/v2/origin/custom/c-1/connect";
        assert_eq!(
            paths,
            [connect, connect, connect, "/v2/origin/custom/c-1_a-1"]
        );
    });
}
