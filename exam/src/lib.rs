#![doc = include_str!("../README.md")]

mod case;
mod cases;
pub mod examinee;
pub mod report;
pub mod role;
pub mod rule;
pub mod run;
mod stage;
pub mod verdict;

pub use self::stage::DIRECTORY_VARIABLE;
