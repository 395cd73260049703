//! A user signs in, with an e-mail address and a password.

use std::net::IpAddr;
use std::sync::Arc;

use crate::domain::account::credentials::sign_in::SignIn;
use crate::domain::account::emails::Emails;
use crate::domain::account::holder::Holder;
use crate::domain::account::throttle::{AuthAttempt, ThrottleError};
use crate::domain::account::user::User;
use crate::domain::audit::By;
use crate::domain::id::AccountId;
use crate::domain::keys::people::{email_prefix, holder_of_row};
use crate::domain::operator::token::MadeToken;
use crate::domain::tables;
use crate::domain::text::email::Email;
use crate::system::System;
use crate::system::operator::unavailable;
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_runtime::caches::read_cache::Caller;
use switchboard_runtime::error::{CommandError, UnavailableError};

/// A request to sign in.
#[derive(Clone)]
pub struct SignInRequest {
    /// The e-mail address, as it was given.
    pub email: String,
    /// The password, as it was given.
    pub password: String,
    /// The account; needed when users of several have this address.
    pub account: Option<AccountId>,
    /// The address of the client.
    pub address: IpAddr,
}

/// A completed sign-in.
#[derive(Clone, Debug)]
pub struct SignedIn {
    /// The user who signed in.
    pub caller: Caller,
    /// The secret for the cookie; it is not readable later.
    pub secret: MadeToken,
}

/// The rejection of a sign-in. The reason does not reveal whether a user has the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignInRejection {
    /// No active user has this address and this password, or several accounts know the address.
    #[error(
        "the e-mail address or the password is wrong; if several accounts have this address, set account_id"
    )]
    Wrong,
    /// Too many attempts.
    #[error(transparent)]
    TooOften(ThrottleError),
}

impl System {
    /// Signs a user in. Takes the time of one password check, whether or not a user has the address.
    ///
    /// # Errors
    /// When the sign-in data is wrong, there were too many attempts, or nothing can be stored now.
    pub async fn sign_in(
        &self,
        request: SignInRequest,
    ) -> Result<SignedIn, CommandError<SignInRejection>> {
        let email = request.email.parse::<Email>().ok();
        let candidate = match &email {
            Some(email) => self.candidate(email, request.account).await?,
            None => None,
        };
        let account = candidate
            .as_ref()
            .map(|(account, _)| *account)
            .or(request.account);
        let folded = email.as_ref().map(Emails::folded);
        let name = format!(
            "{} {}",
            account.map(String::from).unwrap_or_default(),
            folded.unwrap_or(request.email)
        );
        let attempt = AuthAttempt::new(&name, request.address);
        let hash = candidate
            .as_ref()
            .and_then(|(_, user)| user.password.clone());
        let check = self.check_password(&attempt, request.password, hash.clone());
        let right = check
            .await
            .map_err(|refused| refused.map(SignInRejection::TooOften))?;
        // The password may have been changed, or the user switched off, while it was checked.
        let holder = candidate.filter(|_| right).map(|(account, user)| Holder {
            account,
            user: user.id,
        });
        let wrong = CommandError::Rejected(SignInRejection::Wrong);
        let Some(holder) = holder else {
            return Err(wrong);
        };
        let users = self.users(holder.account).await?;
        let user = users.get(holder.user);
        let Some(user) = user.filter(|user| user.active && user.password == hash) else {
            return Err(wrong);
        };
        Ok(self.begin_session(holder.account, user).await?)
    }

    /// Begins a session of a user who has shown who they are.
    pub(in crate::system) async fn begin_session(
        &self,
        account: AccountId,
        user: &User,
    ) -> Result<SignedIn, UnavailableError> {
        let caller = Caller::new(account, user);
        let command = SignIn {
            by: By::from(&caller),
            ended_before: user.sessions_ended,
        };
        let secret = execute(self.kernel(), &caller.holder(), command)
            .await
            .map_err(unavailable)?;
        Ok(SignedIn { caller, secret })
    }

    /// The one active user with this address: in the account that is named, else in the only one that has one.
    async fn candidate(
        &self,
        email: &Email,
        account: Option<AccountId>,
    ) -> Result<Option<(AccountId, Arc<User>)>, UnavailableError> {
        let account = match account {
            Some(account) => Some(account),
            None => self.only_account(email).await?,
        };
        let Some(account) = account.and_then(|account| self.account(account)) else {
            return Ok(None);
        };
        let users = self.users(account.id).await?;
        let user = users.by_email(email).filter(|user| user.active);
        Ok(user.map(|user| (account.id, Arc::clone(user))))
    }

    /// The account that alone has an active user with this address.
    async fn only_account(&self, email: &Email) -> Result<Option<AccountId>, UnavailableError> {
        let kernel = self.kernel();
        kernel.caught_up().await;
        let range = KeyRange::prefix(&email_prefix(email));
        let order = ScanOrder::Ascending;
        let rows = kernel
            .index
            .scan(tables::USERS_BY_EMAIL, &range, order, 2)?;
        Ok(match rows.as_slice() {
            [(key, _)] => holder_of_row(key).map(|holder| holder.account),
            _ => None,
        })
    }
}
