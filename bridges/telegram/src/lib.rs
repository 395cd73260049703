//! The parts of a bridge between Switchboard and Telegram.
//!
//! `api` calls the Bot API. `inbound` makes of an update what is posted to the service, and `outbound` makes of a callback the
//! calls that show it in Telegram; both are pure. The rules that hold for every messenger are in `switchboard-bridge-core`.

pub mod api;
pub mod ids;
pub mod inbound;
pub mod outbound;
mod words;
