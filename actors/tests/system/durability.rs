//! A command is answered only after its events are stored, and what could not be stored never happened.
use std::time::Duration;

use switchboard_actors::Threads;
use switchboard_actors::domain::chat::delivery::DeliveryStatus;
use switchboard_actors::domain::hook_version::HookVersion;
use switchboard_actors::error::{CommandError, UnavailableError};
use switchboard_actors::system::chat::ConnectRequest;
use switchboard_actors::system::inbox::MessageView;
use switchboard_worlds::receiver::Behaviour;
use switchboard_worlds::{FaultyDisk, Setup, TestMessage, TestSystem, eventually};

use crate::images::PicturedDisk;

fn interrupted<T: std::fmt::Debug, R: std::error::Error>(answer: Result<T, CommandError<R>>) {
    assert!(
        matches!(
            answer,
            Err(CommandError::Unavailable(UnavailableError::Interrupted))
        ),
        "{answer:?}"
    );
}

/// A failed write makes the journal wait for space: it asks for it again after a while.
async fn recovered(test: &TestSystem) {
    eventually(|| test.writable().is_ok()).await;
}

#[actix::test]
async fn acknowledged_requests_survive_every_crash() {
    for threads in [Threads::Here, Threads::Own(2)] {
        let disk = PicturedDisk::default();
        let mut setup = Setup::on_disk(disk.clone());
        setup.config.threads = threads;
        let test = setup.start().await;
        for count in 1..=5_usize {
            let conversation = test
                .customer("bo")
                .says("hello")
                .await
                .unwrap()
                .conversation;
            let replied = test.ada().replies(conversation, "hi").await.unwrap();
            let status = DeliveryStatus::Delivered;
            test.reports(replied.id, status.clone()).await.unwrap();
            for seed in 0..6 {
                let after = Setup::on_disk(disk.crash(seed)).start_bare().unwrap();
                assert!(after.connection(&test.scope).await.unwrap().is_some());
                let messages = after.messages_of(conversation).await;
                assert_eq!(messages.len(), 2 * count);
                let Some(MessageView::Out {
                    afterwards,
                    replied: last,
                    ..
                }) = messages.last()
                else {
                    panic!("the answer and its report are stored: {messages:?}");
                };
                assert_eq!(
                    (Some(&status), replied.id),
                    (afterwards.status.as_ref(), last.id)
                );
                assert_eq!(after.leads().await.len(), 1);
            }
        }
        test.stop().await;
    }
}

#[actix::test]
async fn a_failed_write_interrupts_the_command_without_a_trace() {
    for threads in [Threads::Here, Threads::Own(2)] {
        let disk = FaultyDisk::new();
        let mut setup = Setup::on_disk(disk.clone());
        setup.config.threads = threads;
        let test = setup.start().await;
        let bo = test.customer("bo");
        let conversation = bo.says("stored").await.unwrap().conversation;

        let test_message = bo.message("not stored");
        disk.refuse_writes(true);
        let answer = test.post(&test_message).await;
        disk.refuse_writes(false);
        interrupted(answer);
        // Reading goes on, and sees nothing of it.
        assert_eq!(test.messages_of(conversation).await.len(), 1);
        let view = test.whole().conversation(conversation).await.unwrap();
        assert_eq!(view.unwrap().state.messages, 1);

        recovered(&test).await;
        let acceptance = test.post(&test_message).await.unwrap();
        assert_eq!(
            test.post(&test_message).await.unwrap().message,
            acceptance.message
        );
        assert_eq!(test.messages_of(conversation).await.len(), 2);
        let test = test.restart().await;
        assert_eq!(test.messages_of(conversation).await.len(), 2);
        test.stop().await;
    }
}

#[actix::test]
async fn a_retry_opens_the_lead_that_could_not_be_written() {
    let disk = FaultyDisk::new();
    let test = Setup::on_disk(disk.clone()).start().await;
    let test_message = test.customer("bo").message("hello");
    disk.fail_write(1);
    interrupted(test.post(&test_message).await);
    assert_eq!(test.leads().await, []);
    recovered(&test).await;
    test.post(&test_message).await.unwrap();
    assert_eq!(test.leads().await.len(), 1);
    test.stop().await;
}

