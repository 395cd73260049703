//! The client of the Bot API against the double, and against servers that misbehave.

mod calls;
mod faults;
mod secrecy;
mod support;
