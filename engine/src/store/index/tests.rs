//! The index as a whole, against a model, on a disk and tables that fail and forget on demand.

mod concurrency;
mod crash;
mod damage;
mod disk;
mod model;
mod owners;
mod runs;
mod scale;
mod states;
mod world;
