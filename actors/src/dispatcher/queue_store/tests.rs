//! A message counts as inherited if it was queued before this process started, whenever the dispatcher's thread begins.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::State as _;
use switchboard_engine::store::{NewRecord, RecordGroup};

use super::*;
use crate::domain::conversation::Conversation;
use crate::domain::dispatch::outcome::Outcome;
use crate::domain::dispatch::record::AttemptTrace;
use crate::system::System;
use switchboard_runtime::config::SystemConfig;
use switchboard_runtime::port::{Attempt, CallbackSender, HookAttempt, Ports};

/// A sender with nothing to send.
#[derive(Debug)]
struct Unused;

impl CallbackSender for Unused {
    fn send(&self, _: Attempt) -> Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>> {
        Box::pin(std::future::pending())
    }

    fn send_hook(&self, _: HookAttempt) -> Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>> {
        Box::pin(std::future::pending())
    }
}

fn start(ports: &Ports) -> System {
    System::start(SystemConfig::default(), ports.clone()).unwrap()
}

fn conversation() -> ConversationId {
    ConversationId::from_bytes([7; 16])
}

/// Stores a record that is found as this outgoing message.
async fn store(kernel: &Kernel, number: OutNumber) {
    let mut entries = IndexEntries::default();
    entries.key(keys::outgoing(conversation(), number.0));
    let record = NewRecord {
        stream: Conversation::stream(&conversation()),
        event: b"{}".to_vec(),
        blob: Bytes::new(),
        entries,
    };
    let group = RecordGroup {
        records: vec![record],
        notices: Vec::new(),
    };
    let epoch = kernel.journal.epoch();
    let submitted = kernel.journal.submit(epoch, group).unwrap();
    kernel.journal.durable(submitted.last, epoch).await.unwrap();
    kernel.index.indexed(submitted.last).await;
}

fn is_inherited(queue_store: &QueueStore, number: u64) -> bool {
    queue_store
        .is_inherited(conversation(), OutNumber(number))
        .unwrap()
}

#[actix::test]
async fn a_message_is_inherited_by_later_processes_alone() {
    let ports = Ports::memory(Arc::new(Unused)).unwrap();
    let system = start(&ports);
    store(system.kernel(), OutNumber(1)).await;
    // The thread of the dispatcher gets to it only now.
    let queue_store = QueueStore::new(system.kernel().clone());
    assert!(!is_inherited(&queue_store, 1));
    assert!(is_inherited(&queue_store, 2), "nothing is known of it");
    system.shutdown(Duration::from_secs(60)).await;

    let system = start(&ports);
    store(system.kernel(), OutNumber(2)).await;
    let queue_store = QueueStore::new(system.kernel().clone());
    assert!(is_inherited(&queue_store, 1));
    assert!(!is_inherited(&queue_store, 2));
    system.shutdown(Duration::from_secs(60)).await;
}
