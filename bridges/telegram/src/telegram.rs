//! The messenger: what the core asks of it, and the parts that answer.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use rand::TryRng as _;
use rand::rngs::SysRng;
use serde_json::Value;
use switchboard_bridge_core::answer::Answer;
use switchboard_bridge_core::bridge::Bridge;
use switchboard_bridge_core::lanes::Outcome;
use switchboard_bridge_core::messenger::Messenger;
use switchboard_bridge_core::page::{PageRequest, PageResponse};
use switchboard_bridge_core::state::{Change, Job, Kind, Lane};
use switchboard_bridge_core::store::Store;
use switchboard_telegram::api::Api;
use switchboard_telegram::ids::Ids;
use tokio::sync::Semaphore;

use crate::account::AbsenceNotice;
use crate::delivery::Sending;
use crate::exam::Exam;
use crate::files::PASSAGES_MAX;
use crate::files::link::FileLink;
use crate::intake::Intake;
use crate::memory::STATE;
use crate::metrics::Counters;
use crate::settings::Settings;
use crate::status::Status;
use crate::{account, callbacks, delivery, pages, posted};

/// The key of the signatures of links.
const FILE_KEY: &str = "file-key";
const NOTICES_MAX: usize = 16;

/// Telegram, as the bridge knows it.
pub(crate) struct Telegram {
    pub(crate) api: Api,
    pub(crate) ids: Ids,
    /// The address of the bridge in links of files.
    public_url: String,
    pub(crate) blocked_tag: String,
    pub(crate) link_seconds: i64,
    pub(crate) status: Status,
    pub(crate) counters: Counters,
    pub(crate) intake: Intake,
    /// The places of files that are on their way.
    pub(crate) passages: Arc<Semaphore>,
    /// The places of notices such as «typing».
    pub(crate) notices: Arc<Semaphore>,
    pub(crate) sending: Sending,
    pub(crate) absence: AbsenceNotice,
    /// The exam that tries the bridge; `None` at work.
    pub(crate) exam: Option<Exam>,
    file_key: OnceCell<Vec<u8>>,
}

impl Telegram {
    pub(crate) fn new(api: Api, settings: &Settings) -> Self {
        Self {
            ids: Ids { bot: api.bot() },
            api,
            public_url: settings.public_url.clone(),
            blocked_tag: settings.blocked_tag.clone(),
            link_seconds: i64::from(settings.file_link_days) * 86_400,
            status: Status::new(),
            counters: Counters::default(),
            intake: Intake::default(),
            passages: Arc::new(Semaphore::new(PASSAGES_MAX)),
            notices: Arc::new(Semaphore::new(NOTICES_MAX)),
            sending: Sending::default(),
            absence: AbsenceNotice::default(),
            exam: None,
            file_key: OnceCell::new(),
        }
    }

    /// The key of the signatures of links; empty, so that no link is good, before it is read.
    pub(crate) fn file_key(&self) -> &[u8] {
        self.file_key.get().map(Vec::as_slice).unwrap_or_default()
    }

    /// The address at which the service opens a link.
    pub(crate) fn address(&self, link: &FileLink) -> String {
        format!("{}{}", self.public_url, link.path(self.file_key()))
    }

    /// Reads the key of the signatures of links, and draws it at the first start.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub(crate) async fn read_file_key(bridge: &Rc<Bridge<Self>>) -> anyhow::Result<()> {
        let key = match key_on_disk(&bridge.store) {
            Some(key) => key,
            None => {
                let mut bytes = [0; 32];
                SysRng.try_fill_bytes(&mut bytes)?;
                let change = Change::put(STATE, FILE_KEY, hex::encode(bytes));
                bridge.commit(vec![change]).await;
                bytes.to_vec()
            }
        };
        bridge.messenger.file_key.set(key).unwrap_or_default();
        Ok(())
    }
}

fn key_on_disk(store: &Store) -> Option<Vec<u8>> {
    let key = hex::decode(store.get(STATE, FILE_KEY)?).ok()?;
    (key.len() == 32).then_some(key)
}

impl Messenger for Telegram {
    fn lane(bridge: &Rc<Bridge<Self>>, event: &Value) -> Option<Lane> {
        callbacks::lane(bridge, event)
    }

    fn on_ephemeral(bridge: &Rc<Bridge<Self>>, event: &Value) {
        callbacks::on_ephemeral(bridge, event);
    }

    async fn work(bridge: &Rc<Bridge<Self>>, job: &Job, tries: u32) -> Outcome {
        match job.lane.kind {
            Kind::Contact => account::work(bridge, job, tries).await,
            Kind::Deliver => delivery::work(bridge, job, tries).await,
            // The core does these itself.
            Kind::Post | Kind::Report => bridge.end(job).await,
        }
    }

    fn posted(bridge: &Rc<Bridge<Self>>, job: &Job, answer: Option<&Answer>) -> Vec<Change> {
        posted::changes(bridge, job, answer)
    }

    async fn page(bridge: &Rc<Bridge<Self>>, request: PageRequest<'_>) -> Option<PageResponse> {
        pages::answer(bridge, &request).await
    }
}
