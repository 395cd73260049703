//! What this product adds to the engine's kernel: the directories of its owners, and what they share.

use std::sync::{Arc, Mutex};

use switchboard_engine::runtime::kernel::{self, Kernel};
use tokio::sync::{Notify, Semaphore};

use crate::actor::Directories;
use crate::actor::account_usage::UsageBook;
use crate::actor::admission::Admission;
use crate::actor::endpoint_health::EndpointHealthCache;
use crate::actor::meters::Meters;
use crate::actor::passwords::Passwords;
use crate::actor::read_cache::ReadCache;
use crate::actor::recent::Recent;
use crate::actor::unsent::Unsent;
use crate::config::SystemConfig;
use crate::domain::account::throttle::Throttle;
use crate::domain::derive::IdSpace;
use crate::domain::notice::Notice;
use crate::system::live::feed::Feed;

/// The engine's kernel with this product's world.
pub(crate) type Env = Kernel<World>;

/// What owners and readers share.
pub struct World {
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
    /// There may be a report of an uninstallation to send.
    pub(crate) hook_wanted: Notify,
    pub(crate) passwords: Passwords,
    /// What accounts with quotas have used.
    pub(crate) usage: UsageBook,
    /// Searches that may still go through lists at once.
    pub(crate) searches: Arc<Semaphore>,
    pub(crate) feed: Arc<Feed>,
    pub(crate) throttle: Mutex<Throttle>,
    pub(crate) config: SystemConfig,
}

impl kernel::World for World {
    type Notice = Notice;
}
