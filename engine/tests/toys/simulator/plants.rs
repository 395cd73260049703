//! Faults that are planted to see whether the simulator sees them.

use serde_json::Value;
use switchboard_engine::stream::StreamKind;
use switchboard_engine::testkit::simulation::DiskContent;
use switchboard_engine::testkit::simulation::history::{Page, read, rewritten};

use crate::product::kinds;

/// A planted fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plant {
    /// The disk says that it has synced, and has not.
    LyingDisk,
    /// Answers leave before their records are on disk.
    AnswersBeforeTheDisk,
    /// A record that was acknowledged is gone.
    ForgottenAcknowledgement,
    /// A record is there twice.
    Doubled,
    /// The first owner's part of a change is gone.
    SecondHalfOnly,
    /// The second owner's part of a change is gone.
    FirstHalfOnly,
    /// Two records of a stream have changed places.
    Swapped,
    /// A record has the bytes of another.
    StrangeBytes,
}

impl Plant {
    pub(crate) const ALL: [Self; 8] = [
        Self::LyingDisk,
        Self::AnswersBeforeTheDisk,
        Self::ForgottenAcknowledgement,
        Self::Doubled,
        Self::SecondHalfOnly,
        Self::FirstHalfOnly,
        Self::Swapped,
        Self::StrangeBytes,
    ];

    /// Returns the stored content with this fault in it; `None` when there is nothing yet that could be changed so.
    pub(crate) fn change(self, stored: &DiskContent) -> Option<DiskContent> {
        if matches!(self, Self::LyingDisk | Self::AnswersBeforeTheDisk) {
            // It is planted elsewhere, and may leave what cannot be read.
            return None;
        }
        let mut pages = read(&stored.disk);
        match self {
            Self::LyingDisk | Self::AnswersBeforeTheDisk => {}
            Self::ForgottenAcknowledgement => {
                let place = find(&pages, kinds::LIST, |_| true)?;
                pages.remove(place);
            }
            Self::Doubled => {
                let place = find(&pages, kinds::DEPOT, |_| true)?;
                pages.insert(place + 1, pages[place].clone());
            }
            Self::SecondHalfOnly => {
                let place = find(&pages, kinds::DEPOT, |event| !event["shop"].is_null())?;
                pages.remove(place);
            }
            Self::FirstHalfOnly => {
                let place = find(&pages, kinds::SHOP, |event| !event["depot"].is_null())?;
                pages.remove(place);
            }
            Self::Swapped => {
                let later = find(&pages, kinds::LIST, |_| true)?;
                let stream = pages[later].record.stream.clone();
                let other = pages[later].event["request"].clone();
                let earlier = pages[..later].iter().rposition(|page| {
                    page.record.stream == stream && page.event["request"] != other
                })?;
                pages.swap(earlier, later);
            }
            Self::StrangeBytes => {
                let place = pages
                    .iter()
                    .rposition(|page| !page.record.blob.is_empty())?;
                pages[place].record.blob = b"strange".as_slice().into();
            }
        }
        Some(rewritten(stored, &pages))
    }
}

/// The last record of this kind that is so.
fn find(pages: &[Page], kind: StreamKind, is_it: impl Fn(&Value) -> bool) -> Option<usize> {
    pages
        .iter()
        .rposition(|page| page.record.stream.is(kind) && is_it(&page.event))
}
