//! A journal as a test: the orders that were given, in the language of a test kit. What the tested program did stands in
//! comments, since the program does it by itself.

mod call;
mod language;
mod node;
mod options;
mod php;
mod python;
mod scenario;
mod shell;

use self::call::{Call, Does};
use self::options::Options;
use super::ShownJournal;
use crate::dev::worlds::export::form::Language;
use crate::dev::worlds::journal::{Event, NumberedEvent};

/// The test.
pub(super) fn replay(of: &ShownJournal, entries: &[NumberedEvent], language: Language) -> String {
    let world = World {
        title: &of.title,
        options: Options::from_journal(of),
    };
    let mut lines: Vec<_> = entries
        .iter()
        .filter_map(|entry| line(entry, language))
        .collect();
    let texts = Written::from_entries(entries);
    lines.extend(
        texts
            .0
            .iter()
            .filter_map(|(customer, text)| language.assertion(customer, text)),
    );
    language.whole(&world, &lines)
}

/// The facts of its world that a test has to repeat.
struct World<'w> {
    title: &'w str,
    options: Options,
}

/// The newest text in the conversation of each customer whom an order names: what a test asserts in the end.
struct Written(Vec<(String, String)>);

impl Written {
    fn from_entries(entries: &[NumberedEvent]) -> Self {
        let (mut written, mut last) = (Vec::<(String, String)>::new(), None);
        for entry in entries {
            let Event::Note {
                order: Some(order), ..
            } = &entry.event
            else {
                continue;
            };
            let (customer, text) = match Call::from_request(order).does {
                Does::Says { customer, text } => {
                    last = Some(customer.clone());
                    (Some(customer), text)
                }
                Does::Replies { to, text, .. } => (to.or_else(|| last.clone()), text),
                Does::Advance { .. }
                | Does::SetClock { .. }
                | Does::Restart
                | Does::Fault { .. }
                | Does::EndFaults
                | Does::Habit { .. }
                | Does::EndHabits { .. }
                | Does::Consents { .. }
                | Does::SetWebhook { .. }
                | Does::Subscribes { .. }
                | Does::EndsHooks
                | Does::Wait { .. }
                | Does::Other => continue,
            };
            if let Some(customer) = customer {
                written.retain(|(known, _)| *known != customer);
                written.push((customer, text));
            }
        }
        Self(written)
    }
}

fn line(entry: &NumberedEvent, language: Language) -> Option<String> {
    match &entry.event {
        Event::Note {
            order: Some(order), ..
        } => Some(language.call(&Call::from_request(order))),
        Event::Request { what, status, .. } => {
            let status = status.map_or_else(|| "no answer".to_owned(), |it| it.to_string());
            Some(language.comment(&format!("The program sent {what}: {status}.")))
        }
        Event::Note { order: None, .. }
        | Event::Callback { .. }
        | Event::Hook(_)
        | Event::Question(_) => None,
    }
}
