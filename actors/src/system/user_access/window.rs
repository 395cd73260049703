//! The time windows of channels: outside of them users send templates only, and programs whatever they like.

use crate::domain::conversation::reply::ReplyRejection;
use crate::domain::id::{ConversationId, IdempotencyKey, ScopeId};
use crate::domain::installation::channels::settings::WindowHours;
use crate::domain::scope::Connection;
use crate::system::System;
use crate::system::user_access::{AnswerRejection, UserAccess};
use switchboard_runtime::error::CommandError;

impl System {
    /// The time window of a scope: that of its channel, unless the integration switched it off for the scope.
    pub(in crate::system) fn window(
        &self,
        scope: &ScopeId,
        connection: &Connection,
    ) -> Option<WindowHours> {
        let entry = self.channel(scope.channel())?;
        let hours = entry.channel.settings.window_hours;
        hours.filter(|_| !connection.time_window_disabled)
    }
}

impl UserAccess {
    /// Returns whether the user may answer with a file now. The message itself is checked once more when it is stored; this is
    /// for what is stored before it.
    ///
    /// # Errors
    /// When there is no such conversation that the user may see, they may not answer in it, its time window is closed, or it
    /// cannot be read now.
    pub async fn may_attach(
        &self,
        id: ConversationId,
        request: Option<&IdempotencyKey>,
    ) -> Result<(), CommandError<AnswerRejection>> {
        let place = self.answerable(id).await?;
        let author = self.author();
        let is_repeat = match request {
            Some(request) => self.is_known_request(id, author.user, request)?,
            None => false,
        };
        if is_repeat || author.person_user().is_none() {
            return Ok(());
        }
        let connection = self.system.connection(&place.scope).await?;
        let hours = connection.and_then(|it| self.system.window(&place.scope, &it));
        let Some(hours) = hours else { return Ok(()) };
        self.system.kernel().caught_up().await;
        let account = self.caller.account;
        let state = self.system.conversation_state(account, id).await?;
        match state.filter(|state| state.is_outside_window(hours, self.system.now())) {
            None => Ok(()),
            Some(state) => {
                let closed_at = state.window_closes_at(hours);
                let closed = ReplyRejection::WindowClosed { closed_at };
                Err(CommandError::Rejected(AnswerRejection::Reply(closed)))
            }
        }
    }
}
