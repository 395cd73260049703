//! The pure core: what the service decides, over plain data.
//!
//! Nothing here awaits, reads a clock, draws a random number or touches a disk. A
//! [`Command`](switchboard_engine::state::Command) looks at a [`State`](switchboard_engine::state::State) and decides;
//! the events it decides on are applied by its `apply`, at once in memory and again, the same way, after every restart.

pub mod account;
pub mod account_quota;
pub mod audit;
pub mod chat;
pub mod conversation;
pub mod crm;
pub mod delivery_queue;
pub mod derive;
pub mod dispatch;
pub mod endpoint;
pub mod erasures;
pub mod fate;
pub mod field;
pub mod generation;
pub mod id;
pub mod installation;
pub mod keys;
pub mod kinds;
pub mod notice;
pub mod oauth;
pub mod operator;
pub mod replays;
pub(crate) mod schema;
pub mod scope;
pub mod shared_map;
pub mod signature;
pub mod sketch;
pub mod tables;
pub mod text;
pub mod time;
pub mod vendor;
pub mod violation;
pub mod webhook;
pub mod words;

use crate::domain::notice::Notice;

/// What was decided, with whom else it concerns.
pub type Decision<E, R> = switchboard_engine::state::Decision<E, R, Notice>;
