//! What waits for each browser, and what is sent next: one push to a browser at a time, and a share of all requests for each push
//! service and each user, so that no slow one delays the others.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use switchboard_actors::domain::account::credentials::push::Push;
use switchboard_actors::domain::account::holder::Holder;
use switchboard_actors::domain::id::PushId;
use tokio::time::Instant;

/// The number of requests in progress at once.
const AT_ONCE: usize = 64;
/// Those of one push service.
const OF_SERVICE: usize = 16;
/// Those of one user.
const OF_USER: usize = 4;
/// The number of browsers for which something may wait.
const BROWSERS_MAX: usize = 4_096;
/// The number of pushes that may wait for a browser; a further one takes the place of the oldest.
const WAITING_MAX: usize = 8;

/// A browser.
pub(super) type Browser = (Holder, PushId);

/// A push to a browser.
#[derive(Clone, Debug)]
pub(super) struct Message {
    pub(super) holder: Holder,
    pub(super) push: Push,
    /// The text before it is encrypted.
    pub(super) text: String,
    pub(super) topic: String,
    pub(super) urgency: &'static str,
    /// It is of no use from then on.
    pub(super) ends: Instant,
    /// The attempts so far.
    pub(super) attempts: u32,
}

impl Message {
    pub(super) fn browser(&self) -> Browser {
        (self.holder, self.push.id)
    }
}

/// The pushes that wait for a browser.
#[derive(Debug)]
struct Lane {
    waiting: VecDeque<Message>,
    /// Nothing is sent before.
    rests_until: Instant,
}

/// A request in progress.
#[derive(Debug)]
struct Request {
    browser: Browser,
    service: String,
}

/// What waits for all browsers, and the requests in progress.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    lanes: BTreeMap<Browser, Lane>,
    requests: Vec<Request>,
    /// The browser that was served last: the next one is behind it.
    last: Option<Browser>,
}

impl Lanes {
    /// Adds a push. A later one with the same topic takes the place of what waits. Gives those for which there is no room.
    pub(super) fn add(&mut self, message: Message, now: Instant) -> Option<Message> {
        let is_new = !self.lanes.contains_key(&message.browser());
        if is_new && self.lanes.len() >= BROWSERS_MAX {
            return Some(message);
        }
        let lane = self.lanes.entry(message.browser()).or_insert(Lane {
            waiting: VecDeque::new(),
            rests_until: now,
        });
        lane.waiting.retain(|other| other.topic != message.topic);
        let oldest = (lane.waiting.len() >= WAITING_MAX)
            .then(|| lane.waiting.pop_front())
            .flatten();
        lane.waiting.push_back(message);
        oldest
    }

    /// Takes the push that is sent next, if there is one and a request may begin.
    pub(super) fn next(&mut self, now: Instant) -> Option<Message> {
        if self.requests.len() >= AT_ONCE {
            return None;
        }
        let browser = self.turn(now)?;
        let lane = self.lanes.get_mut(&browser)?;
        let message = lane.waiting.pop_front()?;
        if lane.waiting.is_empty() && lane.rests_until <= now {
            self.lanes.remove(&browser);
        }
        self.last = Some(browser);
        self.requests.push(Request {
            browser,
            service: message.push.endpoint.origin(),
        });
        Some(message)
    }

    /// The next browser whose turn it is, behind the one that was served last.
    fn turn(&self, now: Instant) -> Option<Browser> {
        let may = |(browser, lane): &(&Browser, &Lane)| {
            let push = lane.waiting.front().map(|message| &message.push);
            push.is_some_and(|push| lane.rests_until <= now && self.has_share(**browser, push))
        };
        let behind = self.last.and_then(|last| {
            let range = (std::ops::Bound::Excluded(last), std::ops::Bound::Unbounded);
            self.lanes.range(range).find(may)
        });
        let turn = behind.or_else(|| self.lanes.iter().find(may));
        turn.map(|(browser, _)| *browser)
    }

    /// Returns whether a request to a browser may begin beside those in progress.
    fn has_share(&self, browser: Browser, push: &Push) -> bool {
        let service = push.endpoint.origin();
        let count =
            |is: &dyn Fn(&Request) -> bool| self.requests.iter().filter(|it| is(it)).count();
        count(&|it| it.browser == browser) == 0
            && count(&|it| it.service == service) < OF_SERVICE
            && count(&|it| it.browser.0 == browser.0) < OF_USER
    }

    /// A request has ended.
    pub(super) fn end(&mut self, browser: Browser) {
        self.requests.retain(|it| it.browser != browser);
    }

    /// A push is tried again after a pause, and nothing is sent to its browser before, unless a later one has its topic by now.
    pub(super) fn again(&mut self, message: Message, pause: Duration, now: Instant) {
        let lane = self.lanes.entry(message.browser()).or_insert(Lane {
            waiting: VecDeque::new(),
            rests_until: now,
        });
        lane.rests_until = now + pause;
        if lane
            .waiting
            .iter()
            .all(|other| other.topic != message.topic)
        {
            lane.waiting.push_front(message);
        }
    }

