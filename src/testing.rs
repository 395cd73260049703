//! What tests and benches need of the outside world: a receiver that misbehaves on command
//! and a name server that lies on command. And the service itself: its HTTP interface [in
//! memory](http_world), all of it on a port, and a world on a port beside a tested program.
//!
//! `switchboard dev` offers worlds, so every build has the HTTP interface of a world. All else is compiled for this package's
//! own tests and, for other packages and for benches, behind the feature `testing`.

pub mod http_world;
#[cfg(any(test, feature = "testing"))]
pub mod names;
#[cfg(any(test, feature = "testing"))]
pub mod served_world;
#[cfg(any(test, feature = "testing"))]
pub mod service;
#[cfg(any(test, feature = "testing"))]
pub mod sink;
