//! Erasures that are carried out together: all of them look at each record in the same pass, and each judges by itself.
//!
//! The fate of a record follows from all verdicts: it is erased if one of them says so, and says less if several mask
//! something in it. Each erasure counts the records that it alone calls for.

use std::collections::BTreeSet;

use crate::judges::account::AccountJudge;
use crate::judges::customer::CustomerJudge;
use crate::judges::judge::{Judge, Look};
use crate::judges::record::{DecodeError, Reading, erasure_event};
use crate::judges::relayed_conversation::RelayedConversationJudge;
use crate::judges::retention::RetentionJudge;
use crate::judges::survey::Surveys;
use crate::judges::tally::{Tally, files_in};
use crate::{Erasure, ErasuresEvent, Target};
use switchboard_domain::id::MediaId;
use switchboard_engine::store::erasure::{Fate, Verdict};
use switchboard_engine::store::{Record, Seq};

/// Begins a pass over all records, as often as the judges need one.
pub type Scan<'s, E> = &'s dyn Fn() -> Box<dyn Iterator<Item = Result<Record, E>> + 's>;

/// Erasures that are carried out together, up to the same record.
pub struct Group {
    members: Vec<Member>,
    surveys: Surveys,
    upto: Option<Seq>,
    /// The files that the records that stay mention.
    kept_files: BTreeSet<MediaId>,
    failed: Vec<(u64, DecodeError)>,
    /// The first record that orders one of them.
    first_order: Option<Seq>,
}

/// An erasure of a group.
struct Member {
    erasure: Erasure,
    judge: Box<dyn Judge>,
    tally: Tally,
}

/// The judge of a target, before the first look.
fn judge_for(target: &Target) -> Box<dyn Judge> {
    match target {
        Target::Customer(customer) => Box::new(CustomerJudge::new(*customer)),
        Target::Account { account } => Box::new(AccountJudge::new(*account)),
        Target::Messages { rules } => Box::new(RetentionJudge::new(rules.clone())),
        Target::RelayedConversation { chats } => Box::new(RelayedConversationJudge::new(chats)),
    }
}

impl Group {
    /// Begins these erasures. All of them go up to the record `upto`; `None`: to the last one.
    #[must_use]
    pub fn new(erasures: Vec<Erasure>, upto: Option<Seq>) -> Self {
        let accounts = erasures.iter().filter_map(|it| it.target.account());
        let surveys = Surveys::new(accounts);
        let member = |erasure: Erasure| Member {
            judge: judge_for(&erasure.target),
            tally: Tally::default(),
            erasure,
        };
        Self {
            surveys,
            members: erasures.into_iter().map(member).collect(),
            upto,
            kept_files: BTreeSet::new(),
            failed: Vec::new(),
            first_order: None,
        }
    }

    /// Looks at these records, so that the judges can judge. False: the judges would decide otherwise now on records that they
    /// judged before.
    ///
    /// # Errors
    /// The first error of the scan.
    pub fn look<E>(&mut self, scan: Scan<'_, E>) -> Result<bool, E> {
        let mut holds = true;
        for look in Look::ALL {
            for record in self.until(scan) {
                let record = record?;
                self.look_at(look, &record);
            }
            holds &= self.settle(look);
        }
        Ok(holds)
    }

    fn look_at(&mut self, look: Look, record: &Record) {
        let reading = Reading::new(record);
        if look == Look::First {
            self.surveys.look(&reading);
            self.note_order(record);
        }
        let mut failures = Vec::new();
        for (place, member) in self.members.iter_mut().enumerate() {
            if let Err(failure) = member.judge.look(look, &reading) {
                failures.push((place, failure));
            }
        }
        for (place, failure) in failures.into_iter().rev() {
            self.fail(place, failure);
        }
    }

    fn note_order(&mut self, record: &Record) {
        if let Some(ErasuresEvent::Ordered { erasure, .. }) = erasure_event(record)
            && self.numbers().any(|number| number == erasure.number)
        {
            self.first_order.get_or_insert(record.seq);
        }
    }

