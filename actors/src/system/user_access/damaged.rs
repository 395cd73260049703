//! A conversation with a damaged record, as a list shows it: as far as it can be read, and marked. The list still shows
//! the others. A user who opens it learns what is damaged and where.

use crate::domain::account::rights::EntityAction;
use crate::domain::account::rights::calculation::Operation;
use crate::domain::conversation::Conversation;
use crate::system::inbox::{ConversationCursor, ConversationView, RowSuffix};
use crate::system::user_access::UserAccess;
use crate::system::user_access::conversations::thing;
use switchboard_engine::state::State;
use switchboard_runtime::error::UnavailableError;

impl UserAccess {
    /// Reads the rest of a damaged conversation at this place, if the user may see it by the readable part.
    pub(super) async fn damaged(
        &self,
        place: &RowSuffix,
    ) -> Result<Option<ConversationView>, UnavailableError> {
        let id = ConversationCursor::conversation(place);
        let lead = readable(self.system.lead_of(id).await)?.flatten();
        let reading = self.system.conversation_state(self.caller.account, id);
        let state = match readable(reading.await)? {
            Some(None) => return Ok(None),
            Some(Some(state)) => state,
            None => Conversation {
                active_at: ConversationCursor::active_at(place),
                ..Conversation::initial(&id)
            },
        };
        let is_visible = match &lead {
            Some(lead) => readable(self.sees_lead(lead))?.unwrap_or(false),
            None => {
                let follows = state.followers.contains(&self.caller.user);
                self.authorize(Operation::Leads(EntityAction::View), &thing(None, follows))
                    .allowed
            }
        };
        if !is_visible {
            return Ok(None);
        }
        let title = match &state.origin {
            Some(origin) => readable(self.system.connection(&origin.scope).await)?.flatten(),
            None => None,
        };
        let last_message = readable(self.system.last_message(&state).await)?.flatten();
        Ok(Some(ConversationView {
            title: title.map(|connection| connection.title),
            window_closes_at: None,
            trouble: None,
            avatar: None,
            typing: None,
            viewers: Vec::new(),
            last_message,
            lead,
            state,
            damaged: true,
        }))
    }
}

/// The value of a read; `None` when it is damaged.
pub(super) fn readable<T>(
    read: Result<T, UnavailableError>,
) -> Result<Option<T>, UnavailableError> {
    match read {
        Ok(read) => Ok(Some(read)),
        Err(error) if error.is_damage() => Ok(None),
        Err(error) => Err(error),
    }
}
