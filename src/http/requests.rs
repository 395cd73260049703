//! What integrations asked lately, and what they were answered: for the people who find out why something does not work.
//!
//! Kept in memory only, and never more than the settings allow: the newest of each channel, refused ones apart from the
//! others, so that traffic does not push out what went wrong. Bodies are cut; values of headers that carry a secret are
//! not kept. Under load only some of the requests are kept, and how many were not is told.

mod keep_limit;
pub(crate) mod kept;
pub(crate) mod log;
