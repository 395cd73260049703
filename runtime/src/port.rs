//! The ports that an embedder supplies: the place of the data, the time, the randomness, the way out.

use std::fmt;
use std::future::Future;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use switchboard_domain::dispatch::outcome::{AttemptFailure, Outcome};
use switchboard_domain::dispatch::record::AttemptTrace;
use switchboard_domain::hooks::hook::{HookNumber, WebhookId};
use switchboard_domain::id::{HookRequestId, MessageId, SalesbotId, SalesbotRunId};
use switchboard_domain::time::UnixMillis;
use switchboard_domain::webhooks::code::WebhookCode;

use crate::error::StartError;
use switchboard_engine::runtime::clock::{Clock, SystemClock};
use switchboard_engine::runtime::entropy::{Entropy, Generator};
use switchboard_engine::store::disk::Disk;
use switchboard_engine::store::disk::file::FileDisk;
use switchboard_engine::store::disk::memory::MemoryDisk;
use switchboard_engine::store::tables::TablesHome;
use switchboard_engine::store::tables::memory::MemoryHome;
use switchboard_engine::store::tables::sled::SledHome;
use switchboard_relay::hooks::HookEnvelope;

/// The ports of a system.
#[derive(Clone)]
pub struct Ports {
    /// The disk of the journal and the indexes.
    pub disk: Arc<dyn Disk>,
    /// The home of snapshots and ordered lists.
    pub tables: Arc<dyn TablesHome>,
    /// The source of time.
    pub clock: Arc<dyn Clock>,
    /// The source of randomness.
    pub entropy: Arc<dyn Entropy>,
    /// The sender of callbacks.
    pub sender: Arc<dyn CallbackSender>,
}

/// A sender of callbacks: one attempt at a time, never retried by the sender itself.
pub trait CallbackSender: fmt::Debug + Send + Sync + 'static {
    /// Makes one attempt. The future ends within the sender's time-out, whatever the receiver does.
    fn send(&self, attempt: Attempt) -> Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>>;

    /// Makes one attempt to hand a hook to a webhook of an account, as [`Self::send`] does with a callback.
    fn send_hook(
        &self,
        attempt: HookAttempt,
    ) -> Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>>;

    /// Makes one attempt to ask a program the question of a salesbot. The default sends nothing: it is for systems whose
    /// accounts have no salesbots.
    fn send_question(
        &self,
        attempt: QuestionAttempt,
    ) -> Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>> {
        let trace = AttemptTrace::unsent(attempt.at, "this sender asks no questions");
        let outcome = Outcome::Failed(AttemptFailure::NoAddress);
        Box::pin(std::future::ready((outcome, trace)))
    }

    /// Makes one attempt to pass on a hook that a relay took. The default sends nothing: it is for systems without relays.
    fn send_relayed(
        &self,
        attempt: RelayAttempt,
    ) -> Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>> {
        let trace = AttemptTrace::unsent(attempt.at, "this sender passes on nothing");
        let outcome = Outcome::Failed(AttemptFailure::NoAddress);
        Box::pin(std::future::ready((outcome, trace)))
    }

    /// Makes one attempt to bring a post of a bridge to the counterpart. The default sends nothing, as that of [`Self::send_relayed`].
    fn send_post(&self, attempt: PostAttempt) -> Pin<Box<dyn Future<Output = PostAnswer>>> {
        let answer = PostAnswer {
            outcome: Outcome::Failed(AttemptFailure::NoAddress),
            trace: AttemptTrace::unsent(attempt.at, "this sender brings no posts"),
            body: Bytes::new(),
        };
        Box::pin(std::future::ready(answer))
    }
}

/// One attempt to bring a post of a bridge to the counterpart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostAttempt {
    /// The address of the request.
    pub url: Arc<str>,
    /// The headers with their names in lower case, with those of its signature.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Bytes,
    /// The time of the attempt.
    pub at: UnixMillis,
    /// The time that it may take, answer included.
    pub timeout: Duration,
}

