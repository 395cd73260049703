//! Hooks: what the webhooks of an account are sent of what happens in it.
//!
//! A hook is made once, from the record that it is about, and stored with the webhooks that it goes to. Each of them has a
//! queue for each object, so that hooks of one object arrive in their order.

pub mod feed;
pub mod hook;
pub mod queue;
pub mod routing;
pub mod schedule;
