//! The check of the bot: its token, a webhook, another reader.

use std::time::Duration;

use serde_json::Value;
use switchboard_telegram::api::{Api, ApiError};
use tokio::time::sleep;

use super::Findings;
use super::neighbour::Neighbour;
use crate::poller::host;
use crate::status::{OTHER_READER, TOKEN_REFUSED, webhook_sentence};

/// The wait of a poll that looks for another reader.
const WAIT: Duration = Duration::from_secs(4);
/// The pause in which another reader would take the updates that wait.
const PAUSE: Duration = Duration::from_secs(2);

pub(super) async fn check(api: &Api, neighbour: &Neighbour, findings: &mut Findings) {
    match api.get_me().await {
        Ok(bot) => findings.note(format!("the token is that of the bot @{}", bot.username)),
        Err(error) if error.is_token_refused() => return findings.problem(TOKEN_REFUSED),
        Err(error) => {
            return findings.problem(format!(
                "{error}. Check telegram.url, and the way of this machine to it"
            ));
        }
    }
    match api.get_webhook_info().await {
        Ok(webhook) if webhook.url.is_empty() => findings.note("no webhook is set"),
        Ok(webhook) => return findings.problem(webhook_sentence(&host(&webhook.url))),
        Err(error) => return findings.problem(error.to_string()),
    }
    if matches!(neighbour, Neighbour::Bridge(_)) {
        // It reads, and a poll beside it would end its own.
        return;
    }
    match other_reader(api).await {
        Ok(false) => findings.note("no other program reads the updates"),
        Ok(true) => findings.problem(OTHER_READER),
        Err(error) => findings.problem(error.to_string()),
    }
}

/// Polls without an offset, which confirms nothing. Another reader ends the poll, or takes what waits.
async fn other_reader(api: &Api) -> Result<bool, ApiError> {
    let first = match api.get_updates(None, WAIT).await {
        Ok(updates) => updates,
        Err(error) if error.is_conflict() => return Ok(true),
        Err(error) => return Err(error),
    };
    if first.is_empty() {
        return Ok(false);
    }
    sleep(PAUSE).await;
    match api.get_updates(None, Duration::ZERO).await {
        Ok(updates) => Ok(number(&updates) != number(&first)),
        Err(error) if error.is_conflict() => Ok(true),
        Err(error) => Err(error),
    }
}

fn number(updates: &[Value]) -> Option<&Value> {
    updates.first()?.get("update_id")
}
