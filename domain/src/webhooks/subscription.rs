//! One webhook of an account.

use serde::{Deserialize, Serialize};

use crate::id::{OauthClientId, SubscriptionId, UserId};
use crate::time::UnixMillis;
use crate::webhooks::code::WebhookCode;
use crate::webhooks::destination::Destination;
use crate::words;

/// The subscription of a program to events of an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subscription {
    /// Its number.
    pub id: SubscriptionId,
    /// The address of the program, unique in the account.
    pub destination: Destination,
    /// The events, as they were given, each once.
    pub codes: Vec<WebhookCode>,
    /// A number for lists, which means nothing here.
    pub sort: i64,
    /// The user who subscribed it first.
    pub created_by: UserId,
    /// The OAuth client that subscribed it last; `None` when a user did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<OauthClientId>,
    /// The time of the first subscription.
    pub created_at: UnixMillis,
    /// The time of the last change.
    pub updated_at: UnixMillis,
    /// The end of its requests, while it is switched off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disabled: Option<Disabled>,
}

/// A webhook is switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disabled {
    /// The time of the event.
    pub at: UnixMillis,
    /// The reason.
    pub why: DisableReason,
}

words! {
    /// The reason that a webhook is switched off.
    pub enum DisableReason {
        /// The operator switched it off.
        Operator = "operator",
        /// Too many of its requests failed.
        Failures = "failures",
        /// Too many hooks waited for it.
        Waiting = "waiting",
    }
}

impl Subscription {
    /// Returns whether it is subscribed to this event. While it is switched off, it gets no request.
    #[must_use]
    pub fn has(&self, code: WebhookCode) -> bool {
        self.codes.contains(&code)
    }

    /// Those of its events that never happen.
    pub fn never_sent(&self) -> impl Iterator<Item = WebhookCode> {
        let codes = self.codes.iter().copied();
        codes.filter(|code| !code.is_sent())
    }
}
