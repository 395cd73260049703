//! The requests that are kept, and which of them go when there are too many.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::request_id::RequestId;
use switchboard_actors::domain::id::{AccountId, ChannelId, OauthClientId};
use switchboard_actors::domain::time::UnixMillis;

use crate::requests::keep_limit::KeepLimit;
use crate::requests::kept::KeptRequest;
use crate::requests::sender::{Sender, Surface};

/// All that is kept takes about this much memory at most: 64 MiB.
const BYTES_MAX: usize = 64 << 20;
/// The limits of what is kept.
#[derive(Clone, Copy, Debug)]
pub struct RequestLogLimits {
    /// Requests of each sender, refused and answered ones each; 0 keeps none at all.
    pub per_sender: usize,
    /// Bytes of a body.
    pub body: usize,
}

impl Default for RequestLogLimits {
    fn default() -> Self {
        Self {
            per_sender: 200,
            body: 16 << 10,
        }
    }
}

/// The requests that are kept.
#[derive(Debug)]
pub struct RequestLog {
    limits: RequestLogLimits,
    state: Mutex<State>,
}

/// A request that is to be kept.
#[derive(Debug)]
pub struct ToKeep {
    /// Its sender.
    pub sender: Sender,
    /// The time at which it was answered.
    pub at: UnixMillis,
}

/// The filter of a list.
#[derive(Clone, Debug, Default)]
pub struct RequestFilter {
    /// Of this interface only.
    pub surface: Option<Surface>,
    /// Of this account only.
    pub account: Option<AccountId>,
    /// Of this channel only.
    pub channel: Option<ChannelId>,
    /// Refused ones only, or answered ones only.
    pub refused: Option<bool>,
    /// Older than this one.
    pub before: Option<RequestId>,
}

#[derive(Debug, Default)]
struct State {
    kept: BTreeMap<RequestId, Arc<KeptRequest>>,
    of_channels: BTreeMap<ChannelId, [KeptIds; 2]>,
    of_accounts: BTreeMap<AccountId, [KeptIds; 2]>,
    of_clients: BTreeMap<OauthClientId, [KeptIds; 2]>,
    of_strangers: BTreeMap<Surface, [KeptIds; 2]>,
    bytes: usize,
    left_out: u64,
}

/// The requests of one sender and kind, oldest first.
#[derive(Debug, Default)]
struct KeptIds {
    ids: VecDeque<RequestId>,
    keep_limit: KeepLimit,
}

impl RequestLog {
    /// An empty log.
    pub fn new(limits: RequestLogLimits) -> Self {
        Self {
            limits,
            state: Mutex::default(),
        }
    }

    /// Returns whether anything is kept at all.
    pub fn is_on(&self) -> bool {
        self.limits.per_sender > 0
    }

    /// Returns the place for a request of this sender; none while nothing is kept, or if too many came in this second.
    pub fn wants(
        &self,
        sender: Sender<&ChannelId>,
        refused: bool,
        now: UnixMillis,
    ) -> Option<ToKeep> {
        if !self.is_on() {
            return None;
        }
        let mut state = self.state();
        if !state.kept_ids(sender, refused).keep_limit.takes(now) {
            state.left_out = state.left_out.saturating_add(1);
            return None;
        }
        Some(ToKeep {
            sender: sender.owned(),
            at: now,
        })
    }

    /// The largest part of a body that is kept, in bytes.
    pub fn body_limit(&self) -> usize {
        self.limits.body
    }

    /// Keeps a request that [`Self::wants`] took, and lets the oldest ones go.
    pub fn keep(&self, kept: KeptRequest) {
        self.state().add(kept, self.limits.per_sender);
    }

    /// The newest ones that are wanted, the newest first, and whether there are more.
    pub fn list(&self, filter: &RequestFilter, limit: usize) -> (Vec<Arc<KeptRequest>>, bool) {
        let state = self.state();
        let before = filter.before.unwrap_or(RequestId::MAX);
        let matches_filter = |kept: &&Arc<KeptRequest>| {
            let of_surface = filter.surface.is_none_or(|surface| kept.surface == surface);
            let sender = &kept.sender;
            let of_channel =
                filter.channel.is_none() || sender.channel() == filter.channel.as_ref();
            let of_account = filter.account.is_none() || sender.account() == filter.account;
            of_surface
                && of_channel
                && of_account
                && filter
                    .refused
                    .is_none_or(|refused| is_refused(kept.status) == refused)
        };
        let newest_first = state.kept.range(..before).rev().map(|(_, kept)| kept);
        let mut matches = newest_first.filter(matches_filter);
        let page = matches.by_ref().take(limit).map(Arc::clone).collect();
        (page, matches.next().is_some())
    }

