//! A user creates unsorted leads of forms or calls.

use crate::domain::crm::Lead;
use crate::domain::crm::create_complex_leads::ComplexLead;
use crate::system::user_access::{CrmRejection, UserAccess};
use switchboard_runtime::error::CommandError;

impl UserAccess {
    /// Creates unsorted leads, each with the form or the call that it comes from and with its contact: all of them or none.
    ///
    /// # Errors
    /// As [`Self::create_complex_leads`].
    pub async fn create_unsorted(
        &self,
        leads: Vec<ComplexLead>,
    ) -> Result<Vec<Lead>, CommandError<CrmRejection>> {
        self.create_complex_leads(leads).await
    }
}
