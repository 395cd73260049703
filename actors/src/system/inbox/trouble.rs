//! What of that which was written in a conversation failed.

use crate::domain::chat::delivery::Trouble;
use crate::domain::conversation::{Conversation, ConversationEvent};
use crate::domain::keys;
use crate::domain::tables;
use crate::error::Unavailable;
use crate::system::System;
use switchboard_engine::state::Recorded;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};

/// The maximum number of failed callbacks examined, newest first, to find a message among them.
const EXAMINED_MAX: usize = 16;

impl System {
    /// How the newest message failed of those that failed here and were not sent again.
    pub(in crate::system) fn trouble(
        &self,
        state: &Conversation,
    ) -> Result<Option<Trouble>, Unavailable> {
        let Some(origin) = state.origin.as_ref().filter(|_| state.outgoing > 0) else {
            return Ok(None);
        };
        let env = self.env();
        let prefix = keys::unread_row(origin.scope.account(), state.id);
        let range = KeyRange::prefix(&prefix);
        let failed = env
            .index
            .scan(tables::FAILED, &range, ScanOrder::Descending, EXAMINED_MAX)?;
        for (key, value) in failed {
            let out = key.get(prefix.len()..).and_then(<[u8]>::first_chunk::<8>);
            let trouble = value.first().copied().and_then(Trouble::from_code);
            let (Some(out), Some(trouble)) = (out, trouble) else {
                continue;
            };
            let sent = env.record(keys::outgoing(state.id, u64::from_be_bytes(*out)))?;
            // A callback about a reaction is not a message.
            if let Some(Recorded {
                event: ConversationEvent::Replied(_),
                ..
            }) = sent
            {
                return Ok(Some(trouble));
            }
        }
        Ok(None)
    }
}
