//! Notes an action that changes no state of its own, such as sending a test or replaying many callbacks.

use std::convert::Infallible;

use crate::Decision;
use crate::audit::{AuditEntry, By, Difference};
use crate::id::AccountId;
use crate::operator::{Operator, OperatorEvent};
use switchboard_engine::state::{Command, Moment};

/// Notes it in the audit log.
#[derive(Clone, Debug)]
pub struct Note {
    /// The actor, for the audit log.
    pub by: By,
    /// The action, see [`AuditEntry::action`].
    pub action: &'static str,
    /// The id of the object.
    pub object: String,
    /// The account that it concerns.
    pub account: Option<AccountId>,
    /// The particulars.
    pub changes: Vec<Difference>,
}

impl Command for Note {
    type Of = Operator;
    type Reply = ();
    type Rejection = Infallible;

    fn decide(
        self,
        _state: &Operator,
        moment: &mut Moment<'_, OperatorEvent>,
    ) -> Result<Decision<OperatorEvent, ()>, Infallible> {
        let mut audit = AuditEntry::new(self.by, self.action, self.object, moment);
        audit.account = self.account;
        audit.changes = self.changes;
        Ok(Decision::event(OperatorEvent::Noted(Box::new(audit)), ()))
    }
}
