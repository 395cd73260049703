//! The configuration declares an account.

use std::convert::Infallible;

use crate::domain::Decision;
use crate::domain::audit::By;
use crate::domain::id::AccountId;
use crate::domain::installation::accounts::settings::AccountSettings;
use crate::domain::installation::accounts::{Accounts, AccountsEvent, audit_entry};
use switchboard_engine::state::{Command, Moment, Recorded};

/// The configuration declares an account: one that is new is as declared; of one that is there, what is declared otherwise
/// than the last time is taken over, and all else stays as the operator left it.
#[derive(Clone, Debug)]
pub struct DeclareAccount {
    /// Its id.
    pub id: AccountId,
    /// What is declared of it.
    pub settings: AccountSettings,
}

impl Command for DeclareAccount {
    type Of = Accounts;
    type Reply = ();
    type Rejection = Infallible;

    fn decide(
        self,
        state: &Accounts,
        _found: &[Option<Recorded<AccountsEvent>>],
        moment: &mut Moment<'_>,
    ) -> Result<Decision<AccountsEvent, ()>, Infallible> {
        let declared = self.settings;
        let known = state.get(self.id);
        let last = state.declared.get(&self.id);
        let account = match known {
            Some(known) => {
                let settings = match last {
                    Some(last) => known.settings.clone().with(declared.since(Some(last))),
                    None => declared.clone(),
                };
                if settings == known.settings {
                    known.clone()
                } else {
                    known.with(settings, moment.now)
                }
            }
            None => state.new_account(self.id, declared.clone(), moment.now),
        };
        if known == Some(&account) && last == Some(&declared) {
            return Ok(Decision::unchanged(()));
        }
        let audit = Box::new(audit_entry(By::Configuration, known, &account, moment));
        let event = AccountsEvent::Declared {
            account,
            declared,
            audit,
        };
        Ok(Decision::event(event, ()))
    }
}
