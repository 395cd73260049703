//! Most of an erasure is prepared while the system runs, and what comes meanwhile is erased as well.

use std::path::Path;
use std::time::Duration;

use switchboard_actors::domain::audit::By;
use switchboard_actors::erasures::certificate::Certificate;
use switchboard_actors::erasures::{RetentionRule, Target};
use switchboard_actors::system::erasures::PreparedErasures;
use switchboard_worlds::TestSystem;

use super::{
    GRACE, LATER, WORD, carry_out, carry_out_prepared, customer, filled, setup, traces, verify,
};

/// Orders an erasure and prepares it.
async fn prepared(test: &TestSystem, directory: &Path, target: Target) -> PreparedErasures {
    let order = test.create_erasure(By::Operator, target).await.unwrap();
    assert!(order.is_some());
    let prepared = test.prepare_erasures(directory, &[]).await.unwrap();
    assert!(!names_made(directory).is_empty());
    prepared.unwrap()
}

/// Carries out what is left, and gives the certificate; the preparation was of use, or in vain.
fn finished(directory: &Path, prepared: PreparedErasures, was_of_use: bool) -> Certificate {
    let outcome = carry_out_prepared(directory, Some(prepared)).remove(0);
    assert_eq!(outcome.prepared, was_of_use);
    outcome.outcome.unwrap()
}

/// The files of a preparation.
fn names_made(directory: &Path) -> Vec<String> {
    let names = std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names
        .filter(|name| name.starts_with("next-") || name.ends_with(".next"))
        .collect()
}

#[actix::test]
async fn what_a_customer_writes_meanwhile_is_erased_as_well() {
    let directory = tempfile::tempdir().unwrap();
    let setup = setup(directory.path());
    let (test, hers) = filled(&setup).await;
    let prepared = prepared(&test, directory.path(), customer(2)).await;
    let late = test.customer(GRACE).message(&format!("{WORD} at last"));
    test.post(&late.with_phone("+1 555 0199")).await.unwrap();
    let others = test.customer("alan").says("still here").await.unwrap();
    let before = test.messages_of(others.conversation).await.len();
    test.stop().await;
    let certificate = finished(directory.path(), prepared, true);
    assert_eq!(
        traces(directory.path(), &[GRACE, WORD, "555 0199"]),
        [""; 0]
    );
    assert_eq!(names_made(directory.path()), [""; 0]);
    let counts = certificate.counts;
    assert_eq!((counts.conversations, counts.messages), (1, 13));
    assert_eq!((counts.contacts, counts.leads, counts.masked), (1, 1, 1));
    let report = verify(directory.path());
    assert_eq!(report.erased, certificate.erased_records);
    let test = setup.start().await;
    assert!(test.messages_of(hers).await.is_empty());
    assert_eq!(test.messages_of(others.conversation).await.len(), before);
    assert!(!test.is_erasure_waiting(&[]).await.unwrap());
    test.stop().await;
    verify(directory.path());
}

/// A phone number that is not known when the other records are judged is masked in them as well.
#[actix::test]
async fn a_new_phone_number_begins_the_erasure_again() {
    let directory = tempfile::tempdir().unwrap();
    let setup = setup(directory.path());
    let (test, _) = filled(&setup).await;
    let prepared = prepared(&test, directory.path(), customer(2)).await;
    let late = test.customer(GRACE).message("I have moved.");
    test.post(&late.with_phone(LATER)).await.unwrap();
    test.stop().await;
    let certificate = finished(directory.path(), prepared, false);
    let counts = certificate.counts;
    assert_eq!((counts.messages, counts.masked), (13, 2));
    let words = [GRACE, WORD, "555 0199", LATER];
    assert_eq!(traces(directory.path(), &words), [""; 0]);
    assert_eq!(names_made(directory.path()), [""; 0]);
    verify(directory.path());
}

#[actix::test]
async fn a_customer_who_comes_meanwhile_goes_with_the_account() {
    let directory = tempfile::tempdir().unwrap();
    let setup = setup(directory.path());
    let (test, _) = filled(&setup).await;
    let account = TestSystem::account_id();
    let prepared = prepared(&test, directory.path(), Target::Account { account }).await;
    test.customer("linus").says("penguin").await.unwrap();
    test.stop().await;
    let certificate = finished(directory.path(), prepared, true);
    let counts = certificate.counts;
    assert_eq!((counts.conversations, counts.contacts), (5, 5));
    let words = [GRACE, WORD, "linus", "penguin"];
    assert_eq!(traces(directory.path(), &words), [""; 0]);
    verify(directory.path());
}

#[actix::test]
async fn old_messages_are_erased_while_new_ones_come() {
    let directory = tempfile::tempdir().unwrap();
    let setup = setup(directory.path());
    let (test, hers) = filled(&setup).await;
    setup.clock.advance(Duration::from_secs(86_400));
    let rule = RetentionRule {
        account: None,
        channel: Some(TestSystem::channel_id()),
        before: Some(test.now()),
        relayed_bytes_max: None,
    };
    let target = Target::Messages { rules: vec![rule] };
    setup.clock.advance(Duration::from_secs(60));
    let prepared = prepared(&test, directory.path(), target).await;
    test.customer(GRACE).says("of today").await.unwrap();
    test.stop().await;
    let certificate = finished(directory.path(), prepared, true);
    assert_eq!(certificate.counts.messages, 48);
    assert_eq!(traces(directory.path(), &[WORD]), [""; 0]);
    verify(directory.path());
    let test = setup.start().await;
    assert_eq!(test.messages_of(hers).await.len(), 1);
    test.stop().await;
}

/// The next start discards a preparation that was never carried out, and the erasure still waits.
#[actix::test]
async fn a_preparation_without_an_end_is_discarded() {
    let directory = tempfile::tempdir().unwrap();
    let setup = setup(directory.path());
    let (test, _) = filled(&setup).await;
    drop(prepared(&test, directory.path(), customer(2)).await);
    test.stop().await;
    let test = setup.start().await;
    assert_eq!(names_made(directory.path()), [""; 0]);
    assert!(test.is_erasure_waiting(&[]).await.unwrap());
    test.stop().await;
    assert_eq!(carry_out(directory.path()).len(), 1);
    assert_eq!(traces(directory.path(), &[GRACE, WORD]), [""; 0]);
}
