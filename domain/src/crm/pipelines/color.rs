//! The colours of stages: a fixed list, as the known counterpart has it.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::schema::schema_of;

/// The colours that a stage may have: those of the counterpart's palette, those that stages get without a choice, and those
/// of the system stages, since clients send back what they got.
const ALL: [&str; 28] = [
    "#fffeb2", "#fffd7f", "#fff000", "#ffeab2", "#ffdc7f", "#ffce5a", "#ffdbdb", "#ffc8c8",
    "#ff8f92", "#d6eaff", "#c1e0ff", "#98cbff", "#ebffb1", "#deff81", "#87f2c0", "#f9deff",
    "#f3beff", "#ccc8f9", "#eb93ff", "#f2f3f4", "#e6e8ea", "#99ccff", "#ffff99", "#ffcc66",
    "#ffcccc", UNSORTED, WON, LOST,
];
/// Those that open stages get in turn.
const IN_TURN: [&str; 4] = ["#99ccff", "#ffff99", "#ffcc66", "#ffcccc"];
const UNSORTED: &str = "#c1c1c1";
const WON: &str = "#ccff66";
const LOST: &str = "#d5d8db";

/// A colour of a stage.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
pub struct StageColor(&'static str);

schema_of!(StageColor, { "type": "string" });

impl StageColor {
    /// The colour as people and programs write it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.0
    }

    /// Every colour.
    pub fn names() -> impl Iterator<Item = &'static str> {
        ALL.into_iter()
    }

    /// The colour of an unsorted stage.
    pub(super) const UNSORTED: Self = Self(UNSORTED);
    /// The colour of the end «won».
    pub(super) const WON: Self = Self(WON);
    /// The colour of the end «lost».
    pub(super) const LOST: Self = Self(LOST);

    /// The colour of an open stage for which none was chosen, at this place.
    pub(super) fn in_turn(at: usize) -> Self {
        Self(IN_TURN.iter().cycle().nth(at).copied().unwrap_or(UNSORTED))
    }
}

/// The text names no colour of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColorError;

impl fmt::Display for ColorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected one of the colours {}", ALL.join(", "))
    }
}

impl FromStr for StageColor {
    type Err = ColorError;

    fn from_str(text: &str) -> Result<Self, ColorError> {
        let mut colors = ALL.into_iter();
        let color = colors.find(|color| color.eq_ignore_ascii_case(text));
        color.map(Self).ok_or(ColorError)
    }
}

impl<'de> Deserialize<'de> for StageColor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

impl fmt::Debug for StageColor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_is_one_of_the_list_in_either_case() {
        assert_eq!("#CCFF66".parse::<StageColor>().unwrap().as_str(), WON);
        for color in ALL {
            let json = serde_json::to_string(&color.parse::<StageColor>().unwrap()).unwrap();
            assert_eq!(json, format!("\"{color}\""));
            assert!(serde_json::from_str::<StageColor>(&json).is_ok());
        }
        for wrong in ["", "#fff", "red", "#123456", " #fffeb2"] {
            assert_eq!(wrong.parse::<StageColor>(), Err(ColorError), "{wrong}");
        }
    }
}
