//! The work of automatic assignment between the commits and the worker: which accounts have something to look at. What waits is in
//! the index, so a restart loses nothing.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::live::signs::Signs;
use switchboard_domain::account::holder::Holder;
use switchboard_domain::account::presence::START_GRACE;
use switchboard_domain::id::{AccountId, ConversationId, UserId};
use switchboard_domain::keys::waiting::WaitingRow;
use switchboard_domain::time::UnixMillis;
use switchboard_domain::{kinds, tables};
use switchboard_engine::entries::Row;
use switchboard_engine::runtime::clock::Clock;
use switchboard_engine::store::Committed;

/// The number of conversations of an account that are examined by name; if there are more, all that wait are.
const ARRIVALS_MAX: usize = 1_024;

/// The work for an account.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// True when all responsible users are to be examined: users, or what is known of them, changed.
    pub all_users: bool,
    /// True when reopened conversations are to be treated as if they were reopened now.
    pub reopened: bool,
    /// The conversations that wait since a moment and have, or had, a responsible user.
    pub arrivals: BTreeMap<ConversationId, WaitingRow>,
    /// The place in the queue from which on it is read; from its beginning without one.
    pub queue_from: Option<Vec<u8>>,
}

/// News of a commit for the work.
#[derive(Debug)]
pub enum AssignmentNews {
    /// A conversation waits, or another user has it.
    Waits(Box<WaitingRow>),
    /// A user has a conversation less.
    Freed(AccountId),
    /// The users of an account, or their roles, changed.
    Users(AccountId),
    /// The channels changed.
    Channels,
}

#[derive(Debug, Default)]
struct Pending {
    accounts: BTreeMap<AccountId, Work>,
    /// The account that was last worked on: the next one has its turn.
    last: Option<AccountId>,
    channels: bool,
}

/// The work that waits for the worker, and the signs of users.
#[derive(Debug)]
pub struct Assigning {
    clock: Arc<dyn Clock>,
    started: UnixMillis,
    /// True while a channel assigns automatically. Without one, commits have no news.
    is_on: AtomicBool,
    pending: Mutex<Pending>,
    signs: Mutex<Signs>,
    woken: Notify,
}

/// A device of a user with an open stream; the drop of it ends it.
pub struct Device {
    assigning: Arc<Assigning>,
    holder: Holder,
}

