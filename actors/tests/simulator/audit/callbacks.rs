//! Callbacks: none is lost, none is of a message that is not stored, and those of a conversation go out in order.

use std::collections::BTreeMap;

use switchboard_actors::domain::dispatch::outcome::Class;
use switchboard_actors::domain::id::{MessageId, ScopeId};
use switchboard_actors::system::inbox::MessageView;

use crate::audit::{Seen, Thread};
use crate::ledger::{Ledger, Reply};
use crate::network::Sent;
use crate::world::World;

/// A callback that still waits, of this scope or of any, and where.
pub(super) fn waiting(seen: &Seen, scope: Option<&ScopeId>) -> Option<String> {
    let mut messages = seen.threads.values().flat_map(|thread| &thread.messages);
    messages.find_map(|message| match message {
        MessageView::Out {
            replied, callback, ..
        } if !callback.is_final() && scope.is_none_or(|scope| replied.scope == *scope) => {
            Some(format!("«{}»: {callback:?}", replied.content.text()))
        }
        MessageView::Out { .. } | MessageView::In { .. } => None,
    })
}

/// Counts how callbacks ended, when all have.
pub(super) fn count(world: &World, seen: &Seen) {
    for message in seen.threads.values().flat_map(|thread| &thread.messages) {
        if let MessageView::Out { callback, .. } = message {
            world.coverage.count(match callback.state {
                "delivered" if callback.attempts > 1 => "callback delivered by a repeat",
                "delivered" => "callback delivered",
                "dead" => "callback given up",
                _ => "callback cancelled",
            });
        }
    }
}

pub(super) fn judge(ledger: &Ledger, world: &World, seen: &Seen) -> Result<(), String> {
    let mut log: BTreeMap<MessageId, Vec<(usize, Sent)>> = BTreeMap::new();
    for (place, attempt) in world.network.sent().into_iter().enumerate() {
        let attempts = log.entry(attempt.message).or_default();
        attempts.push((place, attempt));
    }
    for thread in seen.threads.values() {
        in_order(ledger, thread, &log)?;
        for message in &thread.messages {
            if let MessageView::Out { replied, .. } = message {
                let attempts = log.remove(&replied.id).unwrap_or_default();
                end(ledger, world, message, &attempts)?;
            }
        }
    }
    match log.keys().next() {
        Some(strange) => Err(format!("{strange} was sent, and is not stored")),
        None => Ok(()),
    }
}

/// Checks that a callback which ended has the reason of its end.
fn end(
    ledger: &Ledger,
    world: &World,
    message: &MessageView,
    attempts: &[(usize, Sent)],
) -> Result<(), String> {
    let MessageView::Out {
        replied, callback, ..
    } = message
    else {
        return Ok(());
    };
    let meddled = ledger.reply_of(replied.id).is_some_and(|it| it.meddled);
    let scope = world
        .scopes
        .iter()
        .position(|scope| *scope == replied.scope);
    let disconnected = scope.is_some_and(|scope| ledger.ever_disconnected.contains(&scope));
    let arrived = |(_, sent): &&(usize, Sent)| sent.arrived > 0 && sent.class == Class::Delivered;
    let reason = match callback.state {
        "delivered" => attempts.iter().find(arrived).is_some(),
        "dead" => attempts
            .iter()
            .any(|(_, sent)| sent.class != Class::Delivered),
        "cancelled" => meddled || disconnected,
        _ => true,
    };
    if reason {
        return Ok(());
    }
    Err(format!(
        "«{}» is {} after {attempts:?}",
        replied.content.text(),
        callback.state
    ))
}

/// Returns whether the message may leave for the first time behind others: a job queued it again that had been
/// cancelled.
fn leaves_late(ledger: &Ledger, reply: &Reply) -> bool {
    ledger.jobs.ever && ledger.ever_disconnected.contains(&reply.scope)
}

/// A message leaves for the first time after all before it had left, unless one of those was given up before.
fn in_order(
    ledger: &Ledger,
    thread: &Thread,
    sent: &BTreeMap<MessageId, Vec<(usize, Sent)>>,
) -> Result<(), String> {
    let mut latest: Option<(usize, u64)> = None;
    for message in &thread.messages {
        let MessageView::Out {
            replied, callback, ..
        } = message
        else {
            continue;
        };
        let attempts = sent.get(&replied.id).map_or(&[][..], Vec::as_slice);
        let meddled = ledger
            .reply_of(replied.id)
            .is_none_or(|it| it.meddled || leaves_late(ledger, it));
        let Some((first, _)) = attempts.first().filter(|_| !meddled) else {
            if attempts.is_empty() && !meddled && !callback.is_final() && latest.is_none() {
                // Nothing behind one that waits for its first attempt may have left.
                latest = Some((usize::MAX, replied.out));
            }
            continue;
        };
        if let Some((before, out)) = latest
            && *first < before
        {
            return Err(format!(
                "message {} of a conversation left before {out}",
                replied.out
            ));
        }
        latest = latest.max(Some((*first, replied.out)));
    }
    Ok(())
}
