//! The queues in memory: a bounded number of them, shared fairly between endpoints.
//!
//! A queue that finds no room stays in the store. The endpoint then remembers that the store holds more, and
//! asks for a page when it has room again, or when it has nothing left to do. A queue that could be sent now
//! takes the place of one that waits for a retry; on a full node an endpoint with few queues takes the place
//! of queues of the endpoint with the most, so that a dead endpoint with a long queue cannot fill the memory.

use std::time::Duration;

use crate::Dispatch;
use crate::delivery_queue::{DeliveryQueue, Phase, QueueHead};
use crate::effect::Effect;
use crate::endpoint::Endpoint;
use crate::routing::Routing;

/// The delay before an endpoint asks again when a page found no room.
const PAGE_PAUSE: Duration = Duration::from_secs(1);
/// The number of queues that give way at once, so that the largest endpoint is not searched for each time.
const YIELD_MAX: usize = 64;

impl<R: Routing> Dispatch<R> {
    /// A queue has something to send.
    pub(super) fn queued(&mut self, queue: &R::Queue, id: &R::Endpoint, head: QueueHead) {
        let key = R::key(queue);
        self.know(id);
        if let Some(other) = R::other(id)
            && !self.release(&other, key)
        {
            self.expect_more(id);
            return;
        }
        let Some(endpoint) = self.endpoints.get_mut(id) else {
            return;
        };
        match endpoint.queue_mut(key).map(|queue| {
            queue.leaving = false;
            queue.phase
        }) {
            None => self.admit(id, key, head),
            // The answer that is on its way may have been given before this message was there.
            Some(Phase::Asking(_)) => self.ask(id, key),
            // What is new stands behind the head, or is found when the head is final.
            Some(Phase::Ready | Phase::Waiting { .. } | Phase::InFlight(_)) => {}
        }
        self.settle(id);
    }

    /// Takes up an endpoint that is not known yet.
    fn know(&mut self, id: &R::Endpoint) {
        if !self.endpoints.contains_key(id) {
            let endpoint = Endpoint::new(self.limits.rules);
            self.endpoints.insert(id.clone(), endpoint);
        }
    }

    /// The end of a page.
    pub(super) fn paged(&mut self, id: &R::Endpoint, complete: bool) {
        let now = self.clock.now();
        if let Some(endpoint) = self.endpoints.get_mut(id) {
            let paging = &mut endpoint.paging;
            paging.asked = false;
            paging.more = !complete || paging.missed;
            paging.missed &= !complete;
            let stuck = paging.refused && !paging.fruitful;
            paging.not_before = stuck.then(|| now.plus(PAGE_PAUSE));
        }
        self.settle(id);
    }

    /// The queues of the group belong to another endpoint from now on; it pages them in.
    pub(super) fn moved(&mut self, group: &R::Group, id: &R::Endpoint) {
        self.know(id);
        for other in R::endpoints(group) {
            if other == *id {
                continue;
            }
            for key in self.queues_of(&other, group) {
                self.release(&other, key);
            }
            self.settle(&other);
        }
        for key in self.queues_of(id, group) {
            if let Some(queue) = self.queue_in_flight(id, key) {
                queue.leaving = false;
            }
        }
        self.expect_more(id);
    }

    /// The store may hold queues of the endpoint that are not in memory.
    pub(super) fn expect_more(&mut self, id: &R::Endpoint) {
        if let Some(endpoint) = self.endpoints.get_mut(id) {
            endpoint.paging.more = true;
            endpoint.paging.missed = true;
            endpoint.paging.refused = true;
        }
        self.settle(id);
    }

