//! The settings of an embedder: plain numbers and durations, no file, no environment.

use std::time::Duration;

use switchboard_domain::account_quota::AccountQuotas;
use switchboard_domain::dispatch::DispatchLimits;
use switchboard_domain::dispatch::quota::Quotas;
use switchboard_domain::hooks::schedule;
use switchboard_relay::settings::RelaySettings;

pub use switchboard_engine::runtime::open::{ReplayWatch, Replayed};
pub use switchboard_engine::runtime::threads::Threads;

/// The layout of the system and its limits. The default fits a service on two cores.
#[derive(Clone, Debug)]
pub struct SystemConfig {
    /// On which threads actors live.
    pub threads: Threads,
    /// The number of messages that wait for one actor before the next sender waits; at least 1.
    pub mailbox: usize,
    /// The time that a sender waits for the answer of an actor before it has to try again.
    pub ask_deadline: Duration,
    /// An actor that is unused for this long leaves memory.
    pub idle_after: Duration,
    /// With more actors than this in memory, the longest unused of those idle for a second leave too, until no more are left.
    pub hot_max: usize,
    /// The durability of the journal.
    pub durability: Durability,
    /// The size of a journal segment in bytes.
    pub segment_bytes: u32,
    /// After how many records a checkpoint is written, or fewer when they belong to many streams: twice as many are
    /// replayed after a crash at most, and indexed in memory until then.
    pub checkpoint_records: u64,
    /// With less space than this on the disk, nothing is written any more.
    pub low_water_bytes: u64,
    /// With less space than this on the disk nothing new is accepted, so that what was accepted before can be finished;
    /// not less than [`Self::low_water_bytes`].
    pub disk_reserve_bytes: u64,
    /// The quotas of queued callbacks.
    pub quotas: Quotas,
    /// The quotas of accounts that have none of their own.
    pub account_quotas: AccountQuotas,
    /// True when callbacks wait until `System::send_callbacks` is called: for embedders who have channels to
    /// declare first, so that nothing goes to an address of yesterday.
    pub hold_callbacks: bool,
    /// True when the files that integrations name are listed for a fetcher (`System::due_fetches`).
    pub list_fetches: bool,
    /// The number of deliveries of each channel that are remembered, the newest ones, so that `System::deliveries` lists
    /// delivered ones too; 0: none.
    pub recent_deliveries: usize,
    /// The limits of the dispatcher of callbacks.
    pub dispatch: DispatchLimits,
    /// The longest time of one attempt of a hook.
    pub hook_timeout: Duration,
    /// The number of hooks that wait for one webhook when it is switched off; at least 1.
    pub hooks_waiting_max: usize,
    /// The relays.
    pub relays: Vec<RelaySettings>,
    /// Hears how far the journal is replayed while the store is opened.
    pub replay_watch: ReplayWatch,
}

/// The moment at which a write of the journal counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// An answer waits until its records are on disk.
    Always,
    /// An answer waits until its records are handed to the operating system, which has them on disk at the latest
    /// after this time. It saves the wait for a slow disk. A crash of the process loses nothing; a power cut or a crash
    /// of the machine loses what was answered meanwhile.
    Interval(Duration),
}

impl Default for SystemConfig {
    fn default() -> Self {
        Self {
            threads: Threads::Here,
            mailbox: 256,
            // Longer than a disk stalls that other programs use too.
            ask_deadline: Duration::from_secs(15),
            idle_after: Duration::from_secs(300),
            hot_max: 100_000,
            durability: Durability::Always,
            segment_bytes: 64 << 20,
            checkpoint_records: 100_000,
            low_water_bytes: 16 << 20,
            disk_reserve_bytes: 32 << 20,
            quotas: Quotas::default(),
            account_quotas: AccountQuotas::default(),
            hold_callbacks: false,
            list_fetches: false,
            recent_deliveries: 200,
            dispatch: DispatchLimits::default(),
            hook_timeout: schedule::TIMEOUT,
            hooks_waiting_max: schedule::WAITING_MAX,
            relays: Vec::new(),
            replay_watch: ReplayWatch::default(),
        }
    }
}
