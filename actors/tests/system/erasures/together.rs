//! Erasures that wait are carried out together: in one pass, and each with its own certificate.

use std::time::Duration;

use switchboard_actors::domain::audit::By;
use switchboard_actors::erasures::certificate::Certificate;
use switchboard_actors::erasures::{ErasureState, RetentionRule, Target};
use switchboard_worlds::{TestMessage, TestSystem};

use super::{GRACE, WORD, carry_out_prepared, customer, filled, setup, traces, verify};

async fn order(test: &TestSystem, target: Target) -> u64 {
    let order = test.create_erasure(By::Operator, target).await.unwrap();
    order.unwrap().number
}

/// The certificates that the journal has, by number.
async fn certificates(test: &TestSystem) -> Vec<Certificate> {
    let mut erasures = test.erasures().await.unwrap();
    erasures.reverse();
    let certificate = |state: ErasureState| match &state {
        ErasureState::Done { certificate } => certificate.as_ref().clone(),
        ErasureState::Waiting | ErasureState::Failed { .. } => panic!("{state:?}"),
    };
    let states = erasures.into_iter().map(|it| it.state);
    states.map(certificate).collect()
}

/// Two customers with a group chat, and old messages: each certificate says what its order alone called for.
#[actix::test]
async fn orders_that_wait_are_carried_out_together() {
    let directory = tempfile::tempdir().unwrap();
    let setup = setup(directory.path());
    let (test, hers) = filled(&setup).await;
    for name in [GRACE, "edsger"] {
        let message = TestMessage::new(&format!("g-{name}"), "to all")
            .in_conversation("c-group")
            .by(&format!("u-{name}"));
        test.post(&message).await.unwrap();
    }
    setup.clock.advance(Duration::from_secs(86_400));
    let rule = RetentionRule {
        account: None,
        channel: Some(TestSystem::channel_id()),
        before: Some(test.now()),
        relayed_bytes_max: None,
    };
    setup.clock.advance(Duration::from_secs(60));
    test.customer("alan").says("of today").await.unwrap();
    let targets = [
        customer(2),
        customer(3),
        Target::Messages { rules: vec![rule] },
    ];
    let mut previews = Vec::new();
    for target in &targets {
        previews.push(test.preview_erasure(target.clone()).await.unwrap());
    }
    for (number, target) in (1..).zip(targets) {
        assert_eq!(order(&test, target).await, number);
    }
    test.stop().await;
    let outcomes = carry_out_prepared(directory.path(), None);
    assert_eq!(outcomes.len(), 3);
    for (done, preview) in outcomes.iter().zip(&previews) {
        let certificate = done.outcome.as_ref().unwrap();
        assert_eq!(certificate.counts, preview.counts, "{}", done.number);
        assert_eq!(certificate.erased_records, preview.erased_records);
    }
    assert_eq!(traces(directory.path(), &[GRACE, WORD, "edsger"]), [""; 0]);
    let report = verify(directory.path());
    // The records of the group chat, and old messages of the two, were called for more than once.
    let called_for: u64 = previews.iter().map(|it| it.erased_records).sum();
    assert!(report.erased < called_for, "{} {called_for}", report.erased);
    let test = setup.start().await;
    let certificates_on_disk = certificates(&test).await;
    let outcome_certificates: Vec<_> = outcomes.into_iter().map(|it| it.outcome.unwrap()).collect();
    assert_eq!(certificates_on_disk, outcome_certificates);
    assert!(test.messages_of(hers).await.is_empty());
    test.stop().await;
    verify(directory.path());
}

/// Those that wait are prepared together; one that is ordered meanwhile waits for the next time.
#[actix::test]
async fn orders_that_wait_are_prepared_together() {
    let directory = tempfile::tempdir().unwrap();
    let setup = setup(directory.path());
    let (test, _) = filled(&setup).await;
    order(&test, customer(2)).await;
    order(&test, customer(3)).await;
    let prepared = test
        .prepare_erasures(directory.path(), &[])
        .await
        .unwrap()
        .unwrap();
    assert_eq!(prepared.numbers(), [1, 2]);
    order(&test, customer(4)).await;
    test.customer(GRACE).says("at last").await.unwrap();
    test.customer("edsger").says("at last").await.unwrap();
    // As the owner of a shared log notes what they go up to.
    let numbers = prepared.numbers();
    test.begin_erasures(Some(&numbers), &[], Duration::ZERO)
        .await
        .unwrap();
    test.customer(GRACE).says("behind the end").await.unwrap();
    test.stop().await;
    let outcomes = carry_out_prepared(directory.path(), Some(prepared));
    let numbers: Vec<_> = outcomes.iter().map(|it| (it.number, it.prepared)).collect();
    assert_eq!(numbers, [(1, true), (2, true)]);
    let counts = |place: usize| outcomes[place].outcome.as_ref().unwrap().counts;
    assert_eq!((counts(0).messages, counts(1).messages), (13, 13));
    assert_eq!(traces(directory.path(), &[WORD, "edsger"]), [""; 0]);
    verify(directory.path());
    let outcomes = carry_out_prepared(directory.path(), None);
    assert_eq!(outcomes[0].number, 3);
    assert_eq!(traces(directory.path(), &["barbara"]), [""; 0]);
    verify(directory.path());
}
