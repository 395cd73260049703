//! A user has a conversation open: the listeners are notified. Nothing of it is stored.

use crate::domain::id::ConversationId;
use crate::system::live::What;
use crate::system::user_access::UserAccess;
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::viewing::{VIEWING, Viewer};

impl UserAccess {
    /// Notifies the listeners that the user has the conversation open. `None` when there is no such conversation that the
    /// user may see.
    ///
    /// # Errors
    /// When it cannot be read now.
    pub async fn report_viewing(
        &self,
        id: ConversationId,
    ) -> Result<Option<Viewer>, UnavailableError> {
        if !self.sees(id).await? {
            return Ok(None);
        }
        self.note_sign();
        let now = self.system.now();
        let viewer = Viewer {
            user: self.caller.user,
            name: self.caller.name.clone(),
            until: now.plus(VIEWING),
        };
        let viewers = &self.system.kernel().shared.read_cache.viewers;
        viewers.note(id, viewer.clone(), now);
        self.publish(What::Viewing(id, viewer.clone()));
        Ok(Some(viewer))
    }
}
