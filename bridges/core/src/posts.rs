//! The way to the service of what happens at the messenger: messages, edits, reactions, and the statuses of deliveries.

use std::rc::Rc;
use std::time::Duration;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::answer::{Answer, Verdict};
use crate::bridge::Bridge;
use crate::clock::unix_seconds;
use crate::lanes::Outcome;
use crate::log::log;
use crate::messenger::Messenger;
use crate::service::backoff;
use crate::state::{Change, Job, Kind, Lane};

/// The seconds for which a post is repeated.
const DAY: i64 = 86_400;
/// The pause while the account has uninstalled the bridge, or is not connected.
const CLOSED: Duration = Duration::from_secs(1);
/// The signs of a path that are written as they are.
const PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// A word of a path, percent-encoded.
pub fn quoted(word: &str) -> String {
    utf8_percent_encode(word, PATH).to_string()
}

/// The form of the body of a job of the kind [`Post`](Kind::Post). Messages, edits and reactions of a conversation belong into one
/// lane, so that they arrive in their order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Post {
    /// The part of the path behind `/v2/origin/custom/<scope_id>`, percent-encoded: empty for messages and their edits, `/react`
    /// for reactions.
    pub path: String,
    /// The body. Each attempt has the same bytes, so the service does it once.
    pub body: Value,
}

impl Post {
    /// A message, or its edit.
    #[must_use]
    pub fn message(body: Value) -> Self {
        Self {
            path: String::new(),
            body,
        }
    }

    /// A reaction.
    #[must_use]
    pub fn reaction(body: Value) -> Self {
        Self {
            path: "/react".to_owned(),
            body,
        }
    }

    /// The body of the job that posts it.
    #[must_use]
    pub fn to_text(&self) -> String {
        json!({ "path": self.path, "body": self.body }).to_string()
    }
}

/// The end of a message's way to the customer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// It is on the customer's device, as far as the messenger says.
    Delivered,
    /// It never will be.
    Failed {
        /// The code of the interface: 901 to 905.
        code: u16,
        /// A sentence for the account user.
        why: String,
    },
}

/// The outcome of a post.
enum Work {
    Done(Answer),
    /// The service refuses it, and a repeat would not help.
    Left,
    Later(Duration),
}

impl<M: Messenger> Bridge<M> {
    /// A job that reports the delivery of a message, by the id that the service has given it.
    pub fn report_job(&self, msgid: &str, delivery: &Delivery) -> Job {
        let report = match delivery {
            Delivery::Delivered => json!({ "msgid": msgid, "delivery_status": 1 }),
            Delivery::Failed { code, why } => {
                json!({ "msgid": msgid, "delivery_status": -1, "error_code": code, "error": why })
            }
        };
        let lane = Lane::new(Kind::Report, msgid);
        self.store.job(lane, 0, report.to_string())
    }

    pub(crate) async fn post(self: &Rc<Self>, job: &Job, tries: u32) -> Outcome {
        // It was written by `to_text`.
        let Ok(post) = serde_json::from_str::<Post>(&job.body) else {
            log(format!(
                "Post {} of «{}» has no path and body",
                job.id, job.lane.name
            ));
            return self.end_post(job, None).await;
        };
        let path = format!("/v2/origin/custom/{}{}", self.settings.scope_id, post.path);
        match self
            .post_job(job, path, &post.body.to_string(), tries)
            .await
        {
            Work::Done(answer) => self.end_post(job, Some(&answer)).await,
            Work::Left => self.end_post(job, None).await,
            Work::Later(pause) => Outcome::Later(pause),
        }
    }

    async fn end_post(self: &Rc<Self>, job: &Job, answer: Option<&Answer>) -> Outcome {
        let mut changes = vec![Change::End(job.id)];
        changes.extend(M::posted(self, job, answer));
        self.commit(changes).await;
        Outcome::Over
    }

    /// Reports a delivery, with the id that the service has given the message.
    pub(crate) async fn report(self: &Rc<Self>, job: &Job, tries: u32) -> Outcome {
        let (scope, id) = (&self.settings.scope_id, quoted(&job.lane.name));
        let path = format!("/v2/origin/custom/{scope}/{id}/delivery_status");
        match self.post_job(job, path, &job.body, tries).await {
            Work::Done(_) | Work::Left => self.end(job).await,
            Work::Later(pause) => Outcome::Later(pause),
        }
    }

    /// Posts the body of a job. A repeat has the same bytes, so the service stores the message once.
    async fn post_job(&self, job: &Job, path: String, body: &str, tries: u32) -> Work {
        if self.store.account().is_uninstalled || !self.is_connected.get() {
            return Work::Later(CLOSED);
        }
        let (kind, lane) = (job.lane.kind, &job.lane.name);
        let (why, is_refused) = match self.chat_call(path, body).await {
            Ok(answer) => match answer.verdict() {
                Verdict::Done => return Work::Done(answer),
                Verdict::Again => (answer.to_string(), false),
                Verdict::Refused => (answer.to_string(), true),
            },
            Err(why) => (why.to_string(), false),
        };
        if is_refused || unix_seconds() - job.at > DAY {
            log(format!("{kind:?} {} of «{lane}» is left: {why}", job.id));
            return Work::Left;
        }
        log(format!("{kind:?} {} is repeated: {why}", job.id));
        Work::Later(backoff(tries))
    }
}
