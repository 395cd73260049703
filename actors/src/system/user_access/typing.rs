//! A user is typing: the listeners are notified, and the integration if the channel wants it. Nothing of it is stored
//! or repeated, and no request waits for it: notices beyond the limits are dropped.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::oneshot;

use crate::domain::dispatch::endpoint::{EndpointId, EndpointState, Switch};
use crate::domain::hook_version::HookVersion;
use crate::domain::id::{ConversationId, MessageId};
use crate::domain::signature::sign_body;
use crate::system::live::What;
use crate::system::user_access::{AnswerRejection, UserAccess};
use crate::wire::callback::action::{TypingCallback, typing};
use switchboard_runtime::error::{CommandError, UnavailableError};
use switchboard_runtime::port::Attempt;
use switchboard_runtime::shared::test_attempt::TestAttempt;

/// The time after which a notice says nothing any more.
const TIMEOUT: Duration = Duration::from_secs(3);
impl UserAccess {
    /// Notifies the listeners that the user is writing, and the integration if the channel wants it. Nothing is stored.
    ///
    /// # Errors
    /// When there is no such conversation that the user may see, they may not answer in it, or it cannot be read now.
    pub async fn report_typing(
        &self,
        id: ConversationId,
    ) -> Result<(), CommandError<AnswerRejection>> {
        self.may_answer(id).await?;
        self.note_sign();
        self.publish(What::Typing(id, self.caller.clone()));
        self.send_typing(id).await?;
        Ok(())
    }

    /// Sends the integration a callback that a user is typing, if the channel wants it and its address works.
    async fn send_typing(&self, conversation: ConversationId) -> Result<(), UnavailableError> {
        let (system, account) = (&self.system, self.caller.account);
        let state = system.conversation_state(account, conversation).await?;
        let Some(origin) = state.and_then(|state| state.origin) else {
            return Ok(());
        };
        let scope = &origin.scope;
        if !self
            .sends_callbacks(scope, |channel| channel.settings.typing_callbacks)
            .await?
        {
            return Ok(());
        }
        let kernel = system.kernel();
        let endpoint = EndpointId {
            channel: scope.channel().clone(),
            version: HookVersion::V2,
        };
        let channels = kernel.shared.read_cache.channels();
        let channel = channels.get(scope.channel());
        let works = channel
            .filter(|channel| channel.switch(HookVersion::V2) == Switch::On)
            .filter(|_| kernel.shared.endpoint_health.health(&endpoint) == EndpointState::Healthy);
        let Some((channel, url)) =
            works.and_then(|channel| Some((channel, channel.webhook(HookVersion::V2, scope)?)))
        else {
            return Ok(());
        };
        let user = kernel.shared.ids.user(account, self.caller.user);
        let now = kernel.clock.now();
        let Ok(one_of_few) = Arc::clone(&system.running.typing).try_acquire_owned() else {
            return Ok(());
        };
        if !system
            .running
            .typing_throttle
            .is_due(conversation, user, now)
        {
            return Ok(());
        }
        let client = origin.client_id.as_ref();
        let body = typing(&TypingCallback {
            account,
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
            message: MessageId::from_random(kernel.entropy.bytes()),
            attempt: 1,
            at: now,
            timeout: Some(channel.timeout().map_or(TIMEOUT, |own| own.min(TIMEOUT))),
        };
        let trial = TestAttempt {
            attempt,
            answer,
            one_of_few,
        };
        // A dispatcher that has its hands full has better things to send.
        if system.running.dispatcher.try_send(trial).is_err() {
            tracing::debug!(%conversation, "typing is not published");
        }
        Ok(())
    }
}
