//! Hooks that relays took: kept in queues of their own, carried by the dispatch machine to the bridge and to those that get copies.
//!
//! ```text
//! hook of the counterpart ─► verified ─► one group on disk ─► 200 ─► queues ─► machine ─► attempt with the bytes as they came
//! message of the bridge   ─► verified ─► one group on disk ─► 200 ─► queues ─► machine ─► attempt, signed anew when it is late
//! ```

mod attempt;
mod dispatcher;
mod ids;
mod job;
mod post;
mod rows;
mod running;

pub(crate) use attempt::{attempt_of, stored_hook};
pub use dispatcher::TargetHealth;
pub(crate) use dispatcher::{EndRelayWait, RelayDispatcher, RelayHealths, ReplayRelayed};
pub use ids::RealIds;
pub(crate) use ids::{own_ids, queue_of_posts, real_ids};
pub(crate) use running::RunningRelays;
