//! The details that customers state reach the contact that a user gave their chat to.

use crate::domain::crm::customer_news::CustomerNews;
use crate::domain::id::ContactId;
use crate::system::System;
use crate::system::operator::unavailable;
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::UnavailableError;

impl System {
    /// Gives a contact what the customer of a chat says. Which contact it is, the CRM learns from the link only, so this is a
    /// change of its own. A crash before it loses it for this contact, until the customer has other news.
    pub(super) async fn follow_elsewhere(
        &self,
        contact: Option<ContactId>,
        news: Option<CustomerNews>,
    ) -> Result<(), UnavailableError> {
        let Some((contact, news)) = contact.zip(news) else {
            return Ok(());
        };
        let account = news.account();
        let follow = news.elsewhere(contact);
        let followed = execute(self.kernel(), &account, follow).await;
        followed.map_err(unavailable)
    }
}
