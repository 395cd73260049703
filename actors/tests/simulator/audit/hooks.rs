//! Hooks: each message has one, none is of a message that is not stored, and those of another account are not sent.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use switchboard_actors::System;
use switchboard_actors::domain::dispatch::outcome::Class;
use switchboard_actors::domain::dispatch::record::DeliveryState;
use switchboard_actors::domain::hooks::hook::WebhookId;
use switchboard_actors::error::UnavailableError;
use switchboard_actors::system::hooks::HookView;
use switchboard_actors::system::inbox::MessageView;

use crate::audit::Seen;
use crate::network::hooks::{SentHook, message_of};
use crate::world::World;

/// More hooks than a seed makes.
const MOST: usize = 10_000;

/// The hooks of the subscriber, by their messages; none while it was switched off once.
pub(super) type Hooks = Option<BTreeMap<String, DeliveryState>>;

/// Reads the hooks that the subscriber was sent, or is to be sent.
pub(super) async fn see(world: &Rc<World>, system: &System) -> Result<Hooks, UnavailableError> {
    let account = world.scopes[0].account();
    let webhooks = system.webhooks(account).await?;
    let Some(subscription) = webhooks.iter().next() else {
        return Ok(None);
    };
    if subscription.disabled.is_some() || world.was_switched_off.get() {
        world.was_switched_off.set(true);
        return Ok(None);
    }
    let webhook = WebhookId {
        account,
        number: subscription.id,
    };
    let page = system.hooks(webhook, None, MOST).await?;
    let by_message = |view: HookView| {
        let message = message_of(view.hook?.form.as_bytes())?;
        Some((message, view.record.state))
    };
    Ok(Some(
        page.entries.into_iter().filter_map(by_message).collect(),
    ))
}

/// The messages of the subscriber's account that have a hook, the oldest first.
fn messages<'s>(world: &World, seen: &'s Seen) -> impl Iterator<Item = &'s MessageView> {
    let account = world.scopes[0].account();
    let threads = seen.threads.values().filter(move |thread| {
        let origin = thread.view.state.origin.as_ref();
        origin.is_some_and(|origin| origin.scope.account() == account)
    });
    threads
        .flat_map(|thread| &thread.messages)
        .filter(|message| match message {
            MessageView::In { received, .. } => received.loud && received.to.is_none(),
            MessageView::Out { .. } => true,
        })
}

/// A message whose hook was not made yet, or still waits.
pub(super) fn waiting(world: &World, seen: &Seen) -> Option<String> {
    let hooks = seen.hooks.as_ref()?;
    messages(world, seen).find_map(|message| {
        let id = message.id().to_string();
        match hooks.get(&id) {
            Some(
                DeliveryState::Delivered { .. }
                | DeliveryState::Dead { .. }
                | DeliveryState::Cancelled { .. },
            ) => None,
            other => Some(format!("the hook of {id}: {other:?}")),
        }
    })
}

pub(super) fn judge(world: &World, seen: &Seen) -> Result<(), String> {
    let known_messages: BTreeSet<String> = messages(world, seen)
        .map(|message| message.id().to_string())
        .collect();
    let mut attempts: BTreeMap<String, Vec<SentHook>> = BTreeMap::new();
    for hook in world.network.hooks() {
        attempts.entry(hook.message.clone()).or_default().push(hook);
    }
    if let Some(strange) = attempts
        .keys()
        .find(|message| !known_messages.contains(*message))
    {
        return Err(format!("a hook says of {strange}, which has none"));
    }
    let Some(hooks) = &seen.hooks else {
        return Ok(());
    };
    for (message, state) in hooks {
        let attempts = attempts.get(message).map_or(&[][..], Vec::as_slice);
        let has_arrived = |hook: &SentHook| hook.arrived > 0 && hook.class == Class::Delivered;
        let has_reason = match state {
            DeliveryState::Delivered { .. } => attempts.iter().any(has_arrived),
            DeliveryState::Dead { .. } => attempts.iter().any(|it| it.class != Class::Delivered),
            DeliveryState::Cancelled { .. } => false,
            DeliveryState::Queued | DeliveryState::Waiting { .. } | DeliveryState::Held { .. } => {
                true
            }
        };
        if !has_reason {
            return Err(format!(
                "the hook of {message} is {state:?} after {attempts:?}"
            ));
        }
    }
    Ok(())
}

/// Counts how hooks ended, when all have.
pub(super) fn count(world: &World, seen: &Seen) {
    for state in seen.hooks.iter().flat_map(BTreeMap::values) {
        let is_delivered = matches!(state, DeliveryState::Delivered { .. });
        world.coverage.count(if is_delivered {
            "hook delivered"
        } else {
            "hook given up"
        });
    }
}
