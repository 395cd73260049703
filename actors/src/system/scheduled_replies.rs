//! Scheduled replies that are due: each becomes a message, or is held with a reason. The rights of its writer are looked up
//! anew, as if the writer had sent it at this moment.

use std::sync::Weak;

use tokio::sync::Notify;

use crate::domain::id::{AccountId, ConversationId};
use crate::domain::keys;
use crate::domain::oauth::scope::OauthScopes;
use crate::domain::scheduled::{DueRejection, ScheduledChange};
use crate::domain::scheduled_replies::ScheduledRepliesEvent;
use crate::domain::scheduled_replies::scheduled_reply::ScheduledReply;
use crate::domain::scheduled_replies::settle::{SettleScheduledReply, Settlement};
use crate::domain::tables;
use crate::domain::time::UnixMillis;
use crate::system::timers::Timers;
use crate::system::{Running, System};
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::table::Table;
use switchboard_runtime::caches::read_cache::Caller;
use switchboard_runtime::error::{CommandError, UnavailableError};
use switchboard_runtime::live::event::{Audience, LiveEvent, What};
use switchboard_runtime::shared::account_of::account_of;
use switchboard_runtime::shared::{Kernel, Shared};

/// The timers of scheduled replies. They hold no running system up.
pub(super) struct ScheduledTimers(pub(super) Weak<Running>);

impl Timers for ScheduledTimers {
    /// The conversation, and the number of the scheduled reply there.
    type Subject = (ConversationId, u64);
    const TABLE: Table = tables::SCHEDULED;
    const SUBJECT: &'static str = "scheduled reply";

    fn parse(row: &[u8]) -> Option<(UnixMillis, (ConversationId, u64))> {
        let (due, conversation, number) = keys::snooze::parse_scheduled_row(row)?;
        Some((due, (conversation, number)))
    }

    fn news(shared: &Shared) -> &Notify {
        &shared.scheduled
    }

    async fn act(&self, kernel: &Kernel, subject: Self::Subject) -> Result<(), UnavailableError> {
        let running = self.0.upgrade().ok_or(UnavailableError::Stopping)?;
        let kernel = kernel.clone();
        let (conversation, number) = subject;
        System { kernel, running }
            .send_due(conversation, number)
            .await
    }
}

impl System {
    /// Sends a scheduled reply that is due, or holds it.
    async fn send_due(&self, id: ConversationId, number: u64) -> Result<(), UnavailableError> {
        let kernel = self.kernel();
        let key = keys::team::scheduled_reply(id, number);
        let record = kernel.record::<ScheduledRepliesEvent>(key)?;
        let newest = record.map(|record| *record.event.reply);
        // A user may have changed it since its timer was read.
        let is_due = |reply: &ScheduledReply| reply.due().is_some_and(|due| due <= self.now());
        let Some(reply) = newest.filter(is_due) else {
            return Ok(());
        };
        let Some(account) = account_of(kernel, id).await? else {
            return Ok(());
        };
        let Some(writer) = self.writer_of(account, &reply).await? else {
            return self.hold(account, id, &reply, DueRejection::NoRight).await;
        };
        let access = self.user_access(&writer).await?;
        match access.send_scheduled(id, &reply).await {
            Ok(()) => Ok(()),
            Err(CommandError::Rejected(reason)) => self.hold(account, id, &reply, reason).await,
            Err(CommandError::Unavailable(unavailable)) => Err(unavailable),
        }
    }

    /// The writer as who they are now; `None` when they are gone, or the client that they used is.
    async fn writer_of(
        &self,
        account: AccountId,
        reply: &ScheduledReply,
    ) -> Result<Option<Caller>, UnavailableError> {
        let users = self.users(account).await?;
        let Some(user) = users.get(reply.by.user).filter(|user| user.active) else {
            return Ok(None);
        };
        let caller = Caller::new(account, user);
        let Some(client) = reply.by.client.clone() else {
            return Ok(Some(caller));
        };
        let grants = self.grants(account).await?;
        let is_installed = grants.get(client.id).is_some();
        Ok(is_installed.then(|| caller.through(client, OauthScopes::all())))
    }

    /// Holds a scheduled reply that was due.
    async fn hold(
        &self,
        account: AccountId,
        id: ConversationId,
        reply: &ScheduledReply,
        reason: DueRejection,
    ) -> Result<(), UnavailableError> {
        let command = SettleScheduledReply {
            number: reply.number,
            way: Settlement::Due(reply.version, Err(reason)),
        };
        match execute(self.kernel(), &id, command).await {
            Ok(held) => self.publish_scheduled(account, id, ScheduledChange::Held, held),
            // A user was first.
            Err(CommandError::Rejected(_)) => {}
            Err(CommandError::Unavailable(unavailable)) => return Err(unavailable),
        }
        Ok(())
    }

    /// Passes a change of a scheduled reply to the listeners of the account.
    pub(super) fn publish_scheduled(
        &self,
        account: AccountId,
        id: ConversationId,
        change: ScheduledChange,
        reply: ScheduledReply,
    ) {
        let event = LiveEvent {
            number: None,
            audience: Audience::Account(account),
            what: What::ScheduledReply(id, change, Box::new(reply)),
        };
        let feed = &self.kernel().shared.feed;
        // No relay reads it: it is a record of another stream.
        feed.note_occasions(&event);
        feed.publish(event);
    }
}
