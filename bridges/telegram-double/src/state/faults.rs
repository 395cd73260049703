//! Faults: what goes wrong with which calls, how often and until when.

use serde::{Deserialize, Serialize};

use crate::bounds::{FAULTS_MAX, SECOND};
use crate::clock::Moment;
use crate::reply::ApiError;

/// The kind of a fault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum FaultKind {
    /// The call is refused with a status, and not done.
    Status {
        /// The status, from 400 to 599.
        code: u16,
        /// The text; without it the usual one of the status.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        /// The seconds to wait, as with 429.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        retry_after: Option<i64>,
        /// The chat that the group has become.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        migrate_to_chat_id: Option<i64>,
    },
    /// The call waits first, by the clock of the double.
    Slow {
        /// The wait in milliseconds.
        millis: i64,
    },
    /// The connection is closed before the call is done.
    Closed,
    /// The call is done, and the connection is closed without an answer.
    AnswerLost,
    /// The call is done, and the connection is closed in the middle of the answer.
    HalfAnswer,
    /// `getFile` refuses the file as too big.
    FileTooBig,
    /// The download finds the link expired.
    FileLinkExpired,
}

/// A fault: an order of a test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// Its kind.
    pub kind: FaultKind,
    /// The bot; without it all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<i64>,
    /// The method, `file` for downloads; without it all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// The chat that the call names; without it all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chat: Option<i64>,
    /// The number of calls that pass before the first fault.
    #[serde(default)]
    pub after: u64,
    /// The number of calls that fail. Without it and without `seconds`: one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// The time during which calls fail, in seconds of the double's clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<i64>,
}

/// A fault with what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultState {
    /// Its number.
    pub id: u64,
    /// The order.
    pub fault: Fault,
    /// The number of calls that failed by it.
    pub hits: u64,
    /// True while it may hit.
    pub is_active: bool,
}

#[derive(Debug)]
struct Entry {
    state: FaultState,
    method: Option<String>,
    passes: u64,
    until: Option<Moment>,
}

/// A call, as faults look at it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call<'c> {
    pub(crate) bot: i64,
    /// In lower case.
    pub(crate) method: &'c str,
    pub(crate) chat: Option<i64>,
}

#[derive(Debug, Default)]
pub(crate) struct Faults {
    entries: Vec<Entry>,
    count: u64,
}

impl Fault {
    /// A fault of the next call of a method.
    pub fn next(method: &str, kind: FaultKind) -> Self {
        Self {
            kind,
            bot: None,
            method: Some(method.to_owned()),
            chat: None,
            after: 0,
            count: None,
            seconds: None,
        }
    }

    /// The same fault, for so many calls.
    #[must_use]
    pub fn times(mut self, count: u64) -> Self {
        self.count = Some(count);
        self
    }

    /// The same fault, in one chat.
    #[must_use]
    pub fn in_chat(mut self, chat: i64) -> Self {
        self.chat = Some(chat);
        self
    }

    /// A status for all calls, for a time.
    pub fn outage(code: u16, seconds: i64) -> Self {
        let kind = FaultKind::Status {
            code,
            description: None,
            retry_after: None,
            migrate_to_chat_id: None,
        };
        Self {
            method: None,
            seconds: Some(seconds),
            ..Self::next("", kind)
        }
    }
}

impl Faults {
    pub(crate) fn add(&mut self, mut fault: Fault, now: Moment) -> Result<u64, String> {
        let usual = match fault.kind {
            FaultKind::FileTooBig => Some("getFile"),
            FaultKind::FileLinkExpired => Some("file"),
            FaultKind::Status { .. }
            | FaultKind::Slow { .. }
            | FaultKind::Closed
            | FaultKind::AnswerLost
            | FaultKind::HalfAnswer => None,
        };
        if fault.method.is_none() {
            fault.method = usual.map(str::to_owned);
        }
        // Those that have ended make room.
        self.end(now);
        if self.entries.len() >= FAULTS_MAX {
            self.entries.retain(|it| it.state.is_active);
        }
        if self.entries.len() >= FAULTS_MAX {
            return Err(format!("there are {FAULTS_MAX} faults: delete some"));
        }
        self.count += 1;
        let until = fault
            .seconds
            .map(|seconds| now.saturating_add(seconds.saturating_mul(SECOND)));
        self.entries.push(Entry {
            method: fault.method.as_deref().map(str::to_ascii_lowercase),
            passes: fault.after,
            until,
            state: FaultState {
                id: self.count,
                fault,
                hits: 0,
                is_active: true,
            },
        });
        Ok(self.count)
    }

    fn end(&mut self, now: Moment) {
        for entry in &mut self.entries {
            if entry.until.is_some_and(|until| now >= until) {
                entry.state.is_active = false;
            }
        }
    }