#[actix::test]
async fn a_connection_that_could_not_be_written_does_not_exist() {
    let disk = FaultyDisk::new();
    let test = Setup::on_disk(disk.clone()).start().await;
    test.disconnect(&test.scope).await.unwrap();
    disk.fail_write(1);
    let connecting = test
        .connect(&TestSystem::channel_id(), TestSystem::connect_request())
        .await;
    interrupted(connecting);
    assert_eq!(test.connection(&test.scope).await.unwrap(), None);
    recovered(&test).await;
    test.customer("bo").says("hello").await.unwrap_err();
    test.connect(&TestSystem::channel_id(), TestSystem::connect_request())
        .await
        .unwrap();
    test.customer("bo").says("hello").await.unwrap();
    test.stop().await;
}

#[actix::test]
async fn a_disconnect_that_could_not_be_written_has_no_effect() {
    let disk = FaultyDisk::new();
    let test = Setup::on_disk(disk.clone()).start().await;
    disk.fail_write(1);
    assert_eq!(
        test.disconnect(&test.scope).await,
        Err(UnavailableError::Interrupted)
    );
    assert!(test.connection(&test.scope).await.unwrap().is_some());
    recovered(&test).await;
    test.customer("bo").says("hello").await.unwrap();
    test.stop().await;
}

#[actix::test]
async fn a_connection_change_that_could_not_be_written_is_undone() {
    let disk = FaultyDisk::new();
    let test = Setup::on_disk(disk.clone()).start().await;
    disk.fail_write(1);
    let request = ConnectRequest {
        version: HookVersion::V1,
        time_window_disabled: false,
        title: Some("other".to_owned()),
        ..TestSystem::connect_request()
    };
    interrupted(test.connect(&TestSystem::channel_id(), request).await);
    let connection = test.connection(&test.scope).await.unwrap().unwrap();
    assert_eq!(
        (connection.version, connection.title.as_str()),
        (HookVersion::V2, "Messenger")
    );
    test.stop().await;
}

#[actix::test]
async fn a_declaration_that_could_not_be_written_is_undone() {
    let disk = FaultyDisk::new();
    let test = Setup::on_disk(disk.clone()).start().await;
    let before = test.channels();
    let mut channel = TestSystem::channel();
    channel.settings.name = "Other".parse().unwrap();
    disk.fail_write(1);
    assert_eq!(
        test.declare_channel(channel.clone()).await,
        Err(UnavailableError::Interrupted)
    );
    eventually(|| test.channels() == before).await;
    recovered(&test).await;
    test.declare_channel(channel.clone()).await.unwrap();
    assert_eq!(test.channels(), [channel]);
    test.stop().await;
}

#[actix::test]
async fn a_full_disk_refuses_commands_and_reads_continue() {
    let disk = FaultyDisk::new();
    let test = Setup::on_disk(disk.clone()).start().await;
    let conversation = test
        .customer("bo")
        .says("hello")
        .await
        .unwrap()
        .conversation;
    disk.set_quota(Some(0));
    eventually(|| test.writable().is_err()).await;
    let refusal = test.customer("bo").says("more").await;
    assert_eq!(
        refusal,
        Err(CommandError::Unavailable(UnavailableError::DiskFull))
    );
    assert_eq!(test.messages_of(conversation).await.len(), 1);
    disk.set_quota(None);
    eventually(|| test.writable().is_ok()).await;
    test.customer("bo").says("more").await.unwrap();
    assert_eq!(test.messages_of(conversation).await.len(), 2);
    test.stop().await;
}

#[actix::test]
async fn a_message_is_announced_only_once_it_is_on_disk() {
    let disk = slow::SlowDisk::default();
    let mut setup = Setup::on_disk(disk.clone());
    setup.config.threads = Threads::Own(2);
    let test = setup.start().await;
    let test_message = TestMessage::new("m", "hello");
    disk.hold();
    let moment = Duration::from_millis(50);
    let mut first = Box::pin(test.post(&test_message));
    // Not answered for as long as the disk works; and neither is a repeat, nor anybody who reads.
    assert!(tokio::time::timeout(moment, &mut first).await.is_err());
    let mut repeat = Box::pin(test.post(&test_message));
    assert!(tokio::time::timeout(moment, &mut repeat).await.is_err());
    assert!(test.setup.sender.attempts().is_empty());
    disk.release();
    let (first, repeat) = (first.await.unwrap(), repeat.await.unwrap());
    assert_eq!(first.message, repeat.message);
    test.stop().await;
}

#[actix::test]
async fn a_connection_is_visible_only_once_it_is_on_disk() {
    let disk = slow::SlowDisk::default();
    let mut setup = Setup::on_disk(disk.clone());
    setup.config.threads = Threads::Own(2);
    let test = setup.start().await;
    test.disconnect(&test.scope).await.unwrap();
    disk.hold();
    let moment = Duration::from_millis(50);
    let channel = TestSystem::channel_id();
    let mut connecting = Box::pin(test.connect(&channel, TestSystem::connect_request()));
    assert!(tokio::time::timeout(moment, &mut connecting).await.is_err());
    let mut reading = Box::pin(test.connection(&test.scope));
    assert!(tokio::time::timeout(moment, &mut reading).await.is_err());
    disk.release();
    connecting.await.unwrap();
    assert!(reading.await.unwrap().is_some());
    test.stop().await;
}

