//! The webhooks of all accounts, as the feed and the dispatcher need them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::domain::hooks::feed::HookFeed;
use crate::domain::hooks::hook::WebhookId;
use crate::domain::id::{AccountId, OauthClientId, SubscriptionId};
use crate::domain::keys;
use crate::domain::webhooks::Webhooks;
use crate::domain::webhooks::code::WebhookCode;
use switchboard_engine::store::Seq;
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::shared::Kernel;

/// A webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Receiver {
    pub(super) id: WebhookId,
    /// The address of its requests.
    pub(super) url: Arc<str>,
    /// The host, for logs.
    pub(super) host: String,
    pub(super) codes: BTreeSet<WebhookCode>,
    pub(super) is_on: bool,
    /// The OAuth client that subscribed it last; none when a user did.
    pub(super) client: Option<OauthClientId>,
    /// The place of its creation, or of the record that switched it on last: it hears of nothing before.
    pub(super) since: HookFeed,
}

/// The webhooks that may hear of an event.
#[derive(Clone, Copy, Debug)]
pub(super) enum Audience {
    /// Those of each program.
    Everyone,
    /// Those that this OAuth client subscribed; those of users, if there is none.
    Client(Option<OauthClientId>),
}

impl Audience {
    fn has(self, receiver: &Receiver) -> bool {
        match self {
            Self::Everyone => true,
            Self::Client(client) => receiver.client == client,
        }
    }
}

/// The webhooks by account; accounts without any are not in it.
#[derive(Debug, Default)]
pub(super) struct Registry {
    accounts: BTreeMap<AccountId, Vec<Receiver>>,
}

impl Registry {
    /// Returns whether the account has a webhook.
    pub(super) fn has(&self, account: AccountId) -> bool {
        self.accounts.contains_key(&account)
    }

    /// The first of the places from which webhooks hear of something.
    pub(super) fn since(&self) -> Option<HookFeed> {
        let receivers = self.accounts.values().flatten();
        let places = receivers.map(|receiver| receiver.since);
        places.min_by_key(|place| place.upto)
    }

    /// The webhooks of the account that hear of this event in this record.
    pub(super) fn receivers(
        &self,
        account: AccountId,
        code: WebhookCode,
        record: Seq,
        audience: Audience,
    ) -> Vec<SubscriptionId> {
        let receivers = self.accounts.get(&account).into_iter().flatten();
        receivers
            .filter(|it| it.is_on && it.since.upto() < record && it.codes.contains(&code))
            .filter(|it| audience.has(it))
            .map(|it| it.id.number)
            .collect()
    }

    /// Reads the webhooks of an account again, and returns them.
    pub(super) fn reload(
        &mut self,
        kernel: &Kernel,
        account: AccountId,
    ) -> Result<Vec<Receiver>, UnavailableError> {
        let state = kernel.index.load::<Webhooks>(&account)?;
        let mut receivers = Vec::new();
        for subscription in state.iter().flat_map(|(state, _)| state.iter()) {
            let id = WebhookId {
                account,
                number: subscription.id,
            };
            let position = kernel.index.find(keys::hooks::webhook(id))?;
            let since = match position {
                Some(position) => HookFeed {
                    upto: kernel.reader.read(position)?.seq.0,
                    segment: position.segment,
                },
                None => HookFeed::default(),
            };
            receivers.push(Receiver {
                id,
                url: subscription.destination.as_str().into(),
                host: subscription.destination.host(),
                codes: subscription.codes.iter().copied().collect(),
                is_on: subscription.disabled.is_none(),
                client: subscription.client,
                since,
            });
        }
        if receivers.is_empty() {
            self.accounts.remove(&account);
        } else {
            self.accounts.insert(account, receivers.clone());
        }
        Ok(receivers)
    }
}
