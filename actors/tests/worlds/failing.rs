//! The report of a world that fails a test: at the line of the test, in words, with its journal.

use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, Once, PoisonError};
use std::thread::{self, ThreadId};

use switchboard_worlds::prelude::*;

/// The places in the code at which threads of this process panicked.
static PANICS: Mutex<Vec<(ThreadId, String)>> = Mutex::new(Vec::new());

/// Runs a test that has to fail; gives the file and the line that it is said to fail at, and the text.
fn failure(test: impl FnOnce()) -> (String, String) {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let place = info.location().map(ToString::to_string).unwrap_or_default();
            let mut panics = PANICS.lock().unwrap_or_else(PoisonError::into_inner);
            panics.push((thread::current().id(), place));
            drop(panics);
            usual(info);
        }));
    });
    let failed = panic::catch_unwind(AssertUnwindSafe(test)).unwrap_err();
    let panics = PANICS.lock().unwrap();
    let mut own = panics
        .iter()
        .filter(|(id, _)| *id == thread::current().id());
    let place = own.next_back().unwrap().1.clone();
    let text = failed.downcast::<String>().unwrap();
    (place, *text)
}

/// This line, from which the failure is so many lines away.
macro_rules! line_after {
    ($lines:expr) => {
        format!("{}:{}:", file!(), line!() + $lines)
    };
}

#[test]
fn a_hopeless_wait_fails_at_once_at_the_callers_line() {
    let world = World::start();
    world.receiver().answer_always(Behaviour::no_retry(400));
    world.customer("bo").says("Have you any tulips?");
    world.user("ada").replies("Red ones.");
    let mut here = String::new();
    let (place, text) = failure(|| {
        here = line_after!(1);
        world.wait(Until::callbacks(2));
    });
    assert!(place.starts_with(&here), "{place} is not {here}");
    let report = "\
expected that 2 callbacks have arrived: so far 1; nothing is queued or under way that could change it
  reply \"Red ones.\" is given up: aborted (attempts so far: 1)
journal of the world with seed 1:
  00:00:00.000  world          starts with seed 1
  00:00:00.000  customer bo    writes \"Have you any tulips?\" (m-0)
  00:00:00.001  user ada       replies \"Red ones.\"
  00:00:00.001  callback       \"Red ones.\", attempt 1: answered with 400
";
    assert_eq!(text, report);
}

#[test]
fn patience_is_counted_in_the_worlds_time() {
    let world = World::start();
    world.set_patience(Duration::from_secs(10));
    world.receiver().answer_always(Behaviour::status(500));
    world.customer("bo").says("Have you any tulips?");
    let message = world.user("ada").replies("Red ones.");
    let (before, begun) = (world.now(), std::time::Instant::now());
    let (_, text) = failure(|| world.wait(Until::delivered(message.message)));
    let first = text.lines().next().unwrap();
    assert!(
        first.contains("waits for its next attempt at 00:0"),
        "{text}"
    );
    assert!(first.ends_with("the patience of 10s is over"), "{text}");
    let elapsed = world.now().since(before);
    assert!(elapsed >= Duration::from_secs(10), "{elapsed:?}");
    assert!(elapsed < Duration::from_secs(11), "{elapsed:?}");
    println!("ten seconds took {:?}", begun.elapsed());
}

#[test]
fn a_refusal_names_the_callers_line_and_the_reason() {
    let world = World::start();
    world.disk_full();
    let mut here = String::new();
    let (place, text) = failure(|| {
        here = line_after!(1);
        world.customer("bo").says("Have you any tulips?");
    });
    assert!(place.starts_with(&here), "{place} is not {here}");
    let first = "expected that bo can say \"Have you any tulips?\": refused: ";
    assert!(text.starts_with(first), "{text}");
    assert!(text.contains("customer bo    → refused: "), "{text}");
}

#[test]
fn a_reply_without_a_customer_is_a_mistake_of_the_test() {
    let world = World::start();
    let (_, text) = failure(|| {
        world.user("ada").replies("Hello?");
    });
    assert!(
        text.starts_with("no customer has written anything yet\n"),
        "{text}"
    );
    let (_, text) = failure(|| {
        world.user("ada").replies_to("bo", "Hello?");
    });
    assert!(text.starts_with("bo has written nothing yet\n"), "{text}");
}

#[test]
fn a_world_in_an_async_test_says_what_to_do() {
    let runner = actix::System::new();
    let (_, text) = failure(|| runner.block_on(async { drop(World::start()) }));
    let first =
        "a world has an event loop of its own: use it in a plain #[test], not in an async one";
    assert!(text.starts_with(first), "{text}");
}

/// The assertion is one of the test's own: the world prints its journal when it is dropped.
#[test]
fn a_world_that_is_dropped_by_a_panic_drops_quietly() {
    let (_, text) = failure(|| {
        let world = World::start();
        world.customer("bo").says("Have you any tulips?");
        assert_eq!(world.texts("bo").len(), 2, "as many as this");
    });
    assert!(text.contains("as many as this"), "{text}");
}

#[test]
fn a_wait_that_ends_too_early_names_what_is_due() {
    let world = World::start();
    let hour = Duration::from_secs(3_600);
    world.user("ada").answers(2 * hour, "Good morning.");
    world.customer("bo").says("Have you any tulips?");
    let (_, text) = failure(|| world.wait(Until::quiet()));
    for words in [
        "0 are queued, 0 of them under way, 1 habits are due",
        "the patience of 3600s is over",
        "user ada answers \"Good morning.\" at 02:00:00.",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}
