//! The feed of hooks: reads what is on disk, once, and makes the hooks that webhooks get of it.
//!
//! The hooks of some records and the place up to which records were read are one group, so each hook is made exactly once.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix::{Addr, MailboxError};
use tokio::task::spawn_blocking;

use crate::domain::hooks::feed::{HookFeed, HookFeedEvent};
use crate::domain::hooks::hook::StoredHook;
use crate::domain::id::{AccountId, ConversationId};
use crate::domain::kinds;
use crate::domain::notice::Notice;
use crate::hooks::context;
use crate::hooks::crm_states::CrmStates;
use crate::hooks::dispatcher::{AccountReceivers, AllReceivers, HookDispatcher, HookHints};
use crate::hooks::registry::Registry;
use switchboard_engine::runtime::writer::Writer;
use switchboard_engine::store::{Position, ReadJournal, Seq};
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::live::recent_records::RecordMark;
use switchboard_runtime::shared::account_of::account_of;
use switchboard_runtime::shared::{Kernel, Shared};

/// The maximum number of records whose hooks are one group.
const RECORDS: usize = 256;
/// The number of records without hooks behind which it is noted that they were read.
const UNNOTED_MAX: u64 = 10_000;
/// The number of times that a feed which is behind rests for as long as a step took.
const RESTS: u32 = 3;
/// The longest rest.
const REST_MAX: Duration = Duration::from_millis(100);
/// The pause before something that could not be read or stored is tried again.
const PAUSE: Duration = Duration::from_secs(1);

/// The feed, as a task that runs until it is aborted.
pub(crate) struct HookFeedTask {
    kernel: Kernel,
    hints: Arc<HookHints>,
    dispatcher: Addr<HookDispatcher>,
    registry: Registry,
    states: CrmStates,
    writer: Writer<HookFeed, Shared>,
    /// The last record that was read, and a segment that is not behind it; none while there is no webhook.
    place: Option<HookFeed>,
    /// The place that is stored.
    noted: Seq,
    /// A record that was read, with its place in the journal: the next ones are behind it.
    resume: Option<ReadRecord>,
}

/// The progress of one step.
enum Progress {
    /// There was nothing to do.
    Complete,
    /// Hooks of some records were made.
    Made,
    /// As many records were read as one step reads: more of them wait.
    Behind,
}

/// A record that was read.
#[derive(Clone, Copy, Debug)]
struct ReadRecord {
    seq: Seq,
    position: Position,
}

impl HookFeedTask {
    pub(crate) fn new(
        kernel: Kernel,
        hints: Arc<HookHints>,
        dispatcher: Addr<HookDispatcher>,
    ) -> Self {
        Self {
            writer: Writer::new(kernel.clone()),
            kernel,
            hints,
            dispatcher,
            registry: Registry::default(),
            states: CrmStates::default(),
            place: None,
            noted: Seq(0),
            resume: None,
        }
    }

    /// Makes hooks for as long as it is let.
    pub(crate) async fn run(mut self) {
        if self.kernel.shared.config.hold_callbacks {
            self.kernel.shared.feed.hooks.begun().await;
        }
        while let Err(error) = self.start().await {
            if error == UnavailableError::Stopping {
                return;
            }
            tracing::error!(%error, "the webhooks of accounts cannot be read; their hooks wait");
            self.kernel.clock.sleep(PAUSE).await;
        }
        loop {
            let begun = Instant::now();
            match self.advance().await {
                Ok(Progress::Made) => tokio::task::yield_now().await,
                Ok(Progress::Behind) => self.rest(begun.elapsed()).await,
                Ok(Progress::Complete) => self.kernel.shared.feed.hooks.woken().await,
                Err(UnavailableError::Stopping) => return,
                Err(error) => {
                    tracing::warn!(%error, "hooks cannot be made yet");
                    self.kernel.clock.sleep(PAUSE).await;
                }
            }
        }
    }

