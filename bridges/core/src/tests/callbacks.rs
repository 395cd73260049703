use serde_json::json;
use tempfile::TempDir;
use tokio::sync::mpsc;

use super::{SECRET, Served, Stream, message, run, settings, until};
use crate::signature::sign;

const NO_SERVICE: &str = "http://127.0.0.1:9";

#[test]
fn a_callback_is_stored_once_before_its_answer() {
    let directory = TempDir::new().unwrap();
    run(async {
        let served = Served::start(settings(directory.path(), NO_SERVICE)).await;
        let (first, second) =
            tokio::join!(served.message("1", "hold"), served.message("1", "hold"));
        assert_eq!((first, second), (200, 200));
        assert_eq!(served.bridge.waiting().deliver, 1);
        served.bridge.messenger.release.notify_one();
        until(|| served.bridge.waiting().jobs() == 0).await;
        assert_eq!(served.message("1", "hold").await, 200);
        assert_eq!(served.bridge.waiting().jobs(), 0);
    });
}

#[test]
fn callbacks_that_are_not_for_the_bridge_are_refused() {
    let directory = TempDir::new().unwrap();
    run(async {
        let served = Served::start(settings(directory.path(), NO_SERVICE)).await;
        let body = message("1", "words");
        let other = body.replace("a-1", "a-2");
        let signature = |body: &str| sign(SECRET, body.as_bytes());
        let cases = [
            (body.as_str(), sign("other", body.as_bytes()), 403),
            (&body, sign("", body.as_bytes()), 403),
            (&body, signature("other"), 403),
            (&body, String::new(), 403),
            (&other, signature(&other), 404),
            ("[]", signature("[]"), 400),
            ("{", signature("{"), 400),
        ];
        for (body, signature, status) in cases {
            let answer = served.send(body, &signature).await;
            assert_eq!(answer.status().as_u16(), status, "{body}");
        }
        assert_eq!(served.bridge.waiting().jobs(), 0);
    });
}

#[test]
fn typing_goes_to_the_messenger_and_is_not_stored() {
    let directory = TempDir::new().unwrap();
    run(async {
        let served = Served::start(settings(directory.path(), NO_SERVICE)).await;
        let body = json!({ "account_id": "a-1", "action": { "typing": {} } }).to_string();
        let answer = served.send(&body, &sign(SECRET, body.as_bytes())).await;
        assert_eq!(answer.status(), 200);
        assert!(served.bridge.messenger.has("ephemeral"));
        assert_eq!(served.bridge.waiting().jobs(), 0);
    });
}

#[test]
fn too_many_jobs_make_callbacks_wait() {
    let directory = TempDir::new().unwrap();
    run(async {
        let mut settings = settings(directory.path(), NO_SERVICE);
        settings.jobs_max = 1;
        let served = Served::start(settings).await;
        assert_eq!(served.message("1", "hold").await, 200);
        let body = message("2", "words");
        let signature = sign(SECRET, body.as_bytes());
        let answer = served.send(&body, &signature).await;
        assert_eq!(answer.status(), 503);
        assert_eq!(answer.headers()["retry-after"], "5");
        until(|| served.bridge.messenger.has("hold")).await;
        served.bridge.messenger.release.notify_one();
        until(|| served.bridge.has_room()).await;
        assert_eq!(served.message("2", "words").await, 200);
    });
}

#[test]
fn pages_of_the_messenger_come_first_and_large_bodies_end() {
    let directory = TempDir::new().unwrap();
    run(async {
        let served = Served::start(settings(directory.path(), NO_SERVICE)).await;
        let url = format!("http://{}/health", served.address);
        let answer = reqwest::get(url).await.unwrap();
        assert_eq!(answer.headers()["content-type"], "application/json");
        assert_eq!(answer.text().await.unwrap(), "[]");
        let large = " ".repeat((4 << 20) + 1);
        let answer = served.send(&large, "").await;
        assert_eq!(answer.status(), 413);
    });
}

#[test]
fn a_page_may_be_a_stream() {
    let directory = TempDir::new().unwrap();
    run(async {
        let served = Served::start(settings(directory.path(), NO_SERVICE)).await;
        let (parts, stream) = mpsc::channel(1);
        let messenger = &served.bridge.messenger;
        messenger.stream.replace(Some(Stream(stream)));
        parts.send("first".into()).await.unwrap();
        let url = format!("http://{}/stream", served.address);
        let mut answer = reqwest::get(url).await.unwrap();
        // The rest does not exist yet.
        assert_eq!(answer.chunk().await.unwrap().unwrap(), "first");
        parts.send("second".into()).await.unwrap();
        assert_eq!(answer.chunk().await.unwrap().unwrap(), "second");
        drop(parts);
        assert_eq!(answer.chunk().await.unwrap(), None);
    });
}
