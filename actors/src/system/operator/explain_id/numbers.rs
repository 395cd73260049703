//! Numbers of the account interface.

use super::{IdMatch, Places};
use crate::domain::account::user::User;
use crate::domain::id::{AccountId, AccountNumber, ContactId, LeadId, UserId};
use crate::domain::id_kind::IdKind;
use crate::system::System;
use switchboard_runtime::error::UnavailableError;

impl System {
    /// The account with this number, and the users, leads, talks and contacts that have it in accounts.
    pub(super) async fn named_by_number(
        &self,
        text: &str,
        places: &Places,
    ) -> Result<Vec<IdMatch>, UnavailableError> {
        let Ok(number) = text.parse::<AccountNumber>() else {
            return Ok(Vec::new());
        };
        let mut matches = Vec::new();
        let account = self.account_numbered(number);
        matches.extend(account.map(|account| IdMatch::account(&account)));
        for account in &places.accounts {
            let users = self.users(*account).await?;
            let user = users.get(UserId(number.0));
            matches.extend(user.map(|user| self.explained_user(*account, user)));
            matches.extend(self.explained_lead(*account, LeadId(number.0)).await?);
            matches.extend(
                self.explained_contact(*account, ContactId(number.0))
                    .await?,
            );
        }
        Ok(matches)
    }

    pub(super) fn explained_user(&self, account: AccountId, user: &User) -> IdMatch {
        let chat_id = self.kernel().shared.ids.user(account, user.id);
        let refusal = (!user.active).then(|| "the user is deactivated".to_owned());
        IdMatch {
            twin: Some(chat_id.to_string()),
            name: Some(user.name.to_string()),
            refusal,
            ..IdMatch::new(IdKind::User, user.id).of_user(account, user.id)
        }
    }

    /// The lead with this number, and its talk if it has one.
    async fn explained_lead(
        &self,
        account: AccountId,
        id: LeadId,
    ) -> Result<Vec<IdMatch>, UnavailableError> {
        let Some(lead) = self.lead(account, id).await? else {
            return Ok(Vec::new());
        };
        let explained = IdMatch {
            name: Some(lead.name.clone()),
            account: Some(account),
            conversation: lead.conversation(),
            lead: Some(id),
            contact: lead.contact,
            user: lead.responsible,
            ..IdMatch::new(IdKind::Lead, id)
        };
        let talk = lead.conversation().map(|_| IdMatch {
            kind: IdKind::Talk,
            ..explained.clone()
        });
        Ok(std::iter::once(explained).chain(talk).collect())
    }

    async fn explained_contact(
        &self,
        account: AccountId,
        id: ContactId,
    ) -> Result<Option<IdMatch>, UnavailableError> {
        let contact = self.contact(account, id).await?;
        Ok(contact.map(|contact| IdMatch {
            name: Some(contact.name.to_string()),
            account: Some(account),
            contact: Some(id),
            user: contact.responsible,
            ..IdMatch::new(IdKind::Contact, id)
        }))
    }
}
