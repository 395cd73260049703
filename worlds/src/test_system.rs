//! A system in the middle of its story: everything is declared and connected, valid by default.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use switchboard_actors::config::SystemConfig;
use switchboard_actors::domain::chat::delivery::DeliveryStatus;
use switchboard_actors::domain::conversation::report_delivery::{ReportEffect, ReportRejection};
use switchboard_actors::domain::conversation::send_message::Accepted;
use switchboard_actors::domain::crm::Lead;
use switchboard_actors::domain::id::{AccountId, ChannelId, ConversationId, MessageId, ScopeId};
use switchboard_actors::domain::installation::channels::Channel;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::error::{StartError, UnavailableError};
use switchboard_actors::port::{CallbackSender, Ports};
use switchboard_actors::system::System;
use switchboard_actors::system::chat::{ConnectRequest, ConnectedScope, SendRejection};
use switchboard_actors::system::inbox::MessageView;
use switchboard_engine::runtime::entropy::{Entropy, Generator};
use switchboard_engine::store::disk::Disk;
use switchboard_engine::store::disk::memory::MemoryDisk;
use switchboard_engine::store::tables::TablesHome;
use switchboard_engine::store::tables::memory::MemoryHome;
use switchboard_engine::testkit::ManualClock;

use crate::PATIENCE;
use crate::fixtures;
use crate::integration::{self, Answered};
use crate::people::{AccountUser, Customer};
use crate::receiver::Receiver;
use crate::test_message::TestMessage;
use switchboard_actors::system::whole::Whole;

/// The setup of a system. Clones share disk, clock and sender: two systems started one after the other from clones are
/// one system before and after a restart.
#[derive(Clone)]
pub struct Setup {
    /// The limits; all actors on the thread of the test, unless changed.
    pub config: SystemConfig,
    /// The disk of the journal; in memory, unless changed.
    pub disk: Arc<dyn Disk>,
    /// The home of snapshots and lists; in memory, unless changed.
    pub tables: Arc<dyn TablesHome>,
    /// The time: a day in November 2023 that lasts until the clock is moved.
    pub clock: ManualClock,
    /// The randomness; the same in every run, unless changed.
    pub entropy: Arc<dyn Entropy>,
    /// The way out.
    pub sender: Receiver,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            config: SystemConfig::default(),
            disk: Arc::new(MemoryDisk::default()),
            tables: Arc::new(MemoryHome::default()),
            clock: ManualClock::at(UnixMillis::from_secs(1_700_000_000)),
            entropy: Arc::new(Generator::from_seed(1)),
            sender: Receiver::default(),
        }
    }
}

impl Setup {
    /// With the journal on this disk, and fresh tables.
    #[must_use]
    pub fn on_disk(disk: impl Disk) -> Self {
        Self {
            disk: Arc::new(disk),
            ..Self::default()
        }
    }

    /// The ports of a system with this setup.
    #[must_use]
    pub fn ports(&self) -> Ports {
        Ports {
            disk: Arc::clone(&self.disk),
            tables: Arc::clone(&self.tables),
            clock: Arc::new(self.clock.clone()),
            entropy: Arc::clone(&self.entropy),
            sender: Arc::new(self.sender.clone()),
        }
    }

    /// Starts a system in which nothing is declared that is not there from before.
    ///
    /// # Errors
    /// As [`System::start`].
    pub fn start_bare(&self) -> Result<TestSystem, StartError> {
        self.start_on(self.ports())
    }

    /// Starts a system, declares account, channel and user, and connects the scope.
    ///
    /// # Panics
    /// When one of that fails.
    pub async fn start(&self) -> TestSystem {
        self.start_with(Arc::new(self.sender.clone())).await
    }

    /// As [`Setup::start`], with another way out this time.
    ///
    /// # Panics
    /// When one of that fails.
    #[expect(
        clippy::expect_used,
        reason = "a wrong test is to fail, and to say where"
    )]
    pub async fn start_with(&self, sender: Arc<dyn CallbackSender>) -> TestSystem {
        let ports = Ports {
            sender,
            ..self.ports()
        };
        let test = self.start_on(ports).expect("the system starts");
        fixtures::declare(&test)
            .await
            .expect("everything can be declared");
        test
    }

    fn start_on(&self, ports: Ports) -> Result<TestSystem, StartError> {
        Ok(TestSystem {
            system: System::start(self.config.clone(), ports)?,
            setup: self.clone(),
            scope: fixtures::scope_id(),
            letters: AtomicU64::new(0),
        })
    }
}

/// A running system with the channel, the account, the user and the scope of the test system, and what it was started with.
/// Whatever a [`System`] can do it can do too.
pub struct TestSystem {
    /// The setup that it was started with.
    pub setup: Setup,
    /// The scope of the test system.
    pub scope: ScopeId,
    system: System,
    letters: AtomicU64,
}

impl TestSystem {
    /// The bearer token of the test system's account user, Ada.
    pub const TOKEN: &'static str = fixtures::TOKEN;

    /// A system in memory, on the thread of the test.
    pub async fn start() -> Self {
        Setup::default().start().await
    }