    /// Rests between two steps of a feed that is behind: while many messages come, they have the processor.
    async fn rest(&self, step: Duration) {
        // Where time does not pass by itself, nothing else waits for the processor.
        if self.kernel.is_one_thread {
            return tokio::task::yield_now().await;
        }
        tokio::time::sleep(step.saturating_mul(RESTS).min(REST_MAX)).await;
    }

    /// Reads the webhooks of all accounts, and how far the feed of an earlier process came.
    async fn start(&mut self) -> Result<(), UnavailableError> {
        let accounts = self.kernel.shared.read_cache.accounts();
        for account in accounts.iter() {
            self.reload(account.id).await?;
        }
        self.dispatcher.send(AllReceivers).await.map_err(stopping)?;
        let state = self.kernel.index.load::<HookFeed>(&())?;
        self.place = state.map(|(feed, _)| feed);
        self.noted = self.place.map_or(Seq(0), |feed| feed.upto());
        Ok(())
    }

    async fn reload(&mut self, account: AccountId) -> Result<(), UnavailableError> {
        // While an account has no webhook, its records are not read.
        self.states.forget(account);
        let before = self.registry.has(account);
        let receivers = self.registry.reload(&self.kernel, account)?;
        if before || !receivers.is_empty() {
            let message = AccountReceivers { account, receivers };
            self.dispatcher.send(message).await.map_err(stopping)?;
        }
        Ok(())
    }

    /// Reads the webhooks of the accounts in which they changed.
    async fn reload_changed(&mut self) -> Result<(), UnavailableError> {
        while let Some(account) = self.hints.next_account() {
            if let Err(error) = self.reload(account).await {
                self.hints.remember_account(account);
                return Err(error);
            }
        }
        Ok(())
    }

    /// Makes the hooks of the next records.
    async fn advance(&mut self) -> Result<Progress, UnavailableError> {
        self.reload_changed().await?;
        let Some(since) = self.registry.since() else {
            // The next webhook hears of nothing before it was created.
            self.place = None;
            self.kernel.shared.feed.hooks.switch(false);
            return Ok(Progress::Complete);
        };
        self.kernel.shared.feed.hooks.switch(true);
        self.take_back()?;
        let place = match self.place {
            Some(place) if place.upto() >= since.upto() => place,
            Some(_) | None => since,
        };
        let stretch = self.behind(place).await?;
        // A webhook may have been created since they were read, and before the last of these records was written.
        self.reload_changed().await?;
        self.kernel.shared.feed.hooks.note_read(place.upto());
        if stretch.upto.upto() <= place.upto() {
            return Ok(Progress::Complete);
        }
        let is_behind = stretch.marks.len() >= RECORDS;
        let mut hooks = Vec::new();
        for mark in stretch.marks {
            hooks.extend(self.hooks_of(mark).await?);
        }
        self.store(hooks, stretch.upto).await?;
        self.resume = stretch.resume.or(self.resume);
        Ok(if is_behind {
            Progress::Behind
        } else {
            Progress::Made
        })
    }

    /// Goes back to what is stored, if a write failed: the hooks since then are made once more.
    fn take_back(&mut self) -> Result<(), UnavailableError> {
        if self.writer.catch_up().is_some() {
            let state = self.kernel.index.load::<HookFeed>(&())?;
            self.place = state.map(|(feed, _)| feed);
        }
        Ok(())
    }

    /// Some of the records behind this place: those that are at hand, else those in the journal.
    async fn behind(&self, place: HookFeed) -> Result<Stretch, UnavailableError> {
        if let Some((marks, last)) = self.kernel.shared.feed.some_after(place.upto(), RECORDS) {
            let newest = marks.back().map(|mark| ReadRecord {
                seq: mark.seq,
                position: mark.position,
            });
            let upto = HookFeed {
                upto: last.0,
                segment: newest.map_or(place.segment, |it| it.position.segment),
            };
            return Ok(Stretch {
                marks,
                upto,
                resume: newest,
            });
        }
        let resume = self.resume.filter(|it| it.seq <= place.upto());
        let first = Position::first_of(place.segment);
        let from = resume.map_or(first, |it| it.position.max(first));
        let reader = Arc::clone(&self.kernel.reader);
        // What is on disk behind it is not in the index yet.
        let last = self.kernel.shared.feed.last();
        let reading = move || read(reader.as_ref(), from, place, last);
        if self.kernel.is_one_thread {
            return reading();
        }
        spawn_blocking(reading)
            .await
            .unwrap_or(Err(UnavailableError::Interrupted))
    }

