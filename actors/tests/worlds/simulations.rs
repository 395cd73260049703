//! A simulation of an embedder: what was acknowledged survives, and a fault that is planted is found.

use std::panic::{self, AssertUnwindSafe};

use switchboard_worlds::prelude::*;
use switchboard_worlds::simulation::{self, Simulation};
use switchboard_worlds::{Whole, fixtures, integration};

/// Four lives in which one customer writes, under disturbances; what was acknowledged has to be there once, after each
/// start.
fn history(simulation: &Simulation) {
    let mut acknowledged: Vec<(ConversationId, String)> = Vec::new();
    for life in 0..4 {
        let cut = simulation.cut_before(1 + simulation.draw(200));
        simulation.live(Some(cut), simulation.config(), async |system| {
            if fixtures::declare(system).await.is_err() {
                return;
            }
            let whole = Whole::new(system, fixtures::account_id());
            for (conversation, text) in &acknowledged {
                let messages = whole.messages(*conversation).await.unwrap_or_default();
                let count = messages.iter().filter(|it| text_of(it) == *text).count();
                if count != 1 {
                    simulation.fail(format!("{text:?} is there {count} times"));
                }
            }
            for number in 0..8 {
                simulation.disturb();
                let text = format!("message {number} of life {life}");
                let msgid = format!("m-{life}-{number}");
                let message = TestMessage::from_customer("bo", &msgid, &text);
                let scope = fixtures::scope_id();
                let answer = integration::post(system, &scope, &message).await;
                if let (Ok(accepted), true) = (answer, simulation.hears("an answer")) {
                    acknowledged.push((accepted.conversation, text));
                }
            }
        });
    }
}

#[test]
fn what_was_acknowledged_survives_every_power_cut() {
    simulation::play(60, "cargo test --workspace --test worlds survives", history);
}

#[test]
fn a_disk_that_lies_is_found_with_the_line_that_repeats_it() {
    let played = panic::catch_unwind(AssertUnwindSafe(|| {
        simulation::play(60, "cargo test lies", |simulation| {
            simulation.machine.lie();
            history(simulation);
        });
    }));
    // The thread that played the seed says which one; the scope of threads only that one panicked.
    played.unwrap_err();
    let coverage = simulation::Coverage::default();
    let wrong = (0..60)
        .find_map(|seed| {
            let simulation = Simulation::new(seed, false, &coverage);
            simulation.machine.lie();
            history(&simulation);
            simulation.wrong()
        })
        .unwrap();
    assert!(
        wrong.ends_with("is there 0 times") || wrong.contains("does not start"),
        "{wrong}"
    );
}
