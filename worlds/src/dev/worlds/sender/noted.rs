//! Attempts as the journal has them.

use serde_json::Value;
use switchboard_actors::domain::dispatch::outcome::{Class, Outcome};
use switchboard_actors::domain::text::beginning;
use switchboard_actors::port::HookAttempt;

use crate::dev::worlds::journal::{Event, HookEvent, QuestionEvent};
use crate::dev::worlds::mask;
use crate::dev::worlds::outside::Parcel;
use crate::hook_form::HookForm;

/// The longest form that the journal keeps as a whole, in bytes.
const FORM_MAX: usize = 8_192;

/// The entry of an attempt to send a parcel to `what`.
pub(super) fn event(
    parcel: &Parcel,
    what: String,
    fault: Option<String>,
    outcome: &Outcome,
) -> Event {
    let words = in_words(outcome);
    match parcel {
        Parcel::Callback(attempt) => Event::Callback {
            message_id: attempt.message,
            attempt: attempt.attempt,
            what,
            outcome: words,
            fault,
            body: mask::shown(&attempt.body),
        },
        Parcel::Hook(attempt) => {
            let (item, form) = shown_form(attempt);
            Event::Hook(Box::new(HookEvent {
                request_id: attempt.request,
                webhook: attempt.webhook.number,
                hook: attempt.number,
                code: attempt.code,
                attempt: attempt.attempt,
                what,
                outcome: words,
                fault,
                item,
                form,
            }))
        }
        Parcel::Question(attempt) => Event::Question(Box::new(QuestionEvent {
            bot: attempt.bot,
            run: attempt.run,
            attempt: attempt.attempt,
            what,
            outcome: words,
            is_taken: outcome.class() == Class::Delivered,
            fault,
            body: mask::shown(&attempt.body),
        })),
    }
}

/// The item of a form and the form itself, which is cut when it is very long.
fn shown_form(attempt: &HookAttempt) -> (Value, String) {
    let form = String::from_utf8_lossy(&attempt.body);
    if form.len() <= FORM_MAX {
        let item = HookForm::parse(&attempt.body).item();
        (item, form.into_owned())
    } else {
        (Value::Null, format!("{}…", beginning(&form, FORM_MAX)))
    }
}

fn in_words(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Answered(answer) => format!("answered {}", answer.status),
        Outcome::Failed(failure) => format!("no answer ({failure:?})"),
    }
}
