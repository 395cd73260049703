//! Every record of every segment, past any damage: what is behind a bad place is looked for and read as well.

mod gaps;

use std::collections::BTreeMap;
use std::io;

use super::VerifyProgress;
use super::report::{Damage, FileReport, FileState, RESTORE, Touched};
use super::touched::{Describe, look_through, stream_at};
use crate::store::Seq;
use crate::store::disk::Disk;
use crate::store::record::{Payload, Raw, RecordError, RecordKind};
use crate::store::recovery::witness;
use crate::store::schema::Schema;
use crate::store::segment::cursor::{CursorError, RecordCursor};
use crate::store::segment::{self, FIRST_OFFSET, Segment};
use crate::stream::StreamKey;

/// Progress is reported each time so many bytes were read.
const TOLD_EVERY: u64 = 4 << 20;

/// The walk through all segments.
pub(super) struct JournalCheck<'a> {
    disk: &'a dyn Disk,
    schema: &'a Schema,
    describe: &'a mut dyn Describe,
    hear: &'a mut dyn FnMut(&VerifyProgress),
    /// The number due next; not known before the first segment.
    due: Option<Seq>,
    /// The highest number that something readable claims to be on disk.
    proven: Seq,
    done: u64,
    told: u64,
    total: u64,
    found: JournalFindings,
}

/// The result of the walk.
#[derive(Default)]
pub(super) struct JournalFindings {
    pub(super) files: Vec<FileReport>,
    /// The number of readable records.
    pub(super) records: u64,
    /// The number of erased records among them.
    pub(super) erased: u64,
    /// The length of each segment.
    pub(super) ends: BTreeMap<u32, u64>,
    /// Streams of damaged records, by the place of their damage in `files`.
    streams: Vec<(usize, usize, StreamKey, bool)>,
}

/// The state of the walk through one segment.
struct At {
    file: usize,
    length: u64,
    newest: bool,
    /// Behind the last complete group, and the number due there.
    whole_end: u64,
    whole_next: Seq,
}

impl<'a> JournalCheck<'a> {
    /// A walk that knows from the index that everything up to `proven` was on disk.
    pub(super) fn new(
        disk: &'a dyn Disk,
        schema: &'a Schema,
        proven: Seq,
        describe: &'a mut dyn Describe,
        hear: &'a mut dyn FnMut(&VerifyProgress),
    ) -> Self {
        Self {
            disk,
            schema,
            describe,
            hear,
            due: None,
            proven,
            done: 0,
            told: 0,
            total: 0,
            found: JournalFindings::default(),
        }
    }

    pub(super) fn run(mut self) -> io::Result<JournalFindings> {
        let segments = segment::list(self.disk)?;
        for number in &segments {
            let length = self.disk.open(&segment::name(*number))?.length()?;
            self.total = self.total.saturating_add(length);
            self.found.ends.insert(*number, length);
        }
        let (Some(oldest), Some(newest)) = (segments.first(), segments.last()) else {
            if self.proven > Seq(0) {
                let reason = format!("it is missing, though record {} was on disk", self.proven.0);
                let file = segment::name(1);
                self.found.files.push(FileReport::damaged(file, 0, reason));
            }
            return Ok(self.found);
        };
        for number in *oldest..=*newest {
            if segments.contains(&number) {
                self.segment(number, number == *newest)?;
            } else {
                let reason = "it is missing between older and newer segments";
                let file = FileReport::damaged(segment::name(number), 0, reason);
                self.found.files.push(file);
                // What the next segment begins with is due then.
                self.due = None;
            }
        }
        self.name_the_touched()?;
        Ok(self.found)
    }

