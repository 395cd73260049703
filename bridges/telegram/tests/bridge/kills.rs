//! Kills at any moment, under load: no confirmed update is lost, and no reply, and the order of each chat stays.

use std::time::Duration;

use serde_json::{Value, json};
use telegram_double::orders::MessageRef;

use crate::stage::Stage;

const CHATS: [i64; 2] = [7, 8];

/// The number of kills: the variable KILLS, or 20.
#[expect(
    clippy::disallowed_methods,
    reason = "the one who runs the test chooses how long it takes"
)]
fn kills() -> u64 {
    let text = std::env::var("KILLS").unwrap_or_default();
    text.parse().unwrap_or(20)
}

#[test]
fn kills_at_any_moment_lose_nothing() {
    // The service waits longer and longer before it calls a bridge that is away: its time has to pass.
    let mut stage = Stage::with_clock("skip");
    stage.run();
    let mut customer_texts: Vec<Vec<String>> = vec![Vec::new(); 2];
    let mut user_texts: Vec<Vec<String>> = vec![Vec::new(); 2];
    for chat in CHATS {
        stage.says(chat, "begin");
        stage.until_posted(chat, "begin");
    }
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    for number in 0..kills() {
        for (place, chat) in CHATS.into_iter().enumerate() {
            for part in 0..3 {
                let text = format!("c{number}-{part}");
                stage.says(chat, &text);
                customer_texts[place].push(text);
            }
            for part in 0..2 {
                let text = format!("u{number}-{part}");
                stage.replies(chat, &text);
                user_texts[place].push(text);
            }
        }
        let time = json!({ "seconds": 300 });
        stage.world.order("POST", "/advance", &time);
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        std::thread::sleep(Duration::from_millis((seed >> 33) % 250));
        stage.kill();
        stage.run();
    }
    let wait = "/wait?until=quiet&timeout=1000000";
    let answer = stage.world.order("GET", wait, &Value::Null);
    assert_eq!(answer["met"], true, "{answer}");
    let last = kills().saturating_sub(1);
    for chat in CHATS {
        stage.until_shown(chat, &format!("u{last}-1"));
        stage.until_posted(chat, &format!("c{last}-2"));
    }
    stage.until("the end of all jobs", || {
        (stage.health().1["waiting_jobs"] == 0).then_some(())
    });
    compare(&stage, &customer_texts, &user_texts);
}

#[expect(clippy::print_stdout, reason = "the counts are the result")]
fn compare(stage: &Stage, customer_texts: &[Vec<String>], user_texts: &[Vec<String>]) {
    let mut references = Vec::new();
    let mut doubles = 0;
    for (place, chat) in CHATS.into_iter().enumerate() {
        let messages = stage.messages(chat);
        let incoming = messages.iter().filter(|it| it["direction"] == "in");
        let mut texts = Vec::new();
        for message in incoming {
            let id = message["client_id"].as_str().unwrap();
            let number = id.rsplit('-').next().unwrap().parse().unwrap();
            references.push(MessageRef {
                chat,
                message_id: number,
            });
            texts.push(message["text"].as_str().unwrap().to_owned());
        }
        assert_eq!(
            texts.get(1..).unwrap(),
            customer_texts[place],
            "the order at the service of {chat}"
        );
        let content = stage.chat(chat);
        let mut replies: Vec<&str> = content.sent_texts();
        let count = replies.len();
        // A text whose answer a kill has lost stands there twice, one behind the other.
        replies.dedup();
        doubles += count - replies.len();
        assert_eq!(replies, user_texts[place], "the order in the chat {chat}");
        let outgoing = messages.iter().filter(|it| it["direction"] == "out");
        let statuses: Vec<&str> = outgoing
            .map(|it| it["delivery"]["status"].as_str().unwrap())
            .collect();
        assert!(statuses.iter().all(|it| *it == "delivered"), "{statuses:?}");
    }
    let comparison = stage.order(stage.orders().unposted(&references));
    println!("{} kills: {comparison:?}, {doubles} doubles", kills());
    assert_eq!(comparison.count, 0, "{comparison:?}");
    assert!(
        comparison.repeated.is_empty() && comparison.unknown.is_empty(),
        "{comparison:?}"
    );
    let most = usize::try_from(kills()).unwrap() * CHATS.len();
    assert!(doubles <= most, "{doubles} doubles");
}
