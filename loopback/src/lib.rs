#![doc = include_str!("../README.md")]

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
