//! The questions of salesbots: each is asked at the address of its program, across restarts.

mod asker;
mod question;

pub(crate) use asker::{Ask, Asker, BeginAsking, LeaveAsking};
pub(crate) use question::QuestionId;
