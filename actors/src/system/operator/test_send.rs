//! One signed test callback, sent now to see what comes. It is recorded nowhere but in the audit log.

use std::sync::Arc;

use actix::{Actor, Addr, Context, Handler};
use tokio::sync::{OwnedSemaphorePermit, oneshot};

use crate::domain::audit::{By, Difference};
use crate::domain::chat::outgoing::OutgoingContent;
use crate::domain::dispatch::outcome::{Class, Outcome};
use crate::domain::dispatch::reason::Reason;
use crate::domain::dispatch::record::AttemptTrace;
use crate::domain::hook_version::HookVersion;
use crate::domain::id::{
    AccountId, ChannelId, ClientConversationId, ClientPersonId, ConversationId, MessageId,
    PersonId, ScopeId,
};
use crate::domain::installation::channels::Channel;
use crate::domain::keys;
use crate::domain::operator::note::Note;
use crate::domain::signature::sign_body;
use crate::domain::tables;
use crate::domain::text::{MessageText, Name};
use crate::domain::time::UnixMillis;
use crate::system::System;
use crate::wire::callback::{self, CallbackSender, OutgoingCallback, Receiver};
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_runtime::error::{CommandError, UnavailableError};
use switchboard_runtime::port::Attempt;
use switchboard_runtime::shared::test_attempt::TestAttempt;

/// The number of tests in progress at a time.
pub(crate) const TESTS_MAX: usize = 4;

/// The text of a test message, worded so that no reader takes it for the message of a person.
const TEXT: &str = "This is a test callback. No user wrote it; you need not forward it.";
/// The integration's id of the conversation and of the customer of a test message.
const TEST_ID: &str = "switchboard-test";

/// A test of a channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TestRequest {
    /// The version of the callback; `None`: what the account speaks, else the newest that the channel has an address for.
    pub version: Option<HookVersion>,
    /// The account whose scope takes the place of `:scope_id`; `None`: one that is connected, else one that may be.
    pub account: Option<AccountId>,
}

/// The rejection of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TestRejection {
    /// There is no such channel.
    #[error("there is no such channel")]
    UnknownChannel,
    /// There is no such account.
    #[error("there is no such account")]
    UnknownAccount,
    /// No account may be connected to the channel, so there is no scope to send for.
    #[error("no account may connect to the channel, so there is no account to send for")]
    NoAccount,
    /// The channel has no address for this version.
    #[error("the channel has no address for callbacks of version {0}: set webhook_{0}")]
    NoAddress(HookVersion),
}

/// The result of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestOutcome {
    /// The scope it was sent for.
    pub scope: ScopeId,
    /// The version of the callback.
    pub version: HookVersion,
    /// The id of the message in it, which no other message has.
    pub message: MessageId,
    /// The attempt.
    pub attempt: TestedAttempt,
}

/// An attempt that is recorded nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestedAttempt {
    /// The address of the request.
    pub url: String,
    /// The outcome of the attempt.
    pub outcome: Outcome,
    /// The facts about the attempt.
    pub trace: AttemptTrace,
}

impl TestedAttempt {
    /// Returns whether a recorded attempt would count as delivered.
    #[must_use]
    pub fn is_delivered(&self) -> bool {
        self.outcome.class() == Class::Delivered
    }

    /// The reason of the outcome.
    #[must_use]
    pub fn reason(&self) -> Reason {
        Reason::of_outcome(self.outcome.brief())
    }
}

/// Makes an attempt by the dispatcher of its kind.
pub(crate) async fn try_out_by<A, D>(
    dispatcher: &Addr<D>,
    one_of_few: OwnedSemaphorePermit,
    url: String,
    attempt: A,
) -> Result<TestedAttempt, UnavailableError>
where
    A: Send + 'static,
    D: Actor<Context = Context<D>> + Handler<TestAttempt<A>>,
{
    let (answer, came) = oneshot::channel();
    let trial = TestAttempt {
        attempt,
        answer,
        one_of_few,
    };
    let sending = dispatcher.send(trial).await;
    sending.map_err(|_gone| UnavailableError::Stopping)?;
    let (outcome, trace) = came.await.map_err(|_gone| UnavailableError::Stopping)?;
    Ok(TestedAttempt {
        url,
        outcome,
        trace,
    })
}

impl System {
    /// Sends one signed test callback to the channel's address now, also when the channel is paused or the address
    /// failed before, and returns the outcome. No delivery is recorded, and the health of the endpoint does not change.
    ///
    /// # Errors
    /// When nothing can be sent, or four tests are in progress already.
    pub async fn test_send(
        &self,
        by: By,
        id: &ChannelId,
        request: TestRequest,
    ) -> Result<TestOutcome, CommandError<TestRejection>> {
        let one_of_few = self.one_of_few_tests()?;
        let channels = self.kernel().shared.read_cache.channels();
        let channel = channels
            .get(id)
            .ok_or(CommandError::Rejected(TestRejection::UnknownChannel))?;
        let scope = self.test_scope(channel, request.account)?;
        let version = match request.version {
            Some(version) => version,
            None => self.test_version(channel, &scope).await?,
        };
        let message = MessageId::from_random(self.kernel().entropy.bytes());
        let attempt = self
            .test_attempt(channel, &scope, version, message)
            .ok_or(CommandError::Rejected(TestRejection::NoAddress(version)))?;
        let note = Note {
            by,
            action: "channel.test-send",
            object: id.to_string(),
            account: Some(scope.account()),
            changes: vec![Difference::set("version", version.as_str())],
        };
        self.note(note).await?;
        Ok(TestOutcome {
            scope,
            version,
            message,
            attempt: self.try_out(one_of_few, attempt).await?,
        })
    }