/// The outcome of an attempt to bring a post to the counterpart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostAnswer {
    /// The outcome.
    pub outcome: Outcome,
    /// The facts of the attempt.
    pub trace: AttemptTrace,
    /// The beginning of the answer's body.
    pub body: Bytes,
}

/// One attempt to pass on a hook that a relay took, with the bytes and headers that it came with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelayAttempt {
    /// The address of the request.
    pub url: Arc<str>,
    /// The body, byte by byte as it came.
    pub body: Bytes,
    /// The headers that it came with.
    pub envelope: HookEnvelope,
    /// The id of the hook: the same in every attempt.
    pub id: String,
    /// The time at which the relay took it.
    pub received: UnixMillis,
    /// True when nothing could be verified: hooks of an account have no signature.
    pub is_unverified: bool,
    /// The number of the attempt, from 1.
    pub attempt: u32,
    /// The time of the attempt.
    pub at: UnixMillis,
    /// The time that it may take, answer included.
    pub timeout: Duration,
}

/// One attempt to ask a program the question of a salesbot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionAttempt {
    /// The salesbot.
    pub bot: SalesbotId,
    /// The run that asks: the same in every attempt.
    pub run: SalesbotRunId,
    /// The number of the attempt since the start of the process, from 1.
    pub attempt: u32,
    /// The address of the request.
    pub url: Arc<str>,
    /// The body: JSON.
    pub body: Bytes,
    /// The time of the attempt.
    pub at: UnixMillis,
    /// The time that it may take, answer included.
    pub timeout: Duration,
}

/// One attempt to hand over a callback.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The address of the request.
    pub url: Arc<str>,
    /// The body, byte by byte as it was signed.
    pub body: Bytes,
    /// The value of `X-Signature`.
    pub signature: String,
    /// The message it carries: the same in every attempt.
    pub message: MessageId,
    /// The number of the attempt, from 1.
    pub attempt: u32,
    /// The time of the attempt.
    pub at: UnixMillis,
    /// The time that it may take, answer included; `None`: as long as the sender allows.
    pub timeout: Option<Duration>,
}

/// One attempt to hand a hook to a webhook of an account. It has no signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookAttempt {
    /// The address of the request.
    pub url: Arc<str>,
    /// The body: a form, the same in every attempt.
    pub body: Bytes,
    /// The id of the request: the same in every attempt.
    pub request: HookRequestId,
    /// The webhook.
    pub webhook: WebhookId,
    /// The hook.
    pub number: HookNumber,
    /// The event that the form is about.
    pub code: WebhookCode,
    /// The number of the attempt, from 1.
    pub attempt: u32,
    /// The time of the attempt.
    pub at: UnixMillis,
    /// The time that it may take, answer included.
    pub timeout: Duration,
}

impl Ports {
    /// Data in this directory, which is made when it is not there; the machine's time and randomness.
    ///
    /// # Errors
    /// When the directory cannot be used, or another process uses it.
    pub fn files(directory: &Path, sender: Arc<dyn CallbackSender>) -> Result<Self, StartError> {
        let disk =
            FileDisk::open(directory).map_err(|error| StartError::directory(directory, &error))?;
        let tables = SledHome::new(directory.join("tables"));
        let entropy =
            Generator::from_system().map_err(|error| StartError::directory(directory, &error))?;
        Ok(Self {
            disk: Arc::new(disk),
            tables: Arc::new(tables),
            clock: Arc::new(SystemClock),
            entropy: Arc::new(entropy),
            sender,
        })
    }

    /// Data in memory, gone with the system; the machine's time and randomness.
    ///
    /// # Errors
    /// When the operating system has no randomness to give.
    pub fn memory(sender: Arc<dyn CallbackSender>) -> Result<Self, StartError> {
        let entropy =
            Generator::from_system().map_err(|error| StartError::Store(error.to_string()))?;
        Ok(Self {
            disk: Arc::new(MemoryDisk::default()),
            tables: Arc::new(MemoryHome::default()),
            clock: Arc::new(SystemClock),
            entropy: Arc::new(entropy),
            sender,
        })
    }
}
