use std::collections::BTreeMap;

use super::*;
use crate::conversation::fixture::received;
use crate::conversation::{Customer, Origin, Received, Snooze, WakeCause, Woken};
use crate::id::{AccountId, ConversationId, PersonId, ScopeId};
use switchboard_engine::state::State as _;

/// A conversation, with the rows that its events have made.
struct Listed {
    conversation: Conversation,
    rows: BTreeMap<Vec<u8>, Vec<u8>>,
}

impl Listed {
    fn new() -> Self {
        let account = AccountId::from_random([1; 16]);
        let mut conversation = Conversation::initial(&ConversationId::from_random([2; 16]));
        conversation.origin = Some(Origin {
            scope: ScopeId::new("demo".parse().unwrap(), account),
            client_id: None,
        });
        let rows = BTreeMap::new();
        Self { conversation, rows }
    }

    /// Takes in an event; gives the only row of the list, if there is one.
    fn after(&mut self, event: &ConversationEvent) -> Option<WaitingRow> {
        let mut entries = IndexEntries::default();
        self.conversation.index(event, &mut entries);
        self.conversation.apply(event);
        for row in entries.rows {
            if row.table == tables::WAITING {
                let key = row.key.to_vec();
                match row.value {
                    Some(value) => drop(self.rows.insert(key, value)),
                    None => assert!(self.rows.remove(&key).is_some(), "it was there"),
                }
            }
        }
        assert!(self.rows.len() <= 1, "one conversation has one row");
        let waits = self.conversation.waiting.is_some();
        assert_eq!(waits, !self.rows.is_empty());
        let (key, value) = self.rows.iter().next()?;
        Some(WaitingRow::parse(key, value).unwrap())
    }
}

fn asks(number: u64, at: u64) -> ConversationEvent {
    ConversationEvent::Received(Box::new(received(number, UnixMillis::new(at))))
}

/// An answer that was written elsewhere.
fn answers(number: u64, at: u64) -> ConversationEvent {
    let customer = Customer {
        person: PersonId::from_random([3; 16]),
        client_id: None,
        name: "Bo".parse().unwrap(),
        avatar: None,
        phone: None,
        email: None,
        profile_link: None,
    };
    ConversationEvent::Received(Box::new(Received {
        to: Some(Box::new(customer)),
        ..received(number, UnixMillis::new(at))
    }))
}

fn lead(responsible: Option<u64>, open: bool, talk_closed: Option<u64>) -> ConversationEvent {
    ConversationEvent::LeadChanged {
        open,
        responsible: responsible.map(UserId),
        talk_closed,
    }
}

fn snooze(until: u64) -> ConversationEvent {
    ConversationEvent::Snoozed(Box::new(Snooze {
        by: UserId(7),
        client: None,
        at: UnixMillis::new(20),
        until: UnixMillis::new(until),
        wakes_on_message: false,
    }))
}

#[test]
fn a_customer_waits_since_the_first_unanswered_message() {
    let mut rows = Listed::new();
    assert_eq!(rows.after(&asks(1, 10)), None, "there is no lead yet");
    let row = rows.after(&ConversationEvent::LeadOpened).unwrap();
    assert_eq!((row.since, row.responsible), (UnixMillis::new(10), None));
    let row = rows.after(&asks(2, 20)).unwrap();
    assert_eq!(row.since, UnixMillis::new(10));
    assert_eq!(rows.after(&answers(3, 30)), None);
    let row = rows.after(&asks(4, 40)).unwrap();
    assert_eq!((row.since, row.reopened), (UnixMillis::new(40), false));
}

#[test]
fn the_row_follows_the_owners() {
    let mut rows = Listed::new();
    rows.after(&asks(1, 10));
    rows.after(&ConversationEvent::LeadOpened);
    let row = rows.after(&lead(Some(7), true, None)).unwrap();
    assert_eq!(row.responsible, Some(UserId(7)));
    let row = rows.after(&lead(None, true, None)).unwrap();
    assert_eq!((row.responsible, row.last), (None, None));
    assert_eq!(row.since, UnixMillis::new(10), "it does not queue anew");
}

#[test]
fn closed_and_snoozed_conversations_do_not_wait() {
    let mut rows = Listed::new();
    rows.after(&asks(1, 10));
    rows.after(&ConversationEvent::LeadOpened);
    assert_eq!(rows.after(&lead(Some(7), true, Some(1))), None);
    let row = rows.after(&asks(2, 20)).unwrap();
    assert!(row.reopened, "the talk was closed");
    assert_eq!(row.responsible, Some(UserId(7)));
    let row = rows.after(&lead(None, true, Some(1))).unwrap();
    assert!(!row.reopened, "it is decided");
    assert_eq!(row.since, UnixMillis::new(20));
    assert_eq!(rows.after(&snooze(50)), None);
    let woken = Woken {
        at: UnixMillis::new(50),
        cause: WakeCause::Due,
        by: None,
        client: None,
    };
    let row = rows.after(&ConversationEvent::Woken(woken)).unwrap();
    assert_eq!((row.since, row.reopened), (UnixMillis::new(50), false));
    assert_eq!(rows.after(&lead(Some(7), false, None)), None, "it is won");
}

#[test]
fn a_new_lead_remembers_the_last_responsible_user() {
    let mut rows = Listed::new();
    rows.after(&asks(1, 10));
    rows.after(&ConversationEvent::LeadOpened);
    rows.after(&lead(Some(7), true, None));
    rows.after(&lead(Some(7), false, None));
    assert_eq!(rows.after(&asks(2, 20)), None);
    let row = rows.after(&ConversationEvent::LeadOpened).unwrap();
    assert_eq!((row.responsible, row.last), (None, Some(UserId(7))));
    assert_eq!(row.since, UnixMillis::new(20));
    let row = rows.after(&lead(Some(8), true, None)).unwrap();
    assert_eq!((row.responsible, row.last), (Some(UserId(8)), None));
}

#[test]
fn a_condensed_beginning_keeps_the_row() {
    let mut rows = Listed::new();
    rows.after(&asks(1, 10));
    rows.after(&ConversationEvent::LeadOpened);
    let state = rows.conversation.clone();
    let mut whole = crate::conversation::condensed::Condensed::initial(&state.id);
    whole.state = state;
    let row = rows.after(&lead(Some(7), true, None));
    let mut again = Listed::new();
    again.after(&ConversationEvent::Condensed(Box::new(whole)));
    assert_eq!(again.after(&lead(Some(7), true, None)), row);
}
