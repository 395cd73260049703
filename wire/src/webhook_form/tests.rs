//! The forms byte for byte, and the events that records cause.

mod derivation;
mod fixture;
mod golden;
mod hostile;
mod tasks;
mod templates;
mod tree;
