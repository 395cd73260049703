//! What tests and benches need of the outside world: a receiver that misbehaves on command
//! and a name server that lies on command. And the service itself: its HTTP interface [in
//! memory](http_world), and all of it [on a port](service).
//!
//! Compiled for this package's own tests and, for other packages and for benches, behind
//! the feature `testing`, so that the shipped binary holds none of it.

pub mod http_world;
pub mod names;
pub mod service;
pub mod sink;
