//! For tests of what is built on the engine: a [clock that is moved by hand](ManualClock), a
//! [disk that fails on order](FaultyDisk), and all that a [`simulation`] of a whole machine needs.

pub mod carry_out;
pub mod clock;
pub mod dice;
pub mod simulation;
pub mod wanted;

pub use crate::store::disk::faulty::FaultyDisk;
pub use carry_out::carry_out;
pub use clock::ManualClock;
pub use dice::Dice;
pub use wanted::wanted;
