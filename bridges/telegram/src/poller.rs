//! Reading from Telegram: long polls, one after the other.
//!
//! The next offset is sent when the updates below it are on the disk, and not before. It is sent until an answer proves that
//! Telegram has it, and then no more: after a week without updates Telegram numbers them anew, perhaps lower.

use std::rc::Rc;
use std::time::Duration;

use rand::TryRng as _;
use rand::rngs::SysRng;
use switchboard_bridge_core::bridge::Bridge;
use switchboard_telegram::api::ApiError;
use tokio::time::sleep;
use url::Url;

use crate::intake;
use crate::status::{Bot, Reading};
use crate::telegram::Telegram;

/// The longest that Telegram holds a poll.
const WAIT: Duration = Duration::from_secs(50);
/// The pause after a poll that another reader has ended. Both say so within 5 seconds.
const CONFLICT_PAUSE: Duration = Duration::from_millis(1_500);
const WEBHOOK_PAUSE: Duration = Duration::from_secs(15);
const TOKEN_PAUSE: Duration = Duration::from_secs(60);
const FAILURE_PAUSE: Duration = Duration::from_millis(300);
const FAILURE_PAUSE_MAX: Duration = Duration::from_secs(30);
/// The failures in a row that are no problem yet.
const FAILURES_MAX: u32 = 2;

/// Reads until the process ends.
pub(crate) async fn read_forever(bridge: Rc<Bridge<Telegram>>) {
    tokio::select! {
        () = bridge.until_stop() => {}
        () = read(&bridge) => {}
    }
}

async fn read(bridge: &Rc<Bridge<Telegram>>) {
    let mut failures = 0;
    loop {
        let telegram = &bridge.messenger;
        if !bridge.has_room() {
            telegram.status.set_reading(Reading::NoRoom);
            bridge.until_room().await;
        }
        match poll(bridge).await {
            Ok(()) => {
                failures = 0;
                telegram.status.set_reading(Reading::Reads);
            }
            Err(error) => {
                failures += 1;
                let pause = pause_after(telegram, &error, failures).await;
                sleep(jittered(pause)).await;
            }
        }
    }
}

/// Asks once, and stores what has come.
async fn poll(bridge: &Rc<Bridge<Telegram>>) -> Result<(), ApiError> {
    let telegram = &bridge.messenger;
    if telegram.status.bot().is_none() {
        let info = telegram.api.get_me().await?;
        tracing::info!(bot = %info.username, "the bot is known");
        telegram.status.set_bot(Bot {
            id: info.id,
            username: info.username,
            reads_groups: info.can_read_all_group_messages,
        });
    }
    let offset = intake::offset(bridge);
    let updates = telegram.api.get_updates(offset, WAIT).await?;
    if let Some(number) = offset {
        telegram.counters.confirm(number);
    }
    if !updates.is_empty() {
        if !intake::take(bridge, &updates).await {
            let why = "it has updates without a number, which cannot be confirmed";
            return Err(ApiError::Lost(why.to_owned()));
        }
    } else if offset.is_some() {
        intake::confirm(bridge).await;
    }
    Ok(())
}

/// Notes the reason of a failure, and returns the pause before the next poll.
async fn pause_after(telegram: &Telegram, error: &ApiError, failures: u32) -> Duration {
    let status = &telegram.status;
    if error.is_conflict() {
        return pause_after_conflict(telegram).await;
    }
    if error.is_token_refused() {
        status.set_reading(Reading::TokenRefused);
        return TOKEN_PAUSE;
    }
    if failures > FAILURES_MAX {
        status.set_reading(Reading::Fails(error.to_string()));
    } else {
        tracing::warn!("the updates are asked for again: {error}");
    }
    match error {
        ApiError::Refused(refusal) if refusal.retry_after.is_some() => {
            telegram.counters.count_limit();
            refusal.retry_after.unwrap_or_default()
        }
        ApiError::Refused(_) | ApiError::Lost(_) | ApiError::Unreachable(_) => FAILURE_PAUSE
            .saturating_mul(1 << failures.min(10))
            .min(FAILURE_PAUSE_MAX),
    }
}

/// Finds out which of both it is: a webhook, or another program that polls. Telegram answers both with 409.
async fn pause_after_conflict(telegram: &Telegram) -> Duration {
    let webhook = telegram.api.get_webhook_info().await;
    let url = webhook.map(|info| info.url).unwrap_or_default();
    if url.is_empty() {
        telegram.status.set_reading(Reading::Reads);
        telegram.status.note_conflict();
        return CONFLICT_PAUSE;
    }
    telegram.status.set_reading(Reading::Webhook(host(&url)));
    WEBHOOK_PAUSE
}

/// The host of a webhook. Its path may hold a secret of the program there.
pub(crate) fn host(url: &str) -> String {
    let address = Url::parse(url).ok();
    let host = address.as_ref().and_then(Url::host_str);
    host.unwrap_or("an address that is none").to_owned()
}

/// A pause that is up to a half longer by chance, so that two programs do not go on in step.
fn jittered(pause: Duration) -> Duration {
    // Without randomness the pause is as it is.
    let share = SysRng.try_next_u32().unwrap_or_default() % 512;
    pause + pause * share / 1_024
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_webhook_is_named_without_its_path() {
        assert_eq!(
            host("https://shop.example:8443/hook?secret=1"),
            "shop.example"
        );
        assert_eq!(host("nonsense"), "an address that is none");
    }

    #[test]
    fn a_pause_after_a_conflict_is_said_in_time() {
        for _ in 0..100 {
            let pause = jittered(CONFLICT_PAUSE);
            assert!(pause >= CONFLICT_PAUSE && pause < CONFLICT_PAUSE * 2);
        }
    }
}
