//! The operator's changes of channels: stored together with their entry in the audit log or not at all, to the second.
use std::time::Duration;

use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::dispatch::outcome::{Outcome, ReceiverAnswer};
use switchboard_actors::domain::installation::channels::rotate_secret::RotateSecret;
use switchboard_actors::domain::installation::channels::settings::ChannelChange;
use switchboard_actors::domain::installation::channels::update::UpdateChannel;
use switchboard_actors::domain::installation::channels::{Channel, ChannelRejection};
use switchboard_actors::domain::signature::request::Presented;
use switchboard_actors::domain::signature::{SharedSecret, sign_body};
use switchboard_actors::error::{CommandError, UnavailableError};
use switchboard_actors::port::Attempt;
use switchboard_actors::system::operator::test_send::TestRequest;
use switchboard_worlds::{FaultyDisk, Setup, TestSystem, eventually};

const GRACE: Duration = Duration::from_secs(3_600);

fn secret(text: &str) -> SharedSecret {
    text.parse().unwrap()
}

async fn pause(test: &TestSystem, paused: bool) -> Result<Channel, CommandError<ChannelRejection>> {
    let id = TestSystem::channel_id();
    test.pause_channel(By::Operator, id, paused).await
}

async fn rotate(test: &TestSystem, to: &str) {
    let rotate = RotateSecret {
        by: By::Operator,
        id: TestSystem::channel_id(),
        secret: Some(secret(to)),
        grace: GRACE,
    };
    test.rotate_secret(rotate).await.unwrap();
}

/// Returns the operator's actions, oldest first.
async fn actions(test: &TestSystem) -> Vec<String> {
    let log = test.audit(None, None, 250).await.unwrap();
    let entries = log.entries.into_iter().rev();
    entries
        .filter(|entry| entry.by == By::Operator)
        .map(|entry| entry.action)
        .collect()
}

#[track_caller]
fn signed_with(attempt: &Attempt, text: &str) {
    let signature = sign_body(&secret(text), &attempt.body).to_string();
    assert_eq!(attempt.signature, signature);
}

#[actix::test]
async fn a_pause_that_could_not_be_written_has_no_effect() {
    let disk = FaultyDisk::new();
    let test = Setup::on_disk(disk.clone()).start().await;
    let bo = test.customer("bo");
    let conversation = bo.says("hello").await.unwrap().conversation;
    disk.fail_write(1);
    let refusal = pause(&test, true).await;
    assert_eq!(refusal, Err(UnavailableError::Interrupted.into()));
    assert_eq!(actions(&test).await, [""; 0]);
    eventually(|| test.writable().is_ok()).await;
    test.ada().replies(conversation, "hi").await.unwrap();
    test.setup.sender.wait_for(1).await;
    pause(&test, true).await.unwrap();
    assert_eq!(actions(&test).await, ["channel.pause"]);
    test.ada().replies(conversation, "waits").await.unwrap();
    let test = test.restart().await;
    assert_eq!(actions(&test).await, ["channel.pause"]);
    assert_eq!(test.setup.sender.attempts().len(), 1);
    pause(&test, false).await.unwrap();
    test.setup.sender.wait_for(2).await;
    test.stop().await;
}

#[actix::test]
async fn the_old_secret_is_valid_to_the_end_of_the_grace_period() {
    let test = TestSystem::start().await;
    let bo = test.customer("bo");
    let conversation = bo.says("hello").await.unwrap().conversation;
    rotate(&test, "new").await;
    let channel = test.channel(&TestSystem::channel_id()).unwrap();
    let takes = |text: &str| {
        let signature = sign_body(&secret(text), b"body").to_string();
        let presented = Presented {
            method: "POST",
            path: "/",
            query: None,
            host: None,
            content_md5: None,
            content_type: None,
            date: None,
            body: b"body",
        };
        let proven = channel.proves(&presented, signature.as_bytes(), None, test.now());
        proven.is_some()
    };
    let moment = Duration::from_millis(1);
    test.setup.clock.advance(GRACE - moment);
    assert!(takes("secret") && takes("new"));
    test.ada().replies(conversation, "first").await.unwrap();
    signed_with(&test.setup.sender.wait_for(1).await[0], "secret");
    test.setup.clock.advance(moment);
    assert!(!takes("secret") && takes("new"));
    test.ada().replies(conversation, "second").await.unwrap();
    signed_with(&test.setup.sender.wait_for(2).await[1], "new");
    test.stop().await;
}

#[actix::test]
async fn a_retry_is_signed_with_the_secret_valid_at_its_time() {
    let test = TestSystem::start().await;
    let bo = test.customer("bo");
    let conversation = bo.says("hello").await.unwrap().conversation;
    rotate(&test, "new").await;
    let failed = Outcome::Answered(ReceiverAnswer::plain(500));
    test.setup.sender.answer(failed);
    test.ada().replies(conversation, "answer").await.unwrap();
    test.setup.sender.wait_for(1).await;
    let id = TestSystem::channel_id();
    test.end_rotation(By::Operator, id).await.unwrap();
    let (clock, sender) = (&test.setup.clock, &test.setup.sender);
    eventually(|| {
        clock.advance(Duration::from_secs(1));
        sender.attempts().len() == 2
    })
    .await;
    let attempts = sender.attempts();
    signed_with(&attempts[0], "secret");
    signed_with(&attempts[1], "new");
    assert_eq!(attempts[0].message, attempts[1].message);
    test.stop().await;
}

#[actix::test]
async fn every_attempt_uses_the_time_out_of_its_channel() {
    let test = TestSystem::start().await;
    let change = UpdateChannel {
        by: By::Operator,
        id: TestSystem::channel_id(),
        change: ChannelChange {
            timeout_seconds: Some(Some(3.try_into().unwrap())),
            ..ChannelChange::default()
        },
    };
    test.update_channel(change).await.unwrap();
    let bo = test.customer("bo");
    let conversation = bo.says("hello").await.unwrap().conversation;
    test.ada().replies(conversation, "answer").await.unwrap();
    let id = TestSystem::channel_id();
    let test_send = test.test_send(By::Operator, &id, TestRequest::default());
    assert!(test_send.await.unwrap().attempt.is_delivered());
    for attempt in test.setup.sender.wait_for(2).await {
        assert_eq!(attempt.timeout, Some(Duration::from_secs(3)));
    }
    test.stop().await;
}

#[actix::test]
async fn the_audit_log_is_rebuilt_when_every_index_is_lost() {
    let test = TestSystem::start().await;
    pause(&test, true).await.unwrap();
    rotate(&test, "new").await;
    let before = test.audit(None, None, 250).await.unwrap();
    let mut setup = test.setup.clone();
    test.stop().await;
    setup.tables = Setup::default().tables;
    let test = setup.start_bare().unwrap();
    assert_eq!(test.audit(None, None, 250).await.unwrap(), before);
    // Of the account, the user and the channel of the story, and what was done here.
    assert_eq!(before.entries.len(), 5);
    test.stop().await;
}
