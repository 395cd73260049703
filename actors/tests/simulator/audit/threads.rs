//! Conversations and their messages.

use switchboard_actors::domain::chat::delivery::DeliveryState;
use switchboard_actors::system::inbox::MessageView;

use crate::audit::{Seen, Thread};
use crate::ledger::{Fate, Ledger, Post, Reply};

/// Every acknowledged message is there, once, in its order and whole, and each message was written by a client.
pub(super) fn judge(ledger: &mut Ledger, seen: &Seen) -> Result<(), String> {
    for (id, thread) in &seen.threads {
        let of = ledger.threads.iter().find(|(_, known)| *known == id);
        let name = of.map(|(name, _)| *name);
        numbers(thread)?;
        let mut last = None;
        for (place, message) in thread.messages.iter().enumerate() {
            let post_text = match message {
                MessageView::In { received, raw, .. } => {
                    let mut candidates = ledger.posts.iter_mut().filter(|post| {
                        let here = name.is_none_or(|name| {
                            (name.scope, name.thread) == (post.scope, post.thread)
                        });
                        let possible = post.fate != Fate::Refused;
                        here && possible && post.test_message.body() == raw
                    });
                    let post = candidates.next();
                    let Some(post) = post else {
                        return Err(format!("nobody wrote {raw:?}"));
                    };
                    if post.message.is_none() {
                        post.message = Some(received.id);
                        post.fate = Fate::Accepted;
                    }
                    // Any of those that say the same may be the one that it came of.
                    let (thread, test_message) =
                        ((post.scope, post.thread), post.test_message.clone());
                    let posts = ledger.posts.iter().filter(|post| {
                        (post.scope, post.thread) == thread
                            && test_message.is_retried_by(&post.test_message)
                            && post.fate != Fate::Refused
                    });
                    let earliest = posts.clone().map(|post| post.asked).min();
                    earliest.zip(posts.map(|post| post.answered).min())
                }
                MessageView::Out {
                    replied,
                    afterwards,
                    ..
                } => {
                    let text = replied.content.text();
                    let mut replies = ledger.replies.iter_mut();
                    let Some(reply) =
                        replies.find(|reply| reply.text == text && reply.conversation == *id)
                    else {
                        return Err(format!("nobody wrote «{text}»"));
                    };
                    if reply.fate == Fate::Refused {
                        return Err(format!("«{text}» was refused, and is there"));
                    }
                    if *reply.message.get_or_insert(replied.id) != replied.id {
                        return Err(format!("«{text}» is there twice"));
                    }
                    if reply.fate != Fate::Accepted {
                        reply.fate = Fate::Accepted;
                    }
                    let status = afterwards
                        .status
                        .clone()
                        .map_or(DeliveryState::Sent, DeliveryState::Reported);
                    if !reply.status.seen(|possible| *possible == status) {
                        return Err(format!("«{text}» is {status:?}, not {:?}", reply.status));
                    }
                    Some((reply.asked, reply.answered))
                }
            };
            follows(place, &mut last, post_text)?;
        }
    }
    everything_is_there(ledger, seen)
}

/// Numbers without gaps, and no message twice.
fn numbers(thread: &Thread) -> Result<(), String> {
    let mut ids = Vec::new();
    let (mut outgoing, mut number) = (0, 0);
    for message in &thread.messages {
        number += 1;
        let numbered = match message {
            MessageView::In { received, .. } => received.number == number,
            MessageView::Out { replied, .. } => {
                outgoing += 1;
                replied.number == number && replied.out == outgoing
            }
        };
        if !numbered || ids.contains(&message.id()) {
            return Err(format!("message {number} has another number: {message:?}"));
        }
        ids.push(message.id());
    }
    let state = &thread.view.state;
    if (state.messages, state.outgoing) != (number, outgoing) {
        return Err(format!("{number} messages, but {state:?}"));
    }
    Ok(())
}

/// A message that was answered before the request for another one comes first. `last`: when the latest request of those
/// before was made.
fn follows(
    place: usize,
    last: &mut Option<u64>,
    written: Option<(u64, u64)>,
) -> Result<(), String> {
    let Some((asked, answered)) = written else {
        return Ok(());
    };
    if last.is_some_and(|last| answered < last) {
        return Err(format!("message {} stands behind a later one", place + 1));
    }
    *last = Some(last.unwrap_or(0).max(asked));
    Ok(())
}

fn everything_is_there(ledger: &mut Ledger, seen: &Seen) -> Result<(), String> {
    let ids: Vec<_> = seen
        .threads
        .values()
        .flat_map(|thread| thread.messages.iter().map(MessageView::id))
        .collect();
    let posts = ledger.posts.iter().filter_map(|post: &Post| {
        let name = format!("{} of thread {}", post.msgid, post.thread);
        post.message.map(|message| (message, name))
    });
    let replies = ledger.replies.iter().filter_map(|reply: &Reply| {
        let name = format!("«{}»", reply.text);
        reply.message.map(|message| (message, name))
    });
    for (message, name) in posts.chain(replies) {
        if !ids.contains(&message) {
            return Err(format!("{name} was acknowledged, and is not there"));
        }
    }
    // A message of unknown fate that the audit does not see never was. It must not appear later, unless a client tries
    // again.
    let posts = ledger.posts.iter_mut().map(|post| &mut post.fate);
    for fate in posts.filter(|fate| **fate == Fate::Unknown) {
        *fate = Fate::Refused;
    }
    Ok(())
}
