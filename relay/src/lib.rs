#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

pub mod deliveries;
pub mod envelope;
pub mod facts;
pub mod hooks;
pub mod ids;
pub mod news;
pub mod posts;
pub mod refusal;
pub mod settings;
pub mod switch;
pub mod upward;

use switchboard_domain::Decision;
