use std::collections::BTreeSet;
use std::time::Duration;

use switchboard_engine::state::{Command, Moment, Recorded};

use super::create::CreateTeamNote;
use super::delete::DeleteTeamNote;
use super::note::{NoteWriter, StoredNote, TeamNoteRejection};
use super::update::UpdateTeamNote;
use super::*;
use crate::id::{AccountId, UserId};
use crate::time::UnixMillis;

const ADA: UserId = UserId(1);
const BORIS: UserId = UserId(2);

/// A conversation with its notes, and the records of them.
struct Test {
    state: TeamNotes,
    records: Vec<TeamNotesEvent>,
    now: UnixMillis,
}

impl Test {
    fn new() -> Self {
        Self {
            state: TeamNotes::initial(&ConversationId::from_random([7; 16])),
            records: Vec::new(),
            now: UnixMillis::from_secs(100),
        }
    }

    fn run<C: Command<Of = TeamNotes>>(
        &mut self,
        command: C,
        earlier: impl Fn(&TeamNote) -> bool,
    ) -> Result<C::Reply, C::Rejection> {
        let newest = self.records.iter().rev().find(|it| earlier(it.note()));
        let earlier = [newest.cloned().map(Recorded::from)];
        let mut random = || [7; 16];
        let mut moment = Moment {
            now: self.now,
            random: &mut random,
            earlier: &earlier,
        };
        let decision = command.decide(&self.state, &mut moment)?;
        for recorded in &decision.events {
            let stored = serde_json::to_string(&recorded.event).unwrap();
            let event: TeamNotesEvent = serde_json::from_str(&stored).unwrap();
            assert_eq!(event, recorded.event);
            self.state.apply(&event);
            self.records.push(event);
        }
        Ok(decision.reply)
    }

    fn creates(&mut self, text: &str, key: &str) -> Result<StoredNote, TeamNoteRejection> {
        let request = Some(key.parse().unwrap());
        let command = CreateTeamNote {
            by: writer(ADA),
            text: text.parse().unwrap(),
            mentions: BTreeSet::new(),
            request: request.clone(),
        };
        self.run(command, |note| note.request == request)
    }

    fn updates(&mut self, by: UserId, text: &str) -> Result<TeamNote, TeamNoteRejection> {
        let command = UpdateTeamNote {
            by,
            number: 1,
            text: text.parse().unwrap(),
            mentions: None,
        };
        self.run(command, |note| note.number == 1)
            .map(|updated| updated.note)
    }

    /// Mentions these users instead, and returns those who have no news of it.
    fn mentions(&mut self, users: &[UserId]) -> BTreeSet<UserId> {
        let command = UpdateTeamNote {
            by: ADA,
            number: 1,
            text: "Look".parse().unwrap(),
            mentions: Some(users.iter().copied().collect()),
        };
        let updated = self.run(command, |note| note.number == 1).unwrap();
        assert_eq!(updated.note.mentions, users.iter().copied().collect());
        updated.news
    }

    fn deletes(
        &mut self,
        by: UserId,
        is_administrator: bool,
    ) -> Result<TeamNote, TeamNoteRejection> {
        let command = DeleteTeamNote {
            by: writer(by),
            account: AccountId::from_random([1; 16]),
            is_administrator,
            number: 1,
        };
        self.run(command, |note| note.number == 1)
    }
}

fn writer(user: UserId) -> NoteWriter {
    NoteWriter {
        user,
        name: "Ada".parse().unwrap(),
        client: None,
    }
}

#[test]
fn a_repeated_request_is_one_note() {
    let mut test = Test::new();
    let first = test.creates("They pay late", "a").unwrap();
    assert_eq!((first.note.number, first.repeated), (1, false));
    let again = test.creates("They pay late", "a").unwrap();
    assert_eq!((again.note.number, again.repeated), (1, true));
    assert_eq!(
        test.creates("Other", "a"),
        Err(TeamNoteRejection::OtherRequest)
    );
    assert_eq!(test.creates("Other", "b").unwrap().note.number, 2);
    assert_eq!(test.records.len(), 2);
}

#[test]
fn its_writer_changes_a_note_for_a_while() {
    let mut test = Test::new();
    assert_eq!(test.updates(ADA, "x"), Err(TeamNoteRejection::Unknown));
    test.creates("They pay late", "a").unwrap();
    assert_eq!(test.updates(BORIS, "x"), Err(TeamNoteRejection::OfAnother));
    test.now = test.now.plus(Duration::from_secs(899));
    let note = test.updates(ADA, "They paid").unwrap();
    assert_eq!(note.text.unwrap().as_str(), "They paid");
    assert_eq!(note.updated_at, Some(test.now));
    test.now = test.now.plus(Duration::from_secs(1));
    assert_eq!(test.updates(ADA, "x"), Err(TeamNoteRejection::TooLate));
    // A repeat of what is there changes nothing, and so is never too late.
    assert!(test.updates(ADA, "They paid").is_ok());
    assert_eq!(test.records.len(), 2);
}

#[test]
fn a_deleted_note_leaves_a_mark() {
    let mut test = Test::new();
    test.creates("They pay late", "a").unwrap();
    let refusal = test.deletes(BORIS, false);
    assert_eq!(refusal, Err(TeamNoteRejection::NotDeletable));
    let mark = test.deletes(BORIS, true).unwrap();
    assert_eq!((mark.text, mark.deleted_by), (None, Some(BORIS)));
    assert_eq!(test.updates(ADA, "x"), Err(TeamNoteRejection::Deleted));
    assert!(test.deletes(ADA, false).is_ok(), "it is deleted already");
    assert_eq!(test.records.len(), 2);
    assert!(
        matches!(&test.records[1], TeamNotesEvent::Deleted { audit, .. } if audit.action == "team_note.delete")
    );
    // A repeat of the request does not bring it back.
    assert_eq!(
        test.creates("They pay late", "a"),
        Err(TeamNoteRejection::OtherRequest)
    );
}

#[test]
fn a_user_has_the_news_of_a_mention_once_per_note() {
    const CLEO: UserId = UserId(3);
    let mut test = Test::new();
    test.creates("Look", "a").unwrap();
    assert_eq!(test.mentions(&[BORIS]), BTreeSet::from([BORIS]));
    assert_eq!(test.mentions(&[BORIS, CLEO]), BTreeSet::from([CLEO]));
    assert_eq!(test.mentions(&[CLEO]), BTreeSet::new());
    assert_eq!(
        test.mentions(&[BORIS]),
        BTreeSet::new(),
        "an earlier version mentioned Boris"
    );
    let records = test.records.len();
    assert_eq!(test.mentions(&[BORIS]), BTreeSet::new());
    assert_eq!(test.records.len(), records, "the same note is no change");
    let mark = test.deletes(ADA, false).unwrap();
    assert_eq!(mark.mentions, BTreeSet::new());
}

#[test]
fn a_repeat_with_other_mentions_is_another_note() {
    let mut test = Test::new();
    test.creates("Look", "a").unwrap();
    let request: Option<crate::id::IdempotencyKey> = Some("a".parse().unwrap());
    let command = CreateTeamNote {
        by: writer(ADA),
        text: "Look".parse().unwrap(),
        mentions: BTreeSet::from([BORIS]),
        request: request.clone(),
    };
    let refusal = test.run(command, |note| note.request == request);
    assert_eq!(refusal, Err(TeamNoteRejection::OtherRequest));
}
