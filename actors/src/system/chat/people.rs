//! Descriptions of the people whom ids name.

use crate::domain::account::users::Users;
use crate::domain::conversation::{ConversationEvent, Customer};
use crate::domain::id::{PersonId, ScopeId};
use crate::domain::keys;
use crate::domain::text::Name;
use crate::system::System;
use switchboard_runtime::error::UnavailableError;

impl System {
    /// The name of the account user that this person is; the bot of the channel has none; `None` for anybody else.
    pub(super) async fn staff(
        &self,
        scope: &ScopeId,
        person: PersonId,
    ) -> Result<Option<Option<Name>>, UnavailableError> {
        let ids = &self.kernel().shared.ids;
        if ids.bot(scope.channel()) == person {
            return Ok(Some(None));
        }
        let account = scope.account();
        let users = self.look::<Users>(&account).await?;
        Ok(users.and_then(|users| {
            let user = users
                .iter()
                .find(|user| ids.user(account, user.id) == person);
            user.map(|user| Some(user.name.clone().into()))
        }))
    }

    /// Returns whether a message of this scope was written by this customer, or to them.
    pub(super) fn has_spoken(
        &self,
        scope: &ScopeId,
        person: PersonId,
    ) -> Result<bool, UnavailableError> {
        let place = self.kernel().index.find(keys::person(scope, person))?;
        Ok(place.is_some())
    }

    /// Returns whether this is a customer of the scope: one of a message, or one whom a chat was made for. A customer of another
    /// channel of the account is none here, so an integration learns nothing about the people of others.
    pub(in crate::system) fn is_customer(
        &self,
        scope: &ScopeId,
        person: PersonId,
    ) -> Result<bool, UnavailableError> {
        let index = &self.kernel().index;
        Ok(self.has_spoken(scope, person)? || index.find(keys::expected(scope, person))?.is_some())
    }

    /// The description of a customer of the scope.
    pub(in crate::system) fn customer_of(
        &self,
        scope: &ScopeId,
        person: PersonId,
    ) -> Result<Option<Customer>, UnavailableError> {
        let kernel = self.kernel();
        let record = match kernel.record::<ConversationEvent>(keys::person(scope, person))? {
            Some(record) => Some(record),
            None => kernel.record(keys::expected(scope, person))?,
        };
        Ok(record.and_then(|record| record.event.customer(person).cloned()))
    }
}