impl Assigning {
    /// Nothing to do yet.
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            started: clock.now(),
            clock,
            is_on: AtomicBool::new(false),
            pending: Mutex::new(Pending {
                channels: true,
                ..Pending::default()
            }),
            signs: Mutex::default(),
            woken: Notify::new(),
        }
    }

    /// Lets commits have news, or not.
    pub fn switch(&self, is_on: bool) {
        self.is_on.store(is_on, Ordering::SeqCst);
    }

    /// The end of the time after the start in which no user counts as absent, while it is not over.
    #[must_use]
    pub fn grace_end(&self) -> Option<UnixMillis> {
        let end = self.started.plus(START_GRACE);
        (self.clock.now() < end).then_some(end)
    }

    /// The news of these records for the work.
    #[must_use]
    pub fn news(&self, records: &[Committed]) -> Vec<AssignmentNews> {
        let is_on = self.is_on.load(Ordering::SeqCst);
        let mut news = Vec::new();
        for record in records {
            if record.stream.is(kinds::CHANNELS) {
                news.push(AssignmentNews::Channels);
            } else if is_on && record.stream.is(kinds::USERS) {
                let id = <[u8; 16]>::try_from(record.stream.id()).ok();
                news.extend(id.map(|id| AssignmentNews::Users(AccountId::from_bytes(id))));
            } else if is_on {
                let rows = record.entries.rows.iter();
                news.extend(rows.filter_map(AssignmentNews::from_row));
            }
        }
        news
    }

    /// Takes in news of records that can be found by now.
    pub fn note(&self, news: Vec<AssignmentNews>) {
        if news.is_empty() {
            return;
        }
        let mut pending = self.pending();
        for it in news {
            match it {
                AssignmentNews::Waits(row) => pending.add(*row),
                AssignmentNews::Freed(account) => {
                    pending.accounts.entry(account).or_default().queue_from = None;
                }
                AssignmentNews::Users(account) => {
                    pending.look_at_users(account);
                }
                AssignmentNews::Channels => pending.channels = true,
            }
        }
        drop(pending);
        self.woken.notify_one();
    }

    /// Notes that everything that waits in an account is to be examined.
    pub fn look_at_all(&self, account: AccountId) {
        let mut pending = self.pending();
        pending.look_at_users(account).reopened = true;
        drop(pending);
        self.woken.notify_one();
    }

    /// Notes that the queue of an account is to be examined: a user may have come.
    pub fn look_at_queue(&self, account: AccountId) {
        self.note(vec![AssignmentNews::Freed(account)]);
    }

    /// Notes that all responsible users of an account are to be examined.
    pub fn look_at_users(&self, account: AccountId) {
        self.pending().look_at_users(account);
        self.woken.notify_one();
    }

    /// Puts work back that is not done: its turn comes after that of other accounts.
    pub fn put_back(&self, account: AccountId, work: Work) {
        let mut pending = self.pending();
        let present = pending.accounts.entry(account).or_insert_with(|| Work {
            queue_from: work.queue_from.clone(),
            ..Work::default()
        });
        present.all_users |= work.all_users;
        present.reopened |= work.reopened;
        for (conversation, row) in work.arrivals {
            present.arrivals.entry(conversation).or_insert(row);
        }
    }

    /// Channels, or what is known after a start, changed.
    pub fn look_at_channels(&self) {
        self.pending().channels = true;
        self.woken.notify_one();
    }

    /// Returns whether the channels changed since the last call.
    pub fn take_channels(&self) -> bool {
        std::mem::take(&mut self.pending().channels)
    }

    /// Takes the work of the next account.
    pub fn take(&self) -> Option<(AccountId, Work)> {
        let mut pending = self.pending();
        let behind = pending.last.map_or(Bound::Unbounded, Bound::Excluded);
        let next = pending.accounts.range((behind, Bound::Unbounded)).next();
        let first = next.or_else(|| pending.accounts.iter().next());
        let account = *first?.0;
        pending.last = Some(account);
        Some((account, pending.accounts.remove(&account)?))
    }

    /// Waits until there is work.
    pub async fn woken(&self) {
        self.woken.notified().await;
    }

    /// Notes a device of a user with an open stream.
    pub fn open_device(self: &Arc<Self>, holder: Holder) -> Device {
        self.signs().open(holder, self.clock.now());
        self.woken.notify_one();
        Device {
            assigning: Arc::clone(self),
            holder,
        }
    }

    /// Notes a sign of a user.
    pub fn note_sign(&self, holder: Holder) {
        let is_news = self.signs().note(holder, self.clock.now());
        if is_news {
            self.woken.notify_one();
        }
    }

    /// Returns whether a user has given a sign of late, on any device.
    #[must_use]
    pub fn has_sign(&self, holder: Holder) -> bool {
        self.signs().has(holder, self.clock.now())
    }

    /// The users of an account who have given a sign of late.
    #[must_use]
    pub fn with_sign(&self, account: AccountId) -> Vec<UserId> {
        self.signs().of_account(account, self.clock.now())
    }

    /// The users who have given a sign, or none for too long, since the last call.
    pub fn take_sign_changes(&self) -> Vec<Holder> {
        self.signs().take_changes(self.clock.now())
    }

    /// The time at which the next user has given no sign for too long.
    #[must_use]
    pub fn next_sign_end(&self) -> Option<UnixMillis> {
        self.signs().next_end()
    }

    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn signs(&self) -> MutexGuard<'_, Signs> {
        self.signs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        let now = self.assigning.clock.now();
        self.assigning.signs().close(self.holder, now);
        self.assigning.woken.notify_one();
    }
}

