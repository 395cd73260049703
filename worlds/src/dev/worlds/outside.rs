//! Callbacks, hooks and questions that leave a world: by HTTP, in real time. A world has a thread whose time passes only on order, so it
//! cannot wait for a network by itself.

use std::sync::Arc;

use anyhow::{Context, Result};
use switchboard_actors::domain::dispatch::outcome::{AttemptFailure, Outcome};
use switchboard_actors::domain::dispatch::record::AttemptTrace;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::port::{Attempt, CallbackSender as _, HookAttempt, QuestionAttempt};
use switchboard_network::callback::HttpSender;
use switchboard_network::outbound::address::Policy;
use switchboard_network::outbound::callback::CallbackClient;
use switchboard_network::outbound::client::ClientSettings;
use switchboard_network::outbound::guard::AddressGuard;
use switchboard_network::outbound::lookup::SystemLookup;
use switchboard_network::outbound::pace::Pace;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::dev::worlds::clock;

/// The time a receiver has, unless the channel says otherwise.
const TIMEOUT: std::time::Duration = std::time::Duration::from_secs(5);

/// So many requests wait to leave at most.
const LEAVING_MAX: usize = 4_096;

/// The result of an attempt.
pub(super) type Ended = (Outcome, AttemptTrace);

/// A request to a program.
#[derive(Clone, Debug)]
pub(super) enum Parcel {
    Callback(Attempt),
    Hook(HookAttempt),
    /// The question of a salesbot.
    Question(QuestionAttempt),
}

impl Parcel {
    /// The time of the attempt.
    pub(super) fn at(&self) -> UnixMillis {
        match self {
            Self::Callback(attempt) => attempt.at,
            Self::Hook(attempt) => attempt.at,
            Self::Question(attempt) => attempt.at,
        }
    }
}

/// A request that leaves.
#[derive(Debug)]
pub(super) enum Departure {
    /// A callback at this pace.
    Callback(Attempt, Option<Pace>),
    Hook(HookAttempt),
    Question(QuestionAttempt),
}

impl Departure {
    /// The departure of a parcel; the pace is that of a callback.
    pub(super) fn from_parcel(parcel: Parcel, pace: Option<Pace>) -> Self {
        match parcel {
            Parcel::Callback(attempt) => Self::Callback(attempt, pace),
            Parcel::Hook(attempt) => Self::Hook(attempt),
            Parcel::Question(attempt) => Self::Question(attempt),
        }
    }
}

/// A request that leaves, and what is to be done with its outcome.
struct Leaving {
    departure: Departure,
    done: Box<dyn FnOnce(Ended) + Send>,
}

/// The way out for callbacks and hooks of all worlds. Clones are the same way.
#[derive(Clone)]
pub(super) struct Outside(mpsc::Sender<Leaving>);

impl Outside {
    /// Sends from the present event loop, until the task is aborted.
    ///
    /// # Errors
    /// When the HTTP client cannot be set up.
    pub(super) fn start() -> Result<(Self, JoinHandle<()>)> {
        // The receiver is a program on the developer's machine.
        let guard = AddressGuard::new(Policy {
            allow_private_networks: true,
            allow_cidrs: Vec::new(),
        });
        let client = CallbackClient::new(
            &ClientSettings::default(),
            Arc::new(guard),
            Arc::new(SystemLookup),
        )
        .context("cannot set up the HTTP client for callbacks of worlds")?;
        let sender = HttpSender::new(client, TIMEOUT);
        let (leave, mut leaving) = mpsc::channel::<Leaving>(LEAVING_MAX);
        let task = tokio::task::spawn_local(async move {
            while let Some(Leaving { departure, done }) = leaving.recv().await {
                let sender = sender.clone();
                tokio::task::spawn_local(async move {
                    done(match departure {
                        Departure::Callback(attempt, pace) => sender.send_at(attempt, pace).await,
                        Departure::Hook(attempt) => sender.send_hook(attempt).await,
                        Departure::Question(attempt) => sender.send_question(attempt).await,
                    });
                });
            }
        });
        Ok((Self(leave), task))
    }

    /// Sends a request; `then` is called when its outcome is there, which is taken by the receiver that this gives.
    pub(super) fn send(
        &self,
        departure: Departure,
        then: impl FnOnce() + Send + 'static,
    ) -> oneshot::Receiver<Ended> {
        let (known, outcome) = oneshot::channel();
        let report = Box::new(move |ended: Ended| {
            // A world that has ended or lost its power does not wait for it.
            drop(known.send(ended));
            then();
        });
        // What finds no place, or a process that ends, is an attempt that failed.
        drop(self.0.try_send(Leaving {
            departure,
            done: report,
        }));
        outcome
    }
}

/// The outcome of an attempt whose end is unknown.
pub(super) fn unknown() -> Ended {
    let trace = AttemptTrace {
        began: clock::machine_now(),
        address: None,
        answered_ms: None,
        took_ms: 0,
        excerpt: String::new(),
    };
    (Outcome::Failed(AttemptFailure::Reset), trace)
}
