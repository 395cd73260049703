//! Gaps: segments without a header, and missing records between those of the segments.

use super::JournalCheck;
use crate::store::Seq;
use crate::store::recovery::error::JournalOpenError;
use crate::store::segment::{self, SegmentHeaderError};
use crate::store::verify::{Damage, FileReport, FileState, RESTORE};

impl JournalCheck<'_> {
    /// A segment that does not begin as one: none of its records can be read.
    pub(super) fn without_header(
        &mut self,
        number: u32,
        newest: bool,
        length: u64,
        bad: SegmentHeaderError,
    ) {
        let reason = JournalOpenError::header(self.disk, number, bad).to_string();
        let mut file = FileReport::sound(segment::name(number), length, "");
        let first_lost = self.due.filter(|due| newest && *due <= self.proven);
        file.add(
            FileState::Damaged,
            Damage {
                records: first_lost.map(|due| (due, self.proven)),
                ..Damage::whole(length, reason, RESTORE)
            },
        );
        self.found.files.push(file);
    }

    /// The oldest segment there is does not begin with record 1: those before it are missing.
    pub(super) fn headless(&mut self, oldest: u32, first: Seq) {
        let older = oldest.saturating_sub(1).max(1);
        let reason = format!(
            "it is missing: the oldest segment, {}, begins with record {}",
            segment::name(oldest),
            first.0
        );
        let mut file = FileReport::sound(segment::name(older), 0, "");
        file.add(
            FileState::Damaged,
            Damage {
                records: Some((Seq(1), Seq(first.0.saturating_sub(1)))),
                ..Damage::whole(0, reason, RESTORE)
            },
        );
        self.found.files.push(file);
    }

    /// The older segment lacks its end, since this one knows what came before it.
    pub(super) fn blame_older(&mut self, number: u32, due: Seq, first: Seq) {
        let older = segment::name(number.saturating_sub(1));
        let length = self.found.ends.get(&number.saturating_sub(1)).copied();
        let reason = format!(
            "it ends before record {}, and the next segment begins with {}",
            due.0, first.0
        );
        let damage = Damage {
            offset: length.unwrap_or_default(),
            records: (due < first).then(|| (due, Seq(first.0.saturating_sub(1)))),
            ..Damage::whole(0, reason, RESTORE)
        };
        let mut files = self.found.files.iter_mut();
        if let Some(file) = files.find(|file| file.file == older) {
            file.add(FileState::Damaged, damage);
        }
    }
}
