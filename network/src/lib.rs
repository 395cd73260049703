#![doc = include_str!("../README.md")]

pub mod callback;
pub mod host;
pub mod limits;
pub mod outbound;
pub mod printable;
pub mod shares;
