//! The product's part of the engine's kernel: the directories of its owners, and the states that they share.

pub(crate) mod account_of;
pub(crate) mod account_usage;
pub(crate) mod admission;
pub(crate) mod crm_lookup;
pub(crate) mod directories;
pub(crate) mod dispatch_shell;
pub(crate) mod hook_version;
pub(crate) mod last_message;
pub(crate) mod load_cached;
pub(crate) mod message_writer;
pub(crate) mod meters;
pub(crate) mod passwords;

use std::sync::{Arc, Mutex, OnceLock};

use switchboard_engine::runtime::kernel::{self, Product};
use tokio::sync::{Notify, Semaphore};

use crate::caches::endpoint_health::EndpointHealthCache;
use crate::caches::read_cache::ReadCache;
use crate::caches::recent::Recent;
use crate::caches::unsent::Unsent;
use crate::config::SystemConfig;
use crate::domain::account::throttle::Throttle;
use crate::domain::derive::IdSpace;
use crate::domain::notice::Notice;
use crate::live::feed::Feed;
use crate::shared::account_usage::UsageBook;
use crate::shared::admission::Admission;
use crate::shared::directories::Directories;
use crate::shared::meters::Meters;
use crate::shared::passwords::Passwords;
use crate::undo::Undos;

/// The engine's kernel with what this product adds.
pub(crate) type Kernel = kernel::Kernel<Shared>;

/// The states that owners and readers share.
pub struct Shared {
    /// Derives ids.
    pub ids: IdSpace,
    pub(crate) directories: Directories,
    pub(crate) read_cache: ReadCache,
    pub(crate) admission: Arc<Admission>,
    pub(crate) endpoint_health: EndpointHealthCache,
    /// The newest deliveries.
    pub(crate) recent: Arc<Recent>,
    /// The newest messages of which no callback was sent yet.
    pub(crate) unsent: Arc<Unsent>,
    pub(crate) meters: Arc<Meters>,
    /// There may be a job that sends callbacks again.
    pub(crate) replay_begun: Arc<Notify>,
    /// There may be an erasure to carry out.
    pub(crate) erasure_ordered: Arc<Notify>,
    /// There may be a file to look at.
    pub(crate) fetch_wanted: Notify,
    /// A conversation was snoozed, perhaps until an earlier time than all others.
    pub(crate) snoozed: Notify,
    /// A reply was scheduled, perhaps for an earlier time than all others.
    pub(crate) scheduled: Notify,
    /// There may be a report of an uninstallation to send.
    pub(crate) hook_wanted: Notify,
    pub(crate) passwords: Passwords,
    /// The changes that users may undo.
    pub(crate) undos: Undos,
    /// The usage of accounts with quotas.
    pub(crate) usage: UsageBook,
    /// Searches that may still go through lists at once.
    pub(crate) searches: Arc<Semaphore>,
    pub(crate) feed: Arc<Feed>,
    pub(crate) throttle: Mutex<Throttle>,
    /// The address at which programs reach accounts.
    pub(crate) public_url: OnceLock<Arc<str>>,
    pub(crate) config: SystemConfig,
}

impl Shared {
    /// The address at which programs reach accounts, without a slash at the end.
    pub(crate) fn account_link(&self) -> Arc<str> {
        let link = self.public_url.get().cloned();
        link.unwrap_or_else(|| "http://localhost".into())
    }
}

impl Product for Shared {
    type Notice = Notice;
}
