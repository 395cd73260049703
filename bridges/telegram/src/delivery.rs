//! The way of a message to the customer: its parts one after the other, each recorded before the next is sent, so that a kill
//! repeats at most the one whose answer was lost.

mod fetch;
mod record;
mod send;

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use serde_json::Value;
use switchboard_bridge_core::bridge::Bridge;
use switchboard_bridge_core::clock::unix_seconds;
use switchboard_bridge_core::forms::{content, text};
use switchboard_bridge_core::lanes::Outcome;
use switchboard_bridge_core::posts::Delivery;
use switchboard_bridge_core::state::{Change, Job};
use switchboard_bridge_core::store::Store;
use switchboard_telegram::outbound::status::Report;
use switchboard_telegram::outbound::{self, Memory, Outbound, Plan, Step};
use tokio::sync::Semaphore;
use tokio::time::Instant;

use self::record::Progress;
use self::send::{LoadedFile, SendError, load, send};
use crate::memory::messages::SentMessage;
use crate::memory::{ROWS, present_chat, started};
use crate::telegram::Telegram;

/// The files of account users that are in memory at once, of 50 MB each at most.
const UPLOADS_MAX: usize = 4;

/// The state of sending that all chats share.
pub(crate) struct Sending {
    /// No call leaves before this moment.
    closed_until: Cell<Option<Instant>>,
    uploads: Semaphore,
}

impl Default for Sending {
    fn default() -> Self {
        Self {
            closed_until: Cell::new(None),
            uploads: Semaphore::new(UPLOADS_MAX),
        }
    }
}

impl Sending {
    /// The rest of the time for which every chat waits.
    fn rest(&self) -> Option<Duration> {
        let rest = self.closed_until.get()?.duration_since(Instant::now());
        (!rest.is_zero()).then_some(rest)
    }

    fn close(&self, pause: Duration) {
        self.closed_until.set(Some(Instant::now() + pause));
    }
}

/// The memory in which callbacks are read.
pub(crate) struct DeliveryMemory<'s>(pub(crate) &'s Store);

impl Memory for DeliveryMemory<'_> {
    fn current_chat(&self, chat: i64) -> i64 {
        present_chat(self.0, chat)
    }

    fn shown(&self, service_id: &str) -> Option<(i64, i64)> {
        let message = SentMessage::find(self.0, service_id)?;
        Some((message.chat, *message.messages.first()?))
    }

    fn started_chat(&self, service_id: &str) -> Option<i64> {
        started::chat(self.0, service_id)
    }
}

/// Does a job, after so many attempts.
pub(crate) async fn work(bridge: &Rc<Bridge<Telegram>>, job: &Job, tries: u32) -> Outcome {
    let telegram = &bridge.messenger;
    if let Some(rest) = telegram.sending.rest() {
        return Outcome::Later(rest);
    }
    let event: Value = serde_json::from_str(&job.body).unwrap_or_default();
    if let Some(exam) = &telegram.exam
        && let Some(pause) = exam.meet(bridge, &event).await
    {
        return Outcome::Later(pause);
    }
    started::join(bridge, &event).await;
    let memory = DeliveryMemory(&bridge.store);
    let attempt = Attempt {
        bridge,
        job,
        msgid: text(content(&event), "id"),
        tries,
    };
    match outbound::read(&event, telegram.ids, &memory) {
        Outbound::Message(plan) => attempt.show(plan).await,
        Outbound::Refused(report) => attempt.fail(&report, &Progress::default()).await,
        Outbound::Reaction(step) => react(bridge, job, tries, &step).await,
        Outbound::Typing(_) => bridge.end(job).await,
        Outbound::Nothing(why) => {
            telegram.counters.count_send(why);
            bridge.end(job).await
        }
    }
}

/// Sets or removes a reaction. Telegram's refusal of one is no matter of the account user's message.
async fn react(bridge: &Rc<Bridge<Telegram>>, job: &Job, tries: u32, step: &Step) -> Outcome {
    match send(bridge, job, tries, step.clone(), None).await {
        Ok(_) => bridge.messenger.counters.count_send("reaction"),
        Err(SendError::Later(pause)) => return Outcome::Later(pause),
        Err(SendError::Failed(report)) => {
            tracing::warn!("a reaction is left: {}", report.text);
            bridge.messenger.counters.count_send("failed");
        }
    }
    bridge.end(job).await
}

/// An attempt to show a message.
struct Attempt<'a> {
    bridge: &'a Rc<Bridge<Telegram>>,
    job: &'a Job,
    /// The id that the service has given the message.
    msgid: &'a str,
    tries: u32,
}

impl Attempt<'_> {
    async fn show(&self, plan: Plan) -> Outcome {
        let (bridge, job) = (self.bridge, self.job);
        if !plan.rows.is_empty() {
            // Before the button can be pressed.
            let rows = plan.rows.iter();
            let puts = rows.map(|(key, value)| Change::put(ROWS, key.clone(), value.clone()));
            bridge.commit(puts.collect()).await;
        }
        let mut progress = Progress::read(&bridge.store, job.id, plan.steps.len());
        if let Some(report) = progress.doubt() {
            return self.fail(&report, &progress).await;
        }
        let count = plan.steps.len();
        for (number, step) in plan.steps.into_iter().enumerate() {
            if progress.has(number) {
                continue;
            }
            let file = match load(bridge, &step, self.tries).await {
                Ok(file) => file,
                Err(SendError::Later(pause)) => return Outcome::Later(pause),
                Err(SendError::Failed(report)) => return self.fail(&report, &progress).await,
            };
            let size = file.as_ref().map_or(0, LoadedFile::size);
            let is_marked = progress.begin(bridge, number, size).await;
            match send(bridge, job, self.tries, step, file).await {
                Ok(message) => progress.done(number, message),
                Err(SendError::Later(pause)) => {
                    if is_marked {
                        progress.take_back(bridge, number).await;
                    }
                    return Outcome::Later(pause);
                }
                Err(SendError::Failed(report)) => return self.fail(&report, &progress).await,
            }
            // The last part is recorded with the end of the job.
            if number + 1 < count {
                progress.store(bridge, number).await;
            }
        }
        let message = SentMessage {
            chat: plan.chat,
            messages: progress.messages(),
            at: unix_seconds(),
        };
        bridge.messenger.counters.count_send("delivered");
        let mut changes = message.changes(self.msgid);
        changes.extend(progress.deletions());
        self.finish(changes, &Delivery::Delivered).await
    }

    async fn fail(&self, report: &Report, progress: &Progress) -> Outcome {
        self.bridge.messenger.counters.count_send("failed");
        tracing::warn!(
            code = report.code,
            "a message is not delivered: {}",
            report.text
        );
        let delivery = Delivery::Failed {
            code: report.code,
            why: report.text.clone(),
        };
        self.finish(progress.deletions(), &delivery).await
    }

    /// Ends the job and orders its report in one commit: a kill repeats all of it or nothing.
    async fn finish(&self, mut changes: Vec<Change>, delivery: &Delivery) -> Outcome {
        changes.push(Change::End(self.job.id));
        if !self.msgid.is_empty() {
            let report = self.bridge.report_job(self.msgid, delivery);
            changes.push(Change::Begin(report));
        }
        self.bridge.commit(changes).await;
        Outcome::Over
    }
}

#[cfg(test)]
mod tests;
