//! For tests of what is built on the engine: a [clock that is moved by hand](ManualClock), and a
//! [disk that fails on order](FaultyDisk).

pub mod clock;

pub use crate::store::disk::faulty::FaultyDisk;
pub use clock::ManualClock;
