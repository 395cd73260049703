#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

// In reading order: what an embedder supplies, who owns a state, what owners and readers share.

pub mod config;
pub mod error;
pub mod port;

pub mod owners;
pub mod shared;

pub mod caches;
pub mod live;
pub mod typing;
pub mod undo;
pub mod viewing;
pub mod views;
