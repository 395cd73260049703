//! The feed: remembers where the newest records lie, and passes their content to the listeners.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, OnceCell, broadcast};
use tokio::task::spawn_blocking;

use crate::live::assigning::Assigning;
use crate::live::event::LiveEvent;
use crate::live::here::UsersHere;
use crate::live::occasions::{self, Occasion};
use crate::live::pushed::{self, PushedNotification, PushedUsers};
use crate::live::queue::BoundedQueue;
use crate::live::recent_records::{RecentRecords, RecordMark};
use switchboard_domain::account::holder::Holder;
use switchboard_domain::id::{AccountId, ConversationId};
use switchboard_domain::notice::Notice;
use switchboard_engine::store::frontier::Frontier;
use switchboard_engine::store::index::sink::Indexing;
use switchboard_engine::store::{Batch, CommitSink, Position, ReadJournal, Seq};

/// The number of events that may wait for a listener; one who has more waiting has missed something.
const WAITING_MAX: usize = 1_024;
/// The number of events that a listener may have missed that continues behind the last one it saw.
const BACKLOG_MAX: usize = 10_000;

/// The number of conversations' accounts that are remembered.
const ACCOUNTS_MAX: usize = 65_536;

/// A message to listeners.
#[derive(Clone, Debug)]
pub enum News {
    /// An event for those listeners who may see it.
    Event(Arc<LiveEvent>),
    /// More happened than could be passed on.
    Missed,
}

/// The records since a listener last listened.
pub struct MissedRecords {
    /// `None` when not all of it is at hand.
    pub marks: Option<VecDeque<RecordMark>>,
    /// Everything up to here is in it.
    pub upto: Seq,
}

/// The signal to the feed of hooks. While no account has a webhook, no commit wakes it.
#[derive(Debug, Default)]
pub struct HookSignal {
    is_on: AtomicBool,
    has_begun: AtomicBool,
    /// The last record that was read for hooks.
    read: AtomicU64,
    woken: Notify,
}

impl HookSignal {
    /// Lets commits wake the feed of hooks, or not.
    pub fn switch(&self, is_on: bool) {
        self.is_on.store(is_on, Ordering::SeqCst);
    }

    /// Returns whether an account has a webhook.
    pub fn is_on(&self) -> bool {
        self.is_on.load(Ordering::SeqCst)
    }

    /// Notes the last record that was read for hooks.
    pub fn note_read(&self, upto: Seq) {
        self.read.store(upto.0, Ordering::SeqCst);
    }

    /// The last record that was read for hooks.
    pub fn read(&self) -> Seq {
        Seq(self.read.load(Ordering::SeqCst))
    }

    /// Lets the feed of hooks begin.
    pub fn begin(&self) {
        self.has_begun.store(true, Ordering::SeqCst);
        self.wake();
    }

    /// Waits until the feed of hooks may begin.
    pub async fn begun(&self) {
        while !self.has_begun.load(Ordering::SeqCst) {
            self.woken().await;
        }
    }

    /// Wakes the feed of hooks, whatever commits do.
    pub fn wake(&self) {
        self.woken.notify_one();
    }

    /// Waits for the next wake-up.
    pub async fn woken(&self) {
        self.woken.notified().await;
    }

    fn pushed(&self) {
        if self.is_on.load(Ordering::Relaxed) {
            self.woken.notify_one();
        }
    }
}

/// The feed.
pub struct Feed {
    recent: Mutex<RecentRecords>,
    /// The last record when a listener came and there was no other.
    heard_from: AtomicU64,
    news: broadcast::Sender<News>,
    /// Wakes the relay, which reads the records that listeners have not heard of.
    pub woken: Notify,
    /// Wakes the feed of hooks.
    pub hooks: HookSignal,
    frontier: Frontier,
    /// The accounts of the conversations that were last spoken in: an account never changes.
    accounts: Mutex<BTreeMap<ConversationId, AccountId>>,
    /// The users who have a stream open.
    pub here: Arc<UsersHere>,
    /// What the notifier has not read yet.
    pub occasions: BoundedQueue<Occasion>,
    /// The users with browsers that are pushed notifications.
    pub pushed_users: PushedUsers,
    /// The notifications that the sender of pushes has not taken yet.
    pub pushed: BoundedQueue<PushedNotification>,
    /// True when the end of the journal was read again for those who listened before the start.
    reread: OnceCell<()>,
}