    /// The hooks that a record causes.
    async fn hooks_of(&mut self, mark: RecordMark) -> Result<Vec<StoredHook>, UnavailableError> {
        let Some(account) = self.account_of(mark).await? else {
            return Ok(Vec::new());
        };
        if !self.registry.has(account) {
            return Ok(Vec::new());
        }
        let Self {
            kernel,
            registry,
            states,
            ..
        } = self;
        context::hooks_of(kernel, account, mark, registry, states).await
    }

    /// The account of a record, if hooks can come of it.
    async fn account_of(&self, mark: RecordMark) -> Result<Option<AccountId>, UnavailableError> {
        if [kinds::CRM, kinds::TEMPLATES].contains(&mark.kind) {
            return Ok(Some(AccountId::from_bytes(mark.id)));
        }
        if mark.kind == kinds::CONVERSATION {
            return account_of(&self.kernel, ConversationId::from_bytes(mark.id)).await;
        }
        Ok(None)
    }

    /// Stores hooks with the place behind their records, and waits until they are on disk.
    async fn store(
        &mut self,
        hooks: Vec<StoredHook>,
        place: HookFeed,
    ) -> Result<(), UnavailableError> {
        let unnoted = place.upto.saturating_sub(self.noted.0);
        if hooks.is_empty() && unnoted < UNNOTED_MAX {
            self.place = Some(place);
            return Ok(());
        }
        let queues: BTreeSet<_> = hooks.iter().flat_map(StoredHook::queues).collect();
        let notices = queues.into_iter().map(Notice::HookQueued).collect();
        let hooks = hooks.into_iter().map(Box::new).map(HookFeedEvent::Made);
        let events = hooks.chain([HookFeedEvent::Read(place)]);
        let records = events.map(|event| ((), event)).collect();
        let submitted = self.writer.submit(records, notices)?;
        let write = self.kernel.journal.durable(submitted.last, submitted.epoch);
        if write.await.is_err() {
            // The next step goes back to what is stored.
            return Ok(());
        }
        self.place = Some(place);
        self.noted = place.upto();
        Ok(())
    }
}

fn stopping(_ended: MailboxError) -> UnavailableError {
    UnavailableError::Stopping
}

/// Records that follow each other.
struct Stretch {
    /// Those that may concern a webhook.
    marks: VecDeque<RecordMark>,
    /// The place of the last of all.
    upto: HookFeed,
    /// One of the last records; none when there are no marks.
    resume: Option<ReadRecord>,
}

/// Reads some records behind this place and up to the last one from the journal, which it scans from this position on.
fn read(
    journal: &dyn ReadJournal,
    from: Position,
    place: HookFeed,
    last: Seq,
) -> Result<Stretch, UnavailableError> {
    let mut stretch = Stretch {
        marks: VecDeque::new(),
        upto: place,
        resume: None,
    };
    for entry in journal.scan(Some(from)) {
        let (position, record) = entry?;
        if record.seq <= place.upto() {
            continue;
        }
        if record.seq > last {
            break;
        }
        stretch.upto = HookFeed {
            upto: record.seq.0,
            segment: position.segment,
        };
        stretch.resume = Some(ReadRecord {
            seq: record.seq,
            position,
        });
        let mark = RecordMark::for_stream(record.seq, position, &record.stream);
        stretch.marks.extend(mark);
        if stretch.marks.len() >= RECORDS {
            break;
        }
    }
    Ok(stretch)
}
