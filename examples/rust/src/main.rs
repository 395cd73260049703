//! A bridge between Switchboard and a messenger of its own: a model of what an integration has to withstand.
//!
//! `bridges/core` is the chassis, which every bridge needs: it answers a callback when it has stored it, and does the work
//! afterwards. Here is the rest, the messenger: `delivery`, `media` and `forms` bring a message to the customer, `says` takes what
//! a customer writes, `contacts` names new customers in the account, and `outside` is a messenger that only the exam sees.
//!
//! Environment: the variables of scenario files; `SWITCHBOARD_CHANNEL_SECRET_NEXT` while the operator rotates the secret. What
//! it remembers is in `SWITCHBOARD_EXAM_DIRECTORY`, else in `STATE_DIRECTORY`, else in the current directory. The account is
//! connected already: the environment has its scope id.
//!
//! On `PORT` of 127.0.0.1: `POST /`, or any other path, takes callbacks. `GET /oauth`, or any other path, takes the browser with
//! `code` and the report of an uninstallation. `/exam/…` is the outside, the messenger of the exam, only with
//! `SWITCHBOARD_EXAM_DIRECTORY`.

mod chats;
mod contacts;
mod delivery;
mod forms;
mod media;
mod outside;
mod says;

use switchboard_bridge_core::settings::Settings;
use switchboard_bridge_core::stop_signal;
use tokio::task::LocalSet;

use crate::outside::{Bridge, Outside};

/// One thread does everything but the writing of the store: no two changes of the state come between each other.
#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let settings = Settings::from_environment()?;
    let outside = Outside::from_environment();
    LocalSet::new()
        .run_until(async {
            let bridge = Bridge::start(settings, outside).await?;
            bridge.serve(stop_signal()).await
        })
        .await
}
