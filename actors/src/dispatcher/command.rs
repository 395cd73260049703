//! The operator's commands to the dispatcher: it alone writes the states of callbacks.

use actix::{Context, Handler, Message};

use crate::dispatcher::Dispatcher;
use crate::domain::dispatch::HeadStatus;
use crate::domain::dispatch::delivery_queue::{OutNumber, QueueId};
use crate::domain::dispatch::endpoint::EndpointId;
use crate::domain::dispatch::event::Event;
use crate::domain::dispatch::record::CancelReason;
use switchboard_engine::store::committer::Submitted;
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::shared::dispatch_shell::Carrier;

/// Queues messages again that are final. Answers which of them, in their order, and the group that they are in; none
/// when there are none.
#[derive(Debug, Message)]
#[rtype(result = "Result<(Vec<bool>, Option<Submitted>), UnavailableError>")]
pub(crate) struct Replay {
    pub(crate) messages: Vec<(QueueId, OutNumber)>,
    /// True when those that were delivered are meant too.
    pub(crate) delivered: bool,
}

/// Sends a message now that waits for its next attempt. Answers the group that says so; none when it does not wait.
#[derive(Debug, Message)]
#[rtype(result = "Result<Option<Submitted>, UnavailableError>")]
pub(crate) struct EndWait(pub(crate) QueueId, pub(crate) OutNumber);

/// Takes a message out of the queue: at once, or when the attempt that is in progress fails. Answers the last group that
/// was written; none when the message was final before.
#[derive(Debug, Message)]
#[rtype(result = "Result<Option<Submitted>, UnavailableError>")]
pub(crate) struct Discard {
    pub(crate) queue: QueueId,
    pub(crate) number: OutNumber,
    pub(crate) why: CancelReason,
}

/// Tries an endpoint again that was left alone. Answers the group that says so; none when it was not.
#[derive(Debug, Message)]
#[rtype(result = "Result<Option<Submitted>, UnavailableError>")]
pub(crate) struct Enable(pub(crate) EndpointId);

impl Handler<Replay> for Dispatcher {
    type Result = Result<(Vec<bool>, Option<Submitted>), UnavailableError>;

    fn handle(&mut self, asked: Replay, _: &mut Context<Self>) -> Self::Result {
        let mut answers = Vec::with_capacity(asked.messages.len());
        let mut again = Vec::new();
        for (queue, number) in asked.messages {
            let mut record = self.queue_store.record(queue.conversation, number)?;
            let twice = again
                .iter()
                .any(|(known, of, _)| (known, of) == (&queue, &number));
            let may = !twice && self.version_of(&queue.scope).is_some();
            let is_replayed = may && record.replay(asked.delivered);
            answers.push(is_replayed);
            if is_replayed {
                again.push((queue, number, record));
            }
        }
        if again.is_empty() {
            return Ok((answers, None));
        }
        let count = again.len();
        let submitted = self.queue_store.requeue(again, self.kernel.clock.now())?;
        for _ in 0..count {
            self.kernel.shared.meters.replayed.add();
        }
        Ok((answers, Some(submitted)))
    }
}

impl Handler<EndWait> for Dispatcher {
    type Result = Result<Option<Submitted>, UnavailableError>;

    fn handle(&mut self, EndWait(queue, number): EndWait, _: &mut Context<Self>) -> Self::Result {
        let mut record = self.queue_store.record(queue.conversation, number)?;
        let is_head = self.shell.machine.head(&queue) == Some(number);
        let is_sending = matches!(
            self.shell.machine.head_status(&queue),
            Some(HeadStatus::Sending { .. })
        );
        if (is_head && is_sending) || !record.end_wait() {
            return Ok(None);
        }
        let submitted = self.queue_store.end_wait(queue, number, record)?;
        self.kernel.shared.meters.replayed.add();
        Ok(Some(submitted))
    }
}

impl Handler<Discard> for Dispatcher {
    type Result = Result<Option<Submitted>, UnavailableError>;

    fn handle(&mut self, discard: Discard, ctx: &mut Context<Self>) -> Self::Result {
        let Discard { queue, number, why } = discard;
        let record = self.queue_store.record(queue.conversation, number)?;
        if record.state.is_final() {
            return Ok(None);
        }
        self.step(Event::Discard { queue, number, why }, ctx);
        let journal = &self.kernel.journal;
        Ok(Some(Submitted {
            last: journal.submitted_upto(),
            epoch: journal.epoch(),
        }))
    }
}

impl Handler<Enable> for Dispatcher {
    type Result = Result<Option<Submitted>, UnavailableError>;

    fn handle(&mut self, Enable(endpoint): Enable, ctx: &mut Context<Self>) -> Self::Result {
        self.enable(&endpoint, ctx)
    }
}
