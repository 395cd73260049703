//! The judges of erasures: the decision which records an erasure keeps, erases or masks, and the certificate of it.
//!
//! A [`Group`](group::Group) reads each record of the journal twice before it judges one: first it surveys what belongs
//! together in an account, then it collects what the survey leads to. Nothing here reads a store; the caller passes the
//! records.

mod account;
pub mod certified;
pub mod customer;
pub mod group;
mod hooks;
mod judge;
mod masks;
pub mod record;
mod relayed_conversation;
mod relays;
mod retention;
mod survey;
pub mod tally;
pub mod together;
