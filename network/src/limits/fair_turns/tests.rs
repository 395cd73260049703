use futures_util::FutureExt as _;

use super::*;

#[cfg(interleavings)]
mod interleavings;

const LIMITS: TurnLimits = TurnLimits {
    at_once: 1,
    waiting: 4,
    share: 3,
};

type Waiting = std::pin::Pin<Box<dyn Future<Output = Result<Turn<&'static str>, TurnError>>>>;

/// Begins to wait; the place in the queue is taken when this returns.
fn wait(turns: &Arc<FairTurns<&'static str>>, holder: &'static str) -> Waiting {
    let turns = Arc::clone(turns);
    let mut waiting: Waiting = Box::pin(async move { turns.turn(holder).await });
    assert!(waiting.as_mut().now_or_never().is_none(), "it is its turn");
    waiting
}

fn turns() -> (Arc<FairTurns<&'static str>>, Turn<&'static str>) {
    let turns = Arc::new(FairTurns::new("turns of a test", LIMITS));
    let first = turns.turn("crowd").now_or_never().unwrap().unwrap();
    (turns, first)
}

#[test]
fn holders_take_turns() {
    let (turns, first) = turns();
    let mut crowd = [(); 3].map(|()| wait(&turns, "crowd"));
    let mut lonely = wait(&turns, "lonely");
    drop(first);
    let second = crowd[0].as_mut().now_or_never().unwrap().unwrap();
    assert!(lonely.as_mut().now_or_never().is_none());
    drop(second);
    assert!(crowd[1].as_mut().now_or_never().is_none());
    let third = lonely.as_mut().now_or_never().unwrap().unwrap();
    drop(third);
    assert!(crowd[1].as_mut().now_or_never().unwrap().is_ok());
    assert_eq!(turns.count(), 1, "and the last one works");
}

#[test]
fn the_oldest_wait_of_the_most_makes_room() {
    let (turns, first) = turns();
    let mut crowd = [(); 3].map(|()| wait(&turns, "crowd"));
    let _fourth = wait(&turns, "crowd");
    let given_up = crowd[0].as_mut().now_or_never().unwrap();
    assert_eq!(given_up.unwrap_err(), TurnError, "its share is full");
    let mut lonely = [wait(&turns, "a"), wait(&turns, "b")];
    assert!(crowd[1].as_mut().now_or_never().unwrap().is_err());
    assert_eq!((turns.count(), turns.given_up()), (5, 2));
    drop(first);
    assert!(
        lonely
            .iter_mut()
            .all(|it| it.as_mut().now_or_never().is_none())
    );
}

#[test]
fn who_has_left_is_passed_over() {
    let (turns, first) = turns();
    let leaver = wait(&turns, "gone");
    let mut stays = wait(&turns, "stays");
    drop(leaver);
    drop(first);
    let turn = stays.as_mut().now_or_never().unwrap().unwrap();
    assert_eq!(turns.count(), 1);
    drop(turn);
    assert_eq!(turns.count(), 0);
    assert!(turns.lock().holders.is_empty() && turns.lock().order.is_empty());
}
