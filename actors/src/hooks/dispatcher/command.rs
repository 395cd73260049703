//! The messages of the dispatcher of hooks.

use std::collections::BTreeSet;

use actix::{Context, Handler, Message, MessageResult};

use crate::domain::dispatch::delivery_queue::OutNumber;
use crate::domain::hooks::hook::HookNumber;
use crate::domain::hooks::routing::HookQueueId;
use crate::domain::id::AccountId;
use crate::hooks::dispatcher::HookDispatcher;
use crate::hooks::registry::Receiver;
use crate::hooks::store::{HookRows, queued_webhooks};
use crate::stored_queues::{count, readable};
use switchboard_engine::store::committer::Submitted;
use switchboard_runtime::error::UnavailableError;

/// The number of webhooks of all accounts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WebhookCounts {
    /// Those that get hooks.
    pub on: usize,
    /// Those that are disabled.
    pub disabled: usize,
}

/// These are the webhooks of an account from now on.
#[derive(Debug, Message)]
#[rtype(result = "()")]
pub(in crate::hooks) struct AccountReceivers {
    pub(in crate::hooks) account: AccountId,
    pub(in crate::hooks) receivers: Vec<Receiver>,
}

/// The webhooks of all accounts are known.
#[derive(Clone, Copy, Debug, Message)]
#[rtype(result = "()")]
pub(crate) struct AllReceivers;

/// Counts the hooks that can be sent: those that wait for webhooks that are switched on.
#[derive(Clone, Copy, Debug, Message)]
#[rtype(result = "Result<usize, UnavailableError>")]
pub(crate) struct CountHooks;

/// Counts the webhooks of all accounts.
#[derive(Clone, Copy, Debug, Message)]
#[rtype(result = "WebhookCounts")]
pub(crate) struct CountWebhooks;

/// Sends a hook again that is final, also one that was delivered. None when it is not.
#[derive(Clone, Copy, Debug, Message)]
#[rtype(result = "Result<Option<Submitted>, UnavailableError>")]
pub(crate) struct ReplayHook {
    pub(crate) queue: HookQueueId,
    pub(crate) number: HookNumber,
}

/// Ends the wait of a hook for its next attempt. None when it does not wait.
#[derive(Clone, Copy, Debug, Message)]
#[rtype(result = "Result<Option<Submitted>, UnavailableError>")]
pub(crate) struct EndHookWait {
    pub(crate) queue: HookQueueId,
    pub(crate) number: HookNumber,
}

impl Handler<AccountReceivers> for HookDispatcher {
    type Result = ();

    fn handle(&mut self, message: AccountReceivers, ctx: &mut Context<Self>) {
        self.take_receivers(message.account, message.receivers, ctx);
    }
}

impl Handler<AllReceivers> for HookDispatcher {
    type Result = ();

    /// Cancels the hooks of deleted webhooks too: an earlier process may have ended before it did.
    fn handle(&mut self, _: AllReceivers, ctx: &mut Context<Self>) {
        let webhooks = queued_webhooks(&self.kernel);
        let webhooks = readable::<HookRows, _>(webhooks).unwrap_or_default();
        for webhook in webhooks {
            if self.receivers.contains_key(&webhook) {
                let count = self.count(webhook);
                self.waiting.insert(webhook, count);
            } else {
                self.cancel(webhook, BTreeSet::new(), ctx);
            }
        }
    }
}

impl Handler<CountHooks> for HookDispatcher {
    type Result = Result<usize, UnavailableError>;

    fn handle(&mut self, _: CountHooks, _: &mut Context<Self>) -> Self::Result {
        let receivers = self.receivers.values().filter(|receiver| receiver.is_on);
        let most = self.waiting_max();
        let counts = receivers.map(|it| count::<HookRows>(&self.kernel, it.id, most));
        counts.sum()
    }
}

impl Handler<CountWebhooks> for HookDispatcher {
    type Result = MessageResult<CountWebhooks>;

    fn handle(&mut self, _: CountWebhooks, _: &mut Context<Self>) -> Self::Result {
        let on = self.receivers.values().filter(|it| it.is_on).count();
        let disabled = self.receivers.len().saturating_sub(on);
        MessageResult(WebhookCounts { on, disabled })
    }
}

impl Handler<ReplayHook> for HookDispatcher {
    type Result = Result<Option<Submitted>, UnavailableError>;

    fn handle(&mut self, message: ReplayHook, _: &mut Context<Self>) -> Self::Result {
        let number = OutNumber(message.number.0);
        self.store.replay(message.queue, number)
    }
}

impl Handler<EndHookWait> for HookDispatcher {
    type Result = Result<Option<Submitted>, UnavailableError>;

    fn handle(&mut self, message: EndHookWait, _: &mut Context<Self>) -> Self::Result {
        let number = OutNumber(message.number.0);
        self.store.end_wait(message.queue, number)
    }
}
