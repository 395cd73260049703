//! A scripted name server: it gives the answers that a test sets, and may give another one next time.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::BoxFuture;
use tokio::sync::watch;

use crate::outbound::lookup::Lookup;

/// Scripted names. Clones share the script.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    answers: Arc<Mutex<BTreeMap<String, VecDeque<ScriptedAnswer>>>>,
    released: watch::Sender<bool>,
}

#[derive(Clone, Debug)]
enum ScriptedAnswer {
    Addresses(Vec<IpAddr>),
    Hang,
}

impl Default for Names {
    fn default() -> Self {
        Self::new()
    }
}

impl Names {
    /// A name server that knows no names.
    #[must_use]
    pub(crate) fn new() -> Self {
        Self {
            answers: Arc::default(),
            released: watch::Sender::new(false),
        }
    }

    /// Adds one answer for `name`. Answers are given in the order they were added; the last
    /// one is repeated for ever. What is no IP address is left out.
    pub(crate) fn answer(&self, name: &str, addresses: &[&str]) {
        let addresses = addresses.iter().flat_map(|text| text.parse()).collect();
        self.add(name, ScriptedAnswer::Addresses(addresses));
    }

    /// Makes look-ups of `name` wait until [`Self::release`].
    pub(crate) fn hang(&self, name: &str) {
        self.add(name, ScriptedAnswer::Hang);
    }

    /// Ends all look-ups that hang, now and later: they fail.
    pub(crate) fn release(&self) {
        self.released.send_replace(true);
    }

    fn add(&self, name: &str, answer: ScriptedAnswer) {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers
            .entry(name.to_owned())
            .or_default()
            .push_back(answer);
    }

    fn next(&self, name: &str) -> Option<ScriptedAnswer> {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let queue = answers.get_mut(name)?;
        if queue.len() > 1 {
            queue.pop_front()
        } else {
            queue.front().cloned()
        }
    }
}

impl Lookup for Names {
    fn lookup(&self, name: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        let answer = self.next(&name);
        let mut released = self.released.subscribe();
        Box::pin(async move {
            match answer {
                Some(ScriptedAnswer::Addresses(addresses)) => Ok(addresses),
                Some(ScriptedAnswer::Hang) => {
                    let _released = released.wait_for(|released| *released).await;
                    Err(io::Error::other("the look-up was released"))
                }
                None => Err(io::Error::other(format!("no such name: {name}"))),
            }
        })
    }
}
