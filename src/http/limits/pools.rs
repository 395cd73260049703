//! The table of all pools: how large each is, who may have how much of it, and what makes room when it is full.
//!
//! Sizes follow from the settings and from what the machine has. The share of an address is never more than a quarter of
//! the pool, whatever is set. `docs/limits.md` is made of this table, and `/metrics` shows it.

pub(crate) mod page;
mod sizes;

use switchboard_network::limits::fair_turns::TurnLimits;
use switchboard_network::limits::machine::Machine;

use self::sizes::{NO_LIMIT, Sizes, at_most, quarter, set_or};
use crate::config::Settings;

/// A pool that clients share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pool {
    /// Its name in metrics.
    pub(crate) name: &'static str,
    /// The things in it.
    pub(crate) what: &'static str,
    /// The largest number of them; [`NO_LIMIT`] stands for no limit.
    pub(crate) size: usize,
    /// The part of senders that have shown no credentials; 0: none.
    pub(crate) strangers: usize,
    /// The share of an address; `None`: addresses do not count.
    pub(crate) address: Option<usize>,
    /// The share of a user.
    pub(crate) user: Option<usize>,
    /// The share of an account; of proven bodies, one channel as well.
    pub(crate) account: Option<usize>,
    /// The settings that it follows, besides the machine.
    pub(crate) settings: &'static [&'static str],
    /// The rule for a full pool.
    pub(crate) room: &'static str,
}

/// The pools of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pools {
    pub(crate) connections: Pool,
    pub(crate) heads: Pool,
    pub(crate) unproven_bodies: Pool,
    pub(crate) proven_bodies: Pool,
    pub(crate) requests: Pool,
    pub(crate) sign_ins: Pool,
    pub(crate) streams: Pool,
    pub(crate) uploads: Pool,
    pub(crate) decodes: Pool,
    pub(crate) fetches: Pool,
    pub(crate) callbacks: Pool,
    /// The connections that are accepted beyond the size, while others make room.
    pub(crate) accepted_beyond: usize,
}

/// Sign-ins at once. Two of them compute the hash of a password, while the others write their session.
const SIGN_INS_AT_ONCE: usize = 4;
/// Sign-ins that wait for their turn: the last one waits for less than two seconds.
const SIGN_INS_WAITING: usize = 128;
/// Pictures that are decoded at once, and those that wait.
const DECODES: usize = 1 + 32;
/// Those of one account.
const DECODES_OF_ACCOUNT: usize = 1 + 8;

impl Pools {
    /// The pools of a service with these settings, on this machine.
    pub(crate) fn new(settings: &Settings, machine: Machine) -> Self {
        let sizes = Sizes::new(settings, machine);
        let connections = connections(settings, &sizes);
        Self {
            heads: Pool {
                name: "heads",
                what: "Connections that have not sent a whole head yet",
                room: "As for connections. A head has 5 seconds",
                ..connections
            },
            unproven_bodies: unproven_bodies(settings, &sizes),
            proven_bodies: proven_bodies(&sizes),
            requests: requests(settings),
            sign_ins: sign_ins(),
            streams: streams(settings, &sizes),
            uploads: uploads(settings),
            decodes: decodes(),
            fetches: fetches(settings),
            callbacks: callbacks(&sizes),
            accepted_beyond: sizes.accepted_beyond,
            connections,
        }
    }

    /// All of them, in the order of the page.
    pub(crate) fn all(&self) -> [&Pool; 11] {
        [
            &self.connections,
            &self.heads,
            &self.unproven_bodies,
            &self.proven_bodies,
            &self.requests,
            &self.sign_ins,
            &self.streams,
            &self.uploads,
            &self.decodes,
            &self.fetches,
            &self.callbacks,
        ]
    }

    /// The turns of sign-ins.
    pub(crate) fn sign_in_turns(&self) -> TurnLimits {
        TurnLimits {
            at_once: SIGN_INS_AT_ONCE,
            waiting: SIGN_INS_WAITING,
            share: self.sign_ins.address.unwrap_or(SIGN_INS_WAITING),
        }
    }
}

fn connections(settings: &Settings, sizes: &Sizes) -> Pool {
    let size = sizes.connections;
    Pool {
        name: "connections",
        what: "Connections",
        size,
        strangers: size,
        address: Some(set_or(
            settings.limits.connections_per_address_max,
            quarter(size),
        )),
        user: None,
        account: None,
        settings: &[
            "limits.connections_max",
            "limits.connections_per_address_max",
        ],
        room: "In a full share, the oldest connection of the address without a whole head; else the answer is 429. In a \
               full pool, of the address that has the most: the oldest connection without a whole head, else one without a \
               request, one whose body or client is slow. A connection whose request is in work stays",
    }
}

