//! The numbers of queued messages by conversation, scope, endpoint and node, kept up with every row of the queue.
//!
//! The rows of the table `Queued` are the truth. The counts are sums over them, so that the service can refuse a writer
//! without reading the queue. A writer that is admitted has a place *reserved*, which counts like a row until the row
//! exists. So writers at the edge of a quota cannot overshoot it together, whatever their number.
//!
//! The number of scopes and endpoints is that of the installation. The number of conversations is that of the
//! customers, so only the most recently requested ones are kept, at most [`QUEUES_MAX`]; another one is counted on
//! request.

use std::collections::BTreeMap;

use switchboard_domain::dispatch::endpoint::{EndpointId, EndpointState};
use switchboard_domain::dispatch::quota::{Backlog, Load, QuotaRejection, Quotas, admit};
use switchboard_domain::hook_version::HookVersion;
use switchboard_domain::id::{ConversationId, ScopeId};
use switchboard_domain::keys;
use switchboard_domain::time::UnixMillis;

/// The number of conversations with a count in memory. One of them takes about 200 bytes.
pub const QUEUES_MAX: usize = 10_000;

const MINUTE_MS: u64 = 60_000;

/// The numbers of queued messages.
#[derive(Clone, Debug, Default)]
pub struct QueueCounts {
    node: Count,
    endpoints: BTreeMap<(Box<[u8]>, HookVersion), Count>,
    scopes: BTreeMap<Box<[u8]>, Scope>,
    queues: BTreeMap<Box<[u8]>, Count>,
    counted: Counted,
}

/// The progress of the count of the rows that were there at the start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Counted {
    #[default]
    Nothing,
    /// Up to this key, which is included.
    Upto(Vec<u8>),
    Everything,
}

#[derive(Clone, Debug, Default)]
struct Scope {
    count: Count,
    /// The version that the scope speaks, which decides the endpoint of its rows. None until it is known.
    version: Option<HookVersion>,
}

/// The backlog that counts against one quota.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    rows: u64,
    reserved: u64,
    drain: DrainRate,
}

/// The number of rows that left in this minute and in the one before.
#[derive(Clone, Copy, Debug, Default)]
struct DrainRate {
    minute: u64,
    this: u64,
    last: u64,
}

/// The destination of a callback that a caller wants to queue.
#[derive(Clone, Copy, Debug)]
pub struct QueueTarget<'a> {
    /// The scope.
    pub scope: &'a ScopeId,
    /// The conversation.
    pub conversation: ConversationId,
    /// The version that the scope speaks now.
    pub version: HookVersion,
}

impl QueueTarget<'_> {
    /// Returns the prefix of the conversation's rows: its key in a [`QueueCounts`].
    #[must_use]
    pub fn queue(&self) -> Vec<u8> {
        keys::queue_prefix(self.scope, self.conversation)
    }
}

impl QueueCounts {
    /// Takes in rows that were there at the start, in their order, behind those that were taken in before.
    pub fn counted(&mut self, rows: impl Iterator<Item = Vec<u8>>) {
        let mut last = None;
        for row in rows {
            if let Some(scope) = keys::scope_of_row(&row) {
                self.change(scope, None, |count| count.rows += 1);
            }
            last = Some(row);
        }
        if let Some(last) = last {
            self.counted = Counted::Upto(last);
        }
    }

    /// All rows that were there at the start are counted.
    pub(crate) fn all_counted(&mut self) {
        self.counted = Counted::Everything;
    }

    /// A row was put into the queue. It takes the place that its writer was reserved, if there was one.
    pub fn put(&mut self, row: &[u8]) {
        if !self.is_counted(row) {
            return;
        }
        let (Some(scope), Some(queue)) = (keys::scope_of_row(row), keys::queue_of_row(row)) else {
            return;
        };
        let reserved = self
            .queues
            .get(queue)
            .is_some_and(|queue| queue.reserved > 0);
        self.change(scope, Some(queue), |count| {
            count.rows += 1;
            count.reserved = count.reserved.saturating_sub(u64::from(reserved));
        });
    }

    /// A row was taken out of the queue.
    pub fn delete(&mut self, row: &[u8], now: UnixMillis) {
        if !self.is_counted(row) {
            return;
        }
        let (Some(scope), Some(queue)) = (keys::scope_of_row(row), keys::queue_of_row(row)) else {
            return;
        };
        self.change(scope, Some(queue), |count| {
            count.rows = count.rows.saturating_sub(1);
            count.drain.add(now);
        });
    }

    /// The scope speaks this version from now on: its rows count for another endpoint.
    pub fn speaks(&mut self, scope: &ScopeId, version: HookVersion) {
        let key = keys::scope_row(scope);
        let entry = self.scopes.entry(key.clone().into()).or_default();
        if entry.version == Some(version) {
            return;
        }
        let (count, before) = (entry.count, entry.version.replace(version));
        let channel: Box<[u8]> = channel_of(&key).into();
        if let Some(before) = before
            && let Some(endpoint) = self.endpoints.get_mut(&(channel.clone(), before))
        {
            endpoint.rows = endpoint.rows.saturating_sub(count.rows);
            endpoint.reserved = endpoint.reserved.saturating_sub(count.reserved);
        }
        let endpoint = self.endpoints.entry((channel, version)).or_default();
        endpoint.rows += count.rows;
        endpoint.reserved += count.reserved;
    }

