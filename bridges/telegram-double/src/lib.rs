#![doc = include_str!("../README.md")]

mod bounds;
mod client;
mod clock;
mod double;
mod http;
pub mod orders;
mod params;
mod reply;
mod shared;
mod state;

pub use client::Orders;
pub use clock::Moment;
pub use double::Double;
pub use orders::OrderError;
pub use state::buckets::Rates;
pub use state::chat::{Action, Edit};
pub use state::faults::{Fault, FaultKind, FaultState};
pub use state::people::Person;
pub use state::queue::{About, Dropped};
