//! A message that its integration never takes holds up its own conversation and no other.
use std::time::Duration;

use switchboard_actors::domain::dispatch::outcome::{Outcome, ReceiverAnswer};
use switchboard_actors::domain::dispatch::reason::ReasonCode;
use switchboard_actors::domain::id::{ConversationId, MessageId};
use switchboard_actors::system::deliveries::Delivery;
use switchboard_worlds::{ManualClock, Setup, TestSystem};

/// A text that the integration never accepts.
const POISON: &str = "poison";

async fn conversation(test: &TestSystem, name: &str) -> ConversationId {
    let answer = test.customer(name).says("hello").await;
    answer.unwrap().conversation
}

/// The clock of a wait, and its step between two looks.
#[derive(Clone, Copy)]
struct Pace<'c> {
    clock: &'c ManualClock,
    step: Duration,
}

/// Returns the delivery as soon as it is in this state. The clock goes on at this pace until then.
async fn is(test: &TestSystem, id: MessageId, state: &str, pace: Pace<'_>) -> Delivery {
    for _ in 0..10_000 {
        let delivery = test.delivery(id).await.unwrap().unwrap();
        if delivery.callback.state == state {
            return delivery;
        }
        pace.clock.advance(pace.step);
        tokio::task::yield_now().await;
    }
    let delivery = test.delivery(id).await.unwrap().unwrap();
    assert_eq!(delivery.callback.state, state, "{delivery:?}");
    delivery
}

#[actix::test]
async fn a_held_conversation_reports_it_and_others_are_sent() {
    let second = Duration::from_secs(1);
    let setup = Setup::default();
    let pace = |step| Pace {
        clock: &setup.clock,
        step,
    };
    let (now, later) = (pace(Duration::ZERO), pace(second));
    let fails = Outcome::Answered(ReceiverAnswer::plain(500));
    setup.sender.answer_to(POISON, fails);
    let test = setup.start().await;
    let (bo, cy) = (
        conversation(&test, "bo").await,
        conversation(&test, "cy").await,
    );
    let bad = test.ada().replies(bo, POISON).await.unwrap().id;
    let behind = test.ada().replies(bo, "behind it").await.unwrap().id;
    let held_delivery = is(&test, bad, "held", later).await;
    let reason = held_delivery.callback.reason.unwrap();
    assert_eq!(reason.code, ReasonCode::ConversationHeld);
    let beginning = format!("held: only callbacks of conversation {bo} fail");
    assert!(reason.to_string().starts_with(&beginning), "{reason}");
    let waits = test.delivery(behind).await.unwrap().unwrap();
    assert_eq!(waits.callback.reason, Some(reason));
    // Another conversation needs no time at all.
    let other = test.ada().replies(cy, "well").await.unwrap().id;
    is(&test, other, "delivered", now).await;
    // As long as others arrive, the message is charged for its failures, and given up in the end.
    for _ in 0..100 {
        let other = test.ada().replies(cy, "well").await.unwrap().id;
        is(&test, other, "delivered", now).await;
        setup.clock.advance(Duration::from_secs(60));
        let delivery = test.delivery(bad).await.unwrap().unwrap();
        if delivery.callback.is_final() {
            break;
        }
    }
    let dead = is(&test, bad, "dead", now).await;
    let reason = dead.callback.reason.unwrap();
    assert_eq!(
        reason.to_string(),
        "all retries failed; the last attempt: the integration answered 500"
    );
    is(&test, behind, "delivered", later).await;
    test.stop().await;
}
