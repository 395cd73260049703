//! An administrator defines a salesbot.

use crate::Decision;
use crate::audit::{AuditEntry, By};
use crate::id::{SalesbotId, UserId};
use crate::salesbots::salesbot::{Salesbot, SalesbotAction};
use crate::salesbots::{SALESBOTS_MAX, SalesbotRejection, Salesbots, SalesbotsEvent};
use crate::text::Name;
use serde_json::Value;
use switchboard_engine::state::{Command, Moment};

/// Defines a salesbot.
#[derive(Clone, Debug)]
pub struct CreateSalesbot {
    /// The actor, for the audit log. The OAuth client that acts for the user is that of the salesbot.
    pub by: By,
    /// The administrator.
    pub user: UserId,
    /// The number that was chosen for it; `None`: the next one.
    pub id: Option<SalesbotId>,
    /// The name.
    pub name: Name,
    /// Its action.
    pub action: SalesbotAction,
}

impl Command for CreateSalesbot {
    type Of = Salesbots;
    type Reply = Salesbot;
    type Rejection = SalesbotRejection;

    fn decide(
        self,
        state: &Salesbots,
        moment: &mut Moment<'_, SalesbotsEvent>,
    ) -> Result<Decision<SalesbotsEvent, Salesbot>, SalesbotRejection> {
        if state.bots.len() >= SALESBOTS_MAX {
            return Err(SalesbotRejection::TooMany);
        }
        let next = SalesbotId(state.last.saturating_add(1));
        let id = self.id.unwrap_or(next);
        if state.bots.contains_key(&id) {
            return Err(SalesbotRejection::NumberTaken);
        }
        let bot = Salesbot {
            id,
            name: self.name,
            action: self.action,
            created_by: self.user,
            client: self.by.client().map(|client| client.id),
            created_at: moment.now,
        };
        // Programs put secrets into addresses: the log has the host alone.
        let (field, value) = match &bot.action {
            SalesbotAction::SendField(field) => ("field_id", Value::from(field.0)),
            SalesbotAction::AskProgram(address) => ("host", address.host().into()),
        };
        let audit = AuditEntry::new(self.by, "salesbot.create", bot.id, moment)
            .of_account(state.account)
            .change("name", Value::Null, bot.name.as_str())
            .change(field, Value::Null, value);
        let event = SalesbotsEvent::Changed {
            id: bot.id,
            now: Some(Box::new(bot.clone())),
            audit: Box::new(audit),
        };
        Ok(Decision::events(vec![event.into()], bot))
    }
}
