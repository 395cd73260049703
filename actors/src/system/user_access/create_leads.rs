//! A user adds leads that no chat opened.

use crate::domain::account::rights::EntityAction;
use crate::domain::account::rights::calculation::Operation;
use crate::domain::account::users::rule::Resource;
use crate::domain::audit::By;
use crate::domain::crm::Lead;
use crate::domain::crm::create_leads::{CreateLeads, NewLead};
use crate::system::user_access::custom_fields::values_fit;
use crate::system::user_access::{CrmRejection, UserAccess};
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::CommandError;

impl UserAccess {
    /// Adds leads, all of them or none; answers once they are on disk.
    ///
    /// # Errors
    /// When the user may not add one of them, the account would have too many tags, or nothing can be stored now.
    pub async fn create_leads(
        &self,
        leads: Vec<NewLead>,
    ) -> Result<Vec<Lead>, CommandError<CrmRejection>> {
        if !leads.iter().all(|lead| self.may_create_lead(lead)) {
            return Err(CommandError::Rejected(CrmRejection::Denied(
                EntityAction::Add,
            )));
        }
        for lead in &leads {
            values_fit(&lead.values).map_err(CommandError::Rejected)?;
        }
        let account = self.caller.account;
        let by = By::from(&self.caller);
        let command = CreateLeads { by, account, leads };
        let outcome = execute(self.system.kernel(), &account, command).await;
        outcome.map_err(|refused| refused.map(CrmRejection::from))
    }

    pub(super) fn may_create_lead(&self, lead: &NewLead) -> bool {
        let thing = Resource {
            responsible: lead.responsible,
            stage: Some(lead.stage),
            subscriber: false,
        };
        self.authorize(Operation::Leads(EntityAction::Add), &thing)
            .allowed
    }
}
