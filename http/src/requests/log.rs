//! The requests that are kept, and which of them go when there are too many.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use actix_http::RequestHead;
use bytes::Bytes;
use switchboard_actors::domain::id::ChannelId;
use switchboard_actors::domain::time::UnixMillis;

use crate::request_id::RequestId;
use crate::requests::keep_limit::KeepLimit;
use crate::requests::kept::{KeptBody, KeptRequest, LoggedRequest};

/// All that is kept takes about this much memory at most: 64 MiB.
const BYTES_MAX: usize = 64 << 20;
/// So much of an answer is kept: refusals are shorter.
const ANSWER_MAX: usize = 8 << 10;

/// How much is kept.
#[derive(Clone, Copy, Debug)]
pub struct RequestLogLimits {
    /// Requests of each channel, refused and answered ones each; 0 keeps none at all.
    pub per_channel: usize,
    /// Bytes of a body.
    pub body: usize,
}

impl Default for RequestLogLimits {
    fn default() -> Self {
        Self {
            per_channel: 200,
            body: 16 << 10,
        }
    }
}

/// The requests that are kept.
#[derive(Debug)]
pub(crate) struct RequestLog {
    limits: RequestLogLimits,
    state: Mutex<State>,
}

/// A request that is to be kept.
#[derive(Debug)]
pub(crate) struct ToKeep {
    channel: Option<ChannelId>,
    refused: bool,
    at: UnixMillis,
}

/// What was answered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoggedAnswer<'a> {
    pub status: u16,
    pub body: &'a Bytes,
    pub took: Duration,
}

/// Which of them are wanted.
#[derive(Clone, Debug, Default)]
pub(crate) struct RequestFilter {
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
    /// Requests without a known channel.
    of_strangers: [KeptIds; 2],
    bytes: usize,
    left_out: u64,
}

/// The requests of one channel and kind, oldest first.
#[derive(Debug, Default)]
struct KeptIds {
    ids: VecDeque<RequestId>,
    keep_limit: KeepLimit,
}

impl RequestLog {
    pub(crate) fn new(limits: RequestLogLimits) -> Self {
        Self {
            limits,
            state: Mutex::default(),
        }
    }

    /// Whether anything is kept at all.
    pub(crate) fn is_on(&self) -> bool {
        self.limits.per_channel > 0
    }

    /// Whether this request is to be kept.
    pub(crate) fn wants(
        &self,
        channel: Option<&ChannelId>,
        refused: bool,
        now: UnixMillis,
    ) -> Option<ToKeep> {
        if !self.is_on() {
            return None;
        }
        let mut state = self.state();
        if !state.kept_ids(channel, refused).keep_limit.takes(now) {
            state.left_out = state.left_out.saturating_add(1);
            return None;
        }
        Some(ToKeep {
            channel: channel.cloned(),
            refused,
            at: now,
        })
    }

    /// Keeps a request, and lets the oldest ones go.
    pub(crate) fn keep(
        &self,
        id: RequestId,
        wanted: ToKeep,
        request: &RequestHead,
        body: &Bytes,
        answer: LoggedAnswer<'_>,
    ) {
        let asked = LoggedRequest::of(request, KeptBody::of(body, self.limits.body));
        let kept = KeptRequest {
            id,
            at: wanted.at,
            channel: wanted.channel,
            asked,
            status: answer.status,
            answer: KeptBody::of(answer.body, ANSWER_MAX),
            took: answer.took,
        };
        let mut state = self.state();
        state.add(kept, wanted.refused, self.limits.per_channel);
    }

    /// The newest ones that are wanted, the newest first, and whether there are more.
    pub(crate) fn list(
        &self,
        filter: &RequestFilter,
        limit: usize,
    ) -> (Vec<Arc<KeptRequest>>, bool) {
        let state = self.state();
        let before = filter.before.unwrap_or(RequestId::MAX);
        let wanted = |kept: &&Arc<KeptRequest>| {
            let channel = filter.channel.is_none() || kept.channel == filter.channel;
            let refused = filter.refused;
            channel && refused.is_none_or(|refused| is_refused(kept.status) == refused)
        };
        let mut found = state.kept.range(..before).rev().map(|(_, kept)| kept);
        let mut found = found.by_ref().filter(wanted);
        let page = found.by_ref().take(limit).map(Arc::clone).collect();
        (page, found.next().is_some())
    }

    /// The one with this id.
    pub(crate) fn get(&self, id: RequestId) -> Option<Arc<KeptRequest>> {
        self.state().kept.get(&id).map(Arc::clone)
    }

