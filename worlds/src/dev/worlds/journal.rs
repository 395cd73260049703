//! The journal of a world, in one order: requests with their answers, attempts to send callbacks, hooks and questions, and
//! orders.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde_json::Value;
use switchboard_actors::domain::hooks::hook::HookNumber;
use switchboard_actors::domain::id::{
    HookRequestId, MessageId, SalesbotId, SalesbotRunId, SubscriptionId,
};
use switchboard_actors::domain::text::beginning;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::domain::webhooks::code::WebhookCode;
use switchboard_network::printable;

use crate::dev::worlds::clock;
use crate::dev::worlds::order::{OrderRequest, Ordered};
use crate::hook_form::HookForm;

/// So many entries are kept, the newest ones.
const KEPT: usize = 10_000;
/// So much of a refusal stands in a line, in bytes.
const WHY_MAX: usize = 300;

/// The journal of a world. Clones are the same journal.
#[derive(Clone, Debug, Default)]
pub(super) struct Journal(Arc<Mutex<Entries>>);

#[derive(Debug, Default)]
struct Entries {
    kept: VecDeque<NumberedEvent>,
    /// The number of the newest one.
    last: u64,
}

/// Something that happened.
#[derive(Clone, Debug, Serialize)]
pub(super) struct NumberedEvent {
    /// Its number: a client that has seen it asks for what came after.
    pub(super) cursor: u64,
    pub(super) at: String,
    #[serde(flatten)]
    pub(super) event: Event,
}

/// An event of a world.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Event {
    /// A request to the world, with its answer; no status: no answer was sent.
    Request {
        /// Method and path.
        what: String,
        status: Option<u16>,
        request: String,
        answer: String,
    },
    /// An attempt to deliver a callback, at its end.
    Callback {
        message_id: MessageId,
        attempt: u32,
        /// The method and path of the request.
        what: String,
        outcome: String,
        /// The fault that was ordered for it.
        #[serde(skip_serializing_if = "Option::is_none")]
        fault: Option<String>,
        body: String,
    },
    /// An attempt to deliver a hook, at its end.
    Hook(Box<HookEvent>),
    /// An attempt to ask the question of a salesbot, at its end.
    Question(Box<QuestionEvent>),
    /// An order, or something that the world did by itself.
    Note {
        who: String,
        what: String,
        /// The request that ordered it.
        #[serde(skip_serializing_if = "Option::is_none")]
        order: Option<OrderRequest>,
    },
}

/// An attempt to deliver a hook.
#[derive(Clone, Debug, Serialize)]
pub(super) struct HookEvent {
    /// The id of the request, the same in every attempt.
    pub(super) request_id: HookRequestId,
    /// The number of the webhook in the account.
    pub(super) webhook: SubscriptionId,
    /// The number of the hook.
    pub(super) hook: HookNumber,
    /// The event, such as `add_message`.
    pub(super) code: WebhookCode,
    pub(super) attempt: u32,
    /// The address of the request, without its query.
    pub(super) what: String,
    pub(super) outcome: String,
    /// The fault that was ordered for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) fault: Option<String>,
    /// The form as it was sent; a very long one is cut.
    pub(super) form: String,
    /// The item of the form; `null` when the form was cut.
    pub(super) item: Value,
}

/// An attempt to ask the question of a salesbot.
#[derive(Clone, Debug, Serialize)]
pub(super) struct QuestionEvent {
    /// The number of the salesbot.
    pub(super) bot: SalesbotId,
    /// The number of its run, the same in every attempt.
    pub(super) run: SalesbotRunId,
    pub(super) attempt: u32,
    /// The address of the request, without its query.
    pub(super) what: String,
    pub(super) outcome: String,
    /// True when the program has taken the question, and may answer it.
    #[serde(rename = "taken")]
    pub(super) is_taken: bool,
    /// The fault that was ordered for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) fault: Option<String>,
    /// The question as it was sent, without its token.
    pub(super) body: String,
}

impl HookEvent {
    /// Returns whether the hook has this text: in its code or in a field of its form.
    pub(super) fn has(&self, text: &str) -> bool {
        self.code.as_str().contains(text) || HookForm::parse(self.form.as_bytes()).has(text)
    }
}

impl Journal {
    /// Adds an entry; gives its number.
    pub(super) fn add(&self, at: UnixMillis, event: Event) -> u64 {
        let mut entries = self.entries();
        entries.last = entries.last.saturating_add(1);
        if entries.kept.len() == KEPT {
            entries.kept.pop_front();
        }
        let entry = NumberedEvent {
            cursor: entries.last,
            at: clock::shown(at),
            event,
        };
        entries.kept.push_back(entry);
        entries.last
    }

