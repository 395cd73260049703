//! Hooks that relays took: kept in queues of their own, carried by the dispatch machine to the bridge and to those that get copies.
//!
//! ```text
//! hook of the counterpart ─► verified ─► one group on disk ─► 200 ─► queues ─► machine ─► attempt with the bytes as they came
//! ```

mod attempt;
mod dispatcher;
mod rows;
mod running;

pub(crate) use attempt::{attempt_of, stored_hook};
pub use dispatcher::TargetHealth;
pub(crate) use dispatcher::{EndRelayWait, RelayDispatcher, RelayHealths, ReplayRelayed};
pub(crate) use running::RunningRelays;
