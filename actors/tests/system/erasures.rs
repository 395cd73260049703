//! A customer, an account or old messages are erased: nothing of them is left in any file, and everything else is as it was.

mod prepared;
mod together;

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use switchboard_actors::domain::account_quota::Volume;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::conversation::Conversation;
use switchboard_actors::domain::crm::Lead;
use switchboard_actors::domain::id::{ContactId, ConversationId, LeadId};
use switchboard_actors::domain::operator::note::Note;
use switchboard_actors::domain::webhooks::code::WebhookCode;
use switchboard_actors::erasures::certificate::Certificate;
use switchboard_actors::erasures::create::CreateErasureRejection;
use switchboard_actors::erasures::{CustomerTarget, ErasureState, RetentionRule, Target};
use switchboard_actors::error::CommandError;
use switchboard_actors::system::erasures::{CarriedOut, PreparedErasures};
use switchboard_actors::system::inbox::MessageView;
use switchboard_actors::{System, SystemConfig};
use switchboard_engine::store::disk::file::FileDisk;
use switchboard_engine::store::tables::sled::SledHome;
use switchboard_engine::store::verify::{FileState, VerifyReport};
use switchboard_worlds::{Setup, TestMessage, TestSystem, eventually};

/// The customer who is erased, and the words that only she says.
const GRACE: &str = "grace-hopper";
const WORD: &str = "nanosecond";
/// A phone number that the audit log names before it is known to be hers.
const LATER: &str = "+1 555 0200";

fn setup(directory: &Path) -> Setup {
    Setup {
        config: SystemConfig {
            segment_bytes: 20_000,
            checkpoint_records: 60,
            ..SystemConfig::default()
        },
        disk: Arc::new(FileDisk::open(directory).unwrap()),
        tables: Arc::new(SledHome::new(directory.join("tables"))),
        ..Setup::default()
    }
}

/// Grace and three others write and are answered; a note in the audit log names her.
async fn filled(setup: &Setup) -> (TestSystem, ConversationId) {
    let test = setup.start().await;
    let mut hers = None;
    for round in 0..8 {
        for name in ["alan", GRACE, "edsger", "barbara"] {
            let text_message = test
                .customer(name)
                .message(&format!("{WORD} {round} of {name}"));
            let text = if name == GRACE {
                text_message.with_phone("+1 555 0199")
            } else {
                test.customer(name).message("hello")
            };
            let acceptance = test.post(&text).await.unwrap();
            if name == GRACE {
                hers = Some(acceptance.conversation);
            }
            if round % 2 == 0 {
                let text = if name == GRACE {
                    format!("a {WORD} for you")
                } else {
                    "hi".to_owned()
                };
                test.ada()
                    .replies(acceptance.conversation, &text)
                    .await
                    .unwrap();
            }
        }
    }
    let change = serde_json::json!({ "field": "reason", "after": format!("Name of u-{GRACE} called from +1 555 0199") });
    test.note(Note {
        by: By::Operator,
        action: "test.note",
        object: "x".to_owned(),
        account: Some(TestSystem::account_id()),
        changes: vec![serde_json::from_value(change).unwrap()],
    })
    .await
    .unwrap();
    let change = serde_json::json!({ "field": "reason", "after": format!("{LATER} called, too") });
    test.note(Note {
        by: By::Operator,
        action: "test.note",
        object: "y".to_owned(),
        account: Some(TestSystem::account_id()),
        changes: vec![serde_json::from_value(change).unwrap()],
    })
    .await
    .unwrap();
    let sender = setup.sender.clone();
    eventually(move || sender.arrived().len() >= 16).await;
    // What became of the callbacks is on disk then.
    (test.restart().await, hers.unwrap())
}

/// The leads that there are, by number.
async fn leads(test: &TestSystem) -> Vec<Lead> {
    let mut leads = Vec::new();
    for number in 1..=test.whole().crm().await.unwrap().leads {
        leads.extend(test.whole().lead(LeadId(number)).await.unwrap());
    }
    leads
}

fn customer(contact: u64) -> Target {
    Target::Customer(CustomerTarget {
        account: TestSystem::account_id(),
        contact: Some(ContactId(contact)),
        person: None,
    })
}