    /// Asks for a page of the endpoint's queues if it is time.
    pub(super) fn page_in(&mut self, id: &R::Endpoint) {
        let (now, limits) = (self.clock.now(), self.limits);
        let full = self.queues >= limits.queues;
        let Some(endpoint) = self.endpoints.get_mut(id).filter(|_| !self.draining) else {
            return;
        };
        let paging = endpoint.paging;
        let early = paging.not_before.is_some_and(|at| at > now);
        if !paging.more || paging.asked || early || !endpoint.is_on() {
            return;
        }
        // While messages are held, one queue is enough to probe with.
        let is_held = endpoint.hold_of_all(now).is_some();
        let scarce = endpoint.len() <= limits.queues_per_endpoint / 2;
        let wants_page = if is_held {
            endpoint.len() == 0
        } else {
            scarce || endpoint.idle()
        };
        if !wants_page {
            return;
        }
        if full && !endpoint.idle() {
            endpoint.paging.not_before = Some(now.plus(PAGE_PAUSE));
            return;
        }
        endpoint.paging.asked = true;
        endpoint.paging.refused = false;
        endpoint.paging.fruitful = false;
        endpoint.paging.not_before = None;
        // A full endpoint that is idle only waits for retries: what is ready takes their place.
        let free = match limits.queues_per_endpoint.saturating_sub(endpoint.len()) {
            0 => limits.page,
            free => free,
        };
        let room = limits.page.min(free).max(1);
        let endpoint = id.clone();
        self.effects.push(Effect::PageIn { endpoint, room });
    }

    pub(super) fn queues_of(&self, id: &R::Endpoint, group: &R::Group) -> Vec<R::Key> {
        let endpoint = self.endpoints.get(id);
        endpoint.map_or_else(Vec::new, |endpoint| endpoint.queues_of(group))
    }

    /// The queue, if its head is in flight.
    pub(super) fn queue_in_flight(
        &mut self,
        id: &R::Endpoint,
        key: R::Key,
    ) -> Option<&mut DeliveryQueue> {
        let queue = self.endpoints.get_mut(id)?.queue_mut(key)?;
        matches!(queue.phase, Phase::InFlight(_)).then_some(queue)
    }

    pub(super) fn drop_queue(&mut self, id: &R::Endpoint, key: R::Key) {
        let endpoint = self.endpoints.get_mut(id);
        if endpoint.and_then(|endpoint| endpoint.remove(key)).is_some() {
            self.queues = self.queues.saturating_sub(1);
        }
    }

    /// Lets a queue of an endpoint go that it no longer belongs to. False while its head is in flight: nothing
    /// of the queue may be sent elsewhere until it is back.
    fn release(&mut self, id: &R::Endpoint, key: R::Key) -> bool {
        if let Some(queue) = self.queue_in_flight(id, key) {
            queue.leaving = true;
            return false;
        }
        self.drop_queue(id, key);
        self.settle(id);
        true
    }

    fn admit(&mut self, id: &R::Endpoint, key: R::Key, head: QueueHead) {
        if !self.make_room(id, &head) {
            self.expect_more(id);
            return;
        }
        let queue = self.resident(head);
        let fruitful = queue.phase == Phase::Ready;
        if let Some(endpoint) = self.endpoints.get_mut(id) {
            endpoint.insert(key, queue);
            endpoint.paging.fruitful |= fruitful;
            self.queues += 1;
        }
    }

    fn make_room(&mut self, id: &R::Endpoint, head: &QueueHead) -> bool {
        let due = self.due(head);
        let Some(endpoint) = self.endpoints.get(id) else {
            return false;
        };
        let len = endpoint.len();
        let full_here = len >= self.limits.queues_per_endpoint;
        if !full_here && self.queues < self.limits.queues {
            return true;
        }
        if let Some(key) = endpoint.spare_waiting(due.max(self.clock.now())) {
            self.drop_queue(id, key);
            self.expect_more(id);
            return true;
        }
        !full_here && self.make_way(len)
    }

    /// Queues of the largest endpoint give way to one of an endpoint that has only `len`.
    fn make_way(&mut self, len: usize) -> bool {
        let largest = self
            .endpoints
            .iter()
            .max_by_key(|(_, endpoint)| endpoint.len());
        let Some((id, surplus)) = largest.map(|(id, largest)| {
            let surplus = largest.len().saturating_sub(len + 1);
            (id.clone(), surplus)
        }) else {
            return false;
        };
        let mut progress = false;
        for _ in 0..surplus.div_ceil(2).min(YIELD_MAX) {
            let endpoint = self.endpoints.get(&id);
            let Some(key) = endpoint.and_then(Endpoint::spare_any) else {
                break;
            };
            self.drop_queue(&id, key);
            progress = true;
        }
        self.expect_more(&id);
        progress
    }
}
