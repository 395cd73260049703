//! One salesbot of an account.

use serde::{Deserialize, Serialize};

use crate::id::{FieldId, OauthClientId, SalesbotId, UserId};
use crate::text::Name;
use crate::time::UnixMillis;
use crate::webhooks::destination::Destination;

/// A salesbot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Salesbot {
    /// Its number.
    pub id: SalesbotId,
    /// Its name, for people.
    pub name: Name,
    /// Its action.
    pub action: SalesbotAction,
    /// The administrator who defined it.
    pub created_by: UserId,
    /// The OAuth client that defined it; `None` when a user did. Its secret signs the questions, and none are asked once the
    /// account has uninstalled it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<OauthClientId>,
    /// The time of its definition.
    pub created_at: UnixMillis,
}

/// The action of a salesbot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SalesbotAction {
    /// It sends the value of this field of the lead.
    SendField(FieldId),
    /// It asks the program at this address, and sends what that answers.
    AskProgram(Destination),
}
