use serde_json::{Value, json};

use super::{About, Queue};
use crate::bounds::{DAY, WEEK};
use crate::state::chance::Chance;

struct Fixture {
    queue: Queue,
    chance: Chance,
}

impl Fixture {
    fn new() -> Self {
        let mut chance = Chance::new(7);
        let queue = Queue::new(&mut chance);
        Self { queue, chance }
    }

    fn push(&mut self, kind: &str, at: i64) -> Option<i64> {
        let about = About {
            update_id: 0,
            kind: kind.to_owned(),
            chat: 7,
            message_id: Some(1),
            at,
        };
        self.queue.push(about, json!({}), &mut self.chance)
    }

    fn ids(&mut self, offset: i64, at: i64) -> Vec<i64> {
        let updates = self.queue.read(offset, 100, at);
        let id = |update: &Value| update["update_id"].as_i64().unwrap_or(0);
        updates.iter().map(id).collect()
    }
}

#[test]
fn the_same_offset_gives_the_same_updates() {
    let mut it = Fixture::new();
    let first = it.push("message", 0).unwrap_or(0);
    assert_eq!(it.push("message", 1), Some(first + 1));
    assert_eq!(it.ids(0, 2), [first, first + 1]);
    assert_eq!(it.ids(first, 2), [first, first + 1]);
    assert_eq!(it.queue.confirmed_count, 0);
    assert_eq!(it.ids(first + 1, 2), [first + 1]);
    assert_eq!(it.queue.confirmed_count, 1);
    // What was confirmed never comes again.
    assert_eq!(it.ids(first, 2), [first + 1]);
}

#[test]
fn a_negative_offset_keeps_the_last_ones() {
    let mut it = Fixture::new();
    let ids: Vec<i64> = (0..5).filter_map(|at| it.push("message", at)).collect();
    assert_eq!(it.ids(-2, 9), ids[3..]);
    assert_eq!(it.queue.dropped.cleared, 3);
    assert_eq!(it.queue.confirmed_count, 0);
    assert_eq!(it.ids(i64::MIN, 9), ids[3..]);
}

#[test]
fn an_offset_far_away_confirms_nothing() {
    let mut it = Fixture::new();
    let id = it.push("message", 0).unwrap_or(0);
    for offset in [id + 1_000, 1, i64::MAX] {
        assert_eq!(it.ids(offset, 1), [id], "{offset}");
    }
    assert_eq!(it.queue.confirmed_count, 0);
}

#[test]
fn updates_are_kept_for_a_day() {
    let mut it = Fixture::new();
    it.push("message", 0);
    let late = it.push("message", 1_000).unwrap_or(0);
    assert_eq!(it.ids(0, DAY - 1).len(), 2);
    assert_eq!(it.ids(0, DAY), [late]);
    assert_eq!(it.queue.dropped.expired, 1);
}

#[test]
fn a_week_without_updates_chooses_a_new_number() {
    let mut it = Fixture::new();
    let first = it.push("message", 0).unwrap_or(0);
    let second = it.push("message", WEEK - 1).unwrap_or(0);
    assert_eq!(second, first + 1);
    let third = it.push("message", 2 * WEEK).unwrap_or(0);
    assert!((third - second).abs() > 100_000, "{second} and {third}");
    // The old offset, whose number is far away, still shows it.
    assert_eq!(it.ids(second + 1, 2 * WEEK), [third]);
}

#[test]
fn reactions_come_only_by_name() {
    let mut it = Fixture::new();
    assert_eq!(it.push("message_reaction", 0), None);
    it.queue
        .allow(&["MESSAGE_reaction".to_owned(), "nonsense".to_owned()]);
    assert!(it.push("message_reaction", 0).is_some());
    assert_eq!(it.push("message", 0), None);
    assert_eq!(it.queue.allowed(), Some(vec!["message_reaction"]));
    it.queue.allow(&[]);
    assert_eq!(it.queue.allowed(), None);
    assert!(it.push("message", 0).is_some());
    assert_eq!(it.push("chat_member", 0), None);
}
