//! Hooks of the accounts' webhooks: made from the journal, kept in queues of their own, carried by the dispatch machine.
//!
//! ```text
//! record on disk ─► feed: which webhooks? ─► hooks and cursor, one group ─► queues ─► machine ─► attempt
//! ```
//!
//! Nothing here is in the way of a command: the feed reads records that are on disk already, and reads none while no account
//! has a webhook. Callbacks of channels have a machine, a queue and slots of their own, so neither delays the other.

mod attempt;
mod context;
mod crm_states;
mod dispatcher;
mod feed;
mod numbered;
mod registry;
mod running;
mod store;

pub(crate) use attempt::stored as stored_hook;
pub use dispatcher::WebhookCounts;
pub(crate) use dispatcher::{CountHooks, CountWebhooks, EndHookWait, HookDispatcher, ReplayHook};
pub(crate) use running::RunningHooks;
