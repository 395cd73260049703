//! The parts of a message that were sent, as they are recorded until the last one is.

use std::rc::Rc;

use switchboard_bridge_core::bridge::Bridge;
use switchboard_bridge_core::state::Change;
use switchboard_bridge_core::store::Store;
use switchboard_telegram::outbound::status::Report;

use crate::telegram::Telegram;

/// The parts that were sent, by job and number.
const PARTS: &str = "parts";
/// The value of a part whose sending has begun.
const BEGUN: &str = "begun";
/// An upload of more bytes is not repeated when its answer was lost.
const REPEATED_MAX: u64 = 1 << 20;

/// A part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Waits,
    Begun,
    /// The number of its message; none where Telegram has none.
    Done(Option<i64>),
}

impl Part {
    /// Reads what is recorded of a part.
    fn parse(value: Option<&str>) -> Self {
        match value {
            None => Self::Waits,
            Some(BEGUN) => Self::Begun,
            Some(text) => Self::Done(text.parse().ok()),
        }
    }
}

/// The parts of a message.
#[derive(Default)]
pub(super) struct Progress {
    job: u64,
    parts: Vec<Part>,
}

impl Progress {
    /// Reads what is recorded of so many parts.
    pub(super) fn read(store: &Store, job: u64, count: usize) -> Self {
        let value = |number| store.get(PARTS, &key(job, number));
        Self {
            job,
            parts: (0..count)
                .map(|number| Part::parse(value(number).as_deref()))
                .collect(),
        }
    }

    /// The report of a large file whose sending was under way when the bridge ended.
    pub(super) fn doubt(&self) -> Option<Report> {
        let has_doubt = self.parts.contains(&Part::Begun);
        has_doubt.then(|| {
            let why = "The bridge ended while the file was sent, so it may have arrived or not. Ask the customer before you send it again.";
            Report::new(905, why)
        })
    }

    pub(super) fn has(&self, number: usize) -> bool {
        matches!(self.parts.get(number), Some(Part::Done(_)))
    }

    /// Records that a file of so many bytes begins to be sent, if it is a large one, and returns whether it is.
    pub(super) async fn begin(
        &mut self,
        bridge: &Rc<Bridge<Telegram>>,
        number: usize,
        size: u64,
    ) -> bool {
        let is_large = size > REPEATED_MAX;
        if is_large {
            let change = Change::put(PARTS, key(self.job, number), BEGUN);
            bridge.commit(vec![change]).await;
            self.set(number, Part::Begun);
        }
        is_large
    }

    /// Records that nothing of a part was sent.
    pub(super) async fn take_back(&mut self, bridge: &Rc<Bridge<Telegram>>, number: usize) {
        let change = Change::delete(PARTS, key(self.job, number));
        bridge.commit(vec![change]).await;
        self.set(number, Part::Waits);
    }

    pub(super) fn done(&mut self, number: usize, message: Option<i64>) {
        self.set(number, Part::Done(message));
    }

    /// Records a part that was sent.
    pub(super) async fn store(&self, bridge: &Rc<Bridge<Telegram>>, number: usize) {
        if let Some(Part::Done(message)) = self.parts.get(number) {
            let text = message.map_or_else(|| "-".to_owned(), |it| it.to_string());
            let change = Change::put(PARTS, key(self.job, number), text);
            bridge.commit(vec![change]).await;
        }
    }

    /// The messages of the parts that were sent.
    pub(super) fn messages(&self) -> Vec<i64> {
        let parts = self.parts.iter();
        let messages = parts.filter_map(|part| match part {
            Part::Done(message) => *message,
            Part::Waits | Part::Begun => None,
        });
        messages.collect()
    }

    /// The changes that forget the parts.
    pub(super) fn deletions(&self) -> Vec<Change> {
        let numbers = 0..self.parts.len();
        numbers
            .map(|number| Change::delete(PARTS, key(self.job, number)))
            .collect()
    }

    fn set(&mut self, number: usize, part: Part) {
        if let Some(place) = self.parts.get_mut(number) {
            *place = part;
        }
    }
}

fn key(job: u64, number: usize) -> String {
    format!("{job}/{number}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(values: &[Option<&str>]) -> Progress {
        Progress {
            job: 1,
            parts: values.iter().map(|value| Part::parse(*value)).collect(),
        }
    }

    #[test]
    fn a_large_file_that_was_under_way_is_not_sent_again() {
        let report = progress(&[Some("5"), Some(BEGUN)]).doubt().unwrap();
        assert_eq!(report.code, 905);
        assert!(report.text.contains("may have arrived"));
        assert!(progress(&[Some("5"), Some("-"), None]).doubt().is_none());
    }

    #[test]
    fn parts_that_were_sent_are_not_sent_again() {
        let progress = progress(&[Some("5"), Some("-"), None]);
        let parts: Vec<bool> = (0..4).map(|number| progress.has(number)).collect();
        assert_eq!(parts, [true, true, false, false]);
        assert_eq!(progress.messages(), [5]);
    }
}
