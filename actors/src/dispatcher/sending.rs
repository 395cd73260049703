//! One attempt: what is sent is made from what is stored, and handed to the sender.

use std::sync::Arc;

use crate::dispatcher::composing::{self, ComposeError};
use crate::dispatcher::send_worker::SendJob;
use crate::domain::conversation::{ConversationEvent, Outgoing};
use crate::domain::dispatch::delivery_queue::OutNumber;
use crate::domain::dispatch::outcome::{AttemptFailure, Outcome};
use crate::domain::dispatch::record::AttemptTrace;
use crate::domain::id::ConversationId;
use crate::domain::keys;
use crate::domain::time::UnixMillis;
use switchboard_runtime::port::{Attempt, CallbackSender};
use switchboard_runtime::shared::Kernel;

/// Makes the attempt. Returns when the message was accepted, if it could be read, and the outcome with its trace.
pub(super) async fn make(
    kernel: &Kernel,
    sender: &Arc<dyn CallbackSender>,
    job: &SendJob,
) -> (Option<UnixMillis>, Outcome, AttemptTrace) {
    let now = kernel.clock.now();
    match prepare(kernel, job, now) {
        Ok((attempt, accepted)) => {
            if job.attempt == 1 {
                kernel
                    .shared
                    .meters
                    .first_attempt
                    .record(now.since(accepted));
            }
            let (outcome, trace) = sender.send(attempt).await;
            (Some(accepted), outcome, trace)
        }
        Err((failure, why)) => {
            tracing::warn!(conversation = %job.queue.conversation, number = job.number.0, why, "a callback cannot be sent");
            (
                None,
                Outcome::Failed(failure),
                AttemptTrace::unsent(now, why),
            )
        }
    }
}

fn prepare(
    kernel: &Kernel,
    job: &SendJob,
    now: UnixMillis,
) -> Result<(Attempt, UnixMillis), (AttemptFailure, &'static str)> {
    let (queue, version) = (&job.queue, job.endpoint.version);
    let outgoing = match kernel.shared.unsent.take(queue.conversation, job.number) {
        Some(outgoing) => outgoing,
        None => read_back(kernel, queue.conversation, job.number)?,
    };
    let channel = kernel
        .shared
        .read_cache
        .channel(queue.scope.channel())
        .ok_or((AttemptFailure::NoChannel, "the channel no longer exists"))?;
    let attempt = composing::compose(&channel, queue, &outgoing, version, job.attempt, now).map_err(|why| match why {
        ComposeError::NoAddress => (
            AttemptFailure::NoAddress,
            "the channel has no address for this version",
        ),
        ComposeError::NoRoom => (
            AttemptFailure::NotExpressible,
            "version 1 cannot carry a conversation that the integration has no id of, nor a reaction",
        ),
    })?;
    Ok((attempt, outgoing.written_at()))
}

/// A message as the journal has it.
fn read_back(
    kernel: &Kernel,
    conversation: ConversationId,
    number: OutNumber,
) -> Result<Outgoing, (AttemptFailure, &'static str)> {
    let record = kernel.record::<ConversationEvent>(keys::outgoing(conversation, number.0));
    let outgoing = record.map(|record| record?.event.into_outgoing());
    match outgoing {
        Ok(Some(outgoing)) => Ok(outgoing),
        Ok(None) | Err(_) => Err((AttemptFailure::Unknown, "the message cannot be read back")),
    }
}
