use std::time::Duration;

use switchboard_engine::state::{Command, Moment, Recorded};

use super::change::{ChangingUser, ScheduledReplyOutcome};
use super::create::{CreateScheduledReply, ScheduledReplyCreated};
use super::delete::DeleteScheduledReply;
use super::scheduled_reply::{
    ScheduledContent, ScheduledReplyRejection, ScheduledStatus, SendRule,
};
use super::settle::{SettleScheduledReply, Settlement};
use super::update::{ScheduledReplyUpdate, UpdateScheduledReply};
use super::*;
use crate::audit::By;
use crate::chat::outgoing::OutgoingContent;
use crate::conversation::snooze_conversation::{LONGEST, SnoozeRejection};
use crate::id::{AccountId, MessageId, UserId};
use crate::scheduled::DueRejection;
use crate::team_notes::note::NoteWriter;

const NOW: UnixMillis = UnixMillis::from_secs(100);
const HOUR: Duration = Duration::from_secs(3_600);
const ADA: UserId = UserId(1);
const BORIS: UserId = UserId(2);

/// A conversation with its scheduled replies, and the records of them.
struct Test {
    state: ScheduledReplies,
    records: Vec<ScheduledRepliesEvent>,
}

impl Test {
    fn new() -> Self {
        Self {
            state: ScheduledReplies::initial(&ConversationId::from_random([7; 16])),
            records: Vec::new(),
        }
    }

    fn run<C: Command<Of = ScheduledReplies>>(
        &mut self,
        command: C,
        earlier: impl Fn(&ScheduledReply) -> bool,
    ) -> Result<C::Reply, C::Rejection> {
        let newest = self.records.iter().rev().find(|it| earlier(&it.reply));
        let earlier = [newest.cloned().map(Recorded::from)];
        let mut random = || [7; 16];
        let mut moment = Moment {
            now: NOW,
            random: &mut random,
            earlier: &earlier,
        };
        let decision = command.decide(&self.state, &mut moment)?;
        for recorded in &decision.events {
            let stored = serde_json::to_string(&recorded.event).unwrap();
            let event: ScheduledRepliesEvent = serde_json::from_str(&stored).unwrap();
            assert_eq!(event, recorded.event);
            self.state.apply(&event);
            self.records.push(event);
        }
        Ok(decision.reply)
    }

    fn creates(
        &mut self,
        text: &str,
        key: &str,
        send_at: UnixMillis,
    ) -> Result<ScheduledReplyCreated, ScheduledReplyRejection> {
        let request = Some(key.parse().unwrap());
        let command = CreateScheduledReply {
            by: writer(ADA),
            content: Box::new(ScheduledContent {
                message: OutgoingContent::Text {
                    text: text.parse().unwrap(),
                },
                template: None,
                reply_to: None,
            }),
            send_at,
            rule: SendRule {
                unless_customer_wrote: true,
                written_behind: 3,
                seen: None,
            },
            request: request.clone(),
        };
        self.run(command, |reply| {
            reply.request == request && reply.version == 1
        })
    }

    fn updates(
        &mut self,
        user: UserId,
        update: ScheduledReplyUpdate,
    ) -> Result<ScheduledReplyOutcome, ScheduledReplyRejection> {
        let newest = 9;
        self.run_one(UpdateScheduledReply {
            number: 1,
            by: changing(user, false),
            update: ScheduledReplyUpdate { newest, ..update },
        })
    }

    fn run_one<C>(&mut self, command: C) -> Result<C::Reply, ScheduledReplyRejection>
    where
        C: Command<Of = ScheduledReplies, Rejection = ScheduledReplyRejection>,
    {
        self.run(command, |reply| reply.number == 1)
    }
}

fn changing(user: UserId, is_administrator: bool) -> ChangingUser {
    ChangingUser {
        user,
        is_administrator,
    }
}

fn settle(way: Settlement) -> SettleScheduledReply {
    SettleScheduledReply { number: 1, way }
}

fn held(version: u64, reason: DueRejection) -> SettleScheduledReply {
    settle(Settlement::Due(version, Err(reason)))
}

fn sent(version: u64) -> SettleScheduledReply {
    settle(Settlement::Due(version, Ok(message())))
}

fn writer(user: UserId) -> NoteWriter {
    NoteWriter {
        user,
        name: "Ada".parse().unwrap(),
        client: None,
    }
}

fn cancelled(user: UserId, is_administrator: bool) -> DeleteScheduledReply {
    let by = By::User {
        account: AccountId::from_random([1; 16]),
        user,
        name: "Ada".parse().unwrap(),
        client: None,
    };
    DeleteScheduledReply {
        number: 1,
        user: changing(user, is_administrator),
        by,
    }
}

fn message() -> MessageId {
    MessageId::from_random([5; 16])
}

#[test]
fn the_time_is_in_the_future_and_at_most_a_year_ahead() {
    let mut test = Test::new();
    let time = |why| Err(ScheduledReplyRejection::Time(why));
    assert_eq!(test.creates("x", "a", NOW), time(SnoozeRejection::Past));
    let far = NOW.plus(LONGEST).plus(Duration::from_millis(1));
    assert_eq!(test.creates("x", "a", far), time(SnoozeRejection::TooFar));
    assert!(test.creates("x", "a", NOW.plus(LONGEST)).is_ok());
}

