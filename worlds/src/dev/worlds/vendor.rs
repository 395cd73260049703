//! Worlds behind the hosts of the counterpart: a request finds its world by the subdomain, else by what it says of its
//! account.

use std::sync::Arc;

use switchboard_loopback::body::BodyMemory;

use crate::dev::evidence::Evidence;
use crate::dev::worlds::named::NamedWorld;
use crate::dev::worlds::names::{Names, token_hash};
use crate::dev::worlds::registry::Registry;

/// The worlds of a process, as the hosts of the counterpart lead to them.
pub struct VendorWorlds {
    registry: Arc<Registry>,
}

/// The world that a request names, unless it names none or several.
pub(in crate::dev) enum FoundWorld {
    One(NamedWorld),
    Several,
    None,
}

impl VendorWorlds {
    pub(super) fn new(registry: Arc<Registry>) -> Self {
        Self { registry }
    }

    /// Returns true while no world runs.
    pub(in crate::dev) fn are_none(&self) -> bool {
        self.registry.is_empty()
    }

    /// The memory for bodies of requests to worlds.
    pub(in crate::dev) fn memory(&self) -> &BodyMemory {
        self.registry.memory()
    }

    /// The world for which this subdomain was chosen.
    pub(in crate::dev) fn of_subdomain(&self, subdomain: &str) -> Option<NamedWorld> {
        let is_it = |names: &Names| {
            let own = names.subdomain.as_ref();
            own.is_some_and(|own| own.as_str() == subdomain)
        };
        self.registry.named(is_it).into_iter().next()
    }

    /// The world that a request names: by a secret or an id that only its worlds have, else by the channel if that is to
    /// count.
    pub(in crate::dev) fn find(&self, evidence: &Evidence, by_channel: bool) -> FoundWorld {
        let token = evidence.token.as_deref().map(token_hash);
        let is_for = |names: &Names| {
            let has_token = token.is_some_and(|token| names.has_token(&token));
            let has_client = evidence.client.is_some_and(|it| names.has_client(it));
            let has_scope = evidence.account == Some(names.account)
                && evidence.channel.as_ref() == Some(&names.channel);
            has_token || has_client || has_scope
        };
        let certain = self.registry.named(is_for);
        let has_channel = |names: &Names| evidence.channel.as_ref() == Some(&names.channel);
        let worlds = if certain.is_empty() && by_channel {
            self.registry.named(has_channel)
        } else {
            certain
        };
        let mut candidates = worlds.into_iter();
        match (candidates.next(), candidates.next()) {
            (Some(world), None) => FoundWorld::One(world),
            (Some(_), Some(_)) => FoundWorld::Several,
            (None, _) => FoundWorld::None,
        }
    }
}
