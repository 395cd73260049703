//! Hooks on the simulated network: one subscriber, in the mood of its receiver, and what it got.

use std::pin::Pin;

use bytes::Bytes;
use switchboard_actors::domain::dispatch::outcome::{Class, Outcome};
use switchboard_actors::domain::dispatch::record::AttemptTrace;
use switchboard_actors::domain::id::HookRequestId;
use switchboard_actors::port::HookAttempt;
use url::form_urlencoded;

use super::{Network, State};
use crate::plants::Plant;
use switchboard_worlds::receiver::ReceiverBehaviour;

/// The receiver of the subscriber's hooks; with a scheme before it, their destination.
pub(crate) const SUBSCRIBER: &str = "hooks/in";

/// An attempt to hand a hook over.
#[derive(Clone, Debug)]
pub(crate) struct SentHook {
    pub(crate) request: HookRequestId,
    /// The message that the hook is about.
    pub(crate) message: String,
    pub(crate) class: Class,
    /// The number of times that the subscriber got it.
    pub(crate) arrived: u32,
    body: Bytes,
}

/// The message that a form is about.
pub(crate) fn message_of(form: &[u8]) -> Option<String> {
    let mut fields = form_urlencoded::parse(form);
    let is_message = |name: &str| name.ends_with("message[add][0][id]");
    let message = fields.find(|(name, _)| is_message(name))?;
    Some(message.1.into_owned())
}

impl Network {
    /// The attempts to hand hooks over so far.
    pub(crate) fn hooks(&self) -> Vec<SentHook> {
        self.state.lock().unwrap().hooks.clone()
    }

    pub(super) fn make(
        &self,
        attempt: HookAttempt,
    ) -> Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>> {
        let network = self.clone();
        let mut state = self.state.lock().unwrap();
        let behaviour = *state
            .moods
            .get(SUBSCRIBER)
            .unwrap_or(&ReceiverBehaviour::Well);
        let encounter = behaviour.meets(&mut state.dice);
        let swallowed = state.plant == Some(Plant::SwallowedCallbacks);
        let hook = SentHook {
            request: attempt.request,
            message: message_of(&attempt.body).unwrap_or_default(),
            class: encounter.outcome.class(),
            arrived: if swallowed { 0 } else { encounter.arrivals },
            body: attempt.body,
        };
        let number = match state.plant {
            Some(Plant::ForgottenNumbers) => 1,
            _ => attempt.attempt,
        };
        state.check_hook(&hook, number);
        state.hooks.push(hook);
        self.machine
            .tell(|| format!("hook {} attempt {number}: {encounter}", attempt.request));
        Box::pin(async move {
            let (outcome, trace) = encounter.answer(attempt.at).await;
            network.machine.step("answer", u64::from(trace.took_ms));
            (outcome, trace)
        })
    }
}

impl State {
    /// A repeat says the same under the same id, and never looks like a first attempt; one message has one hook.
    fn check_hook(&mut self, hook: &SentHook, number: u32) {
        let is_same =
            |before: &&SentHook| before.request == hook.request || before.message == hook.message;
        let Some(before) = self.hooks.iter().rev().find(is_same) else {
            return;
        };
        let is_repeat = before.request == hook.request && before.body == hook.body;
        if !is_repeat || number < 2 {
            self.wrong
                .get_or_insert(format!("attempt {number} of {hook:?} follows {before:?}"));
        }
    }
}
