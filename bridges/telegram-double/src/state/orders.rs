//! The orders of tests: who does what.

mod compare;
mod groups;
mod people;
mod registry;

pub(crate) use registry::token_id;
mod say;
mod standing;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Machine;
use super::desk::Desk;
use crate::clock::Moment;
use crate::orders::OrderError;

/// Reads the body of an order. An empty one counts as `{}`.
pub(crate) fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, OrderError> {
    let body = if body.trim_ascii().is_empty() {
        b"{}"
    } else {
        body
    };
    serde_json::from_slice(body).map_err(|error| {
        let detail = format!("the body is no such order: {error}; GET /double has examples");
        OrderError::one("", detail)
    })
}

pub(crate) fn shown(answer: impl Serialize) -> Result<Value, OrderError> {
    serde_json::to_value(answer).map_err(|error| OrderError::one("", error.to_string()))
}

impl Machine {
    /// Returns the bot that an order names, or the only one.
    pub(crate) fn bot_id(&self, bot: Option<i64>) -> Result<i64, OrderError> {
        let mut ids = self.bots.keys();
        match (bot, ids.next(), ids.next()) {
            (Some(id), _, _) if self.bots.contains_key(&id) => Ok(id),
            (Some(id), _, _) => Err(OrderError::one(
                "bot",
                format!("no bot {id} is registered: POST /double/bots registers one"),
            )),
            (None, Some(id), None) => Ok(*id),
            (None, None, _) => Err(OrderError::one(
                "bot",
                "no bot is registered: POST /double/bots registers one",
            )),
            (None, Some(_), Some(_)) => Err(OrderError::one(
                "bot",
                format!("{} bots are registered: name one", self.bots.len()),
            )),
        }
    }

    fn desk_for(&mut self, bot: Option<i64>, now: Moment) -> Result<Desk<'_>, OrderError> {
        let id = self.bot_id(bot)?;
        let desk = self.desk(id, now);
        desk.ok_or_else(|| OrderError::one("bot", "it is not registered"))
    }

    /// Does an order that is not about the clock. None when there is no order of this name.
    pub(crate) fn order(
        &mut self,
        name: &str,
        body: &[u8],
        now: Moment,
    ) -> Option<Result<Value, OrderError>> {
        Some(match name {
            "reset" => {
                self.reset();
                Ok(serde_json::json!({}))
            }
            "bots" => parse(body).and_then(|it| self.register(it, now)),
            "people" => parse(body).and_then(|it| self.add_person(it)),
            "rates" => parse(body).and_then(|it| self.set_rates(it)),
            "faults" => parse(body).and_then(|it| self.add_fault(it, now)),
            "unposted" => parse(body).and_then(|it| self.compare(it, now)),
            "deactivate" => parse(body).and_then(|it| self.deactivate(&it)),
            "say" => parse(body).and_then(|it| self.say(it, now)),
            "share_contact" => parse(body).and_then(|it| self.share_contact(it, now)),
            "album" => parse(body).and_then(|it| self.album(it, now)),
            "edit" => parse(body).and_then(|it| self.edit(&it, now)),
            "delete" => parse(body).and_then(|it| self.delete(it, now)),
            "react" => parse(body).and_then(|it| self.react(it, now)),
            "press" => parse(body).and_then(|it| self.press(&it, now)),
            "start" => parse(body).and_then(|it| self.start(it, now)),
            "block" => parse(body).and_then(|it| self.block(it, now)),
            "groups" => parse(body).and_then(|it| self.open_group(it, now)),
            "join" => parse(body).and_then(|it| self.join(it, now)),
            "leave" => parse(body).and_then(|it| self.leave(it, now)),
            "kick" => parse(body).and_then(|it| self.kick(it, now)),
            "return" => parse(body).and_then(|it| self.let_in(it, now)),
            "upgrade" => parse(body).and_then(|it| self.upgrade(it, now)),
            _ => return None,
        })
    }
}