    fn settle(&mut self, look: Look) -> bool {
        let unsurveyed = |member: &Member| {
            let account = member.erasure.target.account()?;
            self.surveys.failure(account).cloned()
        };
        let failures: Vec<_> = self.members.iter().map(unsurveyed).collect();
        for (place, failure) in failures.into_iter().enumerate().rev() {
            if let Some(failure) = failure {
                self.fail(place, failure);
            }
        }
        let mut holds = true;
        for member in &mut self.members {
            holds &= member.judge.settle(look, &self.surveys);
        }
        holds
    }

    /// Judges a record that stands behind all that were judged before; `None`: one of the erasures failed.
    pub fn fate(&mut self, record: &Record) -> Option<Fate> {
        match self.try_fate(record) {
            Ok(fate) => Some(fate),
            Err((place, failure)) => {
                self.fail(place, failure);
                None
            }
        }
    }

    fn try_fate(&mut self, record: &Record) -> Result<Fate, (usize, DecodeError)> {
        let mut files = files_in(&record.event);
        files.extend(files_in(&record.blob));
        if self.upto.is_some_and(|upto| record.seq > upto) {
            self.kept_files.extend(files);
            return Ok(Fate::kept());
        }
        let mut reading = Reading::new(record);
        let mut fate = Fate::kept();
        for (place, member) in self.members.iter_mut().enumerate() {
            let verdict = member.judge.verdict(&reading);
            match verdict.map_err(|failure| (place, failure))? {
                Verdict::Keep => continue,
                Verdict::Erase => {
                    member.tally.take(record.seq, true, &files);
                    fate.verdict = Verdict::Erase;
                }
                Verdict::Replace { event, blob } => {
                    member.tally.take(record.seq, false, &files);
                    reading = Reading::changed(Record {
                        event: event.clone().into(),
                        blob: blob.clone(),
                        ..record.clone()
                    });
                    if fate.verdict != Verdict::Erase {
                        fate.verdict = Verdict::Replace { event, blob };
                    }
                }
            }
            fate.by.push(place);
        }
        match &fate.verdict {
            Verdict::Keep => self.kept_files.extend(files),
            Verdict::Erase => {}
            Verdict::Replace { event, blob } => {
                self.kept_files.extend(files_in(event));
                self.kept_files.extend(files_in(blob));
            }
        }
        Ok(fate)
    }

    /// A copy with the same judges, which have judged the same records.
    #[must_use]
    pub fn copy(&self) -> Self {
        let member = |member: &Member| Member {
            erasure: member.erasure.clone(),
            judge: member.judge.copy(),
            tally: member.tally.clone(),
        };
        Self {
            members: self.members.iter().map(member).collect(),
            surveys: Surveys::new(std::iter::empty()),
            upto: self.upto,
            kept_files: self.kept_files.clone(),
            failed: Vec::new(),
            first_order: self.first_order,
        }
    }

    /// Goes on with the judges and tallies of a copy, which has judged more records.
    pub fn judge_as(&mut self, copy: Self) {
        self.members = copy.members;
        self.kept_files = copy.kept_files;
    }

