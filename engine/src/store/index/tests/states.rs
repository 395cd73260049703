//! Two small kinds of states to index.

use serde::{Deserialize, Serialize};

use crate::entries::{IndexEntries, Key};
use crate::state::State;
use crate::store::testing::kinds;
use crate::store::testing::tables;
use crate::stream::StreamKind;

/// A talk that is listed by its last activity, as a list by activity is the hardest to keep.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Talk {
    pub(super) id: u32,
    pub(super) words: Vec<String>,
    pub(super) activity: Option<u64>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum TalkEvent {
    Said { word: String, at: u64 },
    Hidden,
}

pub(super) fn said(id: u32, number: usize) -> Key {
    Key::new("said", &(id, number))
}

pub(super) fn newest(id: u32) -> Key {
    Key::new("newest", &id)
}

fn activity_row(activity: u64, id: u32) -> Vec<u8> {
    let mut key = (u64::MAX - activity).to_be_bytes().to_vec();
    key.extend(id.to_be_bytes());
    key
}

impl State for Talk {
    type Id = u32;
    type Event = TalkEvent;
    type Notice = ();

    const KIND: StreamKind = kinds::TALK;

    fn initial(id: &u32) -> Self {
        Self {
            id: *id,
            words: Vec::new(),
            activity: None,
        }
    }

    fn apply(&mut self, event: &TalkEvent) {
        match event {
            TalkEvent::Said { word, at } => {
                self.words.push(word.clone());
                self.activity = Some(*at);
            }
            TalkEvent::Hidden => self.activity = None,
        }
    }

    fn index(&self, event: &TalkEvent, entries: &mut IndexEntries) {
        if let Some(activity) = self.activity {
            entries.delete(tables::ACTIVITY, activity_row(activity, self.id));
        }
        match event {
            TalkEvent::Said { word, at } => {
                entries.key(said(self.id, self.words.len()));
                entries.key(newest(self.id));
                let row = activity_row(*at, self.id);
                entries.insert(tables::ACTIVITY, row, word.clone().into_bytes());
            }
            TalkEvent::Hidden => {}
        }
    }
}

/// A counter of another kind, with an id that is a prefix of others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Counter {
    pub(super) name: String,
    pub(super) total: u64,
    pub(super) ballast: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum CounterEvent {
    Added { amount: u64, ballast: usize },
}

impl State for Counter {
    type Id = String;
    type Event = CounterEvent;
    type Notice = ();

    const KIND: StreamKind = kinds::COUNTER;

    fn initial(id: &String) -> Self {
        Self {
            name: id.clone(),
            total: 0,
            ballast: String::new(),
        }
    }

    fn apply(&mut self, event: &CounterEvent) {
        let CounterEvent::Added { amount, ballast } = event;
        self.total += amount;
        self.ballast = "x".repeat(*ballast);
    }

    fn index(&self, event: &CounterEvent, entries: &mut IndexEntries) {
        let CounterEvent::Added { amount, .. } = event;
        let total = self.total + amount;
        let row = self.name.clone().into_bytes();
        if total.is_multiple_of(5) {
            entries.delete(tables::TOTALS, row);
        } else {
            entries.put(tables::TOTALS, row, total.to_be_bytes().to_vec());
        }
    }
}
