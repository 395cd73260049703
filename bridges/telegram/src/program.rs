//! The bridge at work, from its start to its end.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;
use std::rc::Rc;

use anyhow::{Context as _, Result};
use switchboard_bridge_core::bridge::Bridge;
use switchboard_bridge_core::clock::unix_seconds;
use switchboard_bridge_core::stop_signal;
use switchboard_telegram::api::Api;
use tokio::time::{Duration, sleep};

use crate::exam::Exam;
use crate::memory::messages;
use crate::settings::Settings;
use crate::telegram::Telegram;
use crate::{intake, poller};

/// The pause between two looks for messages that are too old.
const FORGET_EVERY: Duration = Duration::from_secs(86_400);

/// Bridges messages until SIGTERM or SIGINT.
///
/// # Errors
/// When the store, the address or the service cannot be used.
pub(crate) async fn run(settings: Settings) -> Result<()> {
    tracing::info!("{}", settings.origin);
    let api = Api::new(settings.api()).context("telegram.url")?;
    let mut messenger = Telegram::new(api, &settings);
    if let Some(exam) = &settings.exam {
        let exam = Exam::new(exam, messenger.ids.bot).context("the exam has no HTTP client")?;
        exam.register().await?;
        messenger.exam = Some(exam);
    }
    let directory = settings.core.directory.clone();
    create(&directory).with_context(|| {
        format!(
            "the directory {} cannot be made: set bridge.directory to one that this user may write",
            directory.display()
        )
    })?;
    let bridge = Bridge::start(settings.core, messenger)
        .await
        .with_context(|| {
            format!(
                "the bridge cannot begin with its directory {}",
                directory.display()
            )
        })?;
    Telegram::read_file_key(&bridge).await?;
    intake::resume(&bridge).await;
    tokio::task::spawn_local(intake::release_forever(Rc::clone(&bridge)));
    tokio::task::spawn_local(forget_forever(Rc::clone(&bridge)));
    tokio::task::spawn_local(poller::read_forever(Rc::clone(&bridge)));
    tracing::info!(address = %bridge.settings.listen, "the bridge serves");
    let end = async {
        stop_signal().await;
        tracing::info!("the bridge ends, with what is under way");
    };
    bridge.serve(end).await
}

/// Makes the directory of the store, if it is not there. It has tokens, so only this user may read it.
fn create(directory: &Path) -> std::io::Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(directory)
}

async fn forget_forever(bridge: Rc<Bridge<Telegram>>) {
    loop {
        let count = messages::forget_old(&bridge, unix_seconds()).await;
        if count > 0 {
            tracing::info!(
                count,
                "messages of more than 180 days ago can be quoted no more"
            );
        }
        tokio::select! {
            () = bridge.until_stop() => return,
            () = sleep(FORGET_EVERY) => {}
        }
    }
}
