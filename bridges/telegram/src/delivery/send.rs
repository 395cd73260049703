//! A call that shows something, and the consequence when it fails.

use std::rc::Rc;
use std::time::Duration;

use serde_json::Value;
use switchboard_bridge_core::bridge::Bridge;
use switchboard_bridge_core::clock::unix_seconds;
use switchboard_bridge_core::state::Job;
use switchboard_telegram::api::{ApiError, Attachment};
use switchboard_telegram::outbound::status::{Attempt, Report, Verdict, judge};
use switchboard_telegram::outbound::{Step, fit};
use tokio::sync::SemaphorePermit;

use super::fetch::{FetchError, FetchedFile, fetch};
use crate::business;
use crate::memory::PollMemory;
use crate::telegram::Telegram;

/// The reason why a part was not sent.
pub(super) enum SendError {
    /// Nothing of it was sent, and it is tried again after this time.
    Later(Duration),
    Failed(Report),
}

/// A file in memory, with its place there.
pub(super) struct LoadedFile<'p> {
    file: FetchedFile,
    _place: SemaphorePermit<'p>,
}

impl LoadedFile<'_> {
    pub(super) fn size(&self) -> u64 {
        u64::try_from(self.file.bytes.len()).unwrap_or(u64::MAX)
    }
}

/// Loads the file of a call, if it has one.
pub(super) async fn load<'b>(
    bridge: &'b Rc<Bridge<Telegram>>,
    step: &Step,
    tries: u32,
) -> Result<Option<LoadedFile<'b>>, SendError> {
    let Some(upload) = &step.upload else {
        return Ok(None);
    };
    let Ok(place) = bridge.messenger.sending.uploads.acquire().await else {
        // The semaphore is never closed.
        return Ok(None);
    };
    match fetch(bridge, upload, tries).await {
        Ok(file) => Ok(Some(LoadedFile {
            file,
            _place: place,
        })),
        Err(FetchError::Later(pause)) => Err(SendError::Later(pause)),
        Err(FetchError::Failed(report)) => Err(SendError::Failed(report)),
    }
}

/// Makes a call, with its file. Returns the number of the message that it made.
pub(super) async fn send(
    bridge: &Rc<Bridge<Telegram>>,
    job: &Job,
    tries: u32,
    step: Step,
    file: Option<LoadedFile<'_>>,
) -> Result<Option<i64>, SendError> {
    let telegram = &bridge.messenger;
    let step = business::addressed(&bridge.store, step);
    let Some(loaded) = file else {
        let outcome = telegram.api.send(step.method, &step.params, None).await;
        return consequence(bridge, job, tries, &step, 0, outcome).await;
    };
    let size = loaded.size();
    let mut step = fit(step, size).map_err(SendError::Failed)?;
    let mut outcome = upload_once(telegram, &step, &loaded.file).await;
    if let (Err(ApiError::Refused(refusal)), Some(document)) = (&outcome, step.as_document())
        && refusal.code == 400
        && refusal.migrate_to.is_none()
    {
        // Whatever Telegram cannot show as a picture, a video or a voice is a file.
        step = document;
        outcome = upload_once(telegram, &step, &loaded.file).await;
    }
    drop(loaded);
    consequence(bridge, job, tries, &step, size, outcome).await
}

async fn upload_once(
    telegram: &Telegram,
    step: &Step,
    file: &FetchedFile,
) -> Result<Value, ApiError> {
    let field = step.upload.as_ref().map_or("document", |it| it.field);
    let attachment = Attachment {
        field,
        name: file.name.clone(),
        mime: file.media_type.clone(),
        bytes: file.bytes.clone(),
    };
    let sending = telegram
        .api
        .send(step.method, &step.params, Some(&attachment));
    sending.await
}

pub(super) async fn consequence(
    bridge: &Rc<Bridge<Telegram>>,
    job: &Job,
    tries: u32,
    step: &Step,
    upload: u64,
    outcome: Result<Value, ApiError>,
) -> Result<Option<i64>, SendError> {
    let error = match outcome {
        Ok(result) => return Ok(result.get("message_id").and_then(Value::as_i64)),
        Err(error) => error,
    };
    let telegram = &bridge.messenger;
    match &error {
        ApiError::Refused(refusal) if refusal.code == 429 => telegram.counters.count_limit(),
        ApiError::Lost(why) if upload == 0 => {
            telegram.counters.count_send("doubt");
            tracing::warn!(
                "the answer of Telegram was lost, so a text may stand in its chat twice: {why}"
            );
        }
        ApiError::Refused(_) | ApiError::Lost(_) | ApiError::Unreachable(_) => {}
    }
    let chat = step.params.get("chat_id").and_then(Value::as_i64);
    let seconds = unix_seconds().saturating_sub(job.at);
    let attempt = Attempt {
        chat,
        age: Duration::from_secs(u64::try_from(seconds).unwrap_or_default()),
        tries,
        upload,
    };
    match judge(&error, &attempt) {
        Verdict::Done => Ok(None),
        Verdict::Report(report) => Err(SendError::Failed(report)),
        Verdict::WaitChat(pause) => {
            tracing::info!(seconds = pause.as_secs(), "a chat waits: {error}");
            Err(SendError::Later(pause))
        }
        Verdict::WaitAll(pause) => {
            tracing::warn!(seconds = pause.as_secs(), "all chats wait: {error}");
            telegram.sending.close(pause);
            Err(SendError::Later(pause))
        }
        Verdict::Migrate(to) => {
            let memory = PollMemory::new(&bridge.store);
            let changes = memory.migrate(chat.unwrap_or_default(), to);
            bridge.commit(changes).await;
            Err(SendError::Later(Duration::ZERO))
        }
    }
}