    /// The scopes that have rows, but no known version.
    #[must_use]
    pub(crate) fn mute_scopes(&self) -> Vec<ScopeId> {
        let mute = self.scopes.iter().filter(|(_, it)| it.version.is_none());
        mute.filter_map(|(key, _)| keys::parse_scope_row(key))
            .collect()
    }

    /// Returns whether the conversation has a count; if it has none, count its rows and call [`Self::keep`].
    #[must_use]
    pub fn keeps(&self, queue: &[u8]) -> bool {
        self.queues.contains_key(queue)
    }

    /// Keeps the count of a conversation from now on.
    pub fn keep(&mut self, queue: &[u8], rows: u64) {
        if self.queues.len() >= QUEUES_MAX {
            let spare = self.queues.iter().find(|(_, queue)| queue.reserved == 0);
            if let Some(spare) = spare.map(|(key, _)| key.clone()) {
                self.queues.remove(&spare);
            }
        }
        let count = Count {
            rows,
            ..Count::default()
        };
        self.queues.insert(queue.into(), count);
    }

    /// Reserves a place for one message, or says which quota forbids it. The conversation must be kept.
    ///
    /// # Errors
    /// The narrowest quota that is used up.
    pub fn reserve(
        &mut self,
        place: &QueueTarget<'_>,
        quotas: &Quotas,
        health: impl FnOnce() -> EndpointState,
        now: UnixMillis,
    ) -> Result<(), QuotaRejection> {
        self.speaks(place.scope, place.version);
        let (scope, queue) = (keys::scope_row(place.scope), place.queue());
        let backlog = self.backlog(&scope, &queue, place.version, now);
        admit(quotas, &backlog, 1, health)?;
        self.change(&scope, Some(&queue), |count| count.reserved += 1);
        Ok(())
    }

    /// A promise was not kept: nothing was queued.
    pub fn release(&mut self, queue: &[u8]) {
        let reserved = self
            .queues
            .get(queue)
            .is_some_and(|queue| queue.reserved > 0);
        if let (true, Some(scope)) = (reserved, keys::scope_of_row(queue)) {
            let scope = scope.to_vec();
            self.change(&scope, Some(queue), |count| {
                count.reserved = count.reserved.saturating_sub(1);
            });
        }
    }

    /// Returns the number of messages queued on the node.
    #[must_use]
    pub fn queued(&self) -> u64 {
        self.node.rows
    }

    /// Returns the number of messages queued for an endpoint.
    #[must_use]
    pub fn queued_for(&self, endpoint: &EndpointId) -> u64 {
        let key = (
            keys::channel_prefix(&endpoint.channel).into(),
            endpoint.version,
        );
        self.endpoints.get(&key).map_or(0, |count| count.rows)
    }

    fn is_counted(&self, row: &[u8]) -> bool {
        match &self.counted {
            Counted::Everything => true,
            Counted::Upto(last) => row <= last.as_slice(),
            Counted::Nothing => false,
        }
    }

    fn backlog(
        &self,
        scope: &[u8],
        queue: &[u8],
        version: HookVersion,
        now: UnixMillis,
    ) -> Backlog {
        let endpoint = (channel_of(scope).into(), version);
        let load = |count: Option<&Count>| count.map_or_else(Load::default, |it| it.load(now));
        Backlog {
            queue: load(self.queues.get(queue)),
            scope: load(self.scopes.get(scope).map(|scope| &scope.count)),
            endpoint: load(self.endpoints.get(&endpoint)),
            node: load(Some(&self.node)),
        }
    }

    fn change(&mut self, scope: &[u8], queue: Option<&[u8]>, change: impl Fn(&mut Count)) {
        change(&mut self.node);
        // The name is copied only when it is new.
        if !self.scopes.contains_key(scope) {
            self.scopes.insert(scope.into(), Scope::default());
        }
        let Some(entry) = self.scopes.get_mut(scope) else {
            return;
        };
        change(&mut entry.count);
        if let Some(version) = entry.version {
            let key = (channel_of(scope).into(), version);
            change(self.endpoints.entry(key).or_default());
        }
        if let Some(queue) = queue.and_then(|queue| self.queues.get_mut(queue)) {
            change(queue);
        }
    }
}

impl Count {
    fn load(&self, now: UnixMillis) -> Load {
        Load {
            queued: self.rows.saturating_add(self.reserved),
            drained_per_minute: self.drain.per_minute(now),
        }
    }
}

impl DrainRate {
    fn add(&mut self, now: UnixMillis) {
        let minute = now.get() / MINUTE_MS;
        // A clock that was set back counts on in the minute that it left.
        if minute > self.minute {
            let follows = minute == self.minute.saturating_add(1);
            self.last = if follows { self.this } else { 0 };
            (self.minute, self.this) = (minute, 0);
        }
        self.this = self.this.saturating_add(1);
    }

    /// This minute so far, and of the one before as much as lies within sixty seconds.
    fn per_minute(&self, now: UnixMillis) -> u64 {
        let minute = now.get() / MINUTE_MS;
        let rest = MINUTE_MS - now.get() % MINUTE_MS;
        let share = |count: u64| count.saturating_mul(rest) / MINUTE_MS;
        match minute.saturating_sub(self.minute) {
            0 => self.this.saturating_add(share(self.last)),
            1 => share(self.this),
            _ => 0,
        }
    }
}

fn channel_of(scope: &[u8]) -> &[u8] {
    scope
        .split_last_chunk::<16>()
        .map_or(scope, |(channel, _account)| channel)
}

#[cfg(test)]
mod tests;
