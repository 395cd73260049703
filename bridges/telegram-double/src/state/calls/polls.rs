//! `getUpdates`: it waits until an update arises, its time is over, or another reader ends it.

use serde_json::Value;

use super::reads::allowed;
use crate::bounds::{POLL_LIMIT, POLL_MAX, SECOND};
use crate::clock::Moment;
use crate::params::Params;
use crate::reply::{ApiError, Reply};
use crate::state::Machine;
use crate::state::bot::Poll;

/// The state of a poll.
#[derive(Debug, PartialEq)]
pub(crate) enum Step {
    /// It has its answer.
    Done(Reply),
    /// It waits, at most until this moment.
    Waits(Moment),
}

const BY_POLL: &str =
    "terminated by other getUpdates request; make sure that only one bot instance is running";
const BY_WEBHOOK: &str = "terminated by setWebhook request";
const HAS_WEBHOOK: &str = "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first";

impl Machine {
    /// Begins a poll, which ends the one that waits. Returns its number.
    pub(crate) fn begin_poll(
        &mut self,
        bot: i64,
        params: &Params,
        now: Moment,
    ) -> Result<u64, ApiError> {
        let number = self.number();
        let bot = self.bots.get_mut(&bot).ok_or_else(ApiError::unauthorized)?;
        if bot.webhook.is_some() {
            return Err(ApiError::conflict(HAS_WEBHOOK));
        }
        let offset = params.integer("offset")?.unwrap_or_default();
        let limit = params.integer("limit")?.unwrap_or(POLL_LIMIT);
        let timeout = params.integer("timeout")?.unwrap_or_default();
        if let Some(kinds) = allowed(params) {
            bot.queue.allow(&kinds);
        }
        // A negative offset throws away once, not again with each look.
        bot.queue.read(offset, 1, now);
        bot.poll = Some(Poll {
            number,
            offset: offset.max(0),
            limit: limit.clamp(1, POLL_LIMIT),
            until: now.saturating_add(timeout.clamp(0, POLL_MAX) * SECOND),
        });
        Ok(number)
    }

    /// Returns the state of a poll.
    pub(crate) fn step_poll(&mut self, bot: i64, number: u64, now: Moment) -> Step {
        let Some(bot) = self.bots.get_mut(&bot) else {
            return Step::Done(Err(ApiError::unauthorized()));
        };
        let poll = match bot.poll.filter(|it| it.number == number) {
            Some(poll) => poll,
            None => {
                let by_webhook = bot.webhook.is_some();
                let reason = if by_webhook { BY_WEBHOOK } else { BY_POLL };
                return Step::Done(Err(ApiError::conflict(reason)));
            }
        };
        let updates = bot.queue.read(poll.offset, poll.limit, now);
        if updates.is_empty() && now < poll.until {
            return Step::Waits(poll.until);
        }
        bot.poll = None;
        Step::Done(Ok(Value::Array(updates)))
    }

    /// Ends a poll whose reader has gone.
    pub(crate) fn leave_poll(&mut self, bot: i64, number: u64) {
        if let Some(bot) = self.bots.get_mut(&bot)
            && bot.poll.is_some_and(|it| it.number == number)
        {
            bot.poll = None;
        }
    }
}
