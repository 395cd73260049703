use switchboard_engine::state::{Command, Moment};

use super::delete_sent::DeleteSentDraft;
use super::draft::DraftContent;
use super::update::{DraftOutcome, DraftRejection, UpdateDraft};
use super::*;
use crate::time::UnixMillis;

const ADA: UserId = UserId(1);

fn empty() -> Drafts {
    Drafts::initial(&ConversationId::from_random([7; 16]))
}

/// Decides, and applies what is stored.
fn run<C: Command<Of = Drafts>>(drafts: &mut Drafts, command: C) -> Result<C::Reply, C::Rejection> {
    let mut random = || [7; 16];
    let mut moment = Moment {
        now: UnixMillis::from_secs(100),
        random: &mut random,
        earlier: &[],
    };
    let decision = command.decide(drafts, &mut moment)?;
    for recorded in &decision.events {
        let stored = serde_json::to_string(&recorded.event).unwrap();
        drafts.apply(&serde_json::from_str(&stored).unwrap());
    }
    Ok(decision.reply)
}

fn update(user: UserId, based_on: u64, text: &str) -> UpdateDraft {
    UpdateDraft {
        user,
        kind: DraftKind::Reply,
        based_on,
        content: DraftContent {
            text: text.parse().ok(),
            media: None,
        },
    }
}

fn sent(number: u64) -> DeleteSentDraft {
    DeleteSentDraft {
        user: ADA,
        kind: DraftKind::Reply,
        number,
    }
}

#[test]
fn an_older_page_overwrites_no_newer_version() {
    let mut drafts = empty();
    assert_eq!(
        run(&mut drafts, update(ADA, 0, "one")),
        Ok(DraftOutcome::Stored(1))
    );
    assert_eq!(
        run(&mut drafts, update(ADA, 0, "other")),
        Ok(DraftOutcome::Newer)
    );
    assert_eq!(
        run(&mut drafts, update(ADA, 1, "two")),
        Ok(DraftOutcome::Stored(2))
    );
    assert_eq!(
        run(&mut drafts, update(ADA, 2, "")),
        Ok(DraftOutcome::Stored(3))
    );
    // The number grows across the deletion, too.
    assert_eq!(
        run(&mut drafts, update(ADA, 2, "late")),
        Ok(DraftOutcome::Newer)
    );
    assert_eq!(
        run(&mut drafts, update(UserId(2), 0, "hers")),
        Ok(DraftOutcome::Stored(1))
    );
}

#[test]
fn what_was_sent_goes_and_what_was_written_since_stays() {
    let mut drafts = empty();
    run(&mut drafts, update(ADA, 0, "one")).unwrap();
    run(&mut drafts, sent(1)).unwrap();
    assert_eq!(drafts.number(ADA, DraftKind::Reply), 2);
    run(&mut drafts, update(ADA, 2, "more")).unwrap();
    run(&mut drafts, sent(1)).unwrap();
    run(&mut drafts, sent(0)).unwrap();
    assert_eq!(
        drafts.number(ADA, DraftKind::Reply),
        3,
        "nothing was deleted"
    );
}

#[test]
fn an_empty_first_draft_is_nothing_and_the_writers_are_bounded() {
    let mut drafts = empty();
    assert_eq!(
        run(&mut drafts, update(ADA, 0, "")),
        Ok(DraftOutcome::Stored(0))
    );
    let most = u64::try_from(WRITERS_MAX).unwrap();
    for user in 1..=most {
        run(&mut drafts, update(UserId(user), 0, "text")).unwrap();
    }
    let refusal = run(&mut drafts, update(UserId(most + 1), 0, "text"));
    assert_eq!(refusal, Err(DraftRejection::TooManyWriters));
    assert_eq!(
        run(&mut drafts, update(ADA, 1, "again")),
        Ok(DraftOutcome::Stored(2))
    );
}
