//! What the operator declares, does and sees. Declaring again what is there changes nothing.

pub mod access;
pub mod audit;
pub mod channels;
pub mod test_send;

use std::convert::Infallible;

use crate::actor::facts::Caller;
use crate::domain::account::users::{DeclareUser, TokenHash, Users};
use crate::domain::id::{AccountId, UserId};
use crate::domain::installation::accounts::{Account, Accounts, DeclareAccount};
use crate::domain::installation::channels::declare::DeclareChannel;
use crate::domain::installation::channels::{Channel, Channels};
use crate::error::{Refused, Unavailable};
use crate::runtime::ask::execute;
use crate::system::System;

impl System {
    /// The channel exists afterwards, and what is declared of it otherwise than the last time is as declared; see
    /// [`DeclareChannel`]. What the operator changed since stays, unless its declaration changes too.
    ///
    /// # Errors
    /// When nothing can be stored now.
    pub async fn declare_channel(&self, channel: Channel) -> Result<(), Unavailable> {
        execute::<Channels, _>(self.env(), &(), DeclareChannel(channel))
            .await
            .map_err(unavailable)
    }

    /// The account exists afterwards as declared.
    ///
    /// # Errors
    /// When nothing can be stored now.
    pub async fn declare_account(&self, account: Account) -> Result<(), Unavailable> {
        execute::<Accounts, _>(self.env(), &(), DeclareAccount(account))
            .await
            .map_err(unavailable)
    }

    /// The user, known by the e-mail address, exists afterwards as declared.
    ///
    /// # Errors
    /// When nothing can be stored now.
    pub async fn declare_user(
        &self,
        account: AccountId,
        user: DeclareUser,
    ) -> Result<UserId, Unavailable> {
        execute::<Users, _>(self.env(), &account, user)
            .await
            .map_err(unavailable)
    }

    /// All channels, by id.
    #[must_use]
    pub fn channels(&self) -> Vec<Channel> {
        self.env().facts.channels().iter().cloned().collect()
    }

    /// The account with this id.
    #[must_use]
    pub fn account(&self, id: AccountId) -> Option<Account> {
        self.env().facts.accounts().get(id).cloned()
    }

    /// The account user with this bearer token.
    #[must_use]
    pub fn caller(&self, token: &str) -> Option<Caller> {
        self.env().facts.caller(&TokenHash::of(token))
    }
}

pub(crate) fn unavailable(refused: Refused<Infallible>) -> Unavailable {
    match refused {
        Refused::Rejected(never) => match never {},
        Refused::Unavailable(unavailable) => unavailable,
    }
}
