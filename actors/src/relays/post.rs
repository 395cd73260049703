//! One attempt to bring a post of the bridge to the counterpart: with the signature that it came with while that is in force, else with a
//! new one.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use crate::domain::dispatch::delivery_queue::OutNumber;
use crate::domain::dispatch::outcome::{AttemptFailure, Outcome};
use crate::domain::relays::RelayChat;
use crate::relays::ids::{RealIds, real_ids};
use crate::relays::job::{AttemptResult, RelayJob};
use switchboard_engine::runtime::ask::execute;
use switchboard_relay::hooks::RelayedHook;
use switchboard_relay::hooks::note_answer::NoteAnswer;
use switchboard_relay::posts::{RelayedPost, content_type, id_of_answer};
use switchboard_runtime::error::{CommandError, UnavailableError};
use switchboard_runtime::port::{CallbackSender, PostAnswer, PostAttempt};
use switchboard_runtime::shared::Kernel;

/// The longest time for which a post queues for its turn. It is short, so that a request whose sender waits comes in between.
const TURN_MAX: Duration = Duration::from_secs(1);

/// Makes the attempt.
pub(super) async fn make(
    kernel: Kernel,
    sender: Arc<dyn CallbackSender>,
    job: RelayJob,
    hook: RelayedHook,
    body: Bytes,
) -> AttemptResult {
    let began = kernel.clock.now();
    let unsent = |failure, why| AttemptResult::unsent(began, failure, why);
    let chat = job.queue.of_relay();
    let Some(post) = hook.post.clone() else {
        return unsent(AttemptFailure::NotExpressible, "this is no post");
    };
    wait_for_turn(&kernel, chat).await;
    let attempt = match attempt_of(&kernel, chat, &hook, &post, body) {
        Ok(Some(attempt)) => attempt,
        Ok(None) => {
            let why = "the relay stores no posts any more";
            return unsent(AttemptFailure::NoAddress, why);
        }
        Err(error) => {
            tracing::warn!(%error, number = job.number.0, "the ids of a post cannot be read back");
            return unsent(AttemptFailure::Unknown, "the ids cannot be read back");
        }
    };
    let answer = sender.send_post(attempt).await;
    if answer.outcome.status() == Some(200)
        && let Err(error) = note(&kernel, chat, job.number, &post, &answer.body).await
    {
        tracing::warn!(%error, number = job.number.0, "the counterpart's id of a message cannot be stored; the message goes up again");
        return unsent(AttemptFailure::Unknown, "the answer cannot be stored");
    }
    result(answer)
}

/// Waits until a request may go up, at the pace that the operator set.
async fn wait_for_turn(kernel: &Kernel, chat: RelayChat) {
    while let Some(relay) = kernel.shared.relays.get(chat.relay) {
        let turn = relay.pace.turn(kernel.clock.now(), TURN_MAX);
        if turn == Some(Duration::ZERO) {
            return;
        }
        kernel.clock.sleep(turn.unwrap_or(TURN_MAX)).await;
        if turn.is_some() {
            return;
        }
    }
}

/// The attempt to bring up a post; none when its relay stores no posts any more.
fn attempt_of(
    kernel: &Kernel,
    chat: RelayChat,
    hook: &RelayedHook,
    post: &RelayedPost,
    body: Bytes,
) -> Result<Option<PostAttempt>, UnavailableError> {
    let Some(relay) = kernel.shared.relays.get(chat.relay) else {
        return Ok(None);
    };
    // What this one waits for in its own conversation has left before it, or never will.
    let ids = real_ids(kernel, chat.relay, "", &body, Some(chat))?;
    let other = match ids {
        RealIds::Exchanged { body, .. } => Some(body),
        RealIds::Same | RealIds::Waits => None,
    };
    let is_changed = other.is_some();
    let body = other.unwrap_or(body);
    let settings = &relay.settings;
    let Some(url) = settings.address_of_posts(&post.target) else {
        return Ok(None);
    };
    let at = kernel.clock.now();
    let proof = post.headers(&hook.envelope, &body, is_changed, &settings.secret, at);
    let mut headers = vec![("content-type", content_type(&hook.envelope))];
    headers.extend(proof.named());
    let agent = hook.envelope.user_agent.clone();
    headers.extend(agent.map(|agent| ("user-agent", agent)));
    Ok(Some(PostAttempt {
        url: url.into(),
        headers,
        body,
        at,
        timeout: settings.bounds.timeout,
    }))
}

/// Stores the id that the counterpart gave a message. The answer counts only when it is on disk.
async fn note(
    kernel: &Kernel,
    chat: RelayChat,
    number: OutNumber,
    post: &RelayedPost,
    body: &[u8],
) -> Result<(), UnavailableError> {
    let Some(real) = id_of_answer(body) else {
        tracing::warn!(
            number = number.0,
            "the counterpart took a message and named no id of it"
        );
        return Ok(());
    };
    let own = post.own;
    let storage = execute(kernel, &chat, NoteAnswer { number, own, real }).await;
    storage.map_err(|refused| match refused {
        CommandError::Rejected(never) => match never {},
        CommandError::Unavailable(unavailable) => unavailable,
    })
}

/// The result of an attempt. A refusal by the interface is final: the same message gets the same answer. That of a page for people is
/// not: the counterpart blocks the address with one.
fn result(answer: PostAnswer) -> AttemptResult {
    let is_page = answer.body.trim_ascii_start().starts_with(b"<");
    let outcome = match answer.outcome {
        Outcome::Answered(mut answer) => {
            let is_refusal = matches!(answer.status, 400..=407 | 409..=424 | 426..=428 | 430..=499);
            answer.no_retry = is_refusal && !is_page;
            Outcome::Answered(answer)
        }
        failed @ Outcome::Failed(_) => failed,
    };
    AttemptResult {
        outcome,
        trace: answer.trace,
        is_stale: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::dispatch::outcome::{Class, ReceiverAnswer};
    use crate::domain::dispatch::record::AttemptTrace;
    use crate::domain::time::UnixMillis;

    #[test]
    fn refusals_are_final_and_pages_are_not() {
        for (status, body, class) in [
            (200, "{}", Class::Delivered),
            (400, "{}", Class::Aborted),
            (403, "{}", Class::Aborted),
            (404, "", Class::Aborted),
            (410, "{}", Class::Aborted),
            (403, " <html>", Class::Misconfigured),
            (408, "{}", Class::Failing),
            (425, "{}", Class::Failing),
            (429, "{}", Class::TooMany),
            (500, "{}", Class::Failing),
            (302, "", Class::Misconfigured),
        ] {
            let answer = PostAnswer {
                outcome: Outcome::Answered(ReceiverAnswer::plain(status)),
                trace: AttemptTrace::unsent(UnixMillis::ZERO, ""),
                body: Bytes::from_static(body.as_bytes()),
            };
            assert_eq!(result(answer).outcome.class(), class, "{status} {body}");
        }
    }
}