impl AssignmentNews {
    fn from_row(row: &Row) -> Option<Self> {
        if row.table != tables::WAITING {
            return None;
        }
        match &row.value {
            Some(value) => Some(Self::Waits(Box::new(WaitingRow::parse(&row.key, value)?))),
            None => {
                let account = row.key.first_chunk::<16>()?;
                Some(Self::Freed(AccountId::from_bytes(*account)))
            }
        }
    }
}

impl Pending {
    fn add(&mut self, row: WaitingRow) {
        let work = self.accounts.entry(row.account).or_default();
        work.queue_from = None;
        if row.responsible.or(row.last).is_none() {
            return;
        }
        if work.arrivals.len() < ARRIVALS_MAX {
            work.arrivals.insert(row.conversation, row);
        } else {
            work.all_users = true;
        }
    }

    fn look_at_users(&mut self, account: AccountId) -> &mut Work {
        let work = self.accounts.entry(account).or_default();
        work.all_users = true;
        work.queue_from = None;
        work
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use switchboard_engine::runtime::clock::SystemClock;

    fn account(number: u8) -> AccountId {
        AccountId::from_random([number; 16])
    }

    fn row(number: u128, responsible: Option<u64>) -> WaitingRow {
        WaitingRow {
            account: account(1),
            responsible: responsible.map(UserId),
            since: UnixMillis::new(1),
            conversation: ConversationId::from_random(number.to_be_bytes()),
            channel: "demo".parse().unwrap(),
            reopened: false,
            group: None,
            last: None,
        }
    }

    #[test]
    fn each_account_has_its_turn() {
        let assigning = Assigning::new(Arc::new(SystemClock));
        for number in [1, 2] {
            assigning.look_at_users(account(number));
        }
        let (first, work) = assigning.take().unwrap();
        assigning.put_back(first, work.clone());
        let (second, _) = assigning.take().unwrap();
        assert_ne!(first, second);
        assert_eq!(assigning.take(), Some((first, work)));
        assert_eq!(assigning.take(), None);
    }

    #[test]
    fn arrivals_are_bounded_and_the_queue_needs_none() {
        let assigning = Assigning::new(Arc::new(SystemClock));
        let note = |row| assigning.note(vec![AssignmentNews::Waits(Box::new(row))]);
        note(row(9_999, None));
        let (_, work) = assigning.take().unwrap();
        assert_eq!(work, Work::default());
        for number in 0..1_030 {
            note(row(number, Some(7)));
        }
        let (_, work) = assigning.take().unwrap();
        assert_eq!((work.arrivals.len(), work.all_users), (ARRIVALS_MAX, true));
    }

    #[test]
    fn news_begin_the_queue_again() {
        let assigning = Assigning::new(Arc::new(SystemClock));
        let far = Work {
            queue_from: Some(vec![1]),
            ..Work::default()
        };
        assigning.put_back(account(1), far.clone());
        assert_eq!(assigning.take(), Some((account(1), far.clone())));
        assigning.note(vec![AssignmentNews::Freed(account(1))]);
        assigning.put_back(account(1), far);
        let (_, work) = assigning.take().unwrap();
        assert_eq!(work.queue_from, None);
    }

    #[test]
    fn a_device_is_a_sign_until_it_is_dropped() {
        let assigning = Arc::new(Assigning::new(Arc::new(SystemClock)));
        let holder = Holder {
            account: account(1),
            user: UserId(7),
        };
        let device = assigning.open_device(holder);
        assert!(assigning.has_sign(holder));
        assert_eq!(assigning.next_sign_end(), None);
        drop(device);
        assert!(assigning.has_sign(holder), "for ten minutes more");
        assert!(assigning.next_sign_end().is_some());
        assert_eq!(assigning.with_sign(account(1)), [UserId(7)]);
        assert!(assigning.grace_end().is_some());
    }
}
