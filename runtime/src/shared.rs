//! The product's part of the engine's kernel: the directories of its owners, and the states that they share.

pub mod account_of;
pub mod account_usage;
pub mod admission;
pub mod crm_lookup;
pub mod directories;
pub mod dispatch_shell;
pub mod hook_version;
pub mod last_message;
pub mod load_cached;
pub mod message_writer;
pub mod meters;
pub mod passwords;
pub mod relay_book;
pub mod test_attempt;
pub mod waker;

use std::sync::{Arc, Mutex, OnceLock};

use switchboard_engine::runtime::kernel::{self, Product};
use tokio::sync::{Notify, Semaphore};

use crate::caches::endpoint_health::EndpointHealthCache;
use crate::caches::read_cache::ReadCache;
use crate::caches::recent::Recent;
use crate::caches::unsent::Unsent;
use crate::config::SystemConfig;
use crate::live::assigning::Assigning;
use crate::live::feed::Feed;
use crate::shared::account_usage::UsageBook;
use crate::shared::admission::Admission;
use crate::shared::directories::Directories;
use crate::shared::meters::Meters;
use crate::shared::passwords::Passwords;
use crate::shared::relay_book::RelayBook;
use crate::undo::Undos;
use switchboard_domain::account::throttle::Throttle;
use switchboard_domain::derive::IdSpace;
use switchboard_domain::notice::Notice;

/// The engine's kernel with what this product adds.
pub type Kernel = kernel::Kernel<Shared>;

/// The states that owners and readers share.
pub struct Shared {
    /// Derives ids.
    pub ids: IdSpace,
    /// The owners that are in memory, and those that can be started.
    pub directories: Directories,
    /// The states that requests read without a message to an owner.
    pub read_cache: ReadCache,
    /// The permits of callbacks: no reply is written beyond a quota.
    pub admission: Arc<Admission>,
    /// The health of endpoints as the dispatcher last published it.
    pub endpoint_health: EndpointHealthCache,
    /// The newest deliveries.
    pub recent: Arc<Recent>,
    /// The newest messages of which no callback was sent yet.
    pub unsent: Arc<Unsent>,
    /// The counters of the dispatcher.
    pub meters: Arc<Meters>,
    /// There may be a job that sends callbacks again.
    pub replay_begun: Arc<Notify>,
    /// There may be an erasure to carry out.
    pub erasure_ordered: Arc<Notify>,
    /// There may be a file to look at.
    pub fetch_wanted: Notify,
    /// A conversation was snoozed, perhaps until an earlier time than all others.
    pub snoozed: Notify,
    /// A reply was scheduled, perhaps for an earlier time than all others.
    pub scheduled: Notify,
    /// The work of automatic assignment, and the signs of users.
    pub assigning: Arc<Assigning>,
    /// There may be a report of an uninstallation to send.
    pub hook_wanted: Notify,
    /// The bound of password hashes that are computed at once.
    pub passwords: Passwords,
    /// The changes that users may undo.
    pub undos: Undos,
    /// The usage of accounts with quotas.
    pub usage: UsageBook,
    /// Searches that may still go through lists at once.
    pub searches: Arc<Semaphore>,
    /// The feed that passes events to listeners.
    pub feed: Arc<Feed>,
    /// The sign-ins that failed of late, which slow down further ones.
    pub throttle: Mutex<Throttle>,
    /// The address at which programs reach accounts.
    pub public_url: OnceLock<Arc<str>>,
    /// The relays, with what is counted of them.
    pub relays: Arc<RelayBook>,
    /// The settings of the embedder.
    pub config: SystemConfig,
}

impl Shared {
    /// The address at which programs reach accounts, without a slash at the end.
    pub fn account_link(&self) -> Arc<str> {
        let link = self.public_url.get().cloned();
        link.unwrap_or_else(|| "http://localhost".into())
    }
}

impl Product for Shared {
    type Notice = Notice;
}
