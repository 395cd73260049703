//! The integrations report what became of messages, back and forth.

use std::rc::Rc;

use switchboard_actors::System;
use switchboard_actors::domain::conversation::report_delivery::ReportEffect;
use switchboard_actors::domain::id::MessageId;
use switchboard_actors::error::CommandError;
use switchboard_worlds::integration::{self, IntegrationError};

use crate::ledger::{Fate, REPORTS};
use crate::world::World;

/// Reports on a message of which a callback arrived, or that was answered.
pub(crate) async fn report(world: &Rc<World>, system: &System) {
    let Some((place, scope, message)) = choose(world) else {
        return;
    };
    let report = REPORTS[world.draw(REPORTS.len())];
    let before = {
        let status = &mut world.ledger.borrow_mut().replies[place].status;
        let before = status.clone();
        status.maybe_changed(|before| report.over(before));
        before
    };
    let answer = integration::report(system, &world.scopes[scope], message, report.status()).await;
    if !world.hears("an integration is answered") {
        return;
    }
    let fate = world.fate(&answer);
    let mut ledger = world.ledger.borrow_mut();
    let disconnected = ledger.ever_disconnected.contains(&scope);
    let status = &mut ledger.replies[place].status;
    match fate {
        Fate::Accepted => {
            *status = before;
            let is_change = matches!(answer, Ok(ReportEffect::Changed));
            let moves = status.seen(|before| (report.over(before) != *before) == is_change);
            if !moves {
                world.fail(format!(
                    "a report on {message} has another effect than it must"
                ));
            }
            status.changed(|before| report.over(before));
            let effect = if is_change {
                "report moved a message on"
            } else {
                "report that says nothing new or goes back"
            };
            world.coverage.count(effect);
        }
        Fate::Refused => *status = before,
        Fate::Asked | Fate::Unknown => {}
    }
    match answer {
        Err(CommandError::Rejected(IntegrationError::NotConnected(_))) if disconnected => {}
        Err(CommandError::Rejected(rejection)) => {
            world.fail(format!("reporting on {message}: {rejection}"));
        }
        Ok(_) | Err(CommandError::Unavailable(_)) => {}
    }
}

/// A message that the integration can know.
fn choose(world: &World) -> Option<(usize, usize, MessageId)> {
    let ledger = world.ledger.borrow();
    let replies: Vec<_> = ledger
        .replies
        .iter()
        .enumerate()
        .filter_map(|(place, reply)| Some((place, reply.scope, reply.message?)))
        .collect();
    let index = world.dice.borrow_mut().place(replies.len())?;
    Some(replies[index])
}
