//! The beginning of a log: by an order, never because it is empty. A log that a node does not find looks like one that is
//! empty, so a node that began by itself would begin a second installation.

use std::time::Duration;

use switchboard_engine::runtime::clock::Clock;

use super::follow_error::FollowError;
use super::log::SharedLog;
use super::resolve_append::{Resolved, RetryPause, resolve_append};
use super::summary::summary;
use crate::entry::{Content, Entry};
use crate::log_end::LogEnd;

/// The beginning of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// It has no entry.
    Empty,
    /// A node is to begin it, and has not claimed it yet.
    Ordered {
        /// The name of the node.
        node: String,
    },
    /// A node has claimed it.
    Claimed {
        /// The secret of the installation.
        secret: [u8; 16],
    },
}

/// A reason for which a log does not begin.
#[derive(Debug, thiserror::Error)]
pub enum BeginError {
    /// It has begun before.
    #[error("the shared log has begun: {owner} has claimed it; every node can be started")]
    Begun {
        /// The node that has claimed it last, as far as the log shows it.
        owner: String,
    },
    /// It cannot be read.
    #[error(transparent)]
    Follow(#[from] FollowError),
    /// It does not store the order.
    #[error("the shared log does not store the order: {0}")]
    NotStored(String),
}

/// The orders of a log without claims.
#[derive(Default)]
struct Orders {
    end: LogEnd,
    node: Option<String>,
}

/// The first entries of a log.
enum First {
    Orders(Orders),
    Claim { secret: [u8; 16] },
}

/// Reads how far a log has begun.
///
/// # Errors
/// When the log cannot be read, or begins with something else.
pub fn beginning(log: &mut dyn SharedLog) -> Result<Beginning, FollowError> {
    Ok(match first(log)? {
        First::Claim { secret } => Beginning::Claimed { secret },
        First::Orders(Orders { node: None, .. }) => Beginning::Empty,
        First::Orders(Orders {
            node: Some(node), ..
        }) => Beginning::Ordered { node },
    })
}

fn first(log: &mut dyn SharedLog) -> Result<First, FollowError> {
    let mut orders = Orders::default();
    loop {
        let entries = log.read(orders.end.position, Duration::ZERO)?;
        if entries.is_empty() {
            return Ok(First::Orders(orders));
        }
        for stored in entries {
            let position = stored.position;
            let entry = stored.decode()?;
            let content = &entry.header.content;
            if let Some(secret) = content.claim().and_then(|claim| claim.secret) {
                return Ok(First::Claim { secret: secret.0 });
            }
            let Some(node) = content.order() else {
                let reason = "a log begins with an order and a claim".to_owned();
                return Err(FollowError::Forked { position, reason });
            };
            orders.end.advance(&entry);
            orders.node = Some(node.to_owned());
        }
    }
}

/// Orders this node to begin a log that no node has claimed. A later order replaces an earlier one.
///
/// # Errors
/// When the log has begun, or does not store the order.
pub fn begin(
    log: &mut dyn SharedLog,
    waiting: &mut dyn RetryPause,
    node: &str,
    clock: &dyn Clock,
) -> Result<(), BeginError> {
    let orders = match first(log)? {
        First::Orders(orders) => orders,
        First::Claim { .. } => {
            let owner = newest_owner(log)?;
            return Err(BeginError::Begun { owner });
        }
    };
    if orders.node.as_deref() == Some(node) {
        return Ok(());
    }
    let order = Content::Begin {
        node: node.to_owned(),
    };
    let end = orders.end;
    let entry = Entry::without_body(end.next_header(clock.now(), end.last, order));
    match resolve_append(log, end.position, &entry.encode(), waiting) {
        Resolved::Stored => Ok(()),
        Resolved::Taken(other) => Err(BeginError::Begun {
            owner: other.maker(),
        }),
        Resolved::Refused(reason) | Resolved::Unknown(reason) => Err(BeginError::NotStored(reason)),
    }
}

fn newest_owner(log: &mut dyn SharedLog) -> Result<String, FollowError> {
    let newest = summary(log)?;
    let owner = newest.and_then(|newest| newest.owner);
    Ok(owner.map_or_else(|| "a node".to_owned(), |owner| owner.to_string()))
}
