//! A listener receives every event once and in order, or learns that it missed some.
use std::sync::Arc;

use switchboard_actors::Threads;
use switchboard_actors::domain::chat::delivery::DeliveryStatus;
use switchboard_actors::domain::id::AccountId;
use switchboard_actors::system::inbox::MessageView;
use switchboard_actors::system::live::{Live, LiveEvent, LiveNews, What};
use switchboard_worlds::{Setup, TestSystem, Whole};

async fn event(live: &mut Live) -> Arc<LiveEvent> {
    match live.next().await {
        Some(LiveNews::Event(event)) => event,
        other => panic!("an event was expected: {other:?}"),
    }
}

/// Returns the kind of an event, in a word.
fn word(event: &LiveEvent) -> &'static str {
    match &event.what {
        What::Message(_, MessageView::In { .. }) => "in",
        What::Message(_, MessageView::Out { .. }) => "out",
        What::Changed(..) => "changed",
        What::Delivery(..) => "delivery",
        What::Callback(..) => "callback",
        What::Lead(..) => "lead",
        What::Read(..) => "read",
        What::Marked(..) => "marked",
        What::Snoozed(..) | What::Woken(..) => "snooze",
        What::Fetched(..) => "fetched",
        What::Viewing(..) => "viewing",
        What::TeamNote(..) => "note",
        What::ScheduledReply(..) => "scheduled_reply",
        What::Mentioned(..) => "mention",
        What::GroupAssigned(..) => "group",
        What::Draft { .. } => "draft",
        What::CannedReply { .. } => "canned_reply",
        What::SavedView { .. } => "view",
        What::Typing(..) | What::CustomerTyping(..) => "typing",
        What::Health(..) => "health",
        What::Webhook { .. } => "webhook",
        What::Presence(..) => "presence",
        What::Notification(_) => "notification",
    }
}

async fn words(live: &mut Live, count: usize) -> Vec<&'static str> {
    let mut words = Vec::new();
    let mut last = 0;
    for _ in 0..count {
        let event = event(live).await;
        assert!(event.number.unwrap() > last, "in order and once: {event:?}");
        last = event.number.unwrap();
        words.push(word(&event));
    }
    words
}

async fn story(test: &TestSystem) {
    let bo = test.customer("bo").says("hello").await.unwrap();
    let replied = test.ada().replies(bo.conversation, "hi").await.unwrap();
    let read = DeliveryStatus::Read;
    test.reports(replied.id, read).await.unwrap();
}

fn sorted(mut words: Vec<&'static str>) -> Vec<&'static str> {
    words.sort_unstable();
    words
}

/// Every event is received once, and again behind a given number, also after a restart.
#[actix::test]
async fn live_events_arrive_once_and_resume_by_number_after_restart() {
    for threads in [Threads::Here, Threads::Own(2)] {
        let mut setup = Setup::default();
        setup.config.threads = threads;
        let test = setup.start().await;
        let mut live = test.whole().listen(None).await.unwrap();
        let before = live.position();
        story(&test).await;
        let kinds = ["callback", "delivery", "in", "lead", "out"];
        let first = event(&mut live).await;
        let mut events = words(&mut live, 4).await;
        events.push(word(&first));
        assert_eq!(sorted(events), kinds);

        // The first run of the system is over, and so is what it had in memory.
        drop(live);
        let test = test.restart().await;
        let mut again = test.whole().listen(Some(before)).await.unwrap();
        assert_eq!(sorted(words(&mut again, 5).await), kinds);
        let mut rest = test.whole().listen(first.number).await.unwrap();
        assert_eq!(words(&mut rest, 4).await.len(), 4);
        test.customer("bo").imports("one more").await.unwrap();
        for live in [&mut again, &mut rest] {
            assert_eq!(word(&*event(live).await), "in");
        }
        test.stop().await;
    }
}

#[actix::test]
async fn an_account_receives_no_events_of_another() {
    let test = TestSystem::start().await;
    let stranger = AccountId::from_random([9; 16]);
    let mut theirs = Whole::new(&test, stranger).listen(Some(0)).await.unwrap();
    story(&test).await;
    let mut ours = test.whole().listen(Some(0)).await.unwrap();
    words(&mut ours, 4).await;
    let silence = tokio::time::timeout(std::time::Duration::from_millis(1), theirs.next());
    assert!(silence.await.is_err());
    test.stop().await;
}

#[actix::test]
async fn a_slow_or_long_absent_reader_gets_a_reset() {
    let test = TestSystem::start().await;
    let mut slow = test.whole().listen(None).await.unwrap();
    for number in 0..1_100 {
        let text = number.to_string();
        test.customer("bo").imports(&text).await.unwrap();
    }
    let mut quick = test.whole().listen(None).await.unwrap();
    // The pump hands out everything before the last one, which `quick` hears as well.
    test.customer("bo").imports("last").await.unwrap();
    assert_eq!(word(&*event(&mut quick).await), "in");
    let Some(LiveNews::Reset(number)) = slow.next().await else {
        panic!("more waits than may");
    };
    assert!(number >= 1_100);
    test.customer("bo").imports("the next").await.unwrap();
    assert_eq!(word(&*event(&mut slow).await), "in");

    let mut never = test.whole().listen(Some(u64::MAX)).await.unwrap();
    assert!(matches!(never.next().await, Some(LiveNews::Reset(_))));
    test.stop().await;
}
