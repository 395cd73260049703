use serde_json::json;

use super::{Delivery, Outcome, Settings, Webhook};
use crate::bounds::{DAY, HOUR, SECOND};
use crate::state::chance::Chance;
use crate::state::queue::{About, Queue};

struct Fixture {
    queue: Queue,
    webhook: Webhook,
    chance: Chance,
}

impl Fixture {
    fn new() -> Self {
        let mut chance = Chance::new(3);
        let queue = Queue::new(&mut chance);
        let settings = Settings {
            url: "http://127.0.0.1:9/hook".to_owned(),
            secret: None,
            max_connections: 2,
        };
        let webhook = Webhook::new(settings, 1);
        Self {
            queue,
            webhook,
            chance,
        }
    }

    fn push(&mut self, chat: i64, at: i64) -> i64 {
        let about = About {
            update_id: 0,
            kind: "message".to_owned(),
            chat,
            message_id: Some(1),
            at,
        };
        let id = self.queue.push(about, json!({}), &mut self.chance);
        id.unwrap_or_default()
    }

    fn due(&mut self, now: i64) -> Vec<Delivery> {
        self.webhook.due(1, &self.queue, now).0
    }

    fn outcome(&mut self, delivery: &Delivery, outcome: Outcome, now: i64) -> bool {
        self.webhook
            .outcome(delivery, outcome, &mut self.queue, now, &mut self.chance)
    }
}

#[test]
fn one_failing_chat_waits_and_others_go_on() {
    let mut it = Fixture::new();
    let first = it.push(7, 0);
    let second = it.push(7, 1);
    let other = it.push(8, 2);
    let due = it.due(10);
    let ids: Vec<i64> = due.iter().map(|it| it.update_id).collect();
    assert_eq!(ids, [first, other]);
    assert!(it.due(10).is_empty(), "they are under way");
    assert!(it.outcome(&due[0], Outcome::Status(500, 0), 10));
    assert!(it.outcome(&due[1], Outcome::Status(200, 0), 10));
    assert!(it.due(10 + SECOND - 1).is_empty());
    let again = it.due(10 + SECOND);
    assert_eq!(again[0].update_id, first);
    assert!(it.outcome(&again[0], Outcome::Status(204, 0), 10 + SECOND));
    assert_eq!(it.due(10 + SECOND)[0].update_id, second);
    assert_eq!(it.queue.confirmed_count, 2);
}

#[test]
fn waits_double_up_to_a_minute_or_two() {
    let mut it = Fixture::new();
    it.push(7, 0);
    let (mut now, mut waits) = (0, Vec::new());
    for _ in 0..9 {
        let due = it.due(now);
        let [delivery] = due.as_slice() else {
            unreachable!("one is due at {now}")
        };
        assert!(it.outcome(delivery, Outcome::Failed("refused".to_owned()), now));
        let (_, next) = it.webhook.due(1, &it.queue, now);
        let next = next.unwrap_or_default();
        waits.push((next - now) / SECOND);
        now = next;
    }
    assert_eq!(waits[..6], [1, 2, 4, 8, 16, 32], "{waits:?}");
    assert!(
        waits[6..].iter().all(|wait| (60..=120).contains(wait)),
        "{waits:?}"
    );
    let info = it.webhook.info(&it.queue);
    assert_eq!(info["last_error_message"], "refused");
    assert_eq!(info["pending_update_count"], 1);
}

#[test]
fn a_receiver_names_the_wait_up_to_an_hour() {
    let mut it = Fixture::new();
    it.push(7, 0);
    let mut now = 0;
    for (asked, wait) in [(30, 30), (9_999, 3_600)] {
        let due = it.due(now);
        assert!(it.outcome(&due[0], Outcome::Status(503, asked), now));
        let (_, next) = it.webhook.due(1, &it.queue, now);
        assert_eq!(next, Some(now + wait * SECOND));
        now += wait * SECOND;
    }
}

#[test]
fn an_update_is_given_up_after_a_day() {
    let mut it = Fixture::new();
    it.push(7, 0);
    let due = it.due(DAY - 500);
    assert!(it.outcome(&due[0], Outcome::Status(500, 0), DAY - 500));
    assert_eq!(it.queue.len(), 0);
    assert_eq!(it.queue.dropped.expired, 1);
    assert_eq!(it.queue.confirmed_count, 0);
}

#[test]
fn a_webhook_that_is_gone_for_23_hours_is_removed() {
    let mut it = Fixture::new();
    it.push(7, 0);
    let due = it.due(0);
    assert!(it.outcome(&due[0], Outcome::Status(410, 0), 0));
    let again = it.due(2 * SECOND);
    assert!(it.outcome(&again[0], Outcome::Status(410, 0), 23 * HOUR));
    let last = it.due(23 * HOUR + 5 * SECOND);
    assert!(!it.outcome(&last[0], Outcome::Status(410, 0), 23 * HOUR + 5 * SECOND));
}

#[test]
fn no_more_calls_run_than_connections_are_allowed() {
    let mut it = Fixture::new();
    for chat in 0..5 {
        it.push(chat, 0);
    }
    let due = it.due(0);
    assert_eq!(due.len(), 2);
    assert!(it.outcome(&due[0], Outcome::Status(200, 0), 0));
    assert_eq!(it.due(0).len(), 1);
}