/// The dispatcher is ahead of the disk: a delivery is shown with the attempt that led to its state.
#[actix::test]
async fn the_state_of_a_delivery_comes_with_its_newest_attempt() {
    let disk = slow::SlowDisk::default();
    let mut setup = Setup::on_disk(disk.clone());
    setup.config.threads = Threads::Own(2);
    let test = setup.start().await;
    let reply = test.customer("bo").says("hello").await.unwrap();
    let copy = disk.clone();
    test.setup.sender.answer_with(move |_| {
        // Nothing is stored from the attempt on.
        copy.hold();
        Some(Behaviour::status(500))
    });
    let message = test
        .ada()
        .replies(reply.conversation, "hi")
        .await
        .unwrap()
        .id;
    test.setup.sender.wait_for(1).await;
    // The dispatcher knows what became of the attempt when that is to be stored.
    eventually(|| disk.is_waited_for()).await;
    let moment = Duration::from_millis(50);
    let mut reading = Box::pin(test.delivery(message));
    assert!(tokio::time::timeout(moment, &mut reading).await.is_err());
    disk.release();
    let delivery = reading.await.unwrap().unwrap();
    assert_eq!(delivery.callback.state, "waiting");
    let last = delivery.record.last_attempt().unwrap();
    assert_eq!((last.number, last.status), (1, Some(500)));
    assert_eq!(delivery.callback.attempts, 1);
    test.stop().await;
}

/// A disk whose syncs wait while it is held.
mod slow {
    use std::io;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, Condvar, Mutex};

    use switchboard_engine::store::disk::memory::MemoryDisk;
    use switchboard_engine::store::disk::{Disk, DiskFile};

    #[derive(Clone, Debug, Default)]
    pub(crate) struct SlowDisk {
        disk: Arc<MemoryDisk>,
        held: Arc<(Mutex<bool>, Condvar)>,
        /// The number of syncs that wait.
        waiting: Arc<AtomicUsize>,
    }

    impl SlowDisk {
        pub(crate) fn hold(&self) {
            *self.held.0.lock().unwrap() = true;
        }

        pub(crate) fn release(&self) {
            *self.held.0.lock().unwrap() = false;
            self.held.1.notify_all();
        }

        /// Returns whether a sync waits.
        pub(crate) fn is_waited_for(&self) -> bool {
            self.waiting.load(Ordering::SeqCst) > 0
        }

        fn wait(&self) {
            let guard = self.held.0.lock().unwrap();
            if *guard {
                self.waiting.fetch_add(1, Ordering::SeqCst);
                drop(self.held.1.wait_while(guard, |held| *held).unwrap());
                self.waiting.fetch_sub(1, Ordering::SeqCst);
            }
        }
    }

    impl Disk for SlowDisk {
        fn names(&self) -> io::Result<Vec<String>> {
            self.disk.names()
        }

        fn open(&self, name: &str) -> io::Result<Arc<dyn DiskFile>> {
            let file = self.disk.open(name)?;
            let disk = self.clone();
            Ok(Arc::new(SlowFile { disk, file }))
        }

        fn rename(&self, from: &str, to: &str) -> io::Result<()> {
            self.disk.rename(from, to)
        }

        fn remove(&self, name: &str) -> io::Result<()> {
            self.disk.remove(name)
        }

        fn sync_names(&self) -> io::Result<()> {
            self.disk.sync_names()
        }

        fn free_bytes(&self) -> io::Result<u64> {
            self.disk.free_bytes()
        }

        fn describe(&self, name: &str) -> String {
            self.disk.describe(name)
        }
    }

    #[derive(Debug)]
    struct SlowFile {
        disk: SlowDisk,
        file: Arc<dyn DiskFile>,
    }

    impl DiskFile for SlowFile {
        fn length(&self) -> io::Result<u64> {
            self.file.length()
        }

        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
            self.file.read_at(offset, buffer)
        }

        fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
            self.file.write_at(offset, bytes)
        }

        fn truncate(&self, length: u64) -> io::Result<()> {
            self.file.truncate(length)
        }

        fn sync(&self) -> io::Result<()> {
            self.disk.wait();
            self.file.sync()
        }
    }
}
