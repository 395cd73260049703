//! One attempt: the form as it is stored, to the address as it is now.

use std::sync::Arc;

use crate::domain::dispatch::outcome::{AttemptFailure, Outcome};
use crate::domain::dispatch::record::AttemptTrace;
use crate::domain::hooks::feed::HookFeedEvent;
use crate::domain::hooks::hook::{HookNumber, StoredHook};
use crate::domain::hooks::routing::HookQueueId;
use crate::domain::id::HookRequestId;
use crate::domain::keys;
use switchboard_runtime::port::{CallbackSender, HookAttempt};
use switchboard_runtime::shared::Kernel;

/// An attempt to be made.
#[derive(Clone, Debug)]
pub(super) struct HookJob {
    pub(super) queue: HookQueueId,
    pub(super) number: HookNumber,
    pub(super) attempt: u32,
    /// The address; none when the webhook is gone.
    pub(super) url: Option<Arc<str>>,
}

/// Makes the attempt.
pub(super) async fn make(
    kernel: Kernel,
    sender: Arc<dyn CallbackSender>,
    job: HookJob,
) -> (Outcome, AttemptTrace) {
    let began = kernel.clock.now();
    let unsent = |failure, why: &str| {
        let trace = AttemptTrace::unsent(began, why);
        (Outcome::Failed(failure), trace)
    };
    let Some(url) = job.url else {
        return unsent(AttemptFailure::NoAddress, "the webhook no longer exists");
    };
    match stored(&kernel, job.number) {
        Ok(Some(hook)) => {
            let attempt = HookAttempt {
                url,
                body: hook.form.into(),
                request: request_id(&kernel, job.queue, job.number),
                webhook: job.queue.webhook,
                number: job.number,
                code: hook.code,
                attempt: job.attempt,
                at: began,
                timeout: kernel.shared.config.hook_timeout,
            };
            sender.send_hook(attempt).await
        }
        // Its customer was erased, and with them what it said.
        Ok(None) => unsent(AttemptFailure::NotExpressible, "the hook was erased"),
        Err(error) => {
            tracing::warn!(%error, hook = job.number.0, "a hook cannot be read back");
            unsent(AttemptFailure::Unknown, "the hook cannot be read back")
        }
    }
}

/// A hook as it is stored; none when it was erased.
pub(crate) fn stored(
    kernel: &Kernel,
    number: HookNumber,
) -> Result<Option<StoredHook>, switchboard_runtime::error::UnavailableError> {
    let record = kernel.record::<HookFeedEvent>(keys::hooks::hook(number))?;
    Ok(record.and_then(|record| match record.event {
        HookFeedEvent::Made(hook) => Some(*hook),
        HookFeedEvent::Read(_) | HookFeedEvent::Erased => None,
    }))
}

/// The id of the request, the same in every attempt.
fn request_id(kernel: &Kernel, queue: HookQueueId, number: HookNumber) -> HookRequestId {
    kernel.shared.ids.hook_request(queue.webhook, number)
}