/// Carries out what waits and gives the certificates.
fn carry_out(directory: &Path) -> Vec<Certificate> {
    let outcomes = carry_out_prepared(directory, None);
    outcomes.into_iter().map(|it| it.outcome.unwrap()).collect()
}

fn carry_out_prepared(directory: &Path, prepared: Option<PreparedErasures>) -> Vec<CarriedOut> {
    let outcomes = System::carry_out_erasures(directory, &[], prepared, false).unwrap();
    for (number, _) in System::unfinished_erasures(directory).unwrap() {
        System::finish_erasure(directory, number).unwrap();
    }
    outcomes
}

fn verify(directory: &Path) -> VerifyReport {
    let report = System::verify(directory, &mut |_| {}).unwrap();
    assert_eq!(report.verdict(), FileState::Sound, "{report:#?}");
    report
}

/// The files of a directory that have one of these words.
fn traces(directory: &Path, words: &[&str]) -> Vec<String> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(traces(&path, words));
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        let has = |word: &&&str| bytes.windows(word.len()).any(|it| it == word.as_bytes());
        if let Some(word) = words.iter().find(has) {
            files.push(format!("{} has {word}", path.display()));
        }
    }
    files
}

#[actix::test]
async fn an_erased_customer_leaves_no_trace_and_others_stay() {
    let directory = tempfile::tempdir().unwrap();
    let setup = setup(directory.path());
    let (test, hers) = filled(&setup).await;
    let before = leads(&test).await;
    let words = [GRACE, WORD, "555 0199"];
    let preview = test.preview_erasure(customer(2)).await.unwrap();
    let erasure = test
        .create_erasure(By::Operator, customer(2))
        .await
        .unwrap()
        .unwrap();
    let again = test.create_erasure(By::Operator, customer(2)).await;
    assert!(matches!(
        again,
        Err(CommandError::Rejected(CreateErasureRejection::Waits(1)))
    ));
    assert_eq!(
        test.create_erasure(By::Operator, customer(99))
            .await
            .unwrap(),
        None
    );
    assert!(test.is_erasure_waiting(&[]).await.unwrap());
    test.stop().await;
    assert!(!traces(directory.path(), &words).is_empty());
    let certificate = carry_out(directory.path()).remove(0);
    assert_eq!(traces(directory.path(), &words), [""; 0]);
    let counts = certificate.counts;
    assert_eq!((counts.conversations, counts.messages), (1, 12));
    assert_eq!((counts.contacts, counts.leads, counts.masked), (1, 1, 1));
    assert!(counts.callback_records >= 4, "{counts:?}");
    assert_eq!(certificate.erased_records, preview.erased_records);
    let report = verify(directory.path());
    assert_eq!(report.erased, certificate.erased_records);

    let test = setup.start().await;
    let erasures = test.erasures().await.unwrap();
    let state = ErasureState::Done {
        certificate: Box::new(certificate),
    };
    assert_eq!((erasures.len(), &erasures[0].state), (1, &state));
    assert_eq!(erasures[0].target, erasure.target);
    assert!(test.messages_of(hers).await.is_empty());
    let after = leads(&test).await;
    let rest: Vec<_> = before.into_iter().filter(|lead| lead.id.0 != 2).collect();
    assert_eq!(after, rest);
    // Who writes again is a new customer, with new numbers.
    let acceptance = test.customer(GRACE).says("again").await.unwrap();
    assert_eq!(test.messages_of(acceptance.conversation).await.len(), 1);
    let leads = leads(&test).await;
    let newest = leads.last().unwrap();
    assert_eq!((newest.id.0, newest.contact), (5, Some(ContactId(5))));
    test.stop().await;
    verify(directory.path());
}

