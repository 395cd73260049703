//! Accounts are committed apart, so that they could be divided among nodes (`docs/decisions/shared-log.md`): the test
//! finds a group of writes that joins two of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use switchboard_actors::domain::account::credentials::Credentials;
use switchboard_actors::domain::account::roles::Roles;
use switchboard_actors::domain::account::users::Users;
use switchboard_actors::domain::conversation::{Conversation, ConversationEvent};
use switchboard_actors::domain::crm::Crm;
use switchboard_actors::domain::delivery_queue::{QueueEvent, StoredQueue};
use switchboard_actors::domain::id::{AccountId, ConversationId};
use switchboard_actors::domain::kinds;
use switchboard_actors::domain::oauth::grants::Grants;
use switchboard_actors::domain::scope::Scope;
use switchboard_actors::domain::webhooks::Webhooks;
use switchboard_engine::state::State;
use switchboard_engine::store::disk::Disk;
use switchboard_engine::store::frontier::Frontier;
use switchboard_engine::store::reader::JournalReader;
use switchboard_engine::store::recovery::{RecoveryBounds, recover};
use switchboard_engine::store::{ReadJournal, Record, Seq};
use switchboard_engine::testkit::FaultyDisk;

/// The owner of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Owner {
    Account(AccountId),
    /// All accounts share it.
    Installation,
}

/// A group that joins two owners; `None`: there is none on this disk.
pub(crate) fn joined(disk: &FaultyDisk) -> Option<String> {
    let disk: Arc<dyn Disk> = Arc::new(disk.copy());
    let tail = recover(&*disk, RecoveryBounds::default()).unwrap();
    let journal = JournalReader::new(disk, Frontier::at(tail.position));
    let records: BTreeMap<Seq, Record> = journal
        .scan(None)
        .map(|found| found.unwrap().1)
        .map(|record| (record.seq, record))
        .collect();
    let talks = talks(records.values());
    let mut from = None;
    while let Some(group) = journal.groups(from, 0).unwrap() {
        from = Some(group.next);
        let group: Vec<_> = records
            .range(group.first..=group.last)
            .map(|it| it.1)
            .collect();
        let owners: BTreeSet<_> = group.iter().map(|record| owner(record, &talks)).collect();
        if owners.len() > 1 && !group.iter().all(|record| is_replayed(record)) {
            let kinds: Vec<_> = group.iter().map(|record| record.stream.code()).collect();
            let first = group.first().map(|record| record.seq.0);
            return Some(format!(
                "the group of record {first:?} (kinds {kinds:?}) joins {owners:?}"
            ));
        }
    }
    None
}

/// The account of each conversation, by the record that begins it.
fn talks<'r>(records: impl Iterator<Item = &'r Record>) -> BTreeMap<ConversationId, AccountId> {
    let mut talks = BTreeMap::new();
    for record in records {
        let Some(id) = Conversation::id_of(&record.stream) else {
            continue;
        };
        let event: ConversationEvent = serde_json::from_slice(&record.event).unwrap();
        if let Some(scope) = event.scope() {
            talks.entry(id).or_insert(scope.account());
        }
    }
    talks
}

fn owner(record: &Record, talks: &BTreeMap<ConversationId, AccountId>) -> Owner {
    let stream = &record.stream;
    let talk = Conversation::id_of(stream).or_else(|| StoredQueue::id_of(stream));
    if let Some(talk) = talk {
        return Owner::Account(talks[&talk]);
    }
    let account = if stream.is(kinds::SCOPE) {
        Scope::id_of(stream).map(|scope| scope.account())
    } else if stream.is(kinds::CRM) {
        Crm::id_of(stream)
    } else if stream.is(kinds::USERS) {
        Users::id_of(stream)
    } else if stream.is(kinds::ROLES) {
        Roles::id_of(stream)
    } else if stream.is(kinds::CREDENTIALS) {
        Credentials::id_of(stream).map(|holder| holder.account)
    } else if stream.is(kinds::OAUTH_GRANTS) {
        Grants::id_of(stream)
    } else if stream.is(kinds::WEBHOOKS) {
        Webhooks::id_of(stream)
    } else {
        return Owner::Installation;
    };
    Owner::Account(account.unwrap())
}

/// A page of callbacks that are sent again, of any accounts: the one exception. Each partition would have pages of its own.
fn is_replayed(record: &Record) -> bool {
    StoredQueue::id_of(&record.stream).is_some()
        && matches!(
            serde_json::from_slice(&record.event).unwrap(),
            QueueEvent::Replayed { .. }
        )
}

#[cfg(test)]
mod tests {
    use switchboard_engine::entries::IndexEntries;
    use switchboard_engine::store::committer::Journal;
    use switchboard_engine::store::committer::config::{JournalConfig, Threading};
    use switchboard_engine::store::{Batch, CommitSink, Epoch, NewRecord, RecordGroup};

    use super::*;

    #[derive(Debug)]
    struct Silence;

    impl CommitSink for Silence {
        fn committed(&self, _: Batch) {}
    }

    /// A disk with one group that has a record of the CRM of each of these accounts.
    fn group_of(accounts: &[u8]) -> FaultyDisk {
        let disk = FaultyDisk::default();
        let shared: Arc<dyn Disk> = Arc::new(disk.clone());
        let tail = recover(&*shared, RecoveryBounds::default()).unwrap();
        let config = JournalConfig {
            threading: Threading::Inline,
            ..JournalConfig::default()
        };
        let frontier = Frontier::at(tail.position);
        let journal = Journal::open(shared, &tail, frontier, config, Arc::new(Silence)).unwrap();
        let record = |byte: &u8| NewRecord {
            stream: Crm::stream(&AccountId::from_random([*byte; 16])),
            event: b"{}".to_vec(),
            blob: bytes::Bytes::new(),
            entries: IndexEntries::default(),
        };
        let group = RecordGroup {
            records: accounts.iter().map(record).collect(),
            notices: Vec::new(),
        };
        journal.submit(Epoch(0), group).unwrap();
        journal.close();
        disk
    }

    #[test]
    fn a_group_that_joins_two_accounts_is_found() {
        assert_eq!(joined(&group_of(&[1, 1])), None);
        let root = joined(&group_of(&[1, 2])).unwrap();
        assert!(root.contains("record Some(1)"), "{root}");
    }
}
