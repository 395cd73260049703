//! A user is typing: who listens hears of it, and the integration where the channel wants it. Nothing of it is stored, nothing is
//! repeated, and nobody waits for it: what does not fit is left out.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

use crate::actor::dispatcher::Trial;
use crate::domain::chat::channel::HookVersion;
use crate::domain::dispatch::endpoint::{EndpointId, Health, Switch};
use crate::domain::id::{ConversationId, MessageId, PersonId};
use crate::domain::signature::sign_body;
use crate::domain::time::UnixMillis;
use crate::error::{Refused, Unavailable};
use crate::port::Attempt;
use crate::system::desk::{Desk, NotSent};
use crate::system::live::{Audience, LiveEvent, What};
use crate::wire::callback::action::{TypingCallback, typing};

/// Such callbacks that may be under way at once.
pub(in crate::system) const UNDER_WAY_MAX: usize = 16;
/// The same person in the same conversation is told of once in this time.
const EVERY: Duration = Duration::from_secs(5);
/// What takes longer says nothing any more.
const TIMEOUT: Duration = Duration::from_secs(3);
/// How many are remembered who were told of; with more, nobody is told of before some are over.
const REMEMBERED_MAX: usize = 10_000;

/// Who was told of, and when that may be done again.
#[derive(Debug, Default)]
pub(in crate::system) struct LastTold(Mutex<BTreeMap<(ConversationId, PersonId), UnixMillis>>);

impl LastTold {
    /// Whether it is time to tell; it counts as told then.
    fn is_due(&self, conversation: ConversationId, person: PersonId, now: UnixMillis) -> bool {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let until = last.get(&(conversation, person));
        if until.is_some_and(|until| now < *until) {
            return false;
        }
        if last.len() >= REMEMBERED_MAX {
            last.retain(|_, until| now < *until);
        }
        if last.len() >= REMEMBERED_MAX {
            return false;
        }
        last.insert((conversation, person), now.plus(EVERY));
        true
    }
}

impl Desk {
    /// Tells whoever listens that the user is writing, and the integration if it wants to hear of it. Nothing is stored.
    ///
    /// # Errors
    /// When there is no such conversation that the user may see, they may not answer in it, or it cannot be read now.
    pub async fn typing(&self, id: ConversationId) -> Result<(), Refused<NotSent>> {
        self.may_answer(id).await?;
        self.system.env().world.feed.tell(LiveEvent {
            number: None,
            audience: Audience::Account(self.caller.account),
            what: What::Typing(id, self.caller.clone()),
        });
        self.tell_typing(id).await?;
        Ok(())
    }

    /// Tells the integration that a user is typing, if the channel wants to hear of it and its address works.
    async fn tell_typing(&self, conversation: ConversationId) -> Result<(), Unavailable> {
        let caller = &self.caller;
        let state = self
            .system
            .conversation_state(caller.account, conversation)
            .await?;
        let Some(origin) = state.and_then(|state| state.origin) else {
            return Ok(());
        };
        let scope = &origin.scope;
        if !self
            .tells(scope, |channel| channel.settings.typing_callbacks)
            .await?
        {
            return Ok(());
        }
        let env = self.system.env();
        let endpoint = EndpointId {
            channel: scope.channel().clone(),
            version: HookVersion::V2,
        };
        let channels = env.world.facts.channels();
        let channel = channels.get(scope.channel());
        let works = channel.filter(|channel| channel.switch(HookVersion::V2) == Switch::On);
        let works = works.filter(|_| env.world.board.health(&endpoint) == Health::Healthy);
        let Some((channel, url)) =
            works.and_then(|channel| Some((channel, channel.webhook(HookVersion::V2, scope)?)))
        else {
            return Ok(());
        };
        let user = env.world.ids.user(caller.account, caller.user);
        let now = env.clock.now();
        let Ok(one_of_few) = Arc::clone(&self.system.running.typing).try_acquire_owned() else {
            return Ok(());
        };
        if !self
            .system
            .running
            .last_told
            .is_due(conversation, user, now)
        {
            return Ok(());
        }
        let client = origin.client_id.as_ref();
        let body = typing(&TypingCallback {
            account: caller.account,
            user,
            conversation,
            client_conversation: client.map_or("", |id| id.as_str()),
            at: now,
        });
        let (answer, _nobody_waits) = oneshot::channel();
        let attempt = Attempt {
            url,
            signature: sign_body(channel.signing_secret(now), &body).to_string(),
            body: body.into(),
            message: MessageId::from_random(env.entropy.bytes()),
            attempt: 1,
            at: now,
            timeout: Some(channel.timeout().map_or(TIMEOUT, |own| own.min(TIMEOUT))),
        };
        let trial = Trial {
            attempt,
            answer,
            one_of_few,
        };
        // A dispatcher that has its hands full has better things to send.
        if self.system.running.dispatcher.try_send(trial).is_err() {
            tracing::debug!(%conversation, "typing is not published");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_person_is_told_of_every_five_seconds_and_there_is_a_bound() {
        let told = LastTold::default();
        let person = PersonId::from_random([7; 16]);
        let conversation = |number: u128| ConversationId::from_random(number.to_be_bytes());
        let due = |number, at| told.is_due(conversation(number), person, UnixMillis::new(at));
        assert!(due(0, 1));
        assert!(!due(0, 5_000));
        assert!(due(0, 5_001));
        for number in 1..10_000 {
            assert!(due(number, 5_002));
        }
        assert!(!due(10_000, 5_003), "there is no room");
        assert!(due(10_000, 10_001), "the first is over");
    }
}
