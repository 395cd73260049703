//! Taking updates: those of a poll and the next offset are one commit, and only then the next poll confirms them.
//!
//! The part of an album waits a second for the others, on the disk.

use std::rc::Rc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use switchboard_bridge_core::bridge::Bridge;
use switchboard_bridge_core::clock::unix_seconds;
use switchboard_bridge_core::posts::Post;
use switchboard_bridge_core::state::{Change, Kind, Lane};
use switchboard_telegram::api::DOWNLOAD_MAX;
use switchboard_telegram::inbound::{Albums, Context, FileRef, Inbound, Posts, read, update_id};
use tokio::sync::{Mutex, Notify};
use tokio::time::{Instant, sleep};

use crate::account;
use crate::avatars::Avatars;
use crate::business;
use crate::files::link::FileLink;
use crate::memory::{GATHERED, PollMemory, STATE, started};
use crate::telegram::Telegram;

/// The key of the next offset.
const OFFSET: &str = "offset";
/// The age after which an offset is not sent: Telegram numbers anew after a week, and a repeated update does no harm.
const OFFSET_SECONDS: i64 = 3 * 86_400;
/// The pause when no album is gathered.
const IDLE: Duration = Duration::from_secs(3_600);

/// The albums that are gathered.
pub(crate) struct Intake {
    albums: Mutex<Albums<Item>>,
    has_album: Notify,
    begin: Instant,
}

impl Default for Intake {
    fn default() -> Self {
        Self {
            albums: Mutex::default(),
            has_album: Notify::new(),
            begin: Instant::now(),
        }
    }
}

impl Intake {
    /// The milliseconds since the start.
    fn now(&self) -> i64 {
        i64::try_from(self.begin.elapsed().as_millis()).unwrap_or(i64::MAX)
    }
}

/// The posts of an update, on their way to a lane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Item {
    /// The key of its row, by which items are in the order of their updates.
    key: String,
    first_chat: i64,
    message: i64,
    album: Option<String>,
    posts: Vec<Post>,
}

impl Item {
    fn new(update: i64, posts: Posts) -> Self {
        Self {
            key: format!("{update:020}"),
            first_chat: posts.first_chat,
            message: posts.message,
            album: posts.album,
            posts: posts.posts,
        }
    }

    fn row(&self) -> Change {
        // It is made of texts and numbers, which are JSON.
        let text = serde_json::to_string(self).unwrap_or_default();
        Change::put(GATHERED, self.key.clone(), text)
    }
}

/// The next offset, while Telegram may not have it yet.
pub(crate) fn offset(bridge: &Bridge<Telegram>) -> Option<i64> {
    let text = bridge.store.get(STATE, OFFSET)?;
    let (number, at) = text.split_once(' ')?;
    let at: i64 = at.parse().ok()?;
    (unix_seconds() - at < OFFSET_SECONDS).then_some(())?;
    number.parse().ok()
}

/// Forgets the offset: Telegram has it.
pub(crate) async fn confirm(bridge: &Rc<Bridge<Telegram>>) {
    bridge.commit(vec![Change::delete(STATE, OFFSET)]).await;
}

/// Stores the updates of a poll with the next offset, and returns whether there is one.
pub(crate) async fn take(bridge: &Rc<Bridge<Telegram>>, updates: &[Value]) -> bool {
    let telegram = &bridge.messenger;
    let _task = bridge.task();
    let avatars = Avatars::renew(bridge, updates).await;
    let mut albums = telegram.intake.albums.lock().await;
    let memory = PollMemory::new(&bridge.store);
    let mut changes = avatars.changes();
    for update in updates {
        let Some(number) = update_id(update) else {
            telegram.counters.count_skipped("without a number");
            continue;
        };
        changes.extend(business::change(update));
        match read_update(bridge, update, &memory) {
            Meaning::Changes(more) => changes.extend(more),
            Meaning::Posts(mut posts) => {
                changes.extend(started::shared(&posts));
                started::bind(&bridge.store, &mut posts);
                avatars.add_to(bridge, &mut posts);
                let item = Item::new(number, posts);
                changes.extend(gather(bridge, &mut albums, item));
            }
        }
    }
    let last = updates.iter().filter_map(update_id).max();
    if let Some(last) = last {
        let value = format!("{} {}", last.saturating_add(1), unix_seconds());
        changes.push(Change::put(STATE, OFFSET, value));
    }
    bridge.commit(changes).await;
    telegram.intake.has_album.notify_one();
    last.is_some()
}

enum Meaning {
    Posts(Posts),
    Changes(Vec<Change>),
}

