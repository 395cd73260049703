use std::collections::BTreeSet;

use super::*;
use crate::chat::delivery::DeliveryStatus;
use crate::chat::fetch::{Copied, FetchPlace, FetchResult, FetchSubject, HostMark, ReachableFile};
use crate::chat::message::{Attachment, FileSize};
use crate::chat::outgoing::{OutgoingContent, Party, ReactedMessage, ReactionChange};
use crate::chat::reaction::ReactionKind;
use crate::conversation::Conversation;
use crate::conversation::condensed::Condensed;
use crate::conversation::customer::Origin;
use crate::conversation::event::{Mark, Marked, Opened, Reacted, Read, Reported};
use crate::conversation::outgoing::{Author, ReactionCallback};
use crate::conversation::snooze::{Snooze, WakeCause, Woken};
use crate::generation::Generation;
use crate::id::{AccountId, ConversationId, UserId};
use switchboard_engine::state::State as _;

const AT: UnixMillis = UnixMillis::new(7_000);
const FILE: &str = "https://chat.example/files/1";

fn scope() -> ScopeId {
    ScopeId::new("a".parse().unwrap(), AccountId::from_random([1; 16]))
}

fn origin() -> Origin {
    Origin {
        scope: scope(),
        client_id: None,
    }
}

fn person(number: u8) -> PersonId {
    PersonId::from_random([number; 16])
}

fn message_id() -> MessageId {
    MessageId::from_random([9; 16])
}

fn customer(number: u8) -> Customer {
    Customer {
        person: person(number),
        client_id: None,
        name: "Grace".parse().unwrap(),
        avatar: None,
        phone: None,
        email: None,
        profile_link: None,
    }
}

fn opened() -> ConversationEvent {
    ConversationEvent::Opened(Box::new(Opened {
        at: AT,
        origin: origin(),
        customer: Some(customer(1)),
        source: None,
    }))
}

fn received() -> ConversationEvent {
    ConversationEvent::Received(Box::new(imported()))
}

/// A message that an account user wrote to the customer elsewhere.
fn imported() -> Received {
    Received {
        number: 1,
        id: message_id(),
        msgid: "m-1".parse().unwrap(),
        at: AT,
        written_at: UnixMillis::new(1),
        loud: true,
        from: person(1),
        origin: Some(origin()),
        customer: Some(customer(1)),
        generation: Generation::default(),
        name: None,
        to: Some(Box::new(customer(2))),
        source: None,
        post: None,
        media_from: None,
        avatar_from: None,
        pressed: None,
    }
}

fn edited() -> ConversationEvent {
    ConversationEvent::Edited(Box::new(Edited {
        id: message_id(),
        at: AT,
        written_at: UnixMillis::new(1),
        msgid: None,
        content: true,
        media_from: None,
    }))
}

fn reaction_callback() -> ReactionCallback {
    let party = |number| Party {
        id: person(number),
        client_id: None,
        name: None,
    };
    ReactionCallback {
        out: 5,
        id: MessageId::from_random([8; 16]),
        at: AT,
        by: person(3),
        reaction: ReactionChange {
            on: message_id(),
            msgid: None,
            message: Box::new(ReactedMessage {
                written_at: UnixMillis::new(1),
                sender: party(1),
                receiver: party(2),
            }),
            kind: ReactionKind::React,
            emoji: None,
        },
        scope: scope(),
        conversation_client_id: None,
    }
}

fn reacted(callback: Option<ReactionCallback>) -> ConversationEvent {
    ConversationEvent::Reacted(Box::new(Reacted {
        id: message_id(),
        at: AT,
        reactions: Vec::new(),
        callback: callback.map(Box::new),
    }))
}

fn replied() -> ConversationEvent {
    let file = Attachment {
        media: FILE.parse().unwrap(),
        name: "fox.txt".parse().unwrap(),
        size: FileSize::try_from(0).unwrap(),
    };
    ConversationEvent::Replied(Box::new(Replied {
        number: 2,
        out: 6,
        id: message_id(),
        at: AT,
        by: Author {
            user: UserId(1),
            person: person(3),
            name: "Ada".parse().unwrap(),
            client: None,
            is_bot: false,
        },
        content: OutgoingContent::File { file, text: None },
        scope: scope(),
        to: customer(1),
        conversation_client_id: None,
        request: None,
        source: None,
        reply_to: None,
        post: None,
        lead: None,
        resends: None,
        template: None,
        list: None,
    }))
}

fn reported() -> ConversationEvent {
    ConversationEvent::Reported(Reported {
        id: message_id(),
        at: AT,
        status: DeliveryStatus::Read,
        out: Some(6),
    })
}

fn fetched(copy: Option<Copied>) -> ConversationEvent {
    let file = ReachableFile {
        copy,
        ..ReachableFile::default()
    };
    ConversationEvent::Fetched(Box::new(Fetched {
        place: FetchPlace {
            due: UnixMillis::new(1),
            subject: FetchSubject::Message(message_id()),
        },
        host: HostMark(1),
        at: AT,
        attempts: 1,
        seen: Some(FetchResult {
            url: "https://elsewhere.example/1".parse().unwrap(),
            found: FetchOutcome::Reachable(Box::new(file)),
        }),
        again_at: None,
    }))
}

fn copy() -> Copied {
    Copied {
        media: FILE.parse().unwrap(),
        thumbnail: None,
        name: "fox.txt".parse().unwrap(),
    }
}

