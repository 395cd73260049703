use switchboard_engine::state::{Command, Moment, Recorded};

use super::canned_reply::CannedReplyChange;
use super::create::CreateCannedReply;
use super::delete::DeleteCannedReply;
use super::update::UpdateCannedReply;
use super::*;
use crate::time::UnixMillis;

const ADA: UserId = UserId(1);
const BORIS: UserId = UserId(2);

/// The canned replies of an account, and the records of them.
struct Test {
    state: CannedReplies,
    records: Vec<CannedRepliesEvent>,
}

type Outcome = Result<CannedReply, CannedReplyRejection>;

fn settings(name: &str, text: &str) -> CannedReplySettings {
    CannedReplySettings {
        name: name.parse().unwrap(),
        text: text.parse().unwrap(),
        is_shared: false,
        file: None,
    }
}

fn shared(name: &str) -> CannedReplySettings {
    CannedReplySettings {
        is_shared: true,
        ..settings(name, "Hello")
    }
}

fn full(bound: CannedRepliesFullError) -> CannedReplyRejection {
    CannedReplyRejection::Full(bound)
}

fn editor(user: UserId) -> CannedReplyEditor {
    CannedReplyEditor {
        by: By::Operator,
        user,
        is_administrator: false,
    }
}

impl Test {
    fn new() -> Self {
        Self {
            state: CannedReplies::initial(&AccountId::from_random([1; 16])),
            records: Vec::new(),
        }
    }

    /// Decides, and applies what is stored.
    fn run<C: Command<Of = CannedReplies>>(
        &mut self,
        command: C,
        request: Option<&str>,
    ) -> Result<C::Reply, C::Rejection> {
        let is_of_request = |event: &&CannedRepliesEvent| {
            let key = event.now.as_ref().and_then(|it| it.request.as_ref());
            key.is_some() && key.map(|it| it.as_str()) == request
        };
        let first = self.records.iter().find(is_of_request);
        let earlier = [first.cloned().map(Recorded::from)];
        let mut random = || [7; 16];
        let mut moment = Moment {
            now: UnixMillis::from_secs(100),
            random: &mut random,
            earlier: &earlier,
        };
        let decision = command.decide(&self.state, &mut moment)?;
        for recorded in &decision.events {
            let stored = serde_json::to_string(&recorded.event).unwrap();
            let event: CannedRepliesEvent = serde_json::from_str(&stored).unwrap();
            assert_eq!(event, recorded.event);
            self.state.apply(&event);
            self.records.push(event);
        }
        Ok(decision.reply)
    }

    fn creates(&mut self, author: UserId, settings: CannedReplySettings) -> Outcome {
        self.creates_once(author, settings, None)
    }

    fn creates_once(
        &mut self,
        author: UserId,
        settings: CannedReplySettings,
        request: Option<&str>,
    ) -> Outcome {
        let command = CreateCannedReply {
            by: By::Operator,
            author,
            settings,
            request: request.map(|key| key.parse().unwrap()),
        };
        self.run(command, request)
    }

    fn updates(
        &mut self,
        editor: CannedReplyEditor,
        id: u64,
        change: CannedReplyChange,
    ) -> Outcome {
        let id = CannedReplyId(id);
        let outcome = self.run(UpdateCannedReply { editor, id, change }, None)?;
        Ok(outcome.reply)
    }

    fn deletes(&mut self, editor: CannedReplyEditor, id: u64) -> Outcome {
        let id = CannedReplyId(id);
        self.run(DeleteCannedReply { editor, id }, None)
    }
}

#[test]
fn an_own_one_is_its_authors_alone_and_a_shared_one_everyones() {
    let mut test = Test::new();
    test.creates(ADA, settings("Hi", "Hello")).unwrap();
    test.creates(ADA, shared("Hi")).unwrap();
    let numbers = |user| test.state.iter(user).map(|it| it.id.0).collect::<Vec<_>>();
    assert_eq!((numbers(ADA), numbers(BORIS)), (vec![1, 2], vec![2]));
    let administrator = CannedReplyEditor {
        is_administrator: true,
        ..editor(BORIS)
    };
    let text = || CannedReplyChange {
        text: Some("Bye".parse().unwrap()),
        ..CannedReplyChange::default()
    };
    let (unknown, foreign) = (
        Err(CannedReplyRejection::Unknown),
        Err(CannedReplyRejection::OfAnother),
    );
    assert_eq!(test.updates(administrator.clone(), 1, text()), unknown);
    assert_eq!(test.deletes(administrator.clone(), 1), unknown);
    assert_eq!(test.updates(editor(BORIS), 2, text()), foreign);
    assert_eq!(test.deletes(editor(BORIS), 2), foreign);
    let changed = test.updates(administrator.clone(), 2, text()).unwrap();
    assert_eq!(
        (changed.settings.text.as_str(), changed.author),
        ("Bye", ADA)
    );
    test.deletes(administrator, 2).unwrap();
    assert_eq!(test.creates(BORIS, shared("New")).unwrap().id.0, 3);
}

