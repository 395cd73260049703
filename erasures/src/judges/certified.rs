//! An erasure with its certificate, and the note for the files that go with it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::certificate::Certificate;
use crate::judges::group::Group;
use crate::judges::judge::replaced;
use crate::judges::tally::Tally;
use crate::{Erasure, ErasureState, ErasuresEvent};
use switchboard_domain::audit::AuditEntry;
use switchboard_domain::id::{AccountId, MediaId};
use switchboard_domain::time::UnixMillis;
use switchboard_engine::store::Record;
use switchboard_engine::store::erasure::list::RecordRanges;
use switchboard_engine::store::erasure::{Fate, ListHead};

/// A note in the list of an erasure, for the part of the product that keeps files: the files that it is to remove.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErasureNote {
    /// The account of the files; `None`: any.
    pub account: Option<AccountId>,
    /// True when all files of the account are to be removed.
    pub all_files: bool,
    /// The files.
    pub files: BTreeSet<MediaId>,
}

/// An erasure with its certificate.
pub struct CertifiedErasure {
    /// The erasure in its last state.
    erasure: Erasure,
    certificate: Certificate,
    note: ErasureNote,
}

impl CertifiedErasure {
    /// Certifies the erasures of a group that has judged all records.
    #[must_use]
    pub fn all_in(group: &Group, now: UnixMillis) -> Vec<Self> {
        let tallies = group.tallies().into_iter();
        tallies
            .map(|(erasure, tally, judge)| {
                let certificate = certificate(erasure, &tally, now);
                let certified = Erasure {
                    target: erasure.target.clone().without_person(tally.contact),
                    state: ErasureState::Done {
                        certificate: Box::new(certificate.clone()),
                    },
                    ..erasure.clone()
                };
                let note = ErasureNote {
                    account: erasure.target.account(),
                    all_files: judge.whole_account().is_some(),
                    files: tally.files,
                };
                Self {
                    erasure: certified,
                    certificate,
                    note,
                }
            })
            .collect()
    }

    /// The number of the erasure.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.erasure.number
    }

    /// The certificate alone.
    #[must_use]
    pub fn into_certificate(self) -> Certificate {
        self.certificate
    }

    /// The first line of the list of the records that this erasure changes.
    #[must_use]
    pub fn head(&self) -> ListHead {
        ListHead {
            number: u32::try_from(self.erasure.number).unwrap_or(u32::MAX),
            note: serde_json::to_string(&self.note).unwrap_or_default(),
        }
    }

    /// Replaces the record of the order by one with the certificate. `place` is the place of the erasure in its group.
    #[must_use]
    pub fn fate(&self, place: usize, record: &Record, audit: Box<AuditEntry>) -> Option<Fate> {
        let erasure = Box::new(self.erasure.clone());
        let event = ErasuresEvent::Ordered { erasure, audit };
        Some(Fate {
            verdict: replaced(record, &event).ok()?,
            by: vec![place],
        })
    }
}

fn certificate(erasure: &Erasure, tally: &Tally, at: UnixMillis) -> Certificate {
    let ranges = |ranges: &RecordRanges| serde_json::to_string(ranges).unwrap_or_default();
    let certificate = Certificate {
        at,
        counts: tally.counts,
        erased_records: tally.erased_records,
        masked_records: tally.masked_records,
        not_searched: erasure.target.not_searched(),
        hash: String::new(),
    };
    let (erased, masked) = (ranges(&tally.erased), ranges(&tally.masked));
    certificate.sealed(erasure.number, &erased, &masked)
}