    /// The same erasures, each as a group of its own.
    pub fn apart(&self) -> impl Iterator<Item = Self> + '_ {
        (0..self.members.len()).map(|place| {
            let mut alone = self.copy();
            alone.members = alone.members.into_iter().skip(place).take(1).collect();
            alone
        })
    }

    /// The extents of the erasures when all records are judged, in their order.
    pub(super) fn tallies(&self) -> Vec<(&Erasure, Tally, &dyn Judge)> {
        let members = self.members.iter();
        members
            .map(|member| {
                let judge = member.judge.as_ref();
                let tally = member.tally.clone().finished(judge, &self.kept_files);
                (&member.erasure, tally, judge)
            })
            .collect()
    }

    /// The extent of the only erasure of a group when all records are judged, or the record that it could not decode.
    ///
    /// # Errors
    /// When the erasure failed.
    pub fn tally(&self) -> Result<Tally, DecodeError> {
        if let Some((_, undecodable)) = self.failed.first() {
            return Err(undecodable.clone());
        }
        let tally = self.tallies().into_iter().next();
        Ok(tally.map_or_else(Tally::default, |(_, tally, _)| tally))
    }

    /// Drops an erasure that cannot be carried out; the others go on without it.
    fn fail(&mut self, place: usize, failure: DecodeError) {
        if place < self.members.len() {
            let member = self.members.remove(place);
            self.failed.push((member.erasure.number, failure));
        }
    }

    /// The numbers of the erasures that failed, each with the record that it could not decode.
    #[must_use]
    pub fn failed(&self) -> &[(u64, DecodeError)] {
        &self.failed
    }

    /// Drops the erasures that failed in a copy.
    pub fn fail_as(&mut self, copy: &Self) {
        for (number, failure) in copy.failed() {
            let place = self.numbers().position(|it| it == *number);
            if let Some(place) = place {
                self.fail(place, failure.clone());
            }
        }
    }

    /// The numbers of the erasures.
    pub fn numbers(&self) -> impl Iterator<Item = u64> + '_ {
        self.members.iter().map(|member| member.erasure.number)
    }

    /// Returns whether every erasure failed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Returns whether the group has more than one erasure.
    #[must_use]
    pub fn is_plural(&self) -> bool {
        self.members.len() > 1
    }

    /// The first record that orders one of the erasures.
    #[must_use]
    pub fn first_order(&self) -> Option<Seq> {
        self.first_order
    }

    /// Ends the erasures at this record, unless they have an end.
    pub fn end_at(&mut self, upto: Option<Seq>) {
        self.upto = self.upto.or(upto);
    }

    /// The records up to the last one that is judged.
    fn until<'s, E>(
        &self,
        scan: Scan<'s, E>,
    ) -> impl Iterator<Item = Result<Record, E>> + use<'s, E> {
        let upto = self.upto;
        let is_judged = move |record: &Result<Record, E>| {
            let seq = record.as_ref().map(|record| record.seq);
            seq.map_or(true, |seq| upto.is_none_or(|upto| seq <= upto))
        };
        scan().take_while(is_judged)
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::{ErasureState, Target};
    use switchboard_domain::audit::By;
    use switchboard_domain::crm::{Crm, CrmEvent};
    use switchboard_domain::id::AccountId;
    use switchboard_domain::time::UnixMillis;
    use switchboard_engine::state::State as _;

    fn erasure(number: u64, account: AccountId) -> Erasure {
        Erasure {
            number,
            target: Target::Account { account },
            by: By::Operator,
            ordered_at: UnixMillis::ZERO,
            upto: None,
            state: ErasureState::Waiting,
        }
    }

    fn record(seq: u64, account: AccountId, event: &str) -> Record {
        Record {
            seq: Seq(seq),
            stream: Crm::stream(&account),
            event: event.to_owned().into(),
            blob: bytes::Bytes::new(),
        }
    }

    /// An erasure that fails does not hold back the others.
    #[test]
    fn an_erasure_fails_by_itself() {
        let [one, other] = [[1; 16], [2; 16]].map(AccountId::from_random);
        let crm_event = serde_json::to_string(&CrmEvent::Begun(Vec::new())).unwrap();
        let records = [
            record(1, one, &crm_event),
            record(2, other, "{\"of a later version\":[]}"),
        ];
        let mut group = Group::new(vec![erasure(7, other), erasure(8, one)], None);
        let scan = || -> Box<dyn Iterator<Item = Result<Record, Infallible>>> {
            Box::new(records.iter().cloned().map(Ok))
        };
        assert!(group.look(&scan).is_ok());
        assert_eq!(group.numbers().collect::<Vec<_>>(), [8]);
        let (number, why) = &group.failed()[0];
        assert_eq!((*number, why.seq), (7, 2));
        let fate = group.fate(&records[0]).unwrap();
        assert_eq!((fate.verdict, fate.by), (Verdict::Erase, vec![0]));
        assert_eq!(group.fate(&records[1]).unwrap(), Fate::kept());
    }

    /// The records behind the last one that the erasures judge stay.
    #[test]
    fn what_comes_behind_the_end_stays() {
        let account = AccountId::from_random([1; 16]);
        let crm_event = serde_json::to_string(&CrmEvent::Begun(Vec::new())).unwrap();
        let mut group = Group::new(vec![erasure(1, account)], Some(Seq(1)));
        let verdicts = [1, 2].map(|seq| group.fate(&record(seq, account, &crm_event)).unwrap());
        assert_eq!(verdicts[0].verdict, Verdict::Erase);
        assert_eq!(verdicts[1], Fate::kept());
    }
}