    fn segment(&mut self, number: u32, newest: bool) -> io::Result<()> {
        let name = segment::name(number);
        let length = self.found.ends.get(&number).copied().unwrap_or_default();
        let result = Segment::open(self.disk, number)?;
        self.report_progress(&name);
        let segment = match result {
            Ok(segment) => segment,
            Err(bad) => {
                self.without_header(number, newest, length, bad);
                self.due = None;
                self.done = self.done.saturating_add(length);
                return Ok(());
            }
        };
        let first = segment.header.first;
        match self.due {
            Some(due) if due != first => self.blame_older(number, due, first),
            None if self.found.files.is_empty() && first != Seq(1) => self.headless(number, first),
            Some(_) | None => {}
        }
        let file = self.found.files.len();
        self.found
            .files
            .push(FileReport::sound(&name, length, String::new()));
        let mut at = At {
            file,
            length,
            newest,
            whole_end: u64::from(FIRST_OFFSET),
            whole_next: first,
        };
        let (records_before, erased_before) = (self.found.records, self.found.erased);
        self.records(&segment, &mut at)?;
        let count = self.found.records.saturating_sub(records_before);
        let erased_count = self.found.erased.saturating_sub(erased_before);
        let last = at.whole_next.0.saturating_sub(1);
        if let Some(report) = self.found.files.get_mut(file) {
            report.note = match (report.state, count) {
                (_, 0) => "no records".to_owned(),
                (FileState::Damaged, count) => format!("{count} records can be read"),
                (_, _) if erased_count > 0 => {
                    format!(
                        "records {} to {last}, {erased_count} of them erased",
                        first.0
                    )
                }
                _ => format!("records {} to {last}", first.0),
            };
        }
        Ok(())
    }

    /// All records of a segment.
    fn records(&mut self, segment: &Segment, at: &mut At) -> io::Result<()> {
        let name = segment::name(segment.header.number);
        let mut due = at.whole_next;
        let mut cursor = RecordCursor::new(segment, at.whole_end, at.length);
        let (begun, length) = (self.done, at.length);
        loop {
            let offset = cursor.offset();
            let defect = match cursor.next() {
                Ok(None) => break,
                Ok(Some(raw)) => match self.record(raw, due, at.file, offset) {
                    Ok(kind) => {
                        if kind.is_numbered() {
                            due = Seq(due.0.saturating_add(1));
                        }
                        if kind.closes_group() {
                            at.whole_end = cursor.offset();
                            at.whole_next = due;
                        }
                        None
                    }
                    Err(defect) => Some(defect),
                },
                Err(CursorError::Defect(defect)) => Some(defect),
                Err(CursorError::Io(error)) => return Err(error),
            };
            self.done = begun.saturating_add(cursor.offset());
            if self.done.saturating_sub(self.told) > TOLD_EVERY {
                self.report_progress(&name);
            }
            if let Some(defect) = defect {
                let Some((offset, next)) = self.defect(segment, at, offset, due, defect)? else {
                    break;
                };
                due = next;
                (at.whole_end, at.whole_next) = (offset, next);
                cursor = RecordCursor::new(segment, offset, at.length);
            }
        }
        self.end(segment, at)?;
        self.done = begun.saturating_add(length);
        self.due = Some(at.whole_next);
        Ok(())
    }

    /// Checks that a record is the one that is due, and that its event can be understood.
    fn record(
        &mut self,
        raw: Raw<'_>,
        due: Seq,
        file: usize,
        offset: u64,
    ) -> Result<RecordKind, RecordError> {
        let is_numbered = raw.head.kind.is_numbered();
        let due_number = due.0.saturating_sub(u64::from(!is_numbered));
        if raw.head.seq.0 != due_number {
            return Err(RecordError::Number {
                expected: due_number,
                found: raw.head.seq.0,
            });
        }
        let is_erased = raw.head.kind.is_erased();
        self.found.erased = self.found.erased.saturating_add(u64::from(is_erased));
        self.found.records = self.found.records.saturating_add(u64::from(is_numbered));
        if is_numbered && !is_erased {
            let record = Payload::parse(raw.payload)?.to_record(raw.head.seq);
            if let Err(reason) = self.schema.reads(&record.stream, &record.event) {
                let damage = Damage {
                    offset,
                    records: Some((record.seq, record.seq)),
                    ..Damage::whole(0, format!("its checksum is right, but {reason}"), RESTORE)
                };
                self.note(file, damage, Some((record.stream, true)));
            } else {
                self.describe.read(&record);
            }
        }
        self.proven = self.proven.max(raw.head.durable_upto);
        Ok(raw.head.kind)
    }

