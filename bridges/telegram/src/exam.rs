//! The other side of the bridge for `switchboard exam`: customers whom the exam makes write, and what has arrived at them.
//!
//! It is there only with `SWITCHBOARD_EXAM_DIRECTORY`. Telegram is the double then, a program on this machine that takes orders; each
//! directory has a bot of its own there, so that the exam tries several rules at once.

mod customers;
mod double;
mod pages;
mod seen;
mod settings;

use std::cell::RefCell;
use std::collections::BTreeSet;

use self::double::Double;
pub(crate) use self::pages::answer;
pub(crate) use self::settings::{EXAM_DIRECTORY, ExamSettings, is_loopback};

/// The exam.
pub(crate) struct Exam {
    double: Double,
    /// The customers who are at the double already, and the phone numbers that they were made to share.
    people: RefCell<BTreeSet<String>>,
}

impl Exam {
    pub(crate) fn new(settings: &ExamSettings, bot: i64) -> reqwest::Result<Self> {
        Ok(Self {
            double: Double::new(settings, bot)?,
            people: RefCell::default(),
        })
    }
}
