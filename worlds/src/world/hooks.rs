//! The webhooks of the account of a world: who subscribes them, and what becomes of their hooks.

use std::collections::BTreeSet;

use switchboard_actors::domain::dispatch::record::{DeliveryRecord, DeliveryState};
use switchboard_actors::domain::hooks::hook::{HookNumber, WebhookId};
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::domain::webhooks::WebhookRejection;
use switchboard_actors::domain::webhooks::code::WebhookCode;
use switchboard_actors::domain::webhooks::subscription::Subscription;
use switchboard_actors::error::{CommandError, UnavailableError};
use switchboard_actors::system::System;
use switchboard_actors::system::hooks::HookCounts;
use switchboard_actors::system::user_access::UserAccess;

use crate::world::{PersonError, User, World};

/// The number by which webhooks are sorted in lists, which no world looks at.
const SORT: i64 = 10;

impl User<'_> {
    /// Subscribes an address to events of the account. Without a [sender](crate::world::WorldConfig::sender) of its own, the
    /// [receiver](World::receiver) of the world gets the hooks, whatever the address.
    ///
    /// # Panics
    /// When the address is none that hooks can go to, or the webhook is not stored.
    #[track_caller]
    pub fn subscribes(self, url: &str, codes: &[WebhookCode]) -> Subscription {
        let result = self.try_subscribes(url, codes);
        let what = format!("{} can subscribe {url}", self.name);
        self.world.expect(&what, result)
    }

    /// Subscribes an address, which may fail.
    ///
    /// # Errors
    /// Why it was not subscribed, or that no answer came.
    ///
    /// # Panics
    /// When the address is none that hooks can go to.
    #[track_caller]
    pub fn try_subscribes(
        self,
        url: &str,
        codes: &[WebhookCode],
    ) -> Result<Subscription, PersonError<WebhookRejection>> {
        let destination = self
            .world
            .expect("hooks can go to this address", url.parse());
        self.declare();
        let (who, token) = (format!("user {}", self.name), self.token());
        let what = format!("subscribes {url} to {}", words(codes));
        self.world.request(&who, &what, async |system| {
            let access = access(system, &token).await?;
            access
                .create_webhook(destination, codes.to_vec(), SORT)
                .await
        })
    }
}

impl World {
    /// Ends all webhooks of the account.
    ///
    /// # Errors
    /// When one cannot be deleted now.
    #[track_caller]
    pub(crate) fn end_webhooks(&self) -> Result<(), PersonError<WebhookRejection>> {
        let token = self.user("ada").token();
        self.request("user ada", "ends all webhooks", async |system| {
            let access = access(system, &token).await?;
            for webhook in access.webhooks().await?.iter() {
                access.delete_webhook(webhook.destination.clone()).await?;
            }
            Ok(())
        })
    }

    /// The webhooks of the account, by number.
    ///
    /// # Panics
    /// When they cannot be read.
    #[must_use]
    #[track_caller]
    pub fn webhooks(&self) -> Vec<Subscription> {
        let result = self.run(async |system| system.webhooks(self.account()).await);
        let webhooks = self.expect("the webhooks can be read", result);
        webhooks.iter().cloned().collect()
    }

    /// Returns the state of a hook's delivery to a webhook; `None`: it was sent no such hook.
    ///
    /// # Panics
    /// When the delivery cannot be read.
    #[must_use]
    #[track_caller]
    pub fn hook_record(&self, webhook: WebhookId, number: HookNumber) -> Option<DeliveryRecord> {
        let result = self.run(async |system| system.hook(webhook, number).await);
        let hook = self.expect("the hook can be read", result);
        hook.map(|hook| hook.record)
    }

    /// Returns the number of hooks whose delivery was given up, of those that the receiver has seen.
    pub(super) fn hooks_given_up(&self) -> usize {
        let attempts = self.receiver.hooks().attempts();
        let hooks: BTreeSet<_> = attempts.iter().map(|it| (it.webhook, it.number)).collect();
        let is_dead = |(webhook, number): &(WebhookId, HookNumber)| {
            let record = self.hook_record(*webhook, *number);
            record.is_some_and(|it| matches!(it.state, DeliveryState::Dead { .. }))
        };
        hooks.iter().filter(|hook| is_dead(hook)).count()
    }

    /// Returns the work that is left for hooks.
    #[track_caller]
    pub(super) fn hook_counts(&self) -> HookCounts {
        let counts = self.run(async |system| system.hook_counts().await);
        self.expect("the hooks can be counted", counts)
    }

    /// Returns whether no hook is queued, under way or still to be made.
    #[track_caller]
    pub(super) fn has_no_hooks_left(&self) -> bool {
        self.hook_counts() == HookCounts::default()
    }
}

/// Returns the state of a hook's delivery at a time, in words.
pub(crate) fn hook_in_words(record: &DeliveryRecord, now: UnixMillis) -> String {
    match &record.state {
        DeliveryState::Queued => "waits for its turn".to_owned(),
        DeliveryState::Waiting { until, .. } => {
            let minutes = until.since(now).as_secs().div_ceil(60);
            format!("next in {minutes} min")
        }
        DeliveryState::Held { .. } => "held, since the webhook is disabled".to_owned(),
        DeliveryState::Delivered { .. } => "delivered".to_owned(),
        DeliveryState::Dead { why, .. } => format!("given up: {}", why.as_str()),
        DeliveryState::Cancelled { .. } => "cancelled, since the webhook was deleted".to_owned(),
    }
}

async fn access(
    system: &System,
    token: &str,
) -> Result<UserAccess, CommandError<WebhookRejection>> {
    let user = system.caller(token).await?;
    // The token of a user who was declared before.
    let caller = user.ok_or(UnavailableError::Interrupted)?;
    Ok(system.user_access(&caller).await?)
}

/// The codes, for people.
fn words(codes: &[WebhookCode]) -> String {
    let words: Vec<_> = codes.iter().map(|code| code.as_str()).collect();
    words.join(", ")
}
