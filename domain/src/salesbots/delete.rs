//! An administrator deletes a salesbot: its runs end with it.

use crate::Decision;
use crate::audit::{AuditEntry, By};
use crate::id::SalesbotId;
use crate::salesbots::{SalesbotRejection, Salesbots, SalesbotsEvent};
use serde_json::Value;
use switchboard_engine::state::{Command, Moment};

/// Deletes a salesbot.
#[derive(Clone, Debug)]
pub struct DeleteSalesbot {
    /// The actor, for the audit log.
    pub by: By,
    /// The salesbot.
    pub id: SalesbotId,
}

impl Command for DeleteSalesbot {
    type Of = Salesbots;
    type Reply = ();
    type Rejection = SalesbotRejection;

    fn decide(
        self,
        state: &Salesbots,
        moment: &mut Moment<'_, SalesbotsEvent>,
    ) -> Result<Decision<SalesbotsEvent, ()>, SalesbotRejection> {
        let bot = state.get(self.id).ok_or(SalesbotRejection::Unknown)?;
        let audit = AuditEntry::new(self.by, "salesbot.delete", self.id, moment)
            .of_account(state.account)
            .change("name", bot.name.as_str(), Value::Null);
        let event = SalesbotsEvent::Changed {
            id: self.id,
            now: None,
            audit: Box::new(audit),
        };
        Ok(Decision::events(vec![event.into()], ()))
    }
}
