//! Several readers, webhooks and tokens: what keeps the bridge from reading is named.

use std::time::{Duration, Instant};

use serde_json::json;
use telegram_double::orders::NewBot;

use crate::stage::{SECRET, Stage, TOKEN};

const OTHER_READER: &str = "another reader is running";

fn call(stage: &Stage, method: &str, body: &serde_json::Value) -> u16 {
    let url = format!("{}/bot{TOKEN}/{method}", stage.double.url());
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let request = client.post(url).header("Content-Type", "application/json");
    stage.runtime.block_on(async {
        request
            .body(body.to_string())
            .send()
            .await
            .unwrap()
            .status()
            .as_u16()
    })
}

fn until_polling(stage: &Stage) {
    stage.until("a poll", || stage.shown().bots[0].is_polling.then_some(()));
}

#[test]
fn a_second_reader_is_named_and_no_update_is_lost() {
    let stage = Stage::start();
    stage.says(7, "One");
    stage.until_posted(7, "One");
    until_polling(&stage);
    let directory = tempfile::tempdir().unwrap();
    let second = stage.second(&directory);
    let begin = Instant::now();
    stage.until("the sentence of both", || {
        (stage.output().contains(OTHER_READER) && second.output().contains(OTHER_READER))
            .then_some(())
    });
    assert!(
        begin.elapsed() < Duration::from_secs(5),
        "{:?}",
        begin.elapsed()
    );
    assert_eq!(stage.health().0, 503);
    for number in 0..20 {
        stage.says(7, &format!("Text {number}"));
        std::thread::sleep(Duration::from_millis(100));
    }
    for number in 0..20 {
        stage.until_posted(7, &format!("Text {number}"));
    }
    assert_eq!(stage.messages(7).len(), 21);
}

#[test]
fn a_webhook_that_is_set_is_named_with_its_host() {
    let stage = Stage::prepare();
    let hook = json!({ "url": "https://shop.example/hook-secret-path" });
    assert_eq!(call(&stage, "setWebhook", &hook), 200);
    let mut stage = stage;
    stage.run();
    let health = stage.until("the problem", || {
        let (status, health) = stage.health();
        (status == 503).then_some(health)
    });
    let problem = health["problems"][0].as_str().unwrap();
    assert!(
        problem.contains("at shop.example") && problem.contains("deleteWebhook"),
        "{problem}"
    );
    assert!(!stage.output().contains("hook-secret-path"));
    let (code, text) = stage.check(&[]);
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains("a webhook of this bot is set at shop.example"),
        "{text}"
    );
}

#[test]
fn a_token_that_was_revoked_is_named_and_reported() {
    let stage = Stage::start();
    stage.says(7, "Hello");
    stage.until_posted(7, "Hello");
    let bot = NewBot {
        token: "42:another".to_owned(),
        ..NewBot::default()
    };
    stage.order(stage.orders().register(&bot));
    let id = stage.replies(7, "Are you there?");
    let message = stage.until_delivery(7, &id, "error");
    assert_eq!(message["delivery"]["error_code"], 902);
    let health = stage.until("the problem", || {
        let (status, health) = stage.health();
        (status == 503).then_some(health)
    });
    let problem = health["problems"][0].as_str().unwrap();
    assert!(
        problem.contains("refuses the token") && problem.contains("@BotFather"),
        "{problem}"
    );
    assert!(!stage.output().contains(SECRET));
}

#[test]
fn a_wrong_token_is_named_and_the_program_goes_on() {
    let mut stage = Stage::prepare();
    stage.set("TELEGRAM_BOT_TOKEN", "42:wrong-secret");
    stage.run();
    stage.until("the sentence", || {
        stage
            .output()
            .contains("Telegram refuses the token")
            .then_some(())
    });
    assert!(!stage.output().contains("wrong-secret"));
    let (code, text) = stage.check(&[("TELEGRAM_BOT_TOKEN", "42:wrong-secret")]);
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains("PROBLEM") && text.contains("401") && !text.contains("wrong-secret"),
        "{text}"
    );
}