    /// The request of this entry is answered.
    pub(super) fn answered(&self, cursor: u64, with: Option<u16>, body: String) {
        self.change(cursor, |event| {
            if let Event::Request { status, answer, .. } = event {
                *status = with;
                *answer = body;
            }
        });
    }

    /// Changes an entry, if it is still kept.
    fn change(&self, cursor: u64, change: impl FnOnce(&mut Event)) {
        let mut entries = self.entries();
        let mut newest_first = entries.kept.iter_mut().rev();
        if let Some(entry) = newest_first.find(|entry| entry.cursor == cursor) {
            change(&mut entry.event);
        }
    }

    /// Adds a note.
    pub(super) fn note(&self, at: UnixMillis, who: &str, what: impl Into<String>) {
        let (who, what) = (who.to_owned(), what.into());
        let order = None;
        self.add(at, Event::Note { who, what, order });
    }

    /// Adds an order, if it changes anything or waits; gives its number.
    pub(super) fn ordered(&self, at: UnixMillis, ordered: &Ordered) -> Option<u64> {
        let (who, what) = ordered.act.line()?;
        let order = Some(ordered.request.clone());
        Some(self.add(at, Event::Note { who, what, order }))
    }

    /// The order of this entry is refused: it is not to be sent again.
    pub(super) fn refused(&self, cursor: u64, why: &str) {
        self.change(cursor, |event| {
            if let Event::Note { what, order, .. } = event {
                what.push_str(": refused: ");
                what.push_str(beginning(why, WHY_MAX));
                *order = None;
            }
        });
    }

    /// Keeps only so many of the newest entries.
    pub(super) fn shorten(&self, kept: usize) {
        let mut entries = self.entries();
        let surplus = entries.kept.len().saturating_sub(kept);
        entries.kept.drain(..surplus);
        entries.kept.shrink_to_fit();
    }

    /// The entries after this one, oldest first.
    pub(super) fn after(&self, cursor: u64) -> Vec<NumberedEvent> {
        let entries = self.entries();
        let after = entries.kept.iter().filter(|entry| entry.cursor > cursor);
        after.cloned().collect()
    }

    /// The number of the newest entry.
    pub(super) fn last(&self) -> u64 {
        self.entries().last
    }

    fn entries(&self) -> MutexGuard<'_, Entries> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl NumberedEvent {
    /// The entry in one line, for people.
    pub(super) fn line(&self) -> String {
        let (at, what) = (&self.at, printable::line(&self.event.line()));
        format!("{at}  {what}")
    }
}

impl Event {
    pub(super) fn line(&self) -> String {
        match self {
            Self::Request {
                what,
                status: Some(status @ 400..),
                answer,
                ..
            } => {
                // The reason of a refusal is what a reader wants to know.
                let why = beginning(answer, WHY_MAX);
                format!("request   {what} → {status} {why}")
            }
            Self::Request { what, status, .. } => match status {
                Some(status) => format!("request   {what} → {status}"),
                None => format!("request   {what} → no answer"),
            },
            Self::Callback {
                message_id,
                attempt,
                what,
                outcome,
                fault,
                ..
            } => {
                let fault = fault_in_words(fault.as_deref());
                format!("callback  {message_id} to {what}, attempt {attempt}: {outcome}{fault}")
            }
            Self::Hook(event) => {
                let HookEvent {
                    code,
                    hook,
                    attempt,
                    what,
                    outcome,
                    ..
                } = &**event;
                let (code, hook) = (code.as_str(), hook.0);
                let fault = fault_in_words(event.fault.as_deref());
                let who = "hook";
                format!("{who:<9} {code} {hook} to {what}, attempt {attempt}: {outcome}{fault}")
            }
            Self::Question(event) => {
                let QuestionEvent {
                    bot,
                    run,
                    attempt,
                    what,
                    outcome,
                    ..
                } = &**event;
                let fault = fault_in_words(event.fault.as_deref());
                format!(
                    "question  of salesbot {bot}, run {run}, to {what}, attempt {attempt}: {outcome}{fault}"
                )
            }
            Self::Note { who, what, .. } => format!("{who:<9} {what}"),
        }
    }
}

fn fault_in_words(fault: Option<&str>) -> String {
    fault
        .map(|fault| format!(" (fault {fault})"))
        .unwrap_or_default()
}
