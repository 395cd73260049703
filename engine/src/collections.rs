//! Data structures that no library has in this form.

pub mod shared_map;
pub mod sketch;
