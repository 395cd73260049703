//! A journal as a test: the orders that were given, in the language of a test kit. What the tested program did stands in
//! comments, since the program does it by itself.

mod call;
mod language;
mod node;
mod php;
mod python;
mod scenario;
mod shell;

use serde_json::json;

use self::call::Call;
use super::ShownJournal;
use crate::dev::worlds::export::form::Language;
use crate::dev::worlds::journal::{Entry, Event};

/// The test.
pub(super) fn replay(of: &ShownJournal, entries: &[Entry], language: Language) -> String {
    let clock = json!(of.clock);
    let world = World {
        title: &of.title,
        seed: of.seed,
        clock: clock.as_str().unwrap_or_default(),
    };
    let lines = entries.iter().filter_map(|entry| line(entry, language));
    language.whole(&world, &lines.collect::<Vec<_>>())
}

/// What a test says of its world.
struct World<'w> {
    title: &'w str,
    seed: u64,
    clock: &'w str,
}

fn line(entry: &Entry, language: Language) -> Option<String> {
    match &entry.event {
        Event::Note {
            order: Some(order), ..
        } => Some(language.call(&Call::of(order))),
        Event::Request { what, status, .. } => {
            let status = status.map_or_else(|| "no answer".to_owned(), |it| it.to_string());
            Some(language.comment(&format!("The program sent {what}: {status}.")))
        }
        Event::Note { order: None, .. } | Event::Callback { .. } => None,
    }
}