#[test]
fn a_name_is_free_once_among_mine_and_once_among_the_shared() {
    let mut test = Test::new();
    let taken = Err(CannedReplyRejection::NameTaken);
    test.creates(ADA, settings("Größe", "a")).unwrap();
    test.creates(BORIS, settings("größe", "b")).unwrap();
    test.creates(BORIS, shared("GRÖSSE")).unwrap();
    assert_eq!(test.creates(ADA, settings("GRÖßE", "c")), taken);
    assert_eq!(test.creates(ADA, shared("Grösse")), taken);
    test.creates(ADA, settings("Grösse", "d")).unwrap();
    // Sharing moves it among the shared ones.
    let share = CannedReplyChange {
        is_shared: Some(true),
        ..CannedReplyChange::default()
    };
    assert_eq!(test.updates(editor(ADA), 4, share.clone()), taken);
    test.updates(editor(ADA), 1, share).unwrap();
}

#[test]
fn counts_and_sizes_are_bounded() {
    let mut test = Test::new();
    for number in 0..OWN_MAX {
        let name = format!("n{number}");
        test.creates(ADA, settings(&name, "a")).unwrap();
    }
    let too_many = Err(full(CannedRepliesFullError::Own));
    assert_eq!(test.creates(ADA, settings("x", "a")), too_many);
    let large = "a".repeat(65_536);
    for number in 0..15 {
        let name = format!("n{number}");
        test.creates(BORIS, settings(&name, &large)).unwrap();
    }
    let too_large = Err(full(CannedRepliesFullError::OwnBytes));
    assert_eq!(test.creates(BORIS, settings("x", &large)), too_large);
    test.creates(BORIS, settings("x", "small")).unwrap();
    for number in 0..SHARED_MAX {
        test.creates(ADA, shared(&format!("n{number}"))).unwrap();
    }
    let too_many = Err(full(CannedRepliesFullError::Shared));
    assert_eq!(test.creates(BORIS, shared("x")), too_many);
    let growth = || CannedReplyChange {
        text: Some(large.parse().unwrap()),
        ..CannedReplyChange::default()
    };
    let first = u64::try_from(OWN_MAX + 17).unwrap();
    let outcomes = (first..first + 70).map(|id| test.updates(editor(ADA), id, growth()));
    let errors: Vec<_> = outcomes.filter_map(Result::err).collect();
    assert!((7..20).contains(&errors.len()), "{}", errors.len());
    assert_eq!(errors[0], full(CannedRepliesFullError::SharedBytes));
    let of_others = (3..20).flat_map(|user| (0..15).map(move |number| (UserId(user), number)));
    let refusal = of_others
        .map(|(user, number)| test.creates(user, settings(&format!("n{number}"), &large)))
        .find_map(Result::err);
    assert_eq!(refusal, Some(full(CannedRepliesFullError::Bytes)));
}

#[test]
fn a_repeated_request_is_the_same_canned_reply() {
    let mut test = Test::new();
    let first = test.creates_once(ADA, settings("Hi", "a"), Some("k"));
    let again = test.creates_once(ADA, settings("Hi", "a"), Some("k"));
    assert_eq!(first, again);
    assert_eq!(test.records.len(), 1);
    let other = test.creates_once(ADA, settings("Hi", "b"), Some("k"));
    assert_eq!(other, Err(CannedReplyRejection::OtherRequest));
}

#[test]
fn the_audit_log_has_changes_of_shared_ones_alone() {
    let mut test = Test::new();
    test.creates(ADA, settings("Hi", "secret")).unwrap();
    assert_eq!(test.records[0].audit, None);
    let share = |is_shared| CannedReplyChange {
        is_shared: Some(is_shared),
        ..CannedReplyChange::default()
    };
    test.updates(editor(ADA), 1, share(true)).unwrap();
    test.updates(editor(ADA), 1, share(false)).unwrap();
    test.deletes(editor(ADA), 1).unwrap();
    let fields = |at: usize| {
        let audit = test.records[at].audit.as_ref()?;
        let names = audit.changes.iter().map(|it| it.field.as_str());
        Some((audit.action.as_str(), names.collect::<Vec<_>>()))
    };
    let all = vec!["name", "is_shared", "text"];
    assert_eq!(fields(1), Some(("canned_reply.update", all.clone())));
    assert_eq!(fields(2), Some(("canned_reply.update", all)));
    assert_eq!(fields(3), None);
    let log = serde_json::to_string(&test.records[1].audit).unwrap();
    assert!(!log.contains("secret"), "{log}");
}