/// Reads an update. A press is answered at once, and its answer is not waited for.
fn read_update(bridge: &Rc<Bridge<Telegram>>, update: &Value, memory: &PollMemory<'_>) -> Meaning {
    let telegram = &bridge.messenger;
    let address = |file: &FileRef| file_address(telegram, file);
    let context = Context {
        ids: telegram.ids,
        memory,
        address: &address,
        file_max: DOWNLOAD_MAX,
        now: unix_seconds(),
    };
    let counters = &telegram.counters;
    match read(update, &context) {
        Inbound::Posts(posts) => {
            counters.count_update(kind(update));
            Meaning::Posts(posts)
        }
        Inbound::Press { query, posts } => {
            counters.count_update("callback_query");
            answer_press(bridge, query);
            posts.map_or_else(|| Meaning::Changes(Vec::new()), Meaning::Posts)
        }
        Inbound::Blocked { chat, is_blocked } => {
            counters.count_update("my_chat_member");
            Meaning::Changes(account::blocked(bridge, memory, chat, is_blocked))
        }
        Inbound::Migrated { from, to } => {
            counters.count_update("migration");
            Meaning::Changes(memory.migrate(from, to))
        }
        Inbound::Skipped(why) => {
            counters.count_skipped(why);
            Meaning::Changes(Vec::new())
        }
    }
}

fn kind(update: &Value) -> &'static str {
    let kinds = [
        "message",
        "edited_message",
        "business_message",
        "edited_business_message",
        "message_reaction",
    ];
    let kind = kinds.into_iter().find(|it| update.get(it).is_some());
    kind.unwrap_or("other")
}

/// The link by which the service fetches a file.
fn file_address(telegram: &Telegram, file: &FileRef) -> String {
    let link = FileLink {
        file_id: file.file_id.clone(),
        media_type: file.mime.clone(),
        name: file.name.clone(),
        end: unix_seconds().saturating_add(telegram.link_seconds),
    };
    telegram.address(&link)
}

/// Ends the spinning of a button. Telegram takes that within some seconds only, so it is no job.
fn answer_press(bridge: &Rc<Bridge<Telegram>>, query: String) {
    let (bridge, task) = (Rc::clone(bridge), bridge.task());
    tokio::task::spawn_local(async move {
        if let Err(why) = bridge.messenger.api.answer_callback_query(&query, "").await {
            tracing::warn!("a press has no answer: {why}");
        }
        drop(task);
    });
}

/// Returns the changes by which an item, and those that waited for it, go on their way; or its row, if it has to wait.
fn gather(bridge: &Rc<Bridge<Telegram>>, albums: &mut Albums<Item>, item: Item) -> Vec<Change> {
    let now = bridge.messenger.intake.now();
    let (chat, message, album, key) = (
        item.first_chat,
        item.message,
        item.album.clone(),
        item.key.clone(),
    );
    let row = item.row();
    let ready = albums.take(chat, album.as_deref(), message, item, now);
    let waits = ready.iter().all(|it| it.key != key);
    let mut changes = begin(bridge, ready, Some(&key));
    if waits {
        changes.push(row);
    }
    changes
}

/// Returns the changes by which items become jobs. The one with the fresh key has no row yet.
fn begin(bridge: &Rc<Bridge<Telegram>>, items: Vec<Item>, fresh: Option<&String>) -> Vec<Change> {
    let mut changes = Vec::new();
    for item in items {
        if fresh != Some(&item.key) {
            changes.push(Change::delete(GATHERED, item.key.clone()));
        }
        let name = bridge.messenger.ids.conversation(item.first_chat);
        for post in item.posts {
            let lane = Lane::new(Kind::Post, name.clone());
            let job = bridge.store.job(lane, 0, post.to_text());
            changes.push(Change::Begin(job));
        }
    }
    changes
}

/// Takes up what was gathered at the last end.
pub(crate) async fn resume(bridge: &Rc<Bridge<Telegram>>) {
    let mut albums = bridge.messenger.intake.albums.lock().await;
    let now = bridge.messenger.intake.now();
    let mut changes = Vec::new();
    for (key, text) in bridge.store.list(GATHERED) {
        let Ok(item) = serde_json::from_str::<Item>(&text) else {
            changes.push(Change::delete(GATHERED, key));
            continue;
        };
        let (chat, message, album) = (item.first_chat, item.message, item.album.clone());
        let ready = albums.take(chat, album.as_deref(), message, item, now);
        changes.extend(begin(bridge, ready, None));
    }
    bridge.commit(changes).await;
}

/// Lets albums go on their way when their time is over.
pub(crate) async fn release_forever(bridge: Rc<Bridge<Telegram>>) {
    let intake = &bridge.messenger.intake;
    loop {
        let next = intake.albums.lock().await.next_due();
        let pause = next.map_or(IDLE, |at| milliseconds(at - intake.now()));
        tokio::select! {
            () = bridge.until_stop() => return,
            () = intake.has_album.notified() => continue,
            () = sleep(pause) => {}
        }
        let _task = bridge.task();
        let mut albums = intake.albums.lock().await;
        let ready = albums.due(intake.now());
        if !ready.is_empty() {
            let changes = begin(&bridge, ready, None);
            bridge.commit(changes).await;
        }
    }
}

fn milliseconds(count: i64) -> Duration {
    Duration::from_millis(u64::try_from(count).unwrap_or_default())
}