#[actix::test]
async fn an_erased_account_leaves_only_its_number() {
    let directory = tempfile::tempdir().unwrap();
    let setup = setup(directory.path());
    let (test, hers) = filled(&setup).await;
    let account = TestSystem::account_id();
    let number = test.accounts().await.unwrap().get(account).unwrap().number;
    let caller = test.caller(TestSystem::TOKEN).await.unwrap().unwrap();
    let access = test.user_access(&caller).await.unwrap();
    let destination = "https://hooks.example/s3cret".parse().unwrap();
    let codes = vec![WebhookCode::AddMessage];
    access.create_webhook(destination, codes, 10).await.unwrap();
    let target = Target::Account { account };
    test.create_erasure(By::Operator, target)
        .await
        .unwrap()
        .unwrap();
    test.stop().await;
    let certificate = carry_out(directory.path()).remove(0);
    let counts = certificate.counts;
    assert_eq!(
        (counts.conversations, counts.contacts, counts.users),
        (4, 4, 1)
    );
    assert_eq!(
        traces(
            directory.path(),
            &[GRACE, WORD, "hello", "edsger", "hooks.example", "s3cret"]
        ),
        [""; 0]
    );
    verify(directory.path());
    let test = setup.start_bare().unwrap();
    assert!(test.accounts().await.unwrap().get(account).is_none());
    assert!(test.caller(TestSystem::TOKEN).await.unwrap().is_none());
    assert!(test.messages_of(hers).await.is_empty());
    test.stop().await;
    // Declared again, it is another account.
    let test = setup.start().await;
    let account_view = test.accounts().await.unwrap().get(account).unwrap().clone();
    assert_eq!(account_view.number.0, number.0 + 1);
    test.stop().await;
    verify(directory.path());
}

/// Old messages go, the conversation and its lead stay where they were, and callbacks that wait keep their messages.
#[actix::test]
async fn messages_older_than_their_retention_are_erased() {
    let directory = tempfile::tempdir().unwrap();
    let setup = setup(directory.path());
    let (test, hers) = filled(&setup).await;
    let in_group = |by| {
        TestMessage::new(by, "to all")
            .in_conversation("c-group")
            .by(by)
    };
    let grace = test.post(&in_group("g-grace")).await.unwrap().sender;
    test.post(&in_group("g-alan")).await.unwrap();
    setup.clock.advance(Duration::from_secs(86_400));
    let since = test.now();
    setup.clock.advance(Duration::from_secs(60));
    let acceptance = test.customer("alan").says("of today").await.unwrap();
    let before = (
        leads(&test).await,
        test.whole().conversations().await.unwrap(),
    );
    let rule = RetentionRule {
        account: None,
        channel: Some(TestSystem::channel_id()),
        before: Some(since),
        relayed_bytes_max: None,
    };
    let target = Target::Messages { rules: vec![rule] };
    let preview = test.preview_erasure(target.clone()).await.unwrap();
    assert_eq!(preview.counts.messages, 50);
    test.create_erasure(By::Service, target.clone())
        .await
        .unwrap()
        .unwrap();
    test.stop().await;
    let certificate = carry_out(directory.path()).remove(0);
    assert_eq!(
        (
            certificate.counts.conversations,
            certificate.counts.messages
        ),
        (5, 50)
    );
    assert_eq!(traces(directory.path(), &[WORD]), [""; 0]);
    verify(directory.path());
    let test = setup.start().await;
    assert!(test.messages_of(hers).await.is_empty());
    let messages = test.messages_of(acceptance.conversation).await;
    assert_eq!(messages.len(), 1);
    assert!(matches!(&messages[0], MessageView::In { received, .. } if received.number == 13));
    assert_eq!(leads(&test).await, before.0);
    let now = test.whole().conversations().await.unwrap();
    let ids = |list: &[switchboard_actors::system::inbox::ConversationView]| -> Vec<_> {
        let without_volume = |state: &Conversation| Conversation {
            volume: Volume::default(),
            ..state.clone()
        };
        list.iter()
            .map(|it| (it.state.id, without_volume(&it.state)))
            .collect()
    };
    // What is erased takes no storage any more.
    let bytes_of = |list: &[switchboard_actors::system::inbox::ConversationView]| -> u64 {
        list.iter().map(|it| it.state.volume.storage_bytes()).sum()
    };
    assert!(bytes_of(&now) + 50 * 1_024 <= bytes_of(&before.1));
    assert_eq!(ids(&now), ids(&before.1));
    // Customers of a group chat are still known.
    let repeat = TestMessage::new("g-1", "again")
        .in_conversation("c-new")
        .by("g-new");
    assert_eq!(
        test.post(&repeat.by_person(grace)).await.unwrap().sender,
        grace
    );
    // The conversation goes on with the next number, and the same again erases nothing.
    test.customer(GRACE).says("more").await.unwrap();
    assert_eq!(test.messages_of(hers).await.len(), 1);
    assert!(test.preview_erasure(target).await.unwrap().is_empty());
    test.stop().await;
    verify(directory.path());
}