    /// The one with this id.
    pub fn get(&self, id: RequestId) -> Option<Arc<KeptRequest>> {
        self.state().kept.get(&id).map(Arc::clone)
    }

    /// The number not kept because there were too many.
    pub fn left_out(&self) -> u64 {
        self.state().left_out
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns whether an answer with this status is a refusal.
pub fn is_refused(status: u16) -> bool {
    status >= 400
}

impl State {
    fn kept_ids(&mut self, sender: Sender<&ChannelId>, refused: bool) -> &mut KeptIds {
        let kept_ids = match sender {
            Sender::Account(account) => self.of_accounts.entry(account).or_default(),
            Sender::Client(client) => self.of_clients.entry(client).or_default(),
            Sender::Stranger(surface) => self.of_strangers.entry(surface).or_default(),
            Sender::Channel(channel) => {
                if !self.of_channels.contains_key(channel) {
                    self.of_channels.insert(channel.clone(), Default::default());
                }
                // It is there now; strangers stand in only for the compiler.
                match self.of_channels.get_mut(channel) {
                    Some(kept_ids) => kept_ids,
                    None => self.of_strangers.entry(Surface::Chat).or_default(),
                }
            }
        };
        let [answered, others] = kept_ids;
        if refused { others } else { answered }
    }

    fn add(&mut self, kept: KeptRequest, limit: usize) {
        let kept_ids = self.kept_ids(kept.sender.borrowed(), is_refused(kept.status));
        // Requests end in another order than they began.
        let place = kept_ids.ids.partition_point(|older| *older < kept.id);
        kept_ids.ids.insert(place, kept.id);
        let oldest = (kept_ids.ids.len() > limit)
            .then(|| kept_ids.ids.pop_front())
            .flatten();
        self.bytes = self.bytes.saturating_add(kept.bytes());
        self.kept.insert(kept.id, Arc::new(kept));
        if let Some(oldest) = oldest.and_then(|id| self.kept.remove(&id)) {
            self.bytes = self.bytes.saturating_sub(oldest.bytes());
        }
        while self.bytes > BYTES_MAX
            && let Some((id, gone)) = self.kept.pop_first()
        {
            self.bytes = self.bytes.saturating_sub(gone.bytes());
            let kept_ids = self.kept_ids(gone.sender.borrowed(), is_refused(gone.status));
            // The oldest of all is the oldest of its own.
            if kept_ids.ids.front() == Some(&id) {
                kept_ids.ids.pop_front();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    use actix_web::test::TestRequest;
    use bytes::Bytes;

    use super::*;
    use crate::requests::chat::{ChatRequest, LoggedAnswer, keep_chat};

    const LIMITS: RequestLogLimits = RequestLogLimits {
        per_sender: 3,
        body: 16,
    };

    fn channel(id: &str) -> ChannelId {
        id.parse().unwrap()
    }

    fn keep_as(log: &RequestLog, id: RequestId, wanted: ToKeep, status: u16) {
        let request = TestRequest::post().uri("/v2/origin/custom/x").to_request();
        let body = Bytes::from(vec![b'x'; log.limits.body.max(100)]);
        let chat = ChatRequest {
            id,
            head: request.head(),
            route: None,
            body: &body,
            hint: None,
        };
        let answer = LoggedAnswer {
            status,
            body: &Bytes::new(),
            took: Duration::ZERO,
        };
        keep_chat(log, wanted, chat, answer);
    }

    fn keep(log: &RequestLog, sender: Sender<&ChannelId>, status: u16, at: u64) -> bool {
        let at = UnixMillis::new(at);
        let Some(slot) = log.wants(sender, is_refused(status), at) else {
            return false;
        };
        keep_as(log, next(), slot, status);
        true
    }

    fn next() -> RequestId {
        static BEGUN: AtomicU64 = AtomicU64::new(1);
        id(BEGUN.fetch_add(1, Ordering::Relaxed))
    }

    fn id(number: u64) -> RequestId {
        number.to_string().parse().unwrap()
    }

    fn statuses(log: &RequestLog, filter: &RequestFilter) -> Vec<u16> {
        let (page, _) = log.list(filter, 100);
        page.iter().map(|kept| kept.status).collect()
    }

    #[test]
    fn traffic_evicts_neither_refusals_nor_other_channels() {
        let log = RequestLog::new(LIMITS);
        keep(&log, Sender::Channel(&channel("a")), 403, 1_000);
        keep(&log, Sender::Channel(&channel("b")), 200, 1_000);
        keep(&log, Sender::Stranger(Surface::Chat), 404, 1_000);
        for _ in 0..10 {
            keep(&log, Sender::Channel(&channel("a")), 200, 1_000);
        }
        assert_eq!(
            statuses(&log, &RequestFilter::default()),
            [200, 200, 200, 404, 200, 403]
        );
        let of_a = RequestFilter {
            channel: Some("a".parse().unwrap()),
            ..RequestFilter::default()
        };
        assert_eq!(statuses(&log, &of_a), [200, 200, 200, 403]);
        let refusals = RequestFilter {
            refused: Some(true),
            ..RequestFilter::default()
        };
        assert_eq!(statuses(&log, &refusals), [404, 403]);
    }

    /// A sender of many requests displaces only their own.
    #[test]
    fn each_sender_has_a_share() {
        let log = RequestLog::new(LIMITS);
        let senders = [
            Sender::Account(AccountId::from_random([1; 16])),
            Sender::Account(AccountId::from_random([2; 16])),
            Sender::Client(OauthClientId::from_random([1; 16])),
            Sender::Stranger(Surface::Account),
            Sender::Stranger(Surface::Oauth),
        ];
        for (sender, status) in senders.into_iter().zip(201..) {
            keep(&log, sender, status, 1_000);
        }
        for _ in 0..10 {
            keep(&log, Sender::Stranger(Surface::Oauth), 400, 1_000);
            keep(&log, Sender::Stranger(Surface::Oauth), 200, 1_000);
        }
        let all = statuses(&log, &RequestFilter::default());
        assert_eq!(all, [200, 400, 200, 400, 200, 400, 204, 203, 202, 201]);
        let account = RequestFilter {
            account: Some(AccountId::from_random([2; 16])),
            ..RequestFilter::default()
        };
        assert_eq!(statuses(&log, &account), [202]);
    }

    #[test]
    fn pages_continue_without_a_gap_and_bodies_are_cut() {
        let log = RequestLog::new(LIMITS);
        for status in [201, 202, 203] {
            keep(&log, Sender::Channel(&channel("a")), status, 1_000);
        }
        let (first, more) = log.list(&RequestFilter::default(), 2);
        assert!(more);
        let behind = RequestFilter {
            before: first.last().map(|kept| kept.id),
            ..RequestFilter::default()
        };
        let (second, more) = log.list(&behind, 2);
        assert!(!more && second.len() == 1 && second[0].status == 201);
        let whole = log.get(second[0].id).unwrap();
        assert_eq!(
            (whole.asked.body.bytes.len(), whole.asked.body.length),
            (16, 100)
        );
    }

    /// The request that began first is the oldest, whatever ended first.
    #[test]
    fn a_slow_request_is_listed_where_it_began() {
        let log = RequestLog::new(LIMITS);
        let stranger = Sender::Stranger(Surface::Chat);
        for (number, status) in [(2, 202), (3, 203), (1, 201), (4, 204)] {
            let slot = log.wants(stranger, false, UnixMillis::new(1_000)).unwrap();
            keep_as(&log, id(number), slot, status);
        }
        assert_eq!(statuses(&log, &RequestFilter::default()), [204, 203, 202]);
    }

    /// Requests beyond the rate are counted and not kept; with a limit of zero none is kept.
    #[test]
    fn requests_beyond_the_rate_are_only_counted() {
        let log = RequestLog::new(LIMITS);
        let count = (0..60)
            .filter(|_| keep(&log, Sender::Channel(&channel("a")), 200, 5_000))
            .count();
        assert_eq!((count, log.left_out()), (50, 10));
        let off = RequestLogLimits {
            per_sender: 0,
            ..LIMITS
        };
        let log = RequestLog::new(off);
        assert!(!keep(&log, Sender::Channel(&channel("a")), 403, 5_000));
        assert!(statuses(&log, &RequestFilter::default()).is_empty());
    }

    #[test]
    fn the_request_log_takes_bounded_memory() {
        let limits = RequestLogLimits {
            per_sender: 1_000_000,
            body: 1 << 20,
        };
        let log = RequestLog::new(limits);
        let account = AccountId::from_random([1; 16]);
        for second in 0..200 {
            let at = UnixMillis::new(second * 1_000);
            let slot = log.wants(Sender::Account(account), false, at).unwrap();
            keep_as(&log, next(), slot, 200);
        }
        let state = log.state();
        assert!(
            state.bytes <= BYTES_MAX && state.kept.len() == 63,
            "{}",
            state.kept.len()
        );
        assert_eq!(state.of_accounts[&account][0].ids.len(), state.kept.len());
    }
}
