//! The webhooks as the dispatcher of hooks knows them.

use std::collections::BTreeSet;

use actix::{AsyncContext, Context, WrapFuture};

use crate::domain::audit::By;
use crate::domain::dispatch::endpoint::Switch;
use crate::domain::dispatch::event::Event;
use crate::domain::dispatch::record::HoldReason;
use crate::domain::hooks::hook::WebhookId;
use crate::domain::id::{AccountId, SubscriptionId};
use crate::domain::webhooks::disable::DisableWebhook;
use crate::domain::webhooks::subscription::DisableReason;
use crate::hooks::dispatcher::HookDispatcher;
use crate::hooks::registry::Receiver;
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::{CommandError, UnavailableError};
use switchboard_runtime::live::event::{Audience, LiveEvent, What};
use switchboard_runtime::shared::dispatch_shell::{AGAIN, Carrier};

/// The maximum number of attempts in flight for one webhook. Receivers are small programs that have 2 seconds to answer.
const IN_FLIGHT_MAX: u16 = 8;

impl HookDispatcher {
    /// Switches a webhook off: at once here, and in its account as soon as that can be stored.
    pub(super) fn disable(
        &mut self,
        webhook: WebhookId,
        why: DisableReason,
        ctx: &mut Context<Self>,
    ) {
        if let Some(receiver) = self.receivers.get(&webhook) {
            tracing::error!(account = %webhook.account, webhook = webhook.number.0, host = receiver.host, %why, "a webhook was switched off; it gets no hook until it is switched on again");
        }
        if let Some(settings) = self.settings.get_mut(&webhook) {
            settings.switch = Switch::Disabled(HoldReason::GivenUp);
        }
        let kernel = self.kernel.clone();
        let storing = async move {
            let command = DisableWebhook {
                by: By::Service,
                id: webhook.number,
                why,
            };
            while let Err(error) = execute(&kernel, &webhook.account, command.clone()).await {
                // It is gone or off already: another command was first.
                let CommandError::Unavailable(error) = error else {
                    return;
                };
                if error == UnavailableError::Stopping {
                    return;
                }
                tracing::warn!(account = %webhook.account, webhook = webhook.number.0, %error, "it cannot be stored yet that a webhook is off");
                kernel.clock.sleep(AGAIN).await;
            }
        };
        ctx.spawn(storing.into_actor(self));
    }

    /// The count may be too high, since a hook is counted with each hint: it is checked before a webhook is switched off.
    pub(super) fn recount(&mut self, webhook: WebhookId, ctx: &mut Context<Self>) {
        let count = self.count(webhook);
        self.waiting.insert(webhook, count);
        if count >= self.waiting_max() {
            self.disable(webhook, DisableReason::Waiting, ctx);
            self.pass_settings(webhook, ctx);
        }
    }

    /// Takes in the webhooks of an account.
    pub(super) fn take_receivers(
        &mut self,
        account: AccountId,
        receivers: Vec<Receiver>,
        ctx: &mut Context<Self>,
    ) {
        let first = WebhookId {
            account,
            number: SubscriptionId(0),
        };
        let from_first = self.receivers.range(first..).map(|(id, _)| *id);
        let before: BTreeSet<WebhookId> =
            from_first.take_while(|id| id.account == account).collect();
        let now: BTreeSet<WebhookId> = receivers.iter().map(|receiver| receiver.id).collect();
        for gone in before.difference(&now) {
            self.receivers.remove(gone);
            self.settings.remove(gone);
            self.waiting.remove(gone);
            self.step(Event::GroupClosed { group: *gone }, ctx);
        }
        for receiver in receivers {
            let id = receiver.id;
            let is_on = receiver.is_on;
            let former = self.receivers.insert(id, receiver);
            if former.as_ref() == self.receivers.get(&id) {
                continue;
            }
            if former.is_some_and(|former| former.is_on != is_on) {
                self.publish_switch(id, is_on);
            }
            let settings = self.settings.entry(id).or_default();
            settings.in_flight_max = IN_FLIGHT_MAX;
            settings.revision = settings.revision.saturating_add(1);
            settings.switch = if is_on {
                Switch::On
            } else {
                Switch::Disabled(HoldReason::GivenUp)
            };
            self.pass_settings(id, ctx);
        }
    }

    /// Lets the administrators who listen know that a webhook was switched off, or on again.
    fn publish_switch(&self, webhook: WebhookId, is_on: bool) {
        self.kernel.shared.feed.publish(LiveEvent {
            number: None,
            audience: Audience::Account(webhook.account),
            what: What::Webhook {
                id: webhook.number,
                is_on,
            },
        });
    }

    /// Has the machine read the queues of a webhook again.
    pub(super) fn renew(&mut self, endpoint: WebhookId, ctx: &mut Context<Self>) {
        let group = endpoint;
        self.step(Event::GroupMoved { group, endpoint }, ctx);
    }

    pub(super) fn pass_settings(&mut self, endpoint: WebhookId, ctx: &mut Context<Self>) {
        if let Some(settings) = self.settings.get(&endpoint).copied() {
            self.step(Event::EndpointChanged { endpoint, settings }, ctx);
        }
    }
}
