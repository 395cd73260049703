//! The configuration declares an account.

use std::convert::Infallible;

use crate::domain::Decision;
use crate::domain::audit::By;
use crate::domain::installation::accounts::{Account, Accounts, AccountsEvent, audit_entry};
use switchboard_engine::state::{Command, Moment, Recorded};

/// The configuration declares an account: one that is new is as declared; of one that is there, what is declared otherwise
/// than the last time is taken over, and all else stays as the operator left it.
#[derive(Clone, Debug)]
pub struct DeclareAccount(pub Account);

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
        let declared = self.0;
        let known = state.get(declared.id);
        let last = state.declared.get(&declared.id);
        let account = match (known, last) {
            (Some(known), Some(last)) => Account {
                id: declared.id,
                settings: {
                    let news = declared.settings.since(Some(&last.settings));
                    known.settings.clone().with(news)
                },
            },
            (Some(_) | None, None) | (None, Some(_)) => declared.clone(),
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
