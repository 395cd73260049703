//! Orders: what a test asks of the double, and what it is answered. The same types are of the server and of [`crate::Orders`].

mod control;
mod people;
mod say;
mod shown;

pub use control::{Advance, ClockState, Group, NewBot, Registered};
pub use people::{
    Delete, Done, EditMessage, InChat, Opened, Press, Pressed, React, ShareContact, Start,
    WithPerson,
};
pub use say::{Album, AlbumSaid, Attachment, Contact, Item, Kind, Place, Said, Say, Venue};
pub use shown::{
    BotShown, ChatShown, Comparison, ConfirmedList, MessageRef, MessageShown, PressShown, Unposted,
    World,
};

use serde::{Deserialize, Serialize};

/// A mistake in an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The path of the field, such as `items/2/photo`; empty for the whole body.
    pub path: String,
    /// The reason, with what to do.
    pub detail: String,
}

/// The mistakes of an order that is refused. Nothing was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problems {
    /// All of them.
    pub errors: Vec<Problem>,
}

impl Problems {
    pub(crate) fn one(path: &str, detail: impl Into<String>) -> Self {
        let mut list = Self { errors: Vec::new() };
        list.add(path, detail);
        list
    }

    pub(crate) fn add(&mut self, path: &str, detail: impl Into<String>) {
        self.errors.push(Problem {
            path: path.to_owned(),
            detail: detail.into(),
        });
    }

    /// Returns a value if there is no problem.
    pub(crate) fn none<T>(self, value: T) -> Result<T, OrderError> {
        if self.errors.is_empty() {
            Ok(value)
        } else {
            Err(OrderError::Refused(self))
        }
    }
}

/// An order that was not done.
#[derive(Debug, thiserror::Error)]
pub enum OrderError {
    /// The double refuses it.
    #[error("the double refuses the order: {}", .0.line())]
    Refused(Problems),
    /// The double cannot be reached, or its answer cannot be read.
    #[error("the double gives no answer: {0}")]
    Unreachable(String),
}

impl Problems {
    fn line(&self) -> String {
        let text = |it: &Problem| format!("{}: {}", it.path, it.detail);
        let lines: Vec<String> = self.errors.iter().map(text).collect();
        lines.join("; ")
    }
}

impl OrderError {
    pub(crate) fn one(path: &str, detail: impl Into<String>) -> Self {
        Self::Refused(Problems::one(path, detail))
    }
}

/// An order of the list that `GET /double` shows.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct OrderRow {
    /// The method of HTTP.
    pub method: &'static str,
    /// The path.
    pub path: &'static str,
    /// The effect.
    pub effect: &'static str,
    /// An example of a body.
    pub body: &'static str,
}

const fn row(
    method: &'static str,
    path: &'static str,
    effect: &'static str,
    body: &'static str,
) -> OrderRow {
    OrderRow {
        method,
        path,
        effect,
        body,
    }
}

/// All orders.
pub const ORDERS: [OrderRow; 28] = [
    row("GET", "/double", "lists the orders", ""),
    row(
        "GET",
        "/double/state",
        "shows the world: chats with their messages, edits, reactions and times",
        "",
    ),
    row(
        "POST",
        "/double/reset",
        "forgets everything but the clock",
        "{}",
    ),
    row(
        "POST",
        "/double/bots",
        "registers a bot by its token",
        r#"{"token": "42:AAAA", "username": "shop_bot", "can_read_all_group_messages": true}"#,
    ),
    row(
        "POST",
        "/double/people",
        "adds a person",
        r#"{"id": 7, "first_name": "Ann", "language_code": "en"}"#,
    ),
    row(
        "POST",
        "/double/say",
        "a person sends a text, a file, a place or a contact",
        r#"{"from": 7, "text": "Hello"}"#,
    ),
    row(
        "POST",
        "/double/album",
        "a person sends 2 to 10 files at once",
        r#"{"from": 7, "shuffled": true, "items": [{"photo": {"size": 9000}}, {"video": {"size": 90000}}]}"#,
    ),
    row(
        "POST",
        "/double/edit",
        "a person changes a text or a caption",
        r#"{"chat": 7, "message_id": 1, "text": "Hello!"}"#,
    ),
    row(
        "POST",
        "/double/delete",
        "a message disappears; no update says so",
        r#"{"chat": 7, "message_id": 1}"#,
    ),
    row(
        "POST",
        "/double/react",
        "a person sets the list of reactions",
        r#"{"from": 7, "message_id": 1, "emoji": ["👍"]}"#,
    ),
    row(
        "POST",
        "/double/press",
        "a person presses an inline button",
        r#"{"from": 7, "message_id": 2, "data": "yes"}"#,
    ),
    row(
        "POST",
        "/double/share_contact",
        "a person shares their phone number",
        r#"{"from": 7, "phone_number": "+34600000000"}"#,
    ),
    row(
        "POST",
        "/double/start",
        "a person opens the chat with a bot, or frees it again",
        r#"{"from": 7}"#,
    ),
    row(
        "POST",
        "/double/block",
        "a person blocks a bot",
        r#"{"from": 7}"#,
    ),
    row(
        "POST",
        "/double/deactivate",
        "the account of a person ends",
        r#"{"from": 7}"#,
    ),
    row(
        "POST",
        "/double/groups",
        "a group with a bot opens",
        r#"{"title": "Team", "members": [7, 8], "is_admin": true}"#,
    ),
    row(
        "POST",
        "/double/join",
        "a person enters a group",
        r#"{"chat": -5001, "person": 9}"#,
    ),
    row(
        "POST",
        "/double/leave",
        "a person leaves a group",
        r#"{"chat": -5001, "person": 9}"#,
    ),
    row(
        "POST",
        "/double/kick",
        "a person removes the bot from a group",
        r#"{"chat": -5001, "person": 7}"#,
    ),
    row(
        "POST",
        "/double/return",
        "a person adds the bot to the group again",
        r#"{"chat": -5001, "person": 7}"#,
    ),
    row(
        "POST",
        "/double/upgrade",
        "a group becomes a supergroup, with another id",
        r#"{"chat": -5001}"#,
    ),
    row(
        "POST",
        "/double/faults",
        "something goes wrong with calls; GET lists, DELETE ends all, or those that name a bot (?bot=)",
        r#"{"kind": "answer_lost", "method": "sendMessage", "count": 1}"#,
    ),
    row(
        "POST",
        "/double/clock",
        "holds, advances or runs the clock; GET shows it",
        r#"{"hold": true, "advance_seconds": 60}"#,
    ),
    row(
        "POST",
        "/double/rates",
        "sets the rates of sending; 0 switches one off",
        r#"{"chat_per_second": 1, "chat_burst": 5, "group_per_minute": 20, "all_per_second": 30}"#,
    ),
    row(
        "GET",
        "/double/confirmed",
        "lists the confirmed updates of a bot (?bot=)",
        "",
    ),
    row(
        "POST",
        "/double/unposted",
        "compares the confirmed updates with the messages that the bot's service has",
        r#"{"posted": [{"chat": 7, "message_id": 1}]}"#,
    ),
    row(
        "GET",
        "/double/faults",
        "lists the faults with their hits",
        "",
    ),
    row("GET", "/double/clock", "shows the clock", ""),
];
