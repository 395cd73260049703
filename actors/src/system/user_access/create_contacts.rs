//! A user adds contacts who wrote in no chat.

use crate::domain::account::rights::EntityAction;
use crate::domain::account::rights::calculation::Operation;
use crate::domain::account::users::rule::Resource;
use crate::domain::audit::By;
use crate::domain::crm::Contact;
use crate::domain::crm::create_contacts::{CreateContacts, NewContact};
use crate::system::user_access::custom_fields::values_fit;
use crate::system::user_access::{CrmRejection, UserAccess};
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::CommandError;

impl UserAccess {
    /// Adds contacts, all of them or none; answers once they are on disk.
    ///
    /// # Errors
    /// When the user may not add one of them, the account would have too many tags, or nothing can be stored now.
    pub async fn create_contacts(
        &self,
        contacts: Vec<NewContact>,
    ) -> Result<Vec<Contact>, CommandError<CrmRejection>> {
        if !contacts.iter().all(|it| self.may_create_contact(it)) {
            return Err(CommandError::Rejected(CrmRejection::Denied(
                EntityAction::Add,
            )));
        }
        for contact in &contacts {
            values_fit(&contact.values).map_err(CommandError::Rejected)?;
        }
        let account = self.caller.account;
        let by = By::from(&self.caller);
        let command = CreateContacts {
            by,
            account,
            contacts,
        };
        let outcome = execute(self.system.kernel(), &account, command).await;
        outcome.map_err(|refused| refused.map(CrmRejection::from))
    }

    pub(super) fn may_create_contact(&self, contact: &NewContact) -> bool {
        let thing = Resource {
            responsible: contact.responsible,
            ..Resource::UNOWNED
        };
        self.authorize(Operation::Contacts(EntityAction::Add), &thing)
            .allowed
    }
}
