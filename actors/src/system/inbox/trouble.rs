//! What of that which was written in a conversation has not arrived.

use crate::domain::chat::delivery::DeliveryStatus;
use crate::domain::conversation::{Conversation, ConversationEvent, Reported};
use crate::domain::dispatch::lane::OutNumber;
use crate::domain::dispatch::record::DeliveryState;
use crate::domain::index::Table;
use crate::domain::lane::Fate;
use crate::domain::{Recorded, keys};
use crate::error::Unavailable;
use crate::store::tables::{KeyRange, Order};
use crate::system::System;

/// What of that which was written in a conversation has not arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// A message was given up, or the newest one was cancelled: the integration does not have it.
    Undelivered,
    /// The integration reported that the customer does not get the newest message.
    Error,
}

impl System {
    /// Whether something that was written here has not arrived. A message that was given up counts until it is sent
    /// again; what was cancelled, or reported as failed, until something newer was written.
    pub(in crate::system) fn trouble(
        &self,
        state: &Conversation,
    ) -> Result<Option<Trouble>, Unavailable> {
        let Some(origin) = state.origin.as_ref().filter(|_| state.outgoing > 0) else {
            return Ok(None);
        };
        let env = self.env();
        let given_up = keys::undelivered_prefix(Fate::Dead, &origin.scope, state.id);
        let range = KeyRange::prefix(&given_up);
        let given_up = env
            .index
            .scan(Table::Undelivered, &range, Order::Ascending, 1)?;
        if !given_up.is_empty() {
            return Ok(Some(Trouble::Undelivered));
        }
        let newest = self.delivery_record(state.id, OutNumber(state.outgoing))?;
        match newest.state {
            DeliveryState::Cancelled { .. } => return Ok(Some(Trouble::Undelivered)),
            DeliveryState::Queued
            | DeliveryState::Waiting { .. }
            | DeliveryState::Held { .. }
            | DeliveryState::Dead { .. }
            | DeliveryState::Delivered { .. } => {}
        }
        let Some(Recorded {
            event: ConversationEvent::Replied(replied),
            ..
        }) = env.record(keys::outgoing(state.id, state.outgoing))?
        else {
            return Ok(None);
        };
        match env.record(keys::report(replied.id))? {
            Some(Recorded {
                event:
                    ConversationEvent::Reported(Reported {
                        status: DeliveryStatus::Error(_),
                        ..
                    }),
                ..
            }) => Ok(Some(Trouble::Error)),
            _ => Ok(None),
        }
    }
}
