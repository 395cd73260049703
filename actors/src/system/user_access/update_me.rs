//! Users change their own name, language, notifications and presence.

use crate::domain::account::password::PasswordHash;
use crate::domain::account::presence::Presence;
use crate::domain::account::rights::granted::Rights;
use crate::domain::account::users::fields::UserFields;
use crate::domain::account::users::update::{ChangeLimits, UpdateUser, UpdateUserRejection};
use crate::domain::audit::By;
use crate::domain::installation::accounts::Lang;
use crate::domain::notifications::NotificationSettings;
use crate::domain::text::UserName;
use crate::system::user_access::UserAccess;
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::caches::read_cache::Caller;
use switchboard_runtime::error::CommandError;

impl UserAccess {
    /// Gives the user another name, another language, other notifications or another presence.
    ///
    /// # Errors
    /// When nothing can be stored now.
    pub async fn update_me(
        &self,
        name: Option<UserName>,
        lang: Option<Lang>,
        notifications: Option<NotificationSettings>,
        presence: Option<Presence>,
    ) -> Result<(), CommandError<UpdateUserRejection>> {
        let fields = UserFields {
            name,
            lang,
            ..UserFields::default()
        };
        let command = UpdateUser {
            notifications,
            presence,
            ..own_change(&self.caller, fields, None)
        };
        let account = self.caller.account;
        execute(self.system.kernel(), &account, command).await?;
        let Some(presence) = presence else {
            return Ok(());
        };
        if presence == Presence::Here {
            self.note_sign();
        }
        Ok(self.publish_presence().await?)
    }
}

/// The details that users change of themselves: neither rights nor the e-mail address.
pub(super) fn own_change(
    caller: &Caller,
    change: UserFields,
    password: Option<PasswordHash>,
) -> UpdateUser {
    UpdateUser {
        by: By::from(caller),
        id: caller.user,
        change,
        standing: None,
        limits: ChangeLimits::None,
        // No flag is taken away, so these rights are not given to anyone.
        denied: Rights::denied(&[]),
        password,
        notifications: None,
        presence: None,
    }
}