    /// The account of the test system.
    #[must_use]
    pub fn account_id() -> AccountId {
        fixtures::account_id()
    }

    /// The channel of the test system.
    #[must_use]
    pub fn channel_id() -> ChannelId {
        fixtures::channel_id()
    }

    /// The channel of the test system, with addresses for both versions of callbacks.
    #[must_use]
    pub fn channel() -> Channel {
        fixtures::channel()
    }

    /// The choice of the test system's account when it connects.
    #[must_use]
    pub fn connect_request() -> ConnectRequest {
        fixtures::connect_request()
    }

    /// Stops the system and starts it again on what it left.
    ///
    /// # Panics
    /// When it does not start.
    #[expect(
        clippy::expect_used,
        reason = "a wrong test is to fail, and to say where"
    )]
    pub async fn restart(self) -> Self {
        let Self {
            setup,
            system,
            letters,
            ..
        } = self;
        system.shutdown(PATIENCE).await;
        let mut again = setup.start_bare().expect("the system starts again");
        again.letters = letters;
        again
    }

    /// A customer with a conversation of their own; the name is part of the ids of both.
    #[must_use]
    pub fn customer<'t>(&'t self, name: &'t str) -> Customer<'t> {
        Customer { test: self, name }
    }

    /// The account user of the test system.
    #[must_use]
    pub fn ada(&self) -> AccountUser<'_> {
        AccountUser {
            test: self,
            token: Self::TOKEN,
        }
    }

    /// A `msgid` that no letter of this story has had.
    #[must_use]
    pub fn next_msgid(&self) -> String {
        let number = self.letters.fetch_add(1, Ordering::Relaxed);
        format!("m-{number}")
    }

    /// Posts a message through the scope of the test system, as the HTTP interface does.
    ///
    /// # Errors
    /// As [`integration::post`].
    pub async fn post(&self, message: &TestMessage) -> Answered<Accepted, SendRejection> {
        self.post_through(&self.scope, message).await
    }

    /// Posts a message through another scope.
    ///
    /// # Errors
    /// As [`integration::post`].
    pub async fn post_through(
        &self,
        scope: &ScopeId,
        message: &TestMessage,
    ) -> Answered<Accepted, SendRejection> {
        integration::post(self, scope, message).await
    }

    /// Reports through the scope of the test system on a message of an account user.
    ///
    /// # Errors
    /// As [`integration::report`].
    pub async fn reports(
        &self,
        message: MessageId,
        status: DeliveryStatus,
    ) -> Answered<ReportEffect, ReportRejection> {
        integration::report(self, &self.scope, message, status).await
    }

    /// The scope of the test system, for one request.
    ///
    /// # Panics
    /// When it is not connected.
    #[expect(
        clippy::expect_used,
        reason = "a wrong test is to fail, and to say where"
    )]
    pub async fn connection_now(&self) -> ConnectedScope {
        let connected = self.connected(self.scope.clone()).await;
        connected.expect("the scope of the story is connected")
    }

    /// All that is stored of the account of the test system.
    #[must_use]
    pub fn whole(&self) -> Whole {
        Whole::new(self, Self::account_id())
    }

    /// The messages of a conversation, oldest first; none when there is no such conversation.
    ///
    /// # Panics
    /// When they cannot be read.
    #[expect(
        clippy::expect_used,
        reason = "a wrong test is to fail, and to say where"
    )]
    pub async fn messages_of(&self, conversation: ConversationId) -> Vec<MessageView> {
        let messages = self.whole().messages(conversation).await;
        messages.expect("messages can be read")
    }

    /// All leads of the account, oldest first.
    ///
    /// # Panics
    /// When they cannot be read, or one is missing.
    #[expect(
        clippy::expect_used,
        reason = "a wrong test is to fail, and to say where"
    )]
    pub async fn leads(&self) -> Vec<Lead> {
        let leads = self.whole().leads().await;
        leads.expect("leads can be read")
    }

    /// One message to the owner of a conversation and back, which changes nothing; gives how many messages there are. For
    /// benchmarks: it is what the shell costs without anything to decide or to store.
    ///
    /// # Errors
    /// When the owner does not answer.
    pub async fn hop(&self, conversation: ConversationId) -> Result<u64, UnavailableError> {
        self.whole().hop(conversation).await
    }

    /// Stops the system.
    pub async fn stop(self) -> switchboard_actors::system::StopReport {
        self.system.shutdown(PATIENCE).await
    }
}

impl Deref for TestSystem {
    type Target = System;
    fn deref(&self) -> &System {
        &self.system
    }
}

impl fmt::Debug for TestSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TestSystem")
            .field("scope", &self.scope)
            .finish_non_exhaustive()
    }
}

/// Waits until something is so; two minutes at most.
///
/// # Panics
/// When it is not so in time.
#[track_caller]
pub fn eventually(mut is_so: impl FnMut() -> bool) -> impl Future<Output = ()> {
    let place = std::panic::Location::caller();
    async move {
        let waiting = async {
            while !is_so() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        let result = tokio::time::timeout(PATIENCE, waiting).await;
        assert!(result.is_ok(), "it was not so within {PATIENCE:?}: {place}");
    }
}
