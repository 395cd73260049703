//! A bridge between Switchboard and a messenger of its own: a model of what an integration has to withstand.
//!
//! It answers a callback when it has stored it, and does the work afterwards. `store` has the file of changes, `lanes` the order
//! of jobs, `service` every request that leaves; `callbacks`, `delivery`, `posts`, `contacts` and `installation` are what the
//! bridge does.
//!
//! Environment: the variables of scenario files; `SWITCHBOARD_CHANNEL_SECRET_NEXT` while the operator rotates the secret. What
//! it remembers is in `SWITCHBOARD_EXAM_DIRECTORY`, else in `STATE_DIRECTORY`, else in the current directory. The account is
//! connected already: the environment has its scope id.
//!
//! On `PORT` of 127.0.0.1: `POST /`, or any other path, takes callbacks. `GET /oauth`, or any other path, takes the browser with
//! `code` and the report of an uninstallation. `/exam/…` is the outside, the messenger of the exam, only with
//! `SWITCHBOARD_EXAM_DIRECTORY`.

mod account;
mod answer;
mod bridge;
mod callbacks;
mod chat;
mod clock;
mod contacts;
mod delivery;
mod forms;
mod installation;
mod lanes;
mod log;
mod media;
mod outside;
mod pace;
mod posts;
mod server;
mod service;
mod settings;
mod signature;
mod state;
mod store;

use tokio::task::LocalSet;

use crate::bridge::Bridge;
use crate::settings::Settings;

/// One thread does everything but the writing of the file: no two changes of the state come between each other.
#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    // For services with TLS. Another provider may be there already.
    drop(rustls::crypto::ring::default_provider().install_default());
    let settings = Settings::from_environment()?;
    LocalSet::new()
        .run_until(async {
            let bridge = Bridge::start(settings).await?;
            server::serve(&bridge).await
        })
        .await
}
