//! The presence of users: what they chose, and whether they have given a sign of late.

use crate::domain::account::holder::Holder;
use crate::domain::account::presence::Presence;
use crate::domain::account::user::User;
use crate::domain::id::AccountId;
use crate::system::System;
use crate::system::live::What;
use crate::system::user_access::UserAccess;
use switchboard_runtime::error::UnavailableError;

impl System {
    /// The presence of a user of an account now.
    #[must_use]
    pub fn presence(&self, account: AccountId, user: &User) -> Presence {
        let user_id = user.id;
        let holder = Holder {
            account,
            user: user_id,
        };
        user.presence(self.kernel().shared.assigning.has_sign(holder))
    }
}

impl UserAccess {
    /// The presence of a user of the account now.
    #[must_use]
    pub fn presence_of(&self, user: &User) -> Presence {
        self.system.presence(self.caller.account, user)
    }

    /// The caller as the holder of signs; `None` when a program acts for the user.
    pub(super) fn person(&self) -> Option<Holder> {
        let is_person = self.caller.client.is_none();
        is_person.then_some(Holder {
            account: self.caller.account,
            user: self.caller.user,
        })
    }

    /// Notes that the user is at a device. What a program does for the user is no sign.
    pub(super) fn note_sign(&self) {
        if let Some(holder) = self.person() {
            self.system.kernel().shared.assigning.note_sign(holder);
        }
    }

    /// Passes the presence of the user, as it is now, to the listeners.
    pub(super) async fn publish_presence(&self) -> Result<(), UnavailableError> {
        let users = self.system.users(self.caller.account).await?;
        if let Some(user) = users.get(self.caller.user) {
            self.publish(What::Presence(user.id, self.presence_of(user)));
        }
        Ok(())
    }
}