    /// A browser has ended its subscription: nothing is sent to it any more.
    pub(super) fn forget(&mut self, browser: Browser) {
        self.lanes.remove(&browser);
    }

    /// The next time at which a browser has rested; `None` when none rests.
    pub(super) fn due(&self, now: Instant) -> Option<Instant> {
        let resting = self.lanes.values().map(|lane| lane.rests_until);
        resting.filter(|until| *until > now).min()
    }
}

#[cfg(test)]
mod tests {
    use switchboard_actors::domain::account::credentials::push::PushKeys;
    use switchboard_actors::domain::account::users::TokenHash;
    use switchboard_actors::domain::id::{AccountId, UserId};
    use switchboard_actors::domain::time::UnixMillis;

    use super::*;

    fn message(user: u64, browser: u64, service: &str, topic: &str) -> Message {
        Message {
            holder: Holder {
                account: AccountId::from_random([1; 16]),
                user: UserId(user),
            },
            push: Push {
                id: PushId(browser),
                endpoint: format!("https://{service}/{user}-{browser}")
                    .parse()
                    .unwrap(),
                keys: PushKeys {
                    p256dh: String::new(),
                    auth: String::new(),
                },
                session: TokenHash::new("x"),
                ended_before: 0,
                created_at: UnixMillis::ZERO,
            },
            text: topic.to_owned(),
            topic: topic.to_owned(),
            urgency: "normal",
            ends: Instant::now(),
            attempts: 0,
        }
    }

    fn begun(lanes: &mut Lanes, now: Instant) -> Vec<Message> {
        std::iter::from_fn(|| lanes.next(now)).collect()
    }

    #[test]
    fn a_browser_gets_one_at_a_time_and_the_newest_of_a_topic() {
        let (mut lanes, now) = (Lanes::default(), Instant::now());
        for (topic, text) in [("a", "1"), ("b", "2"), ("a", "3")] {
            let text = text.to_owned();
            let message = Message {
                text,
                ..message(1, 1, "p.example", topic)
            };
            assert!(lanes.add(message, now).is_none());
        }
        let first = begun(&mut lanes, now);
        assert_eq!(first.len(), 1);
        assert_eq!(first[0].text, "2");
        lanes.end(first[0].browser());
        assert_eq!(begun(&mut lanes, now)[0].text, "3");
    }

    #[test]
    fn a_slow_service_or_user_takes_a_share_and_no_more() {
        let (mut lanes, now) = (Lanes::default(), Instant::now());
        for user in 0..100 {
            lanes.add(message(user, 1, "slow.example", "a"), now);
        }
        assert_eq!(begun(&mut lanes, now).len(), OF_SERVICE);
        lanes.add(message(200, 1, "fast.example", "a"), now);
        let next = begun(&mut lanes, now);
        assert_eq!(next.len(), 1);
        assert_eq!(next[0].push.endpoint.host(), "fast.example");
        for browser in 0..10 {
            let service = format!("s{browser}.example");
            lanes.add(message(300, browser, &service, "a"), now);
        }
        assert_eq!(begun(&mut lanes, now).len(), OF_USER);
        for user in 400..600 {
            lanes.add(message(user, 1, &format!("s{user}.example"), "a"), now);
        }
        begun(&mut lanes, now);
        assert_eq!(lanes.requests.len(), AT_ONCE);
    }

    #[test]
    fn what_waits_is_bounded() {
        let (mut lanes, now) = (Lanes::default(), Instant::now());
        let dropped: Vec<_> = (0..10)
            .filter_map(|topic| lanes.add(message(1, 1, "p.example", &topic.to_string()), now))
            .collect();
        assert_eq!(dropped.len(), 2);
        assert_eq!(dropped[0].topic, "0", "the oldest goes");
        for user in 2..5_000 {
            lanes.add(message(user, 1, "p.example", "a"), now);
        }
        assert_eq!(lanes.lanes.len(), BROWSERS_MAX);
        assert!(
            lanes
                .add(message(9_999, 1, "p.example", "a"), now)
                .is_some()
        );
    }

    #[test]
    fn a_push_is_tried_again_after_its_pause_unless_replaced() {
        let (mut lanes, now) = (Lanes::default(), Instant::now());
        lanes.add(message(1, 1, "p.example", "a"), now);
        let first = lanes.next(now).unwrap();
        let pause = Duration::from_secs(5);
        lanes.end(first.browser());
        lanes.again(first.clone(), pause, now);
        assert!(lanes.next(now).is_none());
        assert_eq!(lanes.due(now), Some(now + pause));
        let text = "newer".to_owned();
        let newer = Message {
            text,
            ..message(1, 1, "p.example", "a")
        };
        lanes.add(newer, now);
        assert!(lanes.next(now).is_none(), "the browser rests");
        let again = lanes.next(now + pause).unwrap();
        assert_eq!(again.text, "newer");
        lanes.end(again.browser());
        assert!(lanes.lanes.is_empty() && lanes.due(now + pause).is_none());
        lanes.again(again.clone(), pause, now);
        lanes.forget(again.browser());
        assert!(lanes.next(now + pause).is_none());
    }
}
