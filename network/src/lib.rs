#![doc = include_str!("../README.md")]

// Without most of the dependencies, a build for the interleavings of the limits takes seconds.
#[cfg(not(interleavings))]
pub mod callback;
#[cfg(not(interleavings))]
pub mod host;
pub mod limits;
#[cfg(not(interleavings))]
pub mod outbound;
#[cfg(not(interleavings))]
pub mod printable;
#[cfg(not(interleavings))]
pub mod shares;
mod sync;
