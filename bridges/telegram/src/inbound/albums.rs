//! Albums. Their parts come as separate updates, in any order, and nothing says which is the last.
//!
//! The service has no form for a group of pictures, so each part is a message of its own. They are posted in the order of their
//! ids: the first part waits for a second for the others, and what comes later in the same chat waits behind them.

use std::collections::{BTreeMap, VecDeque};

/// The time after the last part in which another one may come, in milliseconds.
const QUIET: i64 = 1_000;
/// The most parts of an album.
const PARTS_MAX: usize = 10;
/// The most items of a chat that wait behind an album.
const BEHIND_MAX: usize = 1_000;
/// The most chats with an open album.
const CHATS_MAX: usize = 10_000;

struct Waiting<T> {
    album: Option<String>,
    message: i64,
    at: i64,
    item: T,
}

/// An album whose parts come, and what has come behind it in its chat.
struct Open<T> {
    album: String,
    parts: BTreeMap<i64, Vec<T>>,
    count: usize,
    last_at: i64,
    behind: VecDeque<Waiting<T>>,
}

impl<T> Open<T> {
    fn new(album: String, at: i64) -> Self {
        Self {
            album,
            parts: BTreeMap::new(),
            count: 0,
            last_at: at,
            behind: VecDeque::new(),
        }
    }

    fn add(&mut self, message: i64, at: i64, item: T) {
        self.parts.entry(message).or_default().push(item);
        self.count = self.count.saturating_add(1);
        self.last_at = self.last_at.max(at);
    }

    fn is_over(&self, now: i64) -> bool {
        self.count >= PARTS_MAX
            || self.behind.len() >= BEHIND_MAX
            || now.saturating_sub(self.last_at) >= QUIET
    }
}

/// The albums that are gathered.
pub struct Albums<T> {
    chats: BTreeMap<i64, Open<T>>,
}

impl<T> Default for Albums<T> {
    fn default() -> Self {
        Self {
            chats: BTreeMap::new(),
        }
    }
}

impl<T> Albums<T> {
    /// Takes what has come in a chat. Returns the items that may be posted now, in their order.
    ///
    /// Times are in milliseconds, by any clock that only goes forward.
    pub fn take(
        &mut self,
        chat: i64,
        album: Option<&str>,
        message: i64,
        item: T,
        now: i64,
    ) -> Vec<T> {
        let waiting = Waiting {
            album: album.map(str::to_owned),
            message,
            at: now,
            item,
        };
        let Some(open) = self.chats.get_mut(&chat) else {
            return match waiting.album {
                Some(_) if self.chats.len() < CHATS_MAX => {
                    self.gather(chat, VecDeque::from([waiting]), now)
                }
                Some(_) | None => vec![waiting.item],
            };
        };
        if album == Some(open.album.as_str()) {
            open.add(message, now, waiting.item);
        } else {
            open.behind.push_back(waiting);
        }
        self.release(chat, now)
    }

    /// Returns the items whose waiting is over.
    pub fn due(&mut self, now: i64) -> Vec<T> {
        let chats: Vec<i64> = self.chats.keys().copied().collect();
        chats
            .into_iter()
            .flat_map(|chat| self.release(chat, now))
            .collect()
    }

    /// The time at which [`Self::due`] has something to return; `None` when nothing waits.
    #[must_use]
    pub fn next_due(&self) -> Option<i64> {
        let times = self
            .chats
            .values()
            .map(|open| open.last_at.saturating_add(QUIET));
        times.min()
    }

    /// Ends the album of a chat if it is over, and whatever is over behind it.
    fn release(&mut self, chat: i64, now: i64) -> Vec<T> {
        if !self.chats.get(&chat).is_some_and(|open| open.is_over(now)) {
            return Vec::new();
        }
        let Some(open) = self.chats.remove(&chat) else {
            return Vec::new();
        };
        let mut items: Vec<T> = open.parts.into_values().flatten().collect();
        items.extend(self.gather(chat, open.behind, now));
        items
    }