    /// Judges a bad place, and returns where the walk goes on and with which number; `None`: nowhere.
    fn defect(
        &mut self,
        segment: &Segment,
        at: &mut At,
        offset: u64,
        due: Seq,
        defect: RecordError,
    ) -> io::Result<Option<(u64, Seq)>> {
        if at.newest && defect.can_be_torn() && witness::is_blank(segment, offset, at.length)? {
            // Prepared for the next batches: the records end here.
            at.length = offset;
            return Ok(None);
        }
        if at.newest
            && at.whole_next > self.proven
            && defect.can_be_torn()
            && witness::find(segment, offset, at.length, at.whole_next)?.is_none()
        {
            return Ok(None);
        }
        let again = witness::next_record(segment, offset.saturating_add(1), at.length, due)?;
        let end = again.map_or(at.length, |(end, _)| end);
        let records = match again {
            Some((_, next)) if next > due => Some((due, Seq(next.0.saturating_sub(1)))),
            Some(_) => None,
            None => Some((due, due.max(self.proven))),
        };
        let damage = Damage {
            offset,
            records,
            ..Damage::whole(end.saturating_sub(offset), defect.to_string(), RESTORE)
        };
        let stream = stream_at(segment, offset, end, self.schema)?;
        self.note(at.file, damage, stream.map(|stream| (stream, false)));
        if again.is_none() {
            // Nothing more is reported of the bytes behind the bad place.
            (at.whole_end, at.whole_next) =
                (at.length, Seq(self.proven.0.saturating_add(1)).max(due));
        }
        Ok(again)
    }

    /// Judges what lies behind the last complete group.
    fn end(&mut self, segment: &Segment, at: &At) -> io::Result<()> {
        let rest = at.length.saturating_sub(at.whole_end);
        let short = at.newest && at.whole_next <= self.proven;
        if rest == 0 && !short {
            return Ok(());
        }
        let torn = at.newest
            && !short
            && witness::find(segment, at.whole_end, at.length, at.whole_next)?.is_none();
        let reason = if torn {
            "a group that was never finished, and never promised".to_owned()
        } else if short {
            format!("it ends here, though record {} was on disk", self.proven.0)
        } else {
            "the last group is not complete".to_owned()
        };
        let advice = if torn {
            "nothing to do: the next start cuts it off"
        } else {
            RESTORE
        };
        let damage = Damage {
            offset: at.whole_end,
            records: short.then_some((at.whole_next, self.proven)),
            ..Damage::whole(rest, reason, advice)
        };
        let state = if torn {
            FileState::Torn
        } else {
            FileState::Damaged
        };
        if let Some(file) = self.found.files.get_mut(at.file) {
            file.add(state, damage);
        }
        Ok(())
    }

    fn note(&mut self, file: usize, damage: Damage, stream: Option<(StreamKey, bool)>) {
        let Some(report) = self.found.files.get_mut(file) else {
            return;
        };
        report.add(FileState::Damaged, damage);
        if let Some((stream, certain)) = stream {
            let place = report.damage.len().saturating_sub(1);
            self.found.streams.push((file, place, stream, certain));
        }
    }

    /// Says whose the damaged records are, as far as that stands in other records.
    fn name_the_touched(&mut self) -> io::Result<()> {
        let streams = std::mem::take(&mut self.found.streams);
        if streams.is_empty() {
            return Ok(());
        }
        let lost_streams = streams.iter().map(|(_, _, stream, _)| stream.clone());
        self.describe.lost(&lost_streams.collect());
        let segments = self.found.ends.keys().copied();
        look_through(self.disk, segments, self.describe)?;
        for (file, place, stream, certain) in streams {
            let report = self.found.files.get_mut(file);
            if let Some(damage) = report.and_then(|report| report.damage.get_mut(place)) {
                let (name, owner) = self.describe.describe(&stream);
                damage.touched.push(Touched {
                    stream: name,
                    owner,
                    certain,
                });
            }
        }
        Ok(())
    }

    fn report_progress(&mut self, name: &str) {
        self.told = self.done;
        (self.hear)(&VerifyProgress {
            file: name.to_owned(),
            done: self.done,
            total: self.total,
        });
    }
}
