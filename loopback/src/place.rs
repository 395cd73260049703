//! The places of a socket: so many connections at once. When all are taken, one that proves nothing makes room.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio::task::AbortHandle;

/// The proof that a connection has given so far. One that has proved less makes room earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    /// Nothing: no whole request has come, or none with a token where one is needed.
    Stranger,
    /// There was a whole request, and the connection waits for the next one.
    Known,
    /// A request is worked on. This one does not make room.
    AtWork,
}

/// The places of a socket. Clones are the same places.
#[derive(Clone, Debug)]
pub(super) struct Places(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    most: usize,
    occupancy: Mutex<Occupancy>,
    /// A place became free, or its connection makes room now.
    changed: Notify,
}

#[derive(Debug, Default)]
struct Occupancy {
    last: u64,
    /// Oldest first.
    places: BTreeMap<u64, Occupant>,
}

#[derive(Debug)]
struct Occupant {
    address: IpAddr,
    standing: Standing,
    /// Ends the connection.
    task: Option<AbortHandle>,
}

/// The place of a connection, until it is dropped.
#[derive(Debug)]
pub struct Place {
    places: Places,
    number: u64,
    /// The number of requests that have begun, and of those that were answered: a head is read while it is even.
    turn: AtomicUsize,
    /// The client may still be sending a body.
    is_sending: AtomicBool,
}

impl Places {
    pub(super) fn new(most: usize) -> Self {
        Self(Arc::new(Shared {
            most,
            occupancy: Mutex::default(),
            changed: Notify::new(),
        }))
    }

    /// Takes a place for a connection from this address. Waits only while all others are worked on.
    pub(super) async fn take(&self, address: IpAddr) -> Arc<Place> {
        loop {
            let change = self.0.changed.notified();
            if let Some(place) = self.try_take(address) {
                return place;
            }
            change.await;
        }
    }

    fn try_take(&self, address: IpAddr) -> Option<Arc<Place>> {
        let mut occupancy = self.lock();
        if occupancy.places.len() >= self.0.most {
            let out = occupancy.dispensable()?;
            let occupant = occupancy.places.remove(&out);
            if let Some(task) = occupant.and_then(|occupant| occupant.task) {
                task.abort();
            }
        }
        occupancy.last = occupancy.last.saturating_add(1);
        let number = occupancy.last;
        let occupant = Occupant {
            address,
            standing: Standing::Stranger,
            task: None,
        };
        occupancy.places.insert(number, occupant);
        drop(occupancy);
        Some(Arc::new(Place {
            places: self.clone(),
            number,
            turn: AtomicUsize::new(0),
            is_sending: AtomicBool::new(false),
        }))
    }

    fn lock(&self) -> MutexGuard<'_, Occupancy> {
        self.0
            .occupancy
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Occupancy {
    /// The connection that makes room: of those that have proved the least, the oldest of the address that has the most.
    fn dispensable(&self) -> Option<u64> {
        let least = self.places.values().map(|it| it.standing).min()?;
        if least == Standing::AtWork {
            return None;
        }
        let mut of_address = BTreeMap::<IpAddr, usize>::new();
        for occupant in self.places.values() {
            let count = of_address.entry(occupant.address).or_default();
            *count = count.saturating_add(1);
        }
        let candidates = self.places.iter().filter(|(_, it)| it.standing == least);
        let most = candidates.max_by_key(|(number, it)| {
            let of_address = of_address.get(&it.address).copied().unwrap_or_default();
            (of_address, std::cmp::Reverse(**number))
        });
        most.map(|(number, _)| *number)
    }
}

impl Place {
    /// The task of the connection, which ends it.
    pub(super) fn occupied_by(&self, task: AbortHandle) {
        let mut occupancy = self.places.lock();
        match occupancy.places.get_mut(&self.number) {
            Some(occupant) => occupant.task = Some(task),
            // It has made room before it began.
            None => task.abort(),
        }
    }

    /// The head of a request is there, and perhaps its body follows.
    pub(super) fn begin(&self, has_body: bool) {
        self.turn.fetch_add(1, Ordering::AcqRel);
        self.is_sending.store(has_body, Ordering::Release);
    }

    /// Works on a request from now on, so that the connection stays: its sender is known.
    pub fn work(&self) {
        self.stand(Standing::AtWork);
    }

    /// The request is there as a whole, and is worked on.
    pub fn work_on_whole(&self) {
        self.is_sending.store(false, Ordering::Release);
        self.work();
    }

    /// Returns true while the client may be sending a body that is not read.
    pub(super) fn is_sending(&self) -> bool {
        self.is_sending.load(Ordering::Acquire)
    }

    /// The request is answered. One that was worked on has proved something.
    pub(super) fn settle(&self) {
        self.turn.fetch_add(1, Ordering::AcqRel);
        let mut occupancy = self.places.lock();
        if let Some(occupant) = occupancy.places.get_mut(&self.number)
            && occupant.standing == Standing::AtWork
        {
            occupant.standing = Standing::Known;
            drop(occupancy);
            self.places.0.changed.notify_waiters();
        }
    }

    /// Returns the number of requests that have begun, and of those that were answered.
    pub(super) fn turn(&self) -> usize {
        self.turn.load(Ordering::Acquire)
    }

    fn stand(&self, standing: Standing) {
        let mut occupancy = self.places.lock();
        if let Some(occupant) = occupancy.places.get_mut(&self.number) {
            occupant.standing = standing;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.lock().places.remove(&self.number);
        self.places.0.changed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(places: &Places, address: [u8; 4]) -> Arc<Place> {
        places.try_take(IpAddr::from(address)).unwrap()
    }

    fn stays(place: &Place) -> bool {
        place.places.lock().places.contains_key(&place.number)
    }

    #[test]
    fn who_has_proved_the_least_makes_room_first() {
        let places = Places::new(3);
        let [one, two] = [[127, 0, 0, 1], [127, 0, 0, 2]];
        let (first, second) = (taken(&places, one), taken(&places, two));
        let third = taken(&places, two);
        first.work();
        first.settle();
        let fourth = taken(&places, one);
        assert!(!stays(&second) && stays(&third), "the oldest stranger");
        third.work();
        fourth.work();
        let fifth = taken(&places, one);
        assert!(!stays(&first), "the others work");
        fifth.work();
        assert!(places.try_take(IpAddr::from(one)).is_none(), "all work");
        third.settle();
        let _sixth = taken(&places, one);
        assert!(!stays(&third));
    }

    #[test]
    fn the_address_with_the_most_connections_makes_room() {
        let places = Places::new(4);
        let few = taken(&places, [127, 0, 0, 1]);
        let many = [(); 3].map(|()| taken(&places, [127, 0, 0, 2]));
        let _newcomer = taken(&places, [127, 0, 0, 3]);
        assert!(stays(&few));
        assert_eq!(many.map(|it| stays(&it)), [false, true, true]);
    }

    #[tokio::test]
    async fn a_place_that_becomes_free_is_taken_by_who_waits() {
        let places = Places::new(1);
        let place = taken(&places, [127, 0, 0, 1]);
        place.work();
        let of_waiter = places.clone();
        let waiter = tokio::spawn(async move {
            of_waiter.take(IpAddr::from([127, 0, 0, 1])).await;
        });
        tokio::task::yield_now().await;
        assert!(!waiter.is_finished());
        drop(place);
        waiter.await.unwrap();
    }
}
