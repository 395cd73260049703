//! A history that is imported silently keeps its own times, and the lists keep their order.
use switchboard_worlds::{TestMessage, TestSystem};

/// Returns the integration's ids of the conversations, in the order of the list, with the seconds of their times.
async fn listed(test: &TestSystem) -> Vec<(String, u64)> {
    let conversations = test.whole().conversations().await.unwrap();
    let all = conversations.iter().map(|view| {
        let origin = view.state.origin.as_ref().unwrap();
        let name = origin.client_id.as_ref().unwrap().to_string();
        (name, view.state.active_at.secs())
    });
    all.collect()
}

fn names(listed: &[(String, u64)]) -> Vec<&str> {
    listed.iter().map(|(name, _)| name.as_str()).collect()
}

async fn imported(test: &TestSystem, msgid: &str, conversation: &str, written_at: u64) {
    let test_message = TestMessage::new(msgid, "hello")
        .in_conversation(conversation)
        .silent()
        .written_at(written_at);
    test.post(&test_message).await.unwrap();
}

/// Imported messages move rows of the list by their own times, and never back.
#[actix::test]
async fn imported_messages_order_rows_by_their_own_times() {
    let test = TestSystem::start().await;
    for (msgid, conversation, written_at, expected) in [
        ("a1", "a", 1_500, ["a"].as_slice()),
        ("b1", "b", 1_600, &["b", "a"]),
        ("a2", "a", 1_700, &["a", "b"]),
        ("b2", "b", 1_400, &["a", "b"]),
        ("c1", "c", 0, &["a", "b", "c"]),
    ] {
        imported(&test, msgid, conversation, written_at).await;
        let rows = listed(&test).await;
        assert_eq!(names(&rows), expected, "{msgid}: {rows:?}");
    }
    let before = listed(&test).await;
    let times: Vec<_> = before.iter().map(|(_, at)| *at).collect();
    assert_eq!(times, [1_700, 1_600, 0]);
    let test = test.restart().await;
    assert_eq!(listed(&test).await, before);
    // What was written ahead of our clock was written when it came.
    let ahead = test.now().secs() + 3_600;
    imported(&test, "c2", "c", ahead).await;
    let after = listed(&test).await;
    assert_eq!(names(&after), ["c", "a", "b"]);
    assert_eq!(after.first().unwrap().1, test.now().secs());
}