    /// How many were not kept because there were too many.
    pub(crate) fn left_out(&self) -> u64 {
        self.state().left_out
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether an answer with this status is a refusal.
pub(crate) fn is_refused(status: u16) -> bool {
    status >= 400
}

impl State {
    fn kept_ids(&mut self, channel: Option<&ChannelId>, refused: bool) -> &mut KeptIds {
        let kept_ids = match channel {
            None => &mut self.of_strangers,
            Some(channel) => {
                if !self.of_channels.contains_key(channel) {
                    self.of_channels.insert(channel.clone(), Default::default());
                }
                // It is there now; strangers stand in only for the compiler.
                match self.of_channels.get_mut(channel) {
                    Some(kept_ids) => kept_ids,
                    None => &mut self.of_strangers,
                }
            }
        };
        let [answered, others] = kept_ids;
        if refused { others } else { answered }
    }

    fn add(&mut self, kept: KeptRequest, refused: bool, limit: usize) {
        let kept_ids = self.kept_ids(kept.channel.as_ref(), refused);
        // Requests end in another order than they began.
        let place = kept_ids.ids.partition_point(|older| *older < kept.id);
        kept_ids.ids.insert(place, kept.id);
        let oldest = (kept_ids.ids.len() > limit)
            .then(|| kept_ids.ids.pop_front())
            .flatten();
        self.bytes = self.bytes.saturating_add(kept.bytes());
        self.kept.insert(kept.id, Arc::new(kept));
        if let Some(gone) = oldest.and_then(|id| self.kept.remove(&id)) {
            self.bytes = self.bytes.saturating_sub(gone.bytes());
        }
        while self.bytes > BYTES_MAX
            && let Some((id, gone)) = self.kept.pop_first()
        {
            self.bytes = self.bytes.saturating_sub(gone.bytes());
            let kept_ids = self.kept_ids(gone.channel.as_ref(), is_refused(gone.status));
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

    use actix_web::test::TestRequest;

    use super::*;

    const LIMITS: RequestLogLimits = RequestLogLimits {
        per_channel: 3,
        body: 16,
    };

    fn answered(status: u16, body: &Bytes) -> LoggedAnswer<'_> {
        LoggedAnswer {
            status,
            body,
            took: Duration::ZERO,
        }
    }

    fn keep(log: &RequestLog, channel: Option<&str>, status: u16, at: u64) -> bool {
        let channel: Option<ChannelId> = channel.map(|channel| channel.parse().unwrap());
        let at = UnixMillis::new(at);
        let Some(wanted) = log.wants(channel.as_ref(), is_refused(status), at) else {
            return false;
        };
        let request = TestRequest::post().uri("/v2/origin/custom/x").to_request();
        let body = Bytes::from(vec![b'x'; 100]);
        log.keep(
            next(),
            wanted,
            request.head(),
            &body,
            answered(status, &body),
        );
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
        keep(&log, Some("a"), 403, 1_000);
        keep(&log, Some("b"), 200, 1_000);
        keep(&log, None, 404, 1_000);
        for _ in 0..10 {
            keep(&log, Some("a"), 200, 1_000);
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
        let refused = RequestFilter {
            refused: Some(true),
            ..RequestFilter::default()
        };
        assert_eq!(statuses(&log, &refused), [404, 403]);
    }

    #[test]
    fn pages_continue_without_a_gap_and_bodies_are_cut() {
        let log = RequestLog::new(LIMITS);
        for status in [201, 202, 203] {
            keep(&log, Some("a"), status, 1_000);
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

    /// What began first is the oldest, whatever ended first.
    #[test]
    fn a_slow_request_is_listed_where_it_began() {
        let log = RequestLog::new(LIMITS);
        let request = TestRequest::post().uri("/x").to_http_request();
        let body = Bytes::new();
        for (number, status) in [(2, 202), (3, 203), (1, 201), (4, 204)] {
            let wanted = log.wants(None, false, UnixMillis::new(1_000)).unwrap();
            log.keep(
                id(number),
                wanted,
                request.head(),
                &body,
                answered(status, &body),
            );
        }
        assert_eq!(statuses(&log, &RequestFilter::default()), [204, 203, 202]);
    }

    /// Requests beyond the rate are counted and not kept; with a limit of zero none is kept.
    #[test]
    fn requests_beyond_the_rate_are_only_counted() {
        let log = RequestLog::new(LIMITS);
        let taken = (0..60)
            .filter(|_| keep(&log, Some("a"), 200, 5_000))
            .count();
        assert_eq!((taken, log.left_out()), (50, 10));
        let off = RequestLogLimits {
            per_channel: 0,
            ..LIMITS
        };
        let log = RequestLog::new(off);
        assert!(!keep(&log, Some("a"), 403, 5_000));
        assert!(statuses(&log, &RequestFilter::default()).is_empty());
    }

    #[test]
    fn the_request_log_takes_bounded_memory() {
        let limits = RequestLogLimits {
            per_channel: 1_000_000,
            body: 1 << 20,
        };
        let log = RequestLog::new(limits);
        let request = TestRequest::post().uri("/x").to_http_request();
        let body = Bytes::from(vec![b'x'; 1 << 20]);
        for second in 0..200 {
            let at = UnixMillis::new(second * 1_000);
            let wanted = log.wants(None, false, at).unwrap();
            let empty = Bytes::new();
            log.keep(next(), wanted, request.head(), &body, answered(200, &empty));
        }
        let state = log.state();
        assert!(
            state.bytes <= BYTES_MAX && state.kept.len() == 63,
            "{}",
            state.kept.len()
        );
        assert_eq!(state.of_strangers[0].ids.len(), state.kept.len());
    }
}
