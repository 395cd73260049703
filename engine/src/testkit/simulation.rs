//! A machine that is simulated: disk, tables, time and power come from one seed, so the same seed is the same run.
//!
//! A test gives the [`Machine`] to a process as its disk and its tables, [runs](process::run) the
//! process until it ends or dies, and runs the next one on what is left. The test itself defines the promises and how
//! it checks them.

pub mod clock;
pub mod coverage;
pub mod disk;
pub mod history;
pub mod machine;
pub mod possible;
pub mod process;
pub mod seeds;
pub mod tables;
pub mod trace;

pub use clock::SimClock;
pub use coverage::Coverage;
pub use disk::SimDisk;
pub use machine::{Cut, Death, DiskContent, Machine};
pub use possible::Possible;
pub use process::Process;
pub use tables::SimTables;
pub use trace::Trace;
