//! What the operator does to users.

use std::sync::Arc;

use crate::domain::account::password::Password;
use crate::domain::account::rights::granted::Rights;
use crate::domain::account::user::{Standing, User};
use crate::domain::account::users::Users;
use crate::domain::account::users::add::{AddUsers, AddUsersRejection, NewUser};
use crate::domain::account::users::change::{ChangeUser, ChangeUserRejection};
use crate::domain::audit::By;
use crate::domain::id::{AccountId, GroupId, UserId};
use crate::domain::installation::accounts::{Lang, Plan};
use crate::domain::text::Name;
use crate::domain::text::email::Email;
use crate::error::{Refused, Unavailable};
use crate::system::System;
use switchboard_engine::runtime::ask::execute;

/// A user whom the operator makes.
#[derive(Clone, Debug)]
pub struct UserToCreate {
    /// The full name.
    pub name: Name,
    /// The e-mail address.
    pub email: Email,
    /// The language; the account's when left out.
    pub lang: Option<Lang>,
    /// Where the rights come from; nothing is allowed when left out.
    pub standing: Option<Standing>,
    /// The group.
    pub group: GroupId,
    /// The password; without one, nobody signs in.
    pub password: Option<Password>,
}

impl System {
    /// Makes a user, an administrator too; whatever the account's plan.
    ///
    /// # Errors
    /// When the e-mail address is taken, a role or a group is not there, or nothing can be stored now.
    pub async fn create_user(
        &self,
        account: AccountId,
        by: By,
        user: UserToCreate,
    ) -> Result<Arc<User>, Refused<AddUsersRejection>> {
        let password = match user.password {
            Some(password) => {
                let salt = self.env().entropy.bytes();
                Some(self.env().world.passwords.hash(password, salt).await?)
            }
            None => None,
        };
        let denied = self.denied(account).await?;
        let lang = self
            .account(account)
            .map_or(Lang::En, |known| known.settings.lang);
        let new = NewUser {
            name: user.name,
            email: user.email,
            lang: user.lang.unwrap_or(lang),
            standing: user.standing.unwrap_or(denied),
            group: user.group,
            password,
        };
        let command = AddUsers {
            by,
            plan: Plan::Enterprise,
            users: vec![new],
        };
        let made = execute::<Users, _>(self.env(), &account, command).await?;
        made.into_iter()
            .next()
            .ok_or_else(|| Unavailable::Interrupted.into())
    }

    /// Changes a user. Who is switched off is refused from the next request on.
    ///
    /// # Errors
    /// When there is none with this number, they are the last administrator, the e-mail address is another's, a role or a
    /// group is not there, or nothing can be stored now.
    pub async fn change_user(
        &self,
        account: AccountId,
        change: ChangeUser,
    ) -> Result<Arc<User>, Refused<ChangeUserRejection>> {
        execute::<Users, _>(self.env(), &account, change).await
    }

    /// Gives a user another password, which ends all their sessions.
    ///
    /// # Errors
    /// When there is none with this number, or nothing can be stored now.
    pub async fn set_password(
        &self,
        account: AccountId,
        by: By,
        user: UserId,
        password: Password,
    ) -> Result<(), Refused<ChangeUserRejection>> {
        let salt = self.env().entropy.bytes();
        let hash = self.env().world.passwords.hash(password, salt).await?;
        let change = ChangeUser {
            password: Some(hash),
            ..ChangeUser::nothing(by, user)
        };
        self.change_user(account, change).await.map(drop)
    }

    /// What a user has who was given nothing.
    ///
    /// # Errors
    /// When it cannot be read now.
    pub async fn denied(&self, account: AccountId) -> Result<Standing, Unavailable> {
        let pipelines = self.pipelines(account).await?;
        Ok(Standing::Own(Box::new(Rights::denied(&pipelines))))
    }
}
