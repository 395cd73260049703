//! The entities that a body names by number, looked up before the body is read, so that all mistakes are reported at once.

use crate::domain::crm::entity::EntityKind;
use crate::system::user_access::UserAccess;
use crate::wire::account_body::entries::{Mentioned, Numbers};
use switchboard_runtime::error::UnavailableError;

impl UserAccess {
    /// Those of the contacts that the user may see, and those of the tags of this kind that there are.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn mentioned(
        &self,
        of: EntityKind,
        numbers: &Numbers,
    ) -> Result<Mentioned, UnavailableError> {
        let mut entities = Mentioned::default();
        for id in &numbers.contacts {
            let contact = self.contact(*id).await?;
            entities.contacts.extend(contact.map(|contact| contact.id));
        }
        for id in &numbers.tags {
            let tag = self.tag(of, *id).await?;
            entities.tags.extend(tag.map(|tag| (tag.id, tag.name)));
        }
        Ok(entities)
    }
}
