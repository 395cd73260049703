//! The waker: conversations whose snooze is due are open again, by a record.

use tokio::sync::Notify;

use crate::domain::conversation::wake_conversation::WakeConversation;
use crate::domain::id::ConversationId;
use crate::domain::keys;
use crate::domain::tables;
use crate::domain::time::UnixMillis;
use crate::system::operator::unavailable;
use crate::system::timers::Timers;
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::table::Table;
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::shared::{Kernel, Shared};

/// The timers of snoozes.
pub(super) struct Snoozes;

impl Timers for Snoozes {
    type Subject = ConversationId;
    const TABLE: Table = tables::SNOOZED;
    const SUBJECT: &'static str = "snoozed conversation";

    fn parse(row: &[u8]) -> Option<(UnixMillis, ConversationId)> {
        keys::snooze::parse_row(row)
    }

    fn news(shared: &Shared) -> &Notify {
        &shared.snoozed
    }

    async fn act(
        &self,
        kernel: &Kernel,
        conversation: ConversationId,
    ) -> Result<(), UnavailableError> {
        let woken = execute(kernel, &conversation, WakeConversation::Due).await;
        woken.map(drop).map_err(unavailable)
    }
}