    /// Leave for one test, while there are few.
    pub(crate) fn one_of_few_tests(&self) -> Result<OwnedSemaphorePermit, UnavailableError> {
        Arc::clone(&self.running.tests)
            .try_acquire_owned()
            .map_err(|_too_many| UnavailableError::Busy)
    }

    /// Makes an attempt, by the way of all callbacks. Nothing of it is recorded.
    pub(crate) async fn try_out(
        &self,
        one_of_few: OwnedSemaphorePermit,
        attempt: Attempt,
    ) -> Result<TestedAttempt, UnavailableError> {
        let url = attempt.url.to_string();
        try_out_by(&self.running.dispatcher, one_of_few, url, attempt).await
    }

    /// The scope to send for.
    fn test_scope(
        &self,
        channel: &Channel,
        account: Option<AccountId>,
    ) -> Result<ScopeId, CommandError<TestRejection>> {
        let accounts = self.kernel().shared.read_cache.accounts();
        if let Some(account) = account {
            if accounts.get(account).is_none() {
                return Err(CommandError::Rejected(TestRejection::UnknownAccount));
            }
            return Ok(ScopeId::new(channel.id.clone(), account));
        }
        let prefix = keys::channel_prefix(&channel.id);
        let rows = self
            .kernel()
            .index
            .scan(
                tables::SCOPES,
                &KeyRange::prefix(&prefix),
                ScanOrder::Ascending,
                1,
            )
            .map_err(UnavailableError::from)?;
        let connected = rows
            .first()
            .and_then(|(key, _)| key.get(prefix.len()..))
            .and_then(|bytes| <[u8; 16]>::try_from(bytes).ok())
            .map(AccountId::from_bytes);
        let allowed_account = || {
            accounts
                .iter()
                .find(|known| channel.settings.accounts.holds(known.id))
        };
        connected
            .or_else(|| allowed_account().map(|known| known.id))
            .map(|account| ScopeId::new(channel.id.clone(), account))
            .ok_or(CommandError::Rejected(TestRejection::NoAccount))
    }

    /// The version that the connected account speaks, else the newest that the channel has an address for.
    pub(crate) async fn test_version(
        &self,
        channel: &Channel,
        scope: &ScopeId,
    ) -> Result<HookVersion, UnavailableError> {
        let connection = self.connection(scope).await?;
        Ok(match connection {
            Some(connection) => connection.version,
            None if channel.has_webhook(HookVersion::V2) => HookVersion::V2,
            None => HookVersion::V1,
        })
    }

    /// The attempt, in the form of a real one; `None` when the channel has no address for the version.
    fn test_attempt(
        &self,
        channel: &Channel,
        scope: &ScopeId,
        version: HookVersion,
        message: MessageId,
    ) -> Option<Attempt> {
        let now = self.now();
        let url = channel.webhook(version, scope)?;
        let callback = self.test_callback(scope, message, now)?;
        let body = match version {
            HookVersion::V1 => callback::v1::body(&callback).ok()?,
            HookVersion::V2 => callback::v2::body(&callback, now),
        };
        Some(Attempt {
            url,
            signature: sign_body(channel.signing_secret(now), &body).to_string(),
            body: body.into(),
            message,
            attempt: 1,
            at: now,
            timeout: channel.timeout(),
        })
    }

    /// A message between people who do not exist; never `None`, since its texts are valid.
    fn test_callback(
        &self,
        scope: &ScopeId,
        message: MessageId,
        now: UnixMillis,
    ) -> Option<OutgoingCallback> {
        let entropy = &self.kernel().entropy;
        let person = || PersonId::from_random(entropy.bytes());
        let name: Name = "Switchboard test".parse().ok()?;
        let text: MessageText = TEXT.parse().ok()?;
        let client_id: ClientPersonId = TEST_ID.parse().ok()?;
        let client_conversation: ClientConversationId = TEST_ID.parse().ok()?;
        Some(OutgoingCallback {
            account: scope.account(),
            message,
            written_at: now,
            content: OutgoingContent::Text { text },
            sender: CallbackSender {
                id: person(),
                name: name.clone(),
            },
            receiver: Receiver {
                id: person(),
                client_id: Some(client_id),
                name: Some(name),
                phone: None,
                email: None,
            },
            conversation: ConversationId::from_random(entropy.bytes()),
            client_conversation: Some(client_conversation),
            source: None,
            reply_to: None,
            post: None,
            template: None,
            list: None,
        })
    }
}
