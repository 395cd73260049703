//! A user creates leads together with their contacts.

use crate::domain::account::rights::EntityAction;
use crate::domain::audit::By;
use crate::domain::crm::Lead;
use crate::domain::crm::create_complex_leads::{ComplexLead, CreateComplexLeads};
use crate::system::user_access::custom_fields::values_fit;
use crate::system::user_access::{CrmRejection, UserAccess};
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::CommandError;

impl UserAccess {
    /// Creates leads with their contacts, all of them or none; answers once they are on disk.
    ///
    /// # Errors
    /// When the user may not add one of the leads or contacts, the account would have too many tags, the values of one are too
    /// large, or nothing can be stored now.
    pub async fn create_complex_leads(
        &self,
        leads: Vec<ComplexLead>,
    ) -> Result<Vec<Lead>, CommandError<CrmRejection>> {
        let may_create = |it: &ComplexLead| {
            let contact = it.contact.as_ref();
            self.may_create_lead(&it.lead) && contact.is_none_or(|it| self.may_create_contact(it))
        };
        if !leads.iter().all(may_create) {
            return Err(CommandError::Rejected(CrmRejection::Denied(
                EntityAction::Add,
            )));
        }
        for ComplexLead { lead, contact } in &leads {
            let of_contact = contact.iter().map(|contact| &contact.values);
            for values in std::iter::once(&lead.values).chain(of_contact) {
                values_fit(values).map_err(CommandError::Rejected)?;
            }
        }
        let account = self.caller.account;
        let by = By::from(&self.caller);
        let command = CreateComplexLeads { by, account, leads };
        let outcome = execute(self.system.kernel(), &account, command).await;
        outcome.map_err(|refused| refused.map(CrmRejection::from))
    }
}