fn unproven_bodies(settings: &Settings, sizes: &Sizes) -> Pool {
    let size = sizes.bodies;
    Pool {
        name: "bodies_unproven",
        what: "Bodies on their way, of senders that have shown no credentials",
        size,
        strangers: size,
        address: Some(set_or(
            settings.limits.bodies_awaited_per_address_max,
            quarter(size),
        )),
        user: None,
        account: None,
        settings: &[
            "limits.bodies_awaited_max",
            "limits.bodies_awaited_per_address_max",
        ],
        room: "The body that has waited longest with the least progress is given up (408): of the address in a full share, \
               of the address that has the most in a full pool. A body has 15 seconds",
    }
}

fn proven_bodies(sizes: &Sizes) -> Pool {
    let size = sizes.bodies;
    Pool {
        name: "bodies_proven",
        what: "Bodies on their way, of users, channels and the operator",
        size,
        strangers: 0,
        address: None,
        user: Some(quarter(size)),
        account: Some(quarter(size)),
        settings: &["limits.bodies_awaited_max"],
        room: "As for other bodies, by account or channel",
    }
}

fn requests(settings: &Settings) -> Pool {
    let size = set_or(settings.limits.requests_in_flight_max, NO_LIMIT);
    Pool {
        name: "requests",
        what: "Requests in work",
        size,
        strangers: at_most(SIGN_INS_AT_ONCE + SIGN_INS_WAITING, size),
        address: None,
        user: None,
        account: None,
        settings: &["limits.requests_in_flight_max"],
        room: "Nothing: the answer is 503. No request in work waits for its client, and of those without credentials only \
               sign-ins wait at all",
    }
}

fn sign_ins() -> Pool {
    Pool {
        name: "sign_ins",
        what: "Sign-ins: four in work, others wait",
        size: SIGN_INS_AT_ONCE + SIGN_INS_WAITING,
        strangers: SIGN_INS_AT_ONCE + SIGN_INS_WAITING,
        address: Some(quarter(SIGN_INS_WAITING)),
        user: None,
        account: None,
        settings: &[],
        room: "Addresses take turns. The sign-in that has waited longest is given up (503): of the address in a full share, \
               of the address that has the most in a full pool",
    }
}

fn streams(settings: &Settings, sizes: &Sizes) -> Pool {
    let size = (sizes.connections / 2).max(1);
    Pool {
        name: "streams",
        what: "Event streams",
        size,
        strangers: 0,
        address: None,
        user: Some(set_or(settings.limits.streams_per_user_max, quarter(size))),
        account: Some((size / 2).max(1)),
        settings: &["limits.connections_max", "limits.streams_per_user_max"],
        room: "Nothing: the answer is 429",
    }
}

fn uploads(settings: &Settings) -> Pool {
    let media = &settings.media;
    let account = at_most(media.uploads_per_account_max, media.uploads_max);
    Pool {
        name: "uploads",
        what: "Uploads",
        size: media.uploads_max,
        strangers: 0,
        address: None,
        user: Some(at_most(media.uploads_per_user_max, (account / 2).max(1))),
        account: Some(account),
        settings: &[
            "media.uploads_max",
            "media.uploads_per_user_max",
            "media.uploads_per_account_max",
        ],
        room: "Nothing: the answer is 429, or 503 in a full pool. An upload without progress ends after 15 seconds",
    }
}

fn decodes() -> Pool {
    Pool {
        name: "decodes",
        what: "Pictures: one is decoded, others wait",
        size: DECODES,
        strangers: 0,
        address: None,
        user: None,
        account: Some(DECODES_OF_ACCOUNT),
        settings: &[],
        room: "The newest one of the account that has the most; for that account itself nothing: the answer is 503. A fetched picture is tried again",
    }
}

fn fetches(settings: &Settings) -> Pool {
    Pool {
        name: "fetches",
        what: "Files of integrations that are fetched",
        size: settings.media.fetches_max,
        strangers: 0,
        address: None,
        user: None,
        account: None,
        settings: &["media.fetches_max"],
        room: "Nothing: further ones wait on disk. At most two are of one server",
    }
}

fn callbacks(sizes: &Sizes) -> Pool {
    Pool {
        name: "callbacks",
        what: "Callbacks on their way",
        size: sizes.callbacks,
        strangers: 0,
        address: None,
        user: None,
        account: None,
        settings: &["dispatch.in_flight_max"],
        room: "Nothing: further ones wait on disk. Endpoints take turns",
    }
}

#[cfg(test)]
mod tests;
