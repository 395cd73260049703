//! What tests and benches need of the outside world: a receiver that misbehaves on command
//! and a name server that lies on command.
//!
//! Compiled for this package's own tests and, for other packages and for benches, behind
//! the feature `testing`, so that the shipped binary holds none of it.

pub mod names;
pub mod sink;