impl Feed {
    /// The feed of a journal whose last record is this one.
    pub fn new(last: Seq, frontier: Frontier) -> Self {
        let (news, _) = broadcast::channel(WAITING_MAX);
        Self {
            recent: Mutex::new(RecentRecords::new(last)),
            heard_from: AtomicU64::new(last.0),
            news,
            woken: Notify::new(),
            hooks: HookSignal::default(),
            frontier,
            accounts: Mutex::default(),
            here: Arc::default(),
            occasions: BoundedQueue::new(occasions::WAITING_MAX),
            pushed_users: PushedUsers::default(),
            pushed: BoundedQueue::new(pushed::WAITING_MAX),
            reread: OnceCell::new(),
        }
    }

    /// Begins to listen: each record that is stored from now on is heard of.
    pub fn subscribe(&self) -> broadcast::Receiver<News> {
        // No record comes meanwhile: each record either is before this, or finds a listener.
        let recent = self.recent();
        if !self.is_heard() {
            self.heard_from.store(recent.last().0, Ordering::Release);
        }
        self.news.subscribe()
    }

    /// The number of listeners.
    pub fn listeners(&self) -> usize {
        self.news.receiver_count()
    }

    /// Notes whether a user has browsers that are pushed notifications: each record that is stored from now on is heard of.
    pub fn note_pushed(&self, holder: Holder, has_browser: bool) {
        let recent = self.recent();
        if !self.is_heard() {
            self.heard_from.store(recent.last().0, Ordering::Release);
        }
        self.pushed_users.note(holder, has_browser);
    }

    /// Returns whether anything that happens has to be read: for a listener, or for a browser that is pushed notifications.
    pub fn is_heard(&self) -> bool {
        self.listeners() > 0 || !self.pushed_users.is_empty()
    }

    /// The last record that those who listen now need not hear of.
    pub fn heard_from(&self) -> Seq {
        Seq(self.heard_from.load(Ordering::Acquire))
    }

    /// Takes in what is on disk. Wakes the relay only if it is heard: a wake-up costs more than all the rest.
    fn push(&self, marks: Vec<RecordMark>, last: Seq) {
        self.recent().push(marks, last);
        if self.is_heard() {
            self.woken.notify_one();
        }
        self.hooks.pushed();
    }

    /// Adds what an event is to the occasions of which users may have to be notified.
    pub fn note_occasions(&self, event: &LiveEvent) {
        let occasions = Occasion::from_event(event);
        for occasion in occasions {
            if !self.occasions.add(occasion) {
                tracing::debug!("so much happens that users are not notified of all of it");
            }
        }
    }

    /// Passes an event that is not stored to the listeners.
    pub fn publish(&self, event: LiveEvent) {
        self.send(News::Event(Arc::new(event)));
    }

    /// Passes a message to the listeners, if there are any.
    pub fn send(&self, news: News) {
        // It is no error when there are no listeners.
        self.news.send(news).map(drop).unwrap_or_default();
    }

    /// The last record that the feed knows.
    pub fn last(&self) -> Seq {
        self.recent().last()
    }

    /// The oldest marks behind this record, at most so many, and the record up to which they are complete.
    pub fn some_after(&self, seq: Seq, most: usize) -> Option<(VecDeque<RecordMark>, Seq)> {
        self.recent().some_after(seq, most)
    }

    /// The marks behind this record; `None` when they are not all at hand.
    pub fn after(&self, seq: Seq) -> Option<VecDeque<RecordMark>> {
        self.recent().after(seq)
    }

    /// The records behind this number; none when a listener comes for the first time.
    pub async fn backlog(
        &self,
        journal: &Arc<dyn ReadJournal>,
        after: Option<Seq>,
    ) -> MissedRecords {
        let Some(after) = after else {
            return MissedRecords {
                marks: Some(VecDeque::new()),
                upto: self.last(),
            };
        };
        if after < self.recent().complete_from() {
            self.reread.get_or_init(|| self.reread(journal)).await;
        }
        let recent = self.recent();
        MissedRecords {
            marks: recent
                .after(after)
                .filter(|marks| marks.len() <= BACKLOG_MAX),
            upto: recent.last(),
        }
    }

    /// Reads the end of the journal once: what happened in its last two segments can be gone on behind after a restart.
    async fn reread(&self, journal: &Arc<dyn ReadJournal>) {
        let before = self.recent().complete_from();
        let from = Position::first_of(self.frontier.get().segment.saturating_sub(1).max(1));
        let journal = Arc::clone(journal);
        let read = spawn_blocking(move || read_marks(journal.as_ref(), from, before)).await;
        if let Ok(Some((older, from))) = read {
            let mut recent = self.recent();
            if recent.complete_from() == before {
                recent.prepend(older, from);
            }
        }
    }

