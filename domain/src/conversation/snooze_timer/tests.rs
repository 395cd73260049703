use super::*;
use std::time::Duration;

use crate::conversation::fixture;
use crate::conversation::note_lead::NoteLead;
use crate::conversation::snooze_conversation::{
    LONGEST, Replaces, SnoozeConversation, SnoozeRejection,
};
use crate::conversation::status::ConversationStatus;
use crate::conversation::wake_conversation::WakeConversation;
use crate::conversation::{Origin, Received, Woken};
use crate::crm::tests::{OPEN, lead};
use crate::crm::{LOST, Lead};
use crate::id::{AccountId, ConversationId, ScopeId, UserId};
use switchboard_engine::state::{Command, Moment, State as _};

const NOW: UnixMillis = UnixMillis::new(1_000_000);
const UNTIL: UnixMillis = UnixMillis::new(4_600_000);

/// A conversation of one message, which waits for an answer.
fn conversation() -> Conversation {
    let account = AccountId::from_random([1; 16]);
    let mut conversation = Conversation::initial(&ConversationId::from_random([2; 16]));
    conversation.origin = Some(Origin {
        scope: ScopeId::new("a".parse().unwrap(), account),
        client_id: None,
    });
    conversation.apply(&received(1, true));
    conversation.lead = true;
    conversation
}

fn received(number: u64, loud: bool) -> ConversationEvent {
    ConversationEvent::Received(Box::new(Received {
        loud,
        ..fixture::received(number, NOW)
    }))
}

fn decide<C>(conversation: &mut Conversation, now: UnixMillis, command: C) -> C::Reply
where
    C: Command<Of = Conversation>,
{
    let mut moment = Moment {
        now,
        random: &mut || [9; 16],
        earlier: &[],
    };
    let decision = command.decide(conversation, &mut moment).unwrap();
    for recorded in decision.events {
        conversation.apply(&recorded.event);
    }
    decision.reply
}

fn command(until: UnixMillis, wakes_on_message: bool) -> SnoozeConversation {
    SnoozeConversation {
        by: UserId(5),
        client: None,
        until,
        wakes_on_message,
        replaces: Replaces::Any,
    }
}

fn snoozed(wakes_on_message: bool) -> Conversation {
    let mut conversation = conversation();
    decide(&mut conversation, NOW, command(UNTIL, wakes_on_message));
    conversation
}

fn status(conversation: &Conversation) -> ConversationStatus {
    ConversationStatus::new(conversation, Some(&lead(OPEN)))
}

fn by_user(only: Option<Snooze>) -> WakeConversation {
    WakeConversation::ByUser {
        by: UserId(5),
        client: None,
        only: only.map(Box::new),
    }
}

#[test]
fn only_a_loud_message_of_the_customer_ends_the_first_kind() {
    let mut conversation = snoozed(true);
    assert_eq!(status(&conversation), ConversationStatus::Snoozed);
    conversation.apply(&received(2, false));
    assert_eq!(status(&conversation), ConversationStatus::Snoozed);
    conversation.apply(&received(3, true));
    assert_eq!(status(&conversation), ConversationStatus::Open);
}

#[test]
fn no_message_ends_the_second_kind() {
    let mut conversation = snoozed(false);
    conversation.apply(&received(2, true));
    assert_eq!(status(&conversation), ConversationStatus::Snoozed);
}

#[test]
fn it_is_open_when_due_until_the_next_answer() {
    let mut conversation = snoozed(true);
    conversation.answers.note(1, Some(UserId(5)));
    let due = WakeConversation::Due;
    let early = UnixMillis::new(UNTIL.get() - 1);
    assert!(!decide(&mut conversation, early, due.clone()));
    assert_eq!(status(&conversation), ConversationStatus::Snoozed);
    assert!(decide(&mut conversation, UNTIL, due.clone()));
    assert_eq!(status(&conversation), ConversationStatus::Open);
    assert_eq!(conversation.active_at, UNTIL, "it rises in its lists");
    assert!(!decide(&mut conversation, UNTIL, due), "once");
    conversation.answers.note(2, Some(UserId(5)));
    assert_eq!(status(&conversation), ConversationStatus::Waiting);
}

#[test]
fn a_user_who_ends_it_has_the_conversation_as_it_was() {
    let mut conversation = snoozed(true);
    conversation.answers.note(1, Some(UserId(5)));
    let before = conversation.active_at;
    assert!(decide(&mut conversation, NOW, by_user(None)));
    assert_eq!(status(&conversation), ConversationStatus::Waiting);
    assert_eq!(conversation.active_at, before);
    assert!(!decide(&mut conversation, NOW, by_user(None)));
}

