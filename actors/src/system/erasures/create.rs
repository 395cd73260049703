//! The operator orders an erasure.

use crate::domain::audit::By;
use crate::domain::id::ScopeId;
use crate::domain::keys;
use crate::system::System;
use switchboard_engine::runtime::ask::execute;
use switchboard_erasures::create::{CreateErasure, CreateErasureRejection};
use switchboard_erasures::{CustomerTarget, Erasure, Target};
use switchboard_relay::hooks::RelayedHooks;
use switchboard_runtime::error::{CommandError, UnavailableError};

impl System {
    /// Orders an erasure. It is carried out when the service ends its round; `None` when there is nothing of that name.
    ///
    /// # Errors
    /// When the same erasure waits, too many wait, or nothing can be stored now.
    pub async fn create_erasure(
        &self,
        by: By,
        target: Target,
    ) -> Result<Option<Erasure>, CommandError<CreateErasureRejection>> {
        if !self.is_there(&target).await? {
            return Ok(None);
        }
        let erasure = execute(self.kernel(), &(), CreateErasure { by, target }).await?;
        Ok(Some(erasure))
    }

    /// Returns whether there is something that could be erased.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn is_there(&self, target: &Target) -> Result<bool, UnavailableError> {
        match target {
            Target::Customer(customer) => self.is_customer_there(customer).await,
            Target::Account { account } => Ok(self.accounts().await?.get(*account).is_some()),
            Target::Messages { .. } => Ok(true),
            Target::RelayedConversation { chats } => {
                for chat in chats {
                    if self.look::<RelayedHooks>(chat).await?.is_some() {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    async fn is_customer_there(&self, customer: &CustomerTarget) -> Result<bool, UnavailableError> {
        self.kernel().caught_up().await;
        let account = customer.account;
        if let Some(contact) = customer.contact {
            match self.contact(account, contact).await? {
                None => return Ok(false),
                // Two different customers: one of them was named by mistake.
                Some(contact) if customer.person.is_some_and(|it| contact.person != Some(it)) => {
                    return Ok(false);
                }
                Some(_) => {}
            }
        }
        let Some(person) = customer.person else {
            return Ok(customer.contact.is_some());
        };
        let contact = self
            .kernel()
            .index
            .find(keys::contact_of(account, person))?;
        if contact.is_some() {
            return Ok(true);
        }
        for channel in self.kernel().shared.read_cache.channels().iter() {
            if self.is_customer(&ScopeId::new(channel.id.clone(), account), person)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