    /// Passes items on until one is the part of an album, which opens with all of its parts among them.
    fn gather(&mut self, chat: i64, mut queue: VecDeque<Waiting<T>>, now: i64) -> Vec<T> {
        let mut items = Vec::new();
        while let Some(first) = queue.pop_front() {
            let Some(album) = first.album.clone() else {
                items.push(first.item);
                continue;
            };
            let mut open = Open::new(album, first.at);
            open.add(first.message, first.at, first.item);
            for waiting in queue {
                if waiting.album.as_ref() == Some(&open.album) {
                    open.add(waiting.message, waiting.at, waiting.item);
                } else {
                    open.behind.push_back(waiting);
                }
            }
            self.chats.insert(chat, open);
            items.extend(self.release(chat, now));
            break;
        }
        items
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Albums, BEHIND_MAX, CHATS_MAX, QUIET};

    fn take(albums: &mut Albums<i64>, album: Option<&str>, message: i64, now: i64) -> Vec<i64> {
        albums.take(7, album, message, message, now)
    }

    #[test]
    fn parts_come_in_the_order_of_their_ids() {
        let mut albums = Albums::default();
        for (now, message) in [(0, 13), (10, 11), (500, 12)] {
            assert!(take(&mut albums, Some("a"), message, now).is_empty());
        }
        assert_eq!(albums.next_due(), Some(500 + QUIET));
        assert!(albums.due(500 + QUIET - 1).is_empty());
        assert_eq!(albums.due(500 + QUIET), [11, 12, 13]);
        assert_eq!(albums.next_due(), None);
    }

    #[test]
    fn ten_parts_are_a_whole_album() {
        let mut albums = Albums::default();
        for message in [3, 9, 1, 7, 5, 2, 8, 4, 6] {
            assert!(take(&mut albums, Some("a"), message, 0).is_empty());
        }
        let whole = take(&mut albums, Some("a"), 10, 0);
        assert_eq!(whole, (1..=10).collect::<Vec<_>>());
    }

    #[test]
    fn what_comes_later_in_the_chat_waits_behind_the_album() {
        let mut albums = Albums::default();
        assert_eq!(take(&mut albums, None, 1, 0), [1]);
        assert!(take(&mut albums, Some("a"), 3, 0).is_empty());
        assert!(take(&mut albums, None, 4, 0).is_empty());
        assert!(take(&mut albums, Some("b"), 6, 0).is_empty());
        assert!(take(&mut albums, None, 7, 0).is_empty());
        assert!(take(&mut albums, Some("b"), 5, 900).is_empty());
        assert!(take(&mut albums, Some("a"), 2, 100).is_empty());
        // Another chat waits for nothing.
        assert_eq!(albums.take(8, None, 9, 9, 100), [9]);
        assert_eq!(albums.due(1_100), [2, 3, 4]);
        assert_eq!(albums.due(1_900), [5, 6, 7]);
    }

    #[test]
    fn waiting_has_a_bound() {
        let mut albums = Albums::default();
        assert!(take(&mut albums, Some("a"), 1, 0).is_empty());
        let released = (0..1_000).map(|at| take(&mut albums, None, at + 2, 0).len());
        assert_eq!(released.sum::<usize>(), BEHIND_MAX + 1);
        for chat in 0..10_000 {
            albums.take(chat, Some("a"), 1, 1, 0);
        }
        assert_eq!(albums.chats.len(), CHATS_MAX);
        assert_eq!(albums.take(-1, Some("a"), 5, 5, 0), [5]);
    }

    proptest! {
        #[test]
        fn each_item_comes_out_once(
            items in prop::collection::vec((0..3_i64, 0..4_usize, 0..700_i64), 0..60),
        ) {
            let (mut albums, mut now, mut out) = (Albums::default(), 0, Vec::new());
            for (at, (chat, album, pause)) in items.iter().enumerate() {
                now += pause;
                out.extend(albums.due(now));
                let album = [None, Some("a"), Some("b"), Some("c")][*album];
                out.extend(albums.take(*chat, album, -i64::try_from(at).expect("small"), at, now));
            }
            while let Some(next) = albums.next_due() {
                out.extend(albums.due(next));
            }
            out.sort_unstable();
            prop_assert_eq!(out, (0..items.len()).collect::<Vec<_>>());
        }
    }
}
