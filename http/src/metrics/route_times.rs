//! The times of answers, by method and route.

use std::collections::BTreeMap;
use std::time::Duration;

use actix_web::http::Method;
use switchboard_engine::histogram::{Histogram, HistogramSnapshot};

use crate::all_addresses;

/// The bounds of the histograms: from an answer out of memory to one that waits for a slow disk.
const BOUNDS: [Duration; 11] = [
    Duration::from_millis(1),
    Duration::from_micros(2_500),
    Duration::from_millis(5),
    Duration::from_millis(10),
    Duration::from_millis(25),
    Duration::from_millis(50),
    Duration::from_millis(100),
    Duration::from_millis(250),
    Duration::from_secs(1),
    Duration::from_millis(2_500),
    Duration::from_secs(10),
];

/// The method and the route of requests that no address of the interfaces takes: unknown paths, pages of the console, and
/// what is refused before its path is read.
const OTHER: &str = "other";

/// A histogram for each method of each address. The set is fixed at the start, so recording takes no lock, and a request
/// with an invented path adds no series.
#[derive(Debug)]
pub(crate) struct RouteTimes {
    routes: BTreeMap<&'static str, Vec<RouteTime>>,
    other: Histogram,
}

#[derive(Debug)]
struct RouteTime {
    method: &'static str,
    times: Histogram,
}

/// The times of one method of one route.
#[derive(Debug)]
pub(super) struct RouteTimesRead {
    pub(super) method: &'static str,
    pub(super) route: &'static str,
    pub(super) times: HistogramSnapshot,
}

impl Default for RouteTimes {
    fn default() -> Self {
        let mut routes: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for address in all_addresses() {
            let methods = address.operations.iter().map(|(method, _)| RouteTime {
                method,
                times: Histogram::new(&BOUNDS),
            });
            routes.entry(address.path).or_default().extend(methods);
        }
        Self {
            routes,
            other: Histogram::new(&BOUNDS),
        }
    }
}

impl RouteTimes {
    /// Records the time until the answer to a request was ready. `route` is a path with the names of ids in place of ids.
    pub(crate) fn record(&self, method: &Method, route: Option<&str>, time: Duration) {
        let word = if *method == Method::HEAD {
            "GET"
        } else {
            method.as_str()
        };
        let methods = route.and_then(|route| self.routes.get(route));
        let matching = methods.and_then(|methods| methods.iter().find(|it| it.method == word));
        let times = matching.map_or(&self.other, |matching| &matching.times);
        times.record(time);
    }

    /// Returns the times of the routes that were requested.
    pub(super) fn read(&self) -> Vec<RouteTimesRead> {
        let routes = self.routes.iter().flat_map(|(route, methods)| {
            let times = methods.iter();
            times.map(|it| (it.method, *route, &it.times))
        });
        let all = routes.chain([(OTHER, OTHER, &self.other)]);
        all.map(|(method, route, times)| RouteTimesRead {
            method,
            route,
            times: times.snapshot(),
        })
        .filter(|read| read.times.count() > 0)
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_counts_at_its_route_and_invented_ones_together() {
        let times = RouteTimes::default();
        let time = Duration::from_millis(3);
        times.record(&Method::HEAD, Some("/api/v4/leads/{id}"), time);
        times.record(&Method::PATCH, Some("/api/v4/leads/{id}"), time);
        times.record(&Method::PUT, Some("/api/v4/leads/{id}"), time);
        times.record(&Method::GET, Some("/invented"), time);
        times.record(&Method::GET, None, time);
        let read = times.read();
        let series: Vec<_> = read
            .iter()
            .map(|it| (it.method, it.route, it.times.count()))
            .collect();
        assert_eq!(
            series,
            [
                ("GET", "/api/v4/leads/{id}", 1),
                ("PATCH", "/api/v4/leads/{id}", 1),
                (OTHER, OTHER, 3)
            ]
        );
    }
}
