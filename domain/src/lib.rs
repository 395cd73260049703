#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

pub mod account;
pub mod account_quota;
pub mod assigning;
pub mod audit;
pub mod calendar;
pub mod canned_replies;
pub mod chat;
pub mod conversation;
pub mod crm;
pub mod delivery_queue;
pub mod derive;
pub mod drafts;
pub mod endpoint;
pub mod fate;
pub mod field;
pub mod generation;
pub mod hooks;
pub mod id_kind;
pub mod installation;
pub mod keys;
pub mod kinds;
pub mod notice;
pub mod oauth;
pub mod operator;
pub mod relays;
pub mod replays;
pub mod salesbots;
pub mod saved_views;
pub mod scheduled_replies;
pub mod scope;
pub mod signature;
pub mod tables;
pub mod team_notes;
pub mod templates;
pub mod vendor;
pub mod webhooks;

pub use switchboard_dispatch as dispatch;
pub use switchboard_values::{
    hook_version, id, list_message, markers, notifications, person, scheduled, several, target,
    text, time, violation, webhook, words,
};

use crate::notice::Notice;
pub(crate) use switchboard_values::schema;

/// The events of a command, with the notices for other streams.
pub type Decision<E, R> = switchboard_engine::state::Decision<E, R, Notice>;
