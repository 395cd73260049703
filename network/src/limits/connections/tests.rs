use super::*;

#[cfg(interleavings)]
mod interleavings;

const PROXY: &str = "10.0.0.1";

fn connections(size: usize) -> Arc<Connections> {
    Arc::new(Connections::new(ConnectionLimits {
        size,
        share: size / 4,
        proxies: vec!["10.0.0.0/8".parse().unwrap()],
    }))
}

fn open(connections: &Arc<Connections>, address: &str) -> Seat {
    connections.enter(address.parse().unwrap())
}

fn idle(connections: &Arc<Connections>, address: &str) -> Seat {
    let seat = open(connections, address);
    seat.begin();
    seat.enter(Phase::Idle);
    seat
}

/// The connections that have made room, by their place in the list.
fn gone(seats: &[Seat]) -> Vec<usize> {
    let seats = seats.iter().enumerate();
    let victims = seats.filter(|(_, seat)| seat.is_given_up());
    victims.map(|(place, _)| place).collect()
}

#[test]
fn the_oldest_head_of_an_address_makes_room_in_its_share() {
    let connections = connections(16);
    let mut crowd = vec![idle(&connections, "192.0.2.1")];
    crowd.extend([(); 5].map(|()| open(&connections, "192.0.2.1")));
    assert_eq!(gone(&crowd), [1, 2]);
    assert!(!crowd.iter().any(Seat::is_too_many));
    for seat in &crowd {
        seat.begin();
    }
    let seat = open(&connections, "192.0.2.1");
    assert!(seat.is_too_many(), "no other one waits for a head");
    assert!(!open(&connections, "192.0.2.2").is_too_many());
    drop((crowd, seat));
    assert_eq!(connections.counts(), (0, 0));
    assert!(
        connections.lock().addresses.is_empty(),
        "what has ended is forgotten"
    );
    assert!(connections.lock().by_count.is_empty());
}

/// Four addresses with a quarter each hold everything, and others get in.
#[test]
fn a_head_of_the_largest_address_makes_room_for_others() {
    let connections = connections(16);
    let small = open(&connections, "192.0.2.9");
    let crowd: Vec<_> = (0..15)
        .map(|number| open(&connections, &format!("192.0.2.{}", number % 4)))
        .collect();
    let newcomers = [(); 3].map(|()| open(&connections, "192.0.2.8"));
    // The first of the three largest addresses; then all have as many, and the first one of all goes.
    assert_eq!(gone(&crowd), [0, 1, 2]);
    assert!(!small.is_given_up() && gone(&newcomers).is_empty());
    assert_eq!(connections.events(), (3, 0));
}

/// Whole heads, such as `GET /healthz`, hold nothing either.
#[test]
fn idle_connections_of_large_addresses_make_room() {
    let connections = connections(16);
    let crowd: Vec<_> = (0..16)
        .map(|number| idle(&connections, &format!("192.0.2.{}", number % 4)))
        .collect();
    crowd[0].enter(Phase::Busy);
    crowd[1].enter(Phase::Unread);
    crowd[2].enter(Phase::Body);
    let first = open(&connections, "192.0.2.8");
    assert_eq!(gone(&crowd), [3]);
    // It has few, so that the idle ones of the crowd go before its first request.
    let second = open(&connections, "192.0.2.9");
    assert_eq!(gone(&[first.clone(), second.clone()]), [0; 0]);
    for seat in &crowd {
        seat.enter(Phase::Busy);
    }
    crowd[1].is_read();
    let waits = open(&connections, "192.0.2.7");
    assert_eq!(gone(&crowd).len(), 2, "who works stays");
    assert!(!waits.is_given_up());
}

#[test]
fn a_proxy_has_no_share_and_its_clients_count() {
    let connections = connections(64);
    let direct = idle(&connections, "192.0.2.3");
    let proxied: Vec<_> = (0..60)
        .map(|number| {
            let seat = open(&connections, PROXY);
            seat.begin();
            let client = if number % 4 == 0 {
                "192.0.2.1"
            } else {
                "192.0.2.2"
            };
            seat.note_client(client.parse().unwrap());
            seat.enter(Phase::Unread);
            seat
        })
        .collect();
    assert!(!proxied.iter().any(Seat::is_too_many));
    let crowd = [(); 3].map(|()| open(&connections, "192.0.2.4"));
    let newcomer = open(&connections, "192.0.2.5");
    assert_eq!(gone(&proxied), [1], "one of the client that has the most");
    assert_eq!(
        gone(&[direct.clone(), newcomer.clone()]),
        [0; 0],
        "small ones stay"
    );
    let fourth = open(&connections, "192.0.2.4");
    let _newcomer = open(&connections, "192.0.2.6");
    // A large address goes before a proxy.
    assert_eq!((gone(&proxied).len(), gone(&crowd)), (2, vec![0]));
    assert!(!fourth.is_given_up());
}
