//! Hooks that a relay took are sent again: one of them, or all of a time.

use crate::domain::audit::{By, Difference};
use crate::domain::keys;
use crate::domain::operator::note::Note;
use crate::domain::relays::{RelayId, RelayTarget};
use crate::domain::tables;
use crate::domain::time::UnixMillis;
use crate::relays::{EndRelayWait, ReplayRelayed, stored_hook};
use crate::system::System;
use crate::system::relays::{RelayedHookId, queue, stopping};
use switchboard_engine::store::committer::Submitted;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_runtime::error::UnavailableError;

/// The number of hooks that are read for one step of a replay.
const PAGE: usize = 256;
/// The most hooks that one replay sends again.
pub const REPLAY_MAX: u64 = 100_000;

/// The rejection of another delivery of a relayed hook.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayRelayedRejection {
    /// There is no such hook, or it did not go to this target.
    #[error("there is no such hook of this target")]
    Unknown,
    /// It is queued, and was not tried yet or is being tried.
    #[error("the hook is queued already; wait for its attempt")]
    Queued,
    /// Nothing can be stored or read now.
    #[error(transparent)]
    Unavailable(#[from] UnavailableError),
}

impl System {
    /// Sends a hook again that was delivered or given up, and one that waits for its next attempt now.
    ///
    /// # Errors
    /// When there is no such hook, it is queued already, or nothing can be stored now.
    pub async fn replay_relayed(
        &self,
        by: By,
        id: RelayedHookId,
        place: u8,
    ) -> Result<(), ReplayRelayedRejection> {
        let view = self.relayed_hook(id).await?;
        let hook = view.and_then(|view| view.hook);
        let is_of_target = hook.is_some_and(|(hook, _)| hook.targets.contains(&place));
        if !is_of_target {
            return Err(ReplayRelayedRejection::Unknown);
        }
        self.note_replay(by, id.chat.relay, place, Vec::new())
            .await?;
        let submitted = self.replay_one(id, place).await?;
        let change = submitted.ok_or(ReplayRelayedRejection::Queued)?;
        Ok(self.on_disk(change).await?)
    }

    /// Sends all hooks again that a relay took between two times and that are at their end for this target; at most
    /// [`REPLAY_MAX`]. Returns their number.
    ///
    /// # Errors
    /// When nothing can be stored or read now. Those before that are sent again.
    pub async fn replay_relay(
        &self,
        by: By,
        target: RelayTarget,
        from: UnixMillis,
        until: UnixMillis,
    ) -> Result<u64, UnavailableError> {
        let times =
            [("from", from), ("until", until)].map(|(field, at)| Difference::set(field, at.get()));
        self.note_replay(by, target.relay, target.place, times.into())
            .await?;
        self.kernel().caught_up().await;
        let prefix = keys::relays::list_prefix(target.relay);
        let mut range = KeyRange::prefix(&prefix).behind(
            keys::relays::list_from(target.relay, from),
            ScanOrder::Ascending,
        );
        let mut count = 0;
        loop {
            let index = &self.kernel().index;
            let rows = index.scan(tables::RELAYED, &range, ScanOrder::Ascending, PAGE)?;
            let mut is_over = rows.len() < PAGE;
            // All of a page share their writes to the disk.
            let mut changes = Vec::new();
            for (key, _) in &rows {
                let Some((chat, at, number)) = keys::relays::parse_list_row(key) else {
                    continue;
                };
                if at >= until || count >= REPLAY_MAX {
                    is_over = true;
                    break;
                }
                let id = RelayedHookId { chat, number };
                let hook = stored_hook(self.kernel(), chat, number)?;
                if hook.is_some_and(|(hook, _)| hook.targets.contains(&target.place)) {
                    let change = self.replay_final(id, target.place).await?;
                    count += u64::from(change.is_some());
                    changes.extend(change);
                }
            }
            for change in changes {
                self.on_disk(change).await?;
            }
            match rows.last() {
                Some((last, _)) if !is_over => {
                    range = range.behind(last.clone(), ScanOrder::Ascending);
                }
                Some(_) | None => return Ok(count),
            }
        }
    }

    async fn note_replay(
        &self,
        by: By,
        relay: RelayId,
        place: u8,
        mut changes: Vec<Difference>,
    ) -> Result<(), UnavailableError> {
        let Some(known) = self.relays().get(relay) else {
            return Ok(());
        };
        changes.push(Difference::set("place", place));
        let note = Note {
            by,
            action: "relay.replay",
            object: known.settings.channel.to_string(),
            account: None,
            changes,
        };
        self.note(note).await
    }

    /// Sends a hook again, also one that waits for its next attempt; none when it is queued.
    async fn replay_one(
        &self,
        id: RelayedHookId,
        place: u8,
    ) -> Result<Option<Submitted>, UnavailableError> {
        if let Some(submitted) = self.replay_final(id, place).await? {
            return Ok(Some(submitted));
        }
        let Some(dispatcher) = self.relay_dispatcher() else {
            return Ok(None);
        };
        let (queue, number) = (queue(id, place), id.number);
        let end = EndRelayWait { queue, number };
        dispatcher.send(end).await.map_err(stopping)?
    }

    /// Sends a hook again that is at its end; none when it is not.
    async fn replay_final(
        &self,
        id: RelayedHookId,
        place: u8,
    ) -> Result<Option<Submitted>, UnavailableError> {
        let Some(dispatcher) = self.relay_dispatcher() else {
            return Ok(None);
        };
        let (queue, number) = (queue(id, place), id.number);
        let replay = ReplayRelayed { queue, number };
        dispatcher.send(replay).await.map_err(stopping)?
    }
}