    /// The account of a conversation, if it is remembered.
    pub(crate) fn known_account(&self, conversation: ConversationId) -> Option<AccountId> {
        let accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        accounts.get(&conversation).copied()
    }

    /// Remembers the account of a conversation, for its later events.
    pub fn remember_account(&self, conversation: ConversationId, account: AccountId) {
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        if accounts.len() >= ACCOUNTS_MAX {
            accounts.clear();
        }
        accounts.insert(conversation, account);
    }

    fn recent(&self) -> MutexGuard<'_, RecentRecords> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The marks of all records from this place up to this number, and the number behind which they are all there are.
fn read_marks(
    journal: &dyn ReadJournal,
    from: Position,
    upto: Seq,
) -> Option<(VecDeque<RecordMark>, Seq)> {
    let mut first = None;
    let mut marks = VecDeque::new();
    for found in journal.scan(Some(from)) {
        // A listener that needs an unreadable record has to read everything again.
        let (position, record) = found.ok()?;
        first.get_or_insert(record.seq);
        if record.seq > upto {
            break;
        }
        marks.extend(RecordMark::for_stream(record.seq, position, &record.stream));
    }
    Some((marks, Seq(first?.0.saturating_sub(1))))
}

/// Passes what is on disk to the index, and then to the feed: listeners can find what they hear of.
pub struct FeedSink {
    /// The index, which takes each batch first.
    pub index: Indexing<Notice>,
    /// The feed, which hears of what the index has.
    pub feed: Arc<Feed>,
    /// The work of automatic assignment, which follows from what the index has.
    pub assigning: Arc<Assigning>,
}

impl CommitSink<Notice> for FeedSink {
    fn committed(&self, batch: Batch<Notice>) {
        let records = batch.records.iter();
        let marks: Vec<_> = records
            .filter_map(|record| {
                RecordMark::for_stream(record.seq, record.position, &record.stream)
            })
            .collect();
        let last = batch.records.last().map(|record| record.seq);
        let news = self.assigning.news(&batch.records);
        self.index.committed(batch);
        self.assigning.note(news);
        if let Some(last) = last {
            self.feed.push(marks, last);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;
    use switchboard_domain::id::UserId;

    use super::*;

    fn feed() -> Feed {
        Feed::new(Seq(10), Frontier::at(Position::first_of(1)))
    }

    /// Returns whether the feed of hooks was woken; it sleeps again then.
    fn is_woken(feed: &Feed) -> bool {
        feed.hooks.woken().now_or_never().is_some()
    }

    #[test]
    fn no_commit_wakes_the_feed_of_hooks_without_a_webhook() {
        let feed = feed();
        feed.push(Vec::new(), Seq(11));
        assert!(!is_woken(&feed));
        feed.hooks.switch(true);
        assert!(!is_woken(&feed), "nothing happened since");
        feed.push(Vec::new(), Seq(12));
        assert!(is_woken(&feed));
        assert!(!is_woken(&feed), "once for a commit");
        feed.hooks.switch(false);
        feed.push(Vec::new(), Seq(13));
        assert!(!is_woken(&feed), "the last webhook is gone");
    }

    /// A browser hears of nothing that was before its subscription.
    #[test]
    fn a_browser_hears_of_what_happens_from_its_subscription_on() {
        let feed = feed();
        let holder = Holder {
            account: AccountId::from_random([1; 16]),
            user: UserId(7),
        };
        feed.push(Vec::new(), Seq(20));
        assert!(feed.woken.notified().now_or_never().is_none());
        feed.note_pushed(holder, true);
        assert_eq!((feed.is_heard(), feed.heard_from()), (true, Seq(20)));
        feed.push(Vec::new(), Seq(21));
        assert!(feed.woken.notified().now_or_never().is_some());
        // Another one is late to what this one hears of.
        feed.note_pushed(holder, true);
        assert_eq!(feed.heard_from(), Seq(20));
        feed.note_pushed(holder, false);
        assert!(!feed.is_heard());
    }

    /// The first webhook wakes it itself, whatever commits do.
    #[test]
    fn a_change_of_webhooks_wakes_the_feed_of_hooks() {
        let feed = feed();
        feed.hooks.wake();
        assert!(is_woken(&feed));
        assert!(!feed.hooks.is_on());
    }

    #[test]
    fn the_feed_of_hooks_begins_when_it_may() {
        let feed = feed();
        assert!(feed.hooks.begun().now_or_never().is_none());
        feed.hooks.begin();
        assert!(feed.hooks.begun().now_or_never().is_some());
    }
}