#[test]
fn a_repeated_request_is_one_scheduled_reply() {
    let mut test = Test::new();
    let first = test.creates("Ready", "a", NOW.plus(HOUR)).unwrap();
    let again = test.creates("Ready", "a", NOW.plus(HOUR)).unwrap();
    assert_eq!((first.repeated, again.repeated), (false, true));
    assert_eq!(first.reply, again.reply);
    for (text, time) in [("Other", HOUR), ("Ready", 2 * HOUR)] {
        let refusal = test.creates(text, "a", NOW.plus(time));
        assert_eq!(refusal, Err(ScheduledReplyRejection::OtherRequest));
    }
    assert_eq!(test.records.len(), 1);
}

#[test]
fn those_that_are_not_at_their_end_are_bounded() {
    let mut test = Test::new();
    for number in 0..OPEN_MAX {
        test.creates("x", &number.to_string(), NOW.plus(HOUR))
            .unwrap();
    }
    let refusal = test.creates("x", "more", NOW.plus(HOUR));
    assert_eq!(refusal, Err(ScheduledReplyRejection::TooMany));
    // One that is held has its place still: a user has to decide about it.
    test.run_one(held(1, DueRejection::Quota)).unwrap();
    assert!(test.creates("x", "more", NOW.plus(HOUR)).is_err());
    test.run_one(cancelled(ADA, false)).unwrap();
    assert!(test.creates("x", "more", NOW.plus(HOUR)).is_ok());
}

#[test]
fn a_change_compares_the_version_and_a_due_reply_too() {
    let mut test = Test::new();
    test.creates("Ready", "a", NOW.plus(HOUR)).unwrap();
    let change = ScheduledReplyUpdate {
        based_on: 1,
        text: Some("Ready now".parse().ok()),
        ..ScheduledReplyUpdate::default()
    };
    let refusal = test.updates(BORIS, change.clone());
    assert_eq!(refusal, Err(ScheduledReplyRejection::OfAnother));
    let Ok(ScheduledReplyOutcome::Stored(reply)) = test.updates(ADA, change.clone()) else {
        panic!("it is the newest version");
    };
    assert_eq!(reply.version, 2);
    assert_eq!(reply.content.as_ref().unwrap().message.text(), "Ready now");
    // Nothing was seen, so what was there at the change does not count.
    assert_eq!(reply.rule.written_behind, 9);
    let newer = ScheduledReplyOutcome::Newer(reply);
    assert_eq!(test.updates(ADA, change), Ok(newer));
    let refusal = test.run_one(sent(1));
    assert_eq!(refusal, Err(ScheduledReplyRejection::Unknown));
    let rest = test.run_one(sent(2)).unwrap();
    assert_eq!((rest.due(), rest.content), (None, None));
    let refusal = test.run_one(cancelled(ADA, false));
    assert_eq!(refusal, Err(ScheduledReplyRejection::Unknown));
    assert_eq!(test.state.open.len(), 0);
}

#[test]
fn a_held_one_has_no_timer_until_it_gets_a_time() {
    let mut test = Test::new();
    test.creates("Ready", "a", NOW.plus(HOUR)).unwrap();
    test.run_one(held(1, DueRejection::Answered)).unwrap();
    assert_eq!(test.state.open[&1], None);
    // It is held, and not due any more.
    let refusal = test.run_one(sent(2));
    assert_eq!(refusal, Err(ScheduledReplyRejection::Unknown));
    let change = ScheduledReplyUpdate {
        based_on: 2,
        send_at: Some(NOW.plus(2 * HOUR)),
        seen: Some(12),
        ..ScheduledReplyUpdate::default()
    };
    let Ok(ScheduledReplyOutcome::Stored(reply)) = test.updates(ADA, change) else {
        panic!("it is the newest version");
    };
    assert_eq!(reply.status, ScheduledStatus::Waiting);
    assert_eq!((reply.rule.seen, reply.rule.written_behind), (Some(12), 12));
    assert_eq!(test.state.open[&1], Some(NOW.plus(2 * HOUR)));
}

#[test]
fn its_writer_and_administrators_end_it_once() {
    let mut test = Test::new();
    test.creates("Ready", "a", NOW.plus(HOUR)).unwrap();
    let refusal = test.run_one(cancelled(BORIS, false));
    assert_eq!(refusal, Err(ScheduledReplyRejection::OfAnother));
    let rest = test.run_one(cancelled(BORIS, true)).unwrap();
    assert_eq!(
        (rest.content, rest.status),
        (None, ScheduledStatus::Cancelled(BORIS))
    );
    assert!(
        matches!(&test.records[1].audit, Some(audit) if audit.action == "scheduled_reply.delete")
    );
    let refusal = test.run_one(settle(Settlement::SentNow(changing(ADA, false), message())));
    assert_eq!(refusal, Err(ScheduledReplyRejection::Unknown));
}

/// An erasure of the past can take the first records of one that is there still.
#[test]
fn a_version_stands_for_itself() {
    let mut test = Test::new();
    test.creates("Ready", "a", NOW.plus(HOUR)).unwrap();
    let change = ScheduledReplyUpdate {
        based_on: 1,
        unless_customer_wrote: Some(false),
        ..ScheduledReplyUpdate::default()
    };
    test.updates(ADA, change).unwrap();
    let mut later = Test::new();
    later.state.apply(&test.records[1]);
    assert_eq!(later.state, test.state);
}
