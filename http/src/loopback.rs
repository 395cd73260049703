//! HTTP on the sockets besides the service's own: orders about worlds, worlds, the proxy of `switchboard dev` and
//! `switchboard listen`.
//!
//! Anybody on the machine reaches them, so each has a bounded number of connections. When all are taken, the one that has
//! proved the least makes room for a newcomer: a stranger who only holds connections blocks no other client. Heads and bodies have
//! deadlines, and the bodies that wait in memory a bound.

mod accept;
pub mod body;
mod place;
mod serve;
#[cfg(test)]
mod tests;
mod wire;

pub use accept::accept;
pub use place::Place;
pub use serve::{Answers, serve};