fn read() -> ConversationEvent {
    ConversationEvent::Read(Read {
        by: UserId(1),
        client: None,
        at: AT,
    })
}

fn marked() -> ConversationEvent {
    ConversationEvent::Marked(Marked {
        by: UserId(1),
        client: None,
        at: AT,
        mark: Mark::Unread,
    })
}

fn snoozed() -> ConversationEvent {
    ConversationEvent::Snoozed(Box::new(Snooze {
        by: UserId(1),
        client: None,
        at: AT,
        until: UnixMillis::new(8_000),
        wakes_on_message: true,
    }))
}

fn woken() -> ConversationEvent {
    ConversationEvent::Woken(Woken {
        at: AT,
        cause: WakeCause::Due,
        by: None,
        client: None,
    })
}

fn condensed() -> ConversationEvent {
    let id = ConversationId::from_random([4; 16]);
    let state = Conversation {
        origin: Some(origin()),
        ..Conversation::initial(&id)
    };
    ConversationEvent::Condensed(Box::new(Condensed {
        state,
        follows: BTreeSet::new(),
        people: vec![customer(1), customer(2)],
    }))
}

#[test]
fn an_event_has_its_time() {
    let events = [
        opened(),
        received(),
        edited(),
        reacted(None),
        replied(),
        reported(),
        fetched(None),
        read(),
        marked(),
        snoozed(),
        woken(),
    ];
    for event in events {
        assert_eq!(event.at(), Some(AT), "{event:?}");
    }
    assert_eq!(condensed().at(), None);
    assert_eq!(ConversationEvent::LeadOpened.at(), None);
}

#[test]
fn the_first_event_of_a_conversation_names_its_scope() {
    for event in [opened(), received(), replied(), condensed()] {
        assert_eq!(event.scope(), Some(&scope()), "{event:?}");
    }
    for event in [edited(), reported(), read()] {
        assert_eq!(event.scope(), None, "{event:?}");
    }
}

#[test]
fn an_event_describes_its_customers() {
    let people = |event: ConversationEvent| -> Vec<PersonId> {
        event.customers().map(|customer| customer.person).collect()
    };
    assert_eq!(people(opened()), [person(1)]);
    assert_eq!(people(received()), [person(1), person(2)]);
    assert_eq!(people(replied()), [person(1)]);
    assert_eq!(people(condensed()), [person(1), person(2)]);
    assert_eq!(people(edited()), []);
}

#[test]
fn a_customer_is_found_by_their_id_alone() {
    let event = received();
    assert_eq!(event.customer(person(2)), Some(&customer(2)));
    assert_eq!(event.customer(person(3)), None);
}

#[test]
fn an_event_that_adds_or_edits_a_message_names_it() {
    for event in [received(), edited(), replied()] {
        assert_eq!(event.message_id(), Some(message_id()), "{event:?}");
    }
    for event in [opened(), reacted(None), reported(), read()] {
        assert_eq!(event.message_id(), None, "{event:?}");
    }
}

#[test]
fn an_event_that_queues_a_callback_has_its_number() {
    assert_eq!(replied().out(), Some(6));
    assert_eq!(reacted(Some(reaction_callback())).out(), Some(5));
    assert_eq!(reacted(None).out(), None);
    // The report is about a callback, and queues none.
    assert_eq!(reported().out(), None);
}

#[test]
fn files_of_the_service_are_those_sent_and_copied() {
    let file = FILE.parse().unwrap();
    assert_eq!(replied().own_file(), Some(&file));
    assert_eq!(fetched(Some(copy())).own_file(), Some(&file));
    assert_eq!(fetched(None).own_file(), None);
    assert_eq!(received().own_file(), None);
}

#[test]
fn content_is_what_the_state_does_not_have() {
    let content = [
        received(),
        edited(),
        reacted(None),
        replied(),
        reported(),
        fetched(None),
    ];
    for event in content {
        assert!(event.is_content(), "{event:?}");
    }
    for event in [opened(), read(), marked(), condensed()] {
        assert!(!event.is_content(), "{event:?}");
    }
}

#[test]
fn only_messages_of_both_sides_are_messages() {
    assert!(received().is_message() && replied().is_message());
    for event in [opened(), edited(), reacted(None), reported()] {
        assert!(!event.is_message(), "{event:?}");
    }
}

#[test]
fn a_message_with_a_receiver_is_imported() {
    assert!(imported().is_imported());
    let message = Received {
        to: None,
        ..imported()
    };
    assert!(!message.is_imported());
}

#[test]
fn each_view_of_an_event_is_of_its_kind_alone() {
    let views = |event: ConversationEvent| {
        let is_received = event.as_received().is_some();
        let is_replied = event.as_replied().is_some();
        [is_received, is_replied, event.as_edited().is_some()]
    };
    assert_eq!(views(received()), [true, false, false]);
    assert_eq!(views(replied()), [false, true, false]);
    assert_eq!(views(edited()), [false, false, true]);
    assert_eq!(views(opened()), [false, false, false]);
}

#[test]
fn replies_and_reactions_with_a_callback_leave() {
    let number = |event: ConversationEvent| event.into_outgoing().map(|it| it.number().0);
    assert_eq!(number(replied()), Some(6));
    assert_eq!(number(reacted(Some(reaction_callback()))), Some(5));
    assert_eq!(number(reacted(None)), None);
    assert_eq!(number(received()), None);
}
