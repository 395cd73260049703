//! The token of the bot stays in the bridge.

use telegram_double::orders::{Attachment, Kind, Say};
use telegram_double::{Fault, FaultKind};

use crate::stage::{SECRET, Stage};

#[test]
fn the_token_is_in_nothing_that_leaves_the_bridge() {
    let mut stage = Stage::prepare();
    stage.set("TELEGRAM_BRIDGE_LOG_FORMAT", "json");
    stage.run();
    // A customer who knows it must not be able to have it logged, and failures show addresses.
    for kind in [
        FaultKind::Closed,
        FaultKind::AnswerLost,
        FaultKind::HalfAnswer,
    ] {
        stage.fault(&Fault::next("getUpdates", kind.clone()).times(2));
        stage.fault(&Fault::next("sendMessage", kind));
    }
    let refusal = FaultKind::Status {
        code: 400,
        description: Some(format!("Bad Request: {SECRET}")),
        retry_after: None,
        migrate_to_chat_id: None,
    };
    let file = Attachment::text("a.txt", "content");
    stage.order(
        stage
            .orders()
            .say(&Say::file(7, Kind::Document, file).caption("a file")),
    );
    let message = stage.until_posted(7, "a file");
    stage.fault(&Fault::next("file", FaultKind::Closed));
    let (_, headers, body) = stage.page(message["media"].as_str().unwrap());
    let id = stage.replies(7, "One");
    stage.until_delivery(7, &id, "delivered");
    stage.fault(&Fault::next("sendMessage", refusal));
    let other_id = stage.replies(7, "Two");
    stage.until_delivery(7, &other_id, "error");
    let pages = ["/", "/health", "/metrics", "/files/x", "/oauth/callback"];
    let mut texts: Vec<String> = pages.map(|path| format!("{:?}", stage.page(path))).into();
    for path in pages {
        let (_, _, body) = stage.page(path);
        texts.push(String::from_utf8_lossy(&body).into_owned());
    }
    texts.push(format!("{headers:?} {}", String::from_utf8_lossy(&body)));
    texts.push(stage.output());
    texts.push(stage.world.journal());
    texts.push(format!("{:?}", stage.messages(7)));
    for text in texts {
        assert!(!text.contains(SECRET), "{text}");
    }
    let output = stage.output();
    assert!(output.lines().all(|line| line.starts_with('{')), "{output}");
}
