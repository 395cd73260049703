//! The administrators' changes of users, and the details of users that every user may know.

use std::sync::Arc;

use crate::domain::account::holder::Holder;
use crate::domain::account::password::{Password, PasswordHash};
use crate::domain::account::rights::granted::Rights;
use crate::domain::account::user::{Rank, Standing, User};
use crate::domain::account::users::Users;
use crate::domain::account::users::activate::{ActivateUsers, ActivateUsersRejection};
use crate::domain::account::users::create::{CreateUsers, CreateUsersRejection, NewUser};
use crate::domain::account::users::update::{
    ChangeLimits, UpdateUser, UpdateUserRejection, UserChange,
};
use crate::domain::audit::By;
use crate::domain::id::{AccountId, GroupId, UserId};
use crate::domain::installation::accounts::{Lang, Plan};
use crate::domain::keys;
use crate::domain::tables;
use crate::domain::text::UserName;
use crate::domain::text::email::Email;
use crate::system::System;
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::state::State;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_runtime::error::{CommandError, UnavailableError};
use switchboard_runtime::shared::load_cached::load_cached;

/// A user to be added.
#[derive(Clone, Debug)]
pub struct UserToAdd {
    /// The full name.
    pub name: UserName,
    /// The e-mail address.
    pub email: Email,
    /// The language; the account's when left out.
    pub lang: Option<Lang>,
    /// The source of the rights; a missing one allows nothing.
    pub standing: Option<Standing>,
    /// The group.
    pub group: GroupId,
    /// The password, of which only the hash is kept; without one, the user cannot sign in.
    pub password: Option<Password>,
}

impl System {
    /// The users and roles of an account, as they are on disk: read with the first request, and as their owner published
    /// them from then on.
    ///
    /// # Errors
    /// When they cannot be read now.
    pub async fn users(&self, account: AccountId) -> Result<Arc<Users>, UnavailableError> {
        let users = load_cached::<Users>(self.kernel(), &account).await?;
        Ok(users.unwrap_or_else(|| Arc::new(Users::initial(&account))))
    }

    /// Adds users, all of them or none; answers once they are on disk.
    ///
    /// # Errors
    /// When the account has too many users for its plan, an e-mail address is taken, a role or a group is not there, or
    /// nothing can be stored now.
    pub async fn create_users(
        &self,
        account: AccountId,
        by: By,
        users: Vec<UserToAdd>,
    ) -> Result<Vec<Arc<User>>, CommandError<CreateUsersRejection>> {
        let account_state = self.account(account);
        let plan = account_state.map_or(Plan::Base, |account| account.settings.plan);
        self.add(account, by, plan, users).await
    }

    /// Adds users to an account that has this plan.
    pub(crate) async fn add(
        &self,
        account: AccountId,
        by: By,
        plan: Plan,
        users: Vec<UserToAdd>,
    ) -> Result<Vec<Arc<User>>, CommandError<CreateUsersRejection>> {
        let kernel = self.kernel();
        let account_state = self.account(account);
        let lang = account_state.map_or(Lang::En, |account| account.settings.lang);
        let denied = if users.iter().all(|user| user.standing.is_some()) {
            Rights::denied(&[])
        } else {
            self.denied(account).await?
        };
        let mut batch = Vec::with_capacity(users.len());
        for user in users {
            let password = match user.password {
                Some(password) => Some(self.hashed(password).await?),
                None => None,
            };
            let standing = user.standing;
            batch.push(NewUser {
                name: user.name,
                email: user.email,
                lang: user.lang.unwrap_or(lang),
                standing: standing.unwrap_or_else(|| Standing::Own(Box::new(denied.clone()))),
                group: user.group,
                password,
            });
        }
        let command = CreateUsers {
            by,
            plan,
            users: batch,
        };
        execute(kernel, &account, command).await
    }

    /// Changes a user for an administrator of the account; answers once the change is on disk.
    ///
    /// # Errors
    /// When there is none with this number, they are an administrator whose rights or password would change, the e-mail
    /// address is another's, a role or a group is not there, or nothing can be stored now.
    pub async fn update_user(
        &self,
        account: AccountId,
        by: By,
        id: UserId,
        change: UserChange,
    ) -> Result<Arc<User>, CommandError<UpdateUserRejection>> {
        let password = match change.password {
            Some(password) => Some(self.hashed(password).await?),
            None => None,
        };
        let command = UpdateUser {
            by,
            id,
            change: change.fields,
            standing: change.standing,
            limits: ChangeLimits::KeepsAdministrators,
            denied: self.denied(account).await?,
            password,
            notifications: None,
            presence: None,
        };
        execute(self.kernel(), &account, command).await
    }

    /// The hash of a password, as it is kept.
    pub(in crate::system) async fn hashed(
        &self,
        password: Password,
    ) -> Result<PasswordHash, UnavailableError> {
        let salt = self.kernel().entropy.bytes();
        self.kernel().shared.passwords.hash(password, salt).await
    }

    /// Switches users on or off, all of them or none. A user who is switched off is refused from the next request on.
    /// Answers once the change is on disk.
    ///
    /// # Errors
    /// When a user is not of the account or is an administrator, or nothing can be stored now.
    pub async fn activate_users(
        &self,
        account: AccountId,
        by: By,
        users: Vec<UserId>,
        active: bool,
    ) -> Result<(), CommandError<ActivateUsersRejection>> {
        let command = ActivateUsers { by, users, active };
        execute(self.kernel(), &account, command).await
    }

    /// The ranks of these users, by the number of messages that they wrote.
    ///
    /// # Errors
    /// When they cannot be read now.
    pub async fn ranks(
        &self,
        account: AccountId,
        users: Vec<UserId>,
    ) -> Result<Vec<Rank>, UnavailableError> {
        self.kernel().caught_up().await;
        let system = self.clone();
        let counting = tokio::task::spawn_blocking(move || {
            let ranks = users.into_iter().map(|user| system.rank(account, user));
            ranks.collect()
        });
        counting.await.unwrap_or(Err(UnavailableError::Interrupted))
    }

    fn rank(&self, account: AccountId, user: UserId) -> Result<Rank, UnavailableError> {
        let kernel = self.kernel();
        let holder = Holder { account, user };
        if kernel.shared.read_cache.is_master(&holder) {
            return Ok(Rank::Master);
        }
        let range = KeyRange::prefix(&keys::written_prefix(account, user));
        let rows = kernel.index.scan(
            tables::WRITTEN,
            &range,
            ScanOrder::Ascending,
            Rank::MASTER_FROM,
        )?;
        let rank = Rank::from_messages(rows.len());
        if rank == Rank::Master {
            kernel.shared.read_cache.note_master(holder);
        }
        Ok(rank)
    }
}