#[test]
fn an_end_of_one_snooze_spares_another() {
    let mut conversation = conversation();
    let mine = decide(&mut conversation, NOW, command(UNTIL, true)).snooze;
    let later = UNTIL.plus(Duration::from_secs(1));
    decide(&mut conversation, NOW, command(later, true));
    assert!(!decide(&mut conversation, NOW, by_user(Some(mine))));
    assert_eq!(conversation.snooze.as_ref().unwrap().until, later);
}

#[test]
fn a_closed_or_lost_talk_ends_it_in_the_same_group() {
    for (open, closes_talk) in [(true, true), (false, false)] {
        let mut conversation = snoozed(false);
        let note = NoteLead {
            conversation: conversation.id,
            open,
            responsible: None,
            closes_talk,
            talk_closed: closes_talk.then_some(conversation.messages),
        };
        decide(&mut conversation, NOW, note);
        assert_eq!(conversation.snooze, None);
    }
    let mut conversation = snoozed(false);
    let note = NoteLead {
        conversation: conversation.id,
        open: true,
        responsible: Some(UserId(7)),
        closes_talk: false,
        talk_closed: None,
    };
    decide(&mut conversation, NOW, note);
    assert!(conversation.snooze.is_some(), "another user answers for it");
}

#[test]
fn a_closed_conversation_is_closed_whatever_its_snooze() {
    let conversation = snoozed(false);
    let closed = Lead {
        talk_closed: Some(1),
        ..lead(OPEN)
    };
    for lead in [closed, lead(LOST)] {
        let status = ConversationStatus::new(&conversation, Some(&lead));
        assert_eq!(status, ConversationStatus::Closed);
    }
}

#[test]
fn a_time_that_has_passed_or_is_too_far_is_refused() {
    let mut moment = Moment {
        now: NOW,
        random: &mut || [9; 16],
        earlier: &[],
    };
    let mut refusal = |until| {
        command(until, true)
            .decide(&conversation(), &mut moment)
            .err()
    };
    assert_eq!(refusal(NOW), Some(SnoozeRejection::Past));
    assert_eq!(refusal(NOW.plus(LONGEST)), None);
    let beyond = NOW.plus(LONGEST + Duration::from_millis(1));
    assert_eq!(refusal(beyond), Some(SnoozeRejection::TooFar));
}

#[test]
fn the_same_snooze_again_is_stored_once() {
    let mut conversation = conversation();
    let first = decide(&mut conversation, NOW, command(UNTIL, true)).snooze;
    let later = NOW.plus(Duration::from_secs(5));
    let again = decide(&mut conversation, later, command(UNTIL, true));
    assert_eq!(again.snooze, first);
    let other = decide(&mut conversation, later, command(UNTIL, false));
    assert_eq!(other.snooze.at, later);
    assert_eq!(other.before.as_deref(), Some(&first));
}

#[test]
fn a_snooze_that_replaces_one_spares_another() {
    let mut conversation = conversation();
    let over = |snooze: Option<Snooze>| SnoozeConversation {
        replaces: Replaces::Only(snooze.map(Box::new)),
        ..command(UNTIL.plus(LONGEST / 2), true)
    };
    let mut moment = Moment {
        now: NOW,
        random: &mut || [9; 16],
        earlier: &[],
    };
    let mine = decide(&mut conversation, NOW, command(UNTIL, true)).snooze;
    let refusal = over(None).decide(&conversation, &mut moment).err();
    assert_eq!(refusal, Some(SnoozeRejection::Changed));
    decide(&mut conversation, NOW, over(Some(mine.clone())));
    let refusal = over(Some(mine)).decide(&conversation, &mut moment).err();
    assert_eq!(refusal, Some(SnoozeRejection::Changed));
}

#[test]
fn its_row_comes_and_goes_with_the_timer() {
    let due = ConversationEvent::Woken(Woken {
        at: UNTIL,
        cause: WakeCause::Due,
        by: None,
        client: None,
    });
    let rows = |conversation: &Conversation, event: &ConversationEvent| {
        let mut entries = IndexEntries::default();
        conversation.list_snooze(event, &mut entries);
        entries.rows.len()
    };
    let snoozed = snoozed(true);
    let snooze = ConversationEvent::Snoozed(snoozed.snooze.clone().unwrap());
    assert_eq!(rows(&conversation(), &snooze), 1);
    assert_eq!(rows(&snoozed, &snooze), 0, "the row is there already");
    assert_eq!(rows(&snoozed, &received(2, true)), 1);
    assert_eq!(rows(&snoozed, &received(2, false)), 0);
    // Its row goes, and it moves in the list of the account.
    assert_eq!(rows(&snoozed, &due), 3);
}
