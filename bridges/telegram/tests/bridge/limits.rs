//! Limits of Telegram, and answers that are lost.

use std::time::Instant;

use serde_json::json;
use telegram_double::orders::Start;
use telegram_double::{Fault, FaultKind, Person};

use crate::stage::Stage;

fn status(code: u16, retry_after: Option<i64>) -> FaultKind {
    FaultKind::Status {
        code,
        description: None,
        retry_after,
        migrate_to_chat_id: None,
    }
}

#[test]
fn a_limit_of_one_chat_delays_no_other() {
    let stage = Stage::start();
    let people: Vec<i64> = (100..111).collect();
    for id in &people {
        let person = Person::named(&format!("P{id}")).with_id(*id);
        stage.order(stage.orders().add_person(&person));
        stage.order(stage.orders().start(&Start {
            bot: None,
            from: *id,
        }));
        stage.says(*id, "Hello");
    }
    for id in &people {
        stage.until_posted(*id, "Hello");
    }
    let (slow, others) = people.split_first().unwrap();
    let limit = Fault::next("sendMessage", status(429, Some(30))).in_chat(*slow);
    stage.fault(&limit);
    stage.replies(*slow, "Later");
    stage.until("the limit", || {
        let faults = stage.order(stage.orders().faults());
        (faults[0].hits == 1).then_some(())
    });
    for id in others {
        let begin = Instant::now();
        let before = stage.order(stage.orders().clock()).now;
        stage.replies(*id, "At once");
        stage.until_shown(*id, "At once");
        let chat = stage.chat(*id);
        let message = chat
            .messages
            .iter()
            .find(|it| it.text() == "At once")
            .unwrap();
        let wait = message.at - before;
        assert!(wait < 1_000, "{wait} ms, {:?}", begin.elapsed());
    }
    assert!(stage.chat(*slow).sent_texts().is_empty());
    // It arrives when its time is over.
    stage.until_shown(*slow, "Later");
    let (_, _, metrics) = stage.page("/metrics");
    let metrics = String::from_utf8(metrics).unwrap();
    assert!(
        metrics.contains("switchboard_telegram_rate_limits_total 1"),
        "{metrics}"
    );
}

#[test]
fn a_lost_answer_to_a_text_is_repeated() {
    let stage = Stage::start();
    stage.says(7, "Hello");
    stage.until_posted(7, "Hello");
    stage.fault(&Fault::next("sendMessage", FaultKind::AnswerLost));
    let id = stage.replies(7, "Once or twice");
    stage.until_delivery(7, &id, "delivered");
    assert_eq!(
        stage.chat(7).sent_texts(),
        ["Once or twice", "Once or twice"]
    );
    stage.until_metric(r#"switchboard_telegram_sends_total{end="doubt"} 1"#);
}

#[test]
fn a_part_that_was_shown_is_not_sent_again_after_a_kill() {
    let mut stage = Stage::start();
    stage.says(7, "Hello");
    stage.until_posted(7, "Hello");
    let refusal = Fault {
        after: 1,
        ..Fault::next("sendMessage", status(429, Some(1)))
    };
    stage.fault(&refusal);
    let (first, second) = ("a".repeat(4_000), "b".repeat(4_000));
    let id = stage.replies(7, &format!("{first}\n{second}"));
    stage.until("the refusal of the second part", || {
        let faults = stage.order(stage.orders().faults());
        (faults[0].hits == 1).then_some(())
    });
    stage.kill();
    stage.run();
    stage.until_delivery(7, &id, "delivered");
    let chat = stage.chat(7);
    let letters: Vec<char> = chat
        .sent_texts()
        .iter()
        .filter_map(|it| it.chars().next())
        .collect();
    assert_eq!(letters, ['a', 'b']);
}

#[test]
fn a_failure_of_telegram_is_waited_for() {
    let stage = Stage::start();
    stage.says(7, "Hello");
    stage.until_posted(7, "Hello");
    stage.fault(&Fault::next("sendMessage", status(502, None)).times(2));
    let id = stage.replies(7, "At last");
    stage.until_delivery(7, &id, "delivered");
    assert_eq!(stage.chat(7).sent_texts(), ["At last"]);
}

#[test]
fn a_customer_who_blocked_the_bot_is_an_error_with_a_reason() {
    let stage = Stage::start();
    stage.says(7, "Hello");
    stage.until_posted(7, "Hello");
    stage.order(stage.orders().block(&Start { bot: None, from: 7 }));
    let id = stage.replies(7, "Are you there?");
    let message = stage.until_delivery(7, &id, "error");
    assert_eq!(message["delivery"]["error_code"], 905);
    let why = message["delivery"]["error"].as_str().unwrap();
    assert!(why.contains("blocked the bot"), "{why}");
}

#[test]
fn a_conversation_of_another_channel_is_an_error() {
    let stage = Stage::start();
    stage.says(7, "Hello");
    stage.until_posted(7, "Hello");
    let content =
        json!({ "id": "d4e5f6a7-1b2c-4d3e-8f90-a1b2c3d4e5f6", "type": "text", "text": "Hi" });
    let mut event = stage.message_event(7, &content);
    event["message"]["conversation"]["client_id"] = json!("");
    assert_eq!(stage.callback(&event), 200);
    stage.until("the report", || {
        stage
            .world
            .journal()
            .contains("delivery_status")
            .then_some(())
    });
}
