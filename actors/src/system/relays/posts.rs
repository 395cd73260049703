//! Messages of a bridge that a relay stores before they go up.

use bytes::Bytes;

use crate::domain::relays::{RelayChat, RelayId};
use crate::domain::tables;
use crate::relays::{own_ids, queue_of_posts, real_ids};
use crate::system::System;
use crate::system::operator::unavailable;
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_relay::hooks::receive::{HookReceipt, ReceiveHook};
use switchboard_runtime::error::UnavailableError;

pub use crate::relays::RealIds;

impl System {
    /// Stores a message of a bridge whose signature was verified; the answer comes once it is on disk. One that is there already is not
    /// stored again.
    ///
    /// # Errors
    /// When it cannot be stored now.
    pub async fn take_post(
        &self,
        relay: RelayId,
        post: ReceiveHook,
    ) -> Result<HookReceipt, UnavailableError> {
        let chat = RelayChat {
            relay,
            chat: post.facts.chat,
        };
        let outcome = execute(self.kernel(), &chat, post).await;
        let receipt = outcome.map_err(unavailable)?;
        if let Some(known) = self.relays().get(relay).filter(|_| !receipt.repeated) {
            known.note_post();
        }
        Ok(receipt)
    }

    /// Returns whether messages of a conversation wait to go up.
    ///
    /// # Errors
    /// When it cannot be read now.
    pub async fn has_posts(&self, chat: RelayChat) -> Result<bool, UnavailableError> {
        self.kernel().caught_up().await;
        let prefix = crate::domain::keys::relays::queue_prefix(queue_of_posts(chat));
        let range = KeyRange::prefix(&prefix);
        let index = &self.kernel().index;
        let rows = index.scan(tables::RELAYS_QUEUED, &range, ScanOrder::Ascending, 1)?;
        Ok(!rows.is_empty())
    }

    /// A request of a bridge with the counterpart's ids of messages in the place of those that the relay gave.
    ///
    /// # Errors
    /// When they cannot be read now.
    pub async fn real_ids(
        &self,
        relay: RelayId,
        target: &str,
        body: &Bytes,
        behind: Option<RelayChat>,
    ) -> Result<RealIds, UnavailableError> {
        self.kernel().caught_up().await;
        real_ids(self.kernel(), relay, target, body, behind)
    }

    /// An answer of the counterpart with the ids that the relay gave in the place of its own; none when it names no such message.
    ///
    /// # Errors
    /// When they cannot be read now.
    pub async fn own_ids(
        &self,
        relay: RelayId,
        body: &[u8],
    ) -> Result<Option<Bytes>, UnavailableError> {
        self.kernel().caught_up().await;
        own_ids(self.kernel(), relay, body)
    }
}
