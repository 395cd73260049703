//! The requests that were answered: their number by the first digit of the status, and their times by route.

use std::sync::atomic::{AtomicU64, Ordering};

use actix_web::http::StatusCode;

use super::route_times::RouteTimes;

/// The first digits of status codes, as they stand in labels.
const STATUSES: [&str; 5] = ["1xx", "2xx", "3xx", "4xx", "5xx"];

/// The counters. A request costs three atomic additions.
#[derive(Debug, Default)]
pub(crate) struct Requests {
    by_status: [AtomicU64; STATUSES.len()],
    route_times: RouteTimes,
}

/// The counters of requests.
#[derive(Debug)]
pub(super) struct RequestsRead {
    pub(super) by_status: Vec<(&'static str, u64)>,
}

impl Requests {
    /// A request was answered with this status.
    pub(crate) fn answered(&self, status: StatusCode) {
        let place = usize::from(status.as_u16() / 100).saturating_sub(1);
        if let Some(counter) = self.by_status.get(place) {
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(crate) fn route_times(&self) -> &RouteTimes {
        &self.route_times
    }

    pub(super) fn read(&self) -> RequestsRead {
        let counts = self
            .by_status
            .iter()
            .map(|counter| counter.load(Ordering::Relaxed));
        RequestsRead {
            by_status: STATUSES.into_iter().zip(counts).collect(),
        }
    }
}
