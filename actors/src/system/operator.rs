//! The operator's declarations, changes and views. A repeated declaration changes nothing.

pub mod access;
pub mod accounts;
pub mod audit;
pub mod channels;
mod conflicts;
pub mod connections;
pub mod explain_id;
pub mod groups;
pub mod test_send;
pub mod users;
pub mod webhooks;

use std::convert::Infallible;

use crate::domain::account::rights::granted::Rights;
use crate::domain::account::users::declare::{Declare, DeclareUser, DeclareUserRejection};
use crate::domain::audit::By;
use crate::domain::crm::Pipeline;
use crate::domain::crm::pipelines::declare::{DeclarePipelines, DeclarePipelinesRejection};
use crate::domain::id::{AccountId, AccountNumber, UserId};
use crate::domain::installation::accounts::declare::DeclareAccount;
use crate::domain::installation::accounts::{Account, AccountRejection, Lang};
use crate::domain::installation::channels::Channel;
use crate::domain::installation::channels::declare::DeclareChannel;
use crate::domain::signature::SharedSecret;
use crate::system::System;
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::{CommandError, UnavailableError};

impl System {
    /// The channel exists afterwards, and what is declared of it otherwise than the last time is as declared; see
    /// [`DeclareChannel`]. What the operator changed since stays, unless its declaration changes too.
    ///
    /// # Errors
    /// When nothing can be stored now.
    pub async fn declare_channel(&self, channel: Channel) -> Result<(), UnavailableError> {
        execute(self.kernel(), &(), DeclareChannel(channel))
            .await
            .map_err(unavailable)
    }

    /// The account exists afterwards as declared.
    ///
    /// # Errors
    /// When it conflicts with another account, or nothing can be stored now.
    pub async fn declare_account(
        &self,
        account: DeclareAccount,
    ) -> Result<(), CommandError<AccountRejection>> {
        execute(self.kernel(), &(), account).await
    }

    /// The account has these pipelines afterwards, among others, be it there already or to be declared next.
    ///
    /// # Errors
    /// When they do not go with those that it has, or nothing can be stored now.
    pub async fn declare_pipelines(
        &self,
        account: AccountId,
        pipelines: Vec<Pipeline>,
    ) -> Result<(), CommandError<DeclarePipelinesRejection>> {
        // The rights of its users name the pipelines that an account has, be they chosen or not.
        if let Some(conflict) = self.pipelines_conflict(account, &pipelines).await? {
            return Err(CommandError::Rejected(conflict));
        }
        let command = DeclarePipelines {
            declared: pipelines,
            to_existing: self.account(account).is_some(),
        };
        execute(self.kernel(), &account, command).await
    }

    /// The user, known by the e-mail address, exists afterwards as declared.
    ///
    /// # Errors
    /// When the user cannot have the declared number, or nothing can be stored now.
    pub async fn declare_user(
        &self,
        account: AccountId,
        user: DeclareUser,
    ) -> Result<UserId, CommandError<DeclareUserRejection>> {
        let users = self.users(account).await?;
        let declaration = users
            .declared_as(&user.email)
            .and_then(|known| known.declared.as_deref())
            .and_then(|declared| declared.password.clone());
        let passwords = &self.kernel().shared.passwords;
        let password = match (user.password, declaration) {
            (None, _) => None,
            // The same password again: a hash with another salt would look like a change.
            (Some(password), Some(hash))
                if passwords.verify(password.clone(), hash.clone()).await? =>
            {
                None
            }
            (Some(password), _) => {
                let salt = self.kernel().entropy.bytes();
                Some(passwords.hash(password, salt).await?)
            }
        };
        let denied = if user.is_admin {
            Rights::denied(&[])
        } else {
            self.denied(account).await?
        };
        let command = Declare {
            by: By::Configuration,
            id: user.id,
            name: user.name,
            email: user.email,
            lang: self
                .account(account)
                .map_or(Lang::En, |account| account.settings.lang),
            is_admin: user.is_admin,
            password,
            token: user.token,
            denied,
        };
        execute(self.kernel(), &account, command).await
    }

    /// All channels, by id.
    #[must_use]
    pub fn channels(&self) -> Vec<Channel> {
        self.kernel()
            .shared
            .read_cache
            .channels()
            .iter()
            .cloned()
            .collect()
    }

    /// Returns whether this is the secret of a channel. Takes the same time for every text of a length that is none.
    #[must_use]
    pub fn is_a_secret(&self, text: &str) -> bool {
        let Ok(secret) = text.parse::<SharedSecret>() else {
            return false;
        };
        let channels = self.kernel().shared.read_cache.channels();
        let same = channels.iter().map(|channel| channel.secret == secret);
        same.fold(false, |any, same| any | same)
    }

    /// Returns whether this is the secret of an OAuth client. Takes the same time for every text of a length that is none.
    #[must_use]
    pub fn is_a_client_secret(&self, text: &str) -> bool {
        let Ok(secret) = text.parse::<SharedSecret>() else {
            return false;
        };
        let clients = self.kernel().shared.read_cache.oauth_clients();
        let same = clients.iter().map(|client| client.secret == secret);
        same.fold(false, |any, same| any | same)
    }

    /// The account with this id.
    #[must_use]
    pub fn account(&self, id: AccountId) -> Option<Account> {
        self.kernel().shared.read_cache.accounts().get(id).cloned()
    }

    /// The account with this number.
    #[must_use]
    pub fn account_numbered(&self, number: AccountNumber) -> Option<Account> {
        let accounts = self.kernel().shared.read_cache.accounts();
        accounts.numbered(number).cloned()
    }

    /// So many accounts at most, by id.
    #[must_use]
    pub fn first_accounts(&self, most: usize) -> Vec<Account> {
        let accounts = self.kernel().shared.read_cache.accounts();
        accounts.iter().take(most).cloned().collect()
    }

    /// The account with this subdomain.
    #[must_use]
    pub fn account_of_subdomain(&self, subdomain: &str) -> Option<Account> {
        let accounts = self.kernel().shared.read_cache.accounts();
        accounts.of_subdomain(subdomain).cloned()
    }
}

pub(crate) fn unavailable(refused: CommandError<Infallible>) -> UnavailableError {
    match refused {
        CommandError::Rejected(never) => match never {},
        CommandError::Unavailable(unavailable) => unavailable,
    }
}
