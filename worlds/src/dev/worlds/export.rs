//! A journal in forms that people and other programs read.

mod archive;
mod form;
mod page;
mod replay;

use crate::world::OwnIds;
use serde_json::json;

use self::archive::har;
use self::page::page;
use self::replay::replay;
use crate::dev::worlds::clock::ClockMode;
use crate::dev::worlds::journal::{Journal, NumberedEvent};
use crate::dev::worlds::reply::{MediaType, Reply};

pub(super) use self::form::JournalForm;

/// A journal to be read, with what is known of its world.
pub(super) struct ShownJournal {
    pub(super) journal: Journal,
    pub(super) title: String,
    pub(super) seed: u64,
    /// The clock that the world began with.
    pub(super) clock: ClockMode,
    /// The ids that were chosen for it.
    pub(super) ids: OwnIds,
    /// The address of the world, which may have ended.
    pub(super) base_url: String,
    /// The time of the world's end, and its reason.
    pub(super) ended: Option<(String, String)>,
}

impl ShownJournal {
    /// The newest entries after this one, so many at most, in this form.
    pub(super) fn shown(&self, form: JournalForm, after: u64, limit: usize) -> Reply {
        let mut entries = self.journal.after(after);
        entries.drain(..entries.len().saturating_sub(limit));
        match form {
            JournalForm::Test(language) => {
                Reply::Text(replay(self, &entries, language), MediaType::Plain)
            }
            JournalForm::Json => Reply::Text(
                lines(&entries, |entry| json!(entry).to_string()),
                MediaType::Lines,
            ),
            JournalForm::Text => {
                Reply::Text(lines(&entries, NumberedEvent::line), MediaType::Plain)
            }
            JournalForm::Html => {
                let title = format!("Journal of {}", self.title);
                Reply::Text(page(&title, &entries), MediaType::Html)
            }
            JournalForm::Har => har(&self.base_url, &entries).into(),
            JournalForm::Document => {
                let end = self
                    .ended
                    .as_ref()
                    .map(|(at, why)| json!({ "at": at, "why": why }));
                let cursor = entries.last().map_or(after, |entry| entry.cursor);
                json!({ "cursor": cursor, "ended": end, "entries": entries }).into()
            }
        }
    }
}

fn lines(entries: &[NumberedEvent], line: impl Fn(&NumberedEvent) -> String) -> String {
    entries
        .iter()
        .map(|entry| format!("{}\n", line(entry)))
        .collect()
}
