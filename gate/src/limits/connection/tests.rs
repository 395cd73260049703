use std::task::Waker;

use actix_web::http::header::{HeaderName, HeaderValue};
use switchboard_network::limits::machine::Machine;

use super::*;
use crate::limits::LimitSettings;
use switchboard_network::limits::pools::{PoolSettings, Pools};

/// Two requests at once, eight bodies of each kind, two of an address.
fn limits() -> Arc<RateLimits> {
    let settings = PoolSettings {
        requests_in_flight_max: 2,
        bodies_awaited_max: 16,
        ..PoolSettings::default()
    };
    let machine = Machine {
        descriptors: 1_024,
        memory: 1 << 30,
    };
    Arc::new(RateLimits::new(LimitSettings {
        channel_per_second: 0,
        user_per_second: 0,
        pools: Pools::new(&settings, machine),
        trusted_proxies: vec!["10.0.0.0/8".parse().unwrap()],
        ..LimitSettings::default()
    }))
}

fn open(limits: &Arc<RateLimits>, address: &str) -> Connection {
    let peer = address.parse().unwrap();
    limits.connection(limits.connections().enter(peer), peer)
}

fn from(client: &str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let name = HeaderName::from_static("x-forwarded-for");
    headers.insert(name, HeaderValue::from_str(client).unwrap());
    headers
}

fn is_given_up(body: &AwaitedBody<'_>) -> bool {
    body.is_given_up(&Context::from_waker(Waker::noop()))
}

#[test]
fn places_of_requests_are_bounded_and_released() {
    let limits = limits();
    let [one, two, three] = [(); 3].map(|()| open(&limits, "192.0.2.1"));
    assert!(one.take_place() && two.take_place());
    assert!(!three.take_place());
    assert!(!three.take_place(), "a refusal takes no place");
    one.leave_place();
    assert!(three.take_place());
    drop(two);
    assert!(one.take_place(), "a connection that ends leaves its place");
}

#[test]
fn bodies_behind_a_proxy_count_by_client() {
    let limits = limits();
    let connections = [(); 6].map(|()| open(&limits, "10.0.0.1"));
    let (stranger, other) = (from("203.0.113.66"), from("198.51.100.7"));
    let first = connections[0].await_body(&other);
    let crowd: Vec<_> = connections[1..5]
        .iter()
        .map(|it| it.await_body(&stranger))
        .collect();
    let given_up: Vec<_> = crowd.iter().map(is_given_up).collect();
    assert_eq!(given_up, [true, true, false, false]);
    let second = connections[5].await_body(&other);
    assert!(!is_given_up(&first) && !is_given_up(&second));
}

/// Bodies without credentials do not push out one with credentials.
#[test]
fn bodies_with_credentials_have_a_pool_of_their_own() {
    let limits = limits();
    let proven = open(&limits, "192.0.2.1");
    proven.prove(BodyOwner::Operator);
    let body = proven.await_body(&HeaderMap::new());
    let crowd: Vec<_> = (0..20)
        .map(|number| open(&limits, &format!("192.0.2.{number}")))
        .collect();
    let bodies: Vec<_> = crowd
        .iter()
        .map(|it| it.await_body(&HeaderMap::new()))
        .collect();
    assert!(!is_given_up(&body));
    let given_up = bodies.iter().filter(|it| is_given_up(it)).count();
    assert_eq!(given_up, 12);
    drop(body);
    assert!(proven.begin(&HeaderMap::new()));
    let next = proven.await_body(&HeaderMap::new());
    assert!(
        matches!(next.place, BodyPlace::Unproven(_)),
        "the next request has to show its own"
    );
}
