//! Conflicts of what the configuration declares with what is stored: looked for before anything is declared.

use std::collections::BTreeSet;

use crate::domain::account::users::declare::{DeclareUser, DeclareUserRejection};
use crate::domain::crm::Pipeline;
use crate::domain::crm::pipelines::declare::{DeclarePipelinesRejection, with_declared};
use crate::domain::crm::predefined_field::PredefinedField;
use crate::domain::id::{AccountId, FieldId, UserId};
use crate::domain::installation::accounts::AccountRejection;
use crate::domain::installation::accounts::declare::DeclareAccount;
use crate::system::System;
use switchboard_runtime::error::UnavailableError;

impl System {
    /// Returns, for each account that is declared, its conflict with another of them or with one that is there.
    ///
    /// # Errors
    /// When they cannot be read now.
    pub async fn account_conflicts(
        &self,
        declared: &[DeclareAccount],
    ) -> Result<Vec<Option<AccountRejection>>, UnavailableError> {
        let mut accounts = self.accounts().await?;
        let now = self.now();
        let mut conflicts = Vec::with_capacity(declared.len());
        for it in declared {
            let numbers = [it.settings.phone_field_id, it.settings.email_field_id];
            let taken_field = self.taken_field(it.id, numbers.map(Some)).await?;
            let conflict = accounts.conflict(it.id, &it.settings, now);
            conflicts.push(conflict.or(taken_field.map(AccountRejection::FieldTaken)));
        }
        Ok(conflicts)
    }

    /// The first of these numbers, chosen for predefined fields, that a custom field of the account has. The usual numbers
    /// never are such a field's.
    pub(super) async fn taken_field(
        &self,
        account: AccountId,
        numbers: [Option<FieldId>; 2],
    ) -> Result<Option<FieldId>, UnavailableError> {
        let usual = PredefinedField::ALL.map(PredefinedField::usual_id);
        let ids = numbers.into_iter().flatten();
        let mut unusual = ids.filter(|id| !usual.contains(id)).peekable();
        if unusual.peek().is_none() {
            return Ok(None);
        }
        let custom_fields = self.crm(account).await?.custom_fields;
        Ok(unusual.find(|id| custom_fields.find(*id).is_some()))
    }

    /// Returns the conflict of these pipelines with those of an account that is there.
    ///
    /// # Errors
    /// When they cannot be read now.
    pub async fn pipelines_conflict(
        &self,
        account: AccountId,
        declared: &[Pipeline],
    ) -> Result<Option<DeclarePipelinesRejection>, UnavailableError> {
        if self.account(account).is_none() {
            return Ok(None);
        }
        let pipelines = self.pipelines(account).await?;
        Ok(with_declared(&pipelines, declared).err())
    }

    /// The users, by their places, who cannot be declared with these numbers, each in turn.
    ///
    /// # Errors
    /// When the users of the account cannot be read now.
    pub async fn user_conflicts(
        &self,
        account: AccountId,
        declared: &[DeclareUser],
    ) -> Result<Vec<(usize, DeclareUserRejection)>, UnavailableError> {
        let users = self.users(account).await?;
        // Those who get the next number take one, too.
        let mut emails = BTreeSet::new();
        let mut last = users.next_id().0.saturating_sub(1);
        let mut conflicts = Vec::new();
        for (at, user) in declared.iter().enumerate() {
            let number = match (users.declared_as(&user.email), user.id) {
                (None, None) => Ok(UserId(last.saturating_add(1))),
                (None, Some(chosen)) if emails.contains(&chosen) => {
                    Err(DeclareUserRejection::NumberTaken(chosen))
                }
                _ => users.number_of(&user.email, user.id),
            };
            match number {
                Ok(number) => {
                    last = last.max(number.0);
                    emails.insert(number);
                }
                Err(conflict) => conflicts.push((at, conflict)),
            }
        }
        Ok(conflicts)
    }
}