    /// Returns what goes wrong with a call, and counts it.
    pub(crate) fn hit(&mut self, call: Call<'_>, now: Moment) -> Option<FaultKind> {
        self.end(now);
        let fits = |entry: &&mut Entry| {
            let fault = &entry.state.fault;
            entry.state.is_active
                && fault.bot.is_none_or(|bot| bot == call.bot)
                && entry.method.as_ref().is_none_or(|it| it == call.method)
                && fault.chat.is_none_or(|chat| call.chat == Some(chat))
        };
        let entry = self.entries.iter_mut().find(fits)?;
        if entry.passes > 0 {
            entry.passes -= 1;
            return None;
        }
        entry.state.hits += 1;
        let fault = &entry.state.fault;
        let usual = if fault.seconds.is_some() { u64::MAX } else { 1 };
        if entry.state.hits >= fault.count.unwrap_or(usual) {
            entry.state.is_active = false;
        }
        Some(fault.kind.clone())
    }

    pub(crate) fn list(&mut self, now: Moment) -> Vec<FaultState> {
        self.end(now);
        self.entries.iter().map(|it| it.state.clone()).collect()
    }

    /// Ends the faults that name a bot, or all of them.
    pub(crate) fn clear(&mut self, bot: Option<i64>) {
        match bot {
            Some(_) => self.entries.retain(|it| it.state.fault.bot != bot),
            None => self.entries.clear(),
        }
    }
}

impl FaultKind {
    /// Returns the refusal of a fault that keeps a call from being done.
    pub(crate) fn refusal(&self) -> Option<ApiError> {
        match self {
            Self::Status {
                code,
                description,
                retry_after,
                migrate_to_chat_id,
            } => {
                let usual = match (*code, *retry_after, *migrate_to_chat_id) {
                    (429, Some(seconds), _) => ApiError::too_many(seconds),
                    (400, _, Some(chat)) => ApiError::upgraded(chat),
                    (401, _, _) => ApiError::unauthorized(),
                    (403, _, _) => ApiError::forbidden("bot was blocked by the user"),
                    (404, _, _) => ApiError::not_found(),
                    (409, _, _) => ApiError::conflict("by order"),
                    (429, None, _) => ApiError::new(429, "Too Many Requests"),
                    (502, _, _) => ApiError::new(502, "Bad Gateway"),
                    (504, _, _) => ApiError::new(504, "Gateway Timeout"),
                    (500.., _, _) => ApiError::new(*code, "Internal Server Error: by order"),
                    _ => ApiError::new(*code, "Bad Request: by order"),
                };
                Some(ApiError {
                    description: description.clone().unwrap_or(usual.description),
                    retry_after: *retry_after,
                    migrate_to_chat_id: *migrate_to_chat_id,
                    code: *code,
                })
            }
            Self::FileTooBig => Some(ApiError::bad("file is too big")),
            Self::FileLinkExpired => Some(ApiError::not_found()),
            Self::Slow { .. } | Self::Closed | Self::AnswerLost | Self::HalfAnswer => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Call, Fault, FaultKind, Faults};

    fn call(method: &str, chat: i64) -> Call<'_> {
        Call {
            bot: 1,
            method,
            chat: Some(chat),
        }
    }

    #[test]
    fn a_fault_hits_its_method_and_its_count() {
        let mut faults = Faults::default();
        let mut fault = Fault::next("sendMessage", FaultKind::AnswerLost).times(2);
        fault.after = 1;
        assert_eq!(faults.add(fault, 0), Ok(1));
        assert_eq!(faults.hit(call("getme", 7), 0), None);
        assert_eq!(faults.hit(call("sendmessage", 7), 0), None);
        for _ in 0..2 {
            let hit = faults.hit(call("sendmessage", 7), 0);
            assert_eq!(hit, Some(FaultKind::AnswerLost));
        }
        assert_eq!(faults.hit(call("sendmessage", 7), 0), None);
        let list = faults.list(0);
        assert!(
            list.iter().all(|it| it.hits == 2 && !it.is_active),
            "{list:?}"
        );
    }

    #[test]
    fn an_outage_ends_by_the_clock() {
        let mut faults = Faults::default();
        assert_eq!(faults.add(Fault::outage(502, 60), 1_000), Ok(1));
        for _ in 0..3 {
            let hit = faults.hit(call("getme", 7), 60_999);
            let error = hit.and_then(|it| it.refusal());
            assert_eq!(error.map(|it| it.code), Some(502));
        }
        assert_eq!(faults.hit(call("getme", 7), 61_000), None);
    }

    #[test]
    fn a_fault_of_one_chat_spares_the_others() {
        let mut faults = Faults::default();
        let fault = Fault::next("sendMessage", FaultKind::Closed).in_chat(7);
        assert!(faults.add(fault, 0).is_ok());
        assert_eq!(faults.hit(call("sendmessage", 8), 0), None);
        assert!(faults.hit(call("sendmessage", 7), 0).is_some());
    }
}
