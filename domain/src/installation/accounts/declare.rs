//! The configuration declares an account.

use crate::Decision;
use crate::audit::By;
use crate::id::AccountId;
use crate::installation::accounts::settings::AccountSettings;
use crate::installation::accounts::{AccountRejection, Accounts, AccountsEvent, audit_entry};
use switchboard_engine::state::{Command, Moment};

/// The configuration declares an account: one that is new is as declared; of one that is there, what is declared otherwise
/// than the last time is taken over, and all else stays as the operator left it.
#[derive(Clone, Debug)]
pub struct DeclareAccount {
    /// Its id.
    pub id: AccountId,
    /// The declared settings.
    pub settings: AccountSettings,
}

impl Command for DeclareAccount {
    type Of = Accounts;
    type Reply = ();
    type Rejection = AccountRejection;

    fn decide(
        self,
        state: &Accounts,
        moment: &mut Moment<'_, AccountsEvent>,
    ) -> Result<Decision<AccountsEvent, ()>, AccountRejection> {
        let declared = self.settings;
        let current = state.get(self.id);
        let last = state.declared.get(&self.id);
        let account = state.declared(self.id, &declared, moment.now);
        if current == Some(&account) && last == Some(&declared) {
            return Ok(Decision::unchanged(()));
        }
        state.check(&account)?;
        let audit = Box::new(audit_entry(By::Configuration, current, &account, moment));
        let event = AccountsEvent::Declared {
            account,
            declared,
            audit,
        };
        Ok(Decision::event(event, ()))
    }
}
