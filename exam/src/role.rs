//! The role of a program: what it is to an account.

use serde::Serialize;

/// The role of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// It connects a messenger: it gets callbacks of a channel, and posts for its customers.
    Bridge,
    /// It watches an account: it gets hooks, and answers in talks.
    Bot,
}

impl Role {
    /// The programs of this role, for people.
    #[must_use]
    pub fn plural(self) -> &'static str {
        match self {
            Self::Bridge => "bridges",
            Self::Bot => "bots",
        }
    }

    /// The program in this role, for people.
    pub(crate) fn singular(self) -> &'static str {
        match self {
            Self::Bridge => "bridge",
            Self::Bot => "bot",
        }
    }
}

/// The roles that a run examines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// That of a bridge.
    #[default]
    Bridge,
    /// That of a bot.
    Bot,
    /// Both: a rule for bridges and bots is tried in each role, and the worse verdict counts.
    Both,
}

impl Profile {
    /// The words for the profiles, in their order.
    pub const WORDS: [&str; 3] = ["bridge", "bot", "both"];

    /// The profile with this word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        let profiles = Self::WORDS
            .into_iter()
            .zip([Self::Bridge, Self::Bot, Self::Both]);
        let mut named = profiles.filter(|(name, _)| *name == word);
        named.next().map(|(_, profile)| profile)
    }

    /// The word for the profile.
    #[must_use]
    pub fn word(self) -> &'static str {
        let [bridge, bot, both] = Self::WORDS;
        match self {
            Self::Bridge => bridge,
            Self::Bot => bot,
            Self::Both => both,
        }
    }

    /// The roles of a program that are examined.
    #[must_use]
    pub fn roles(self) -> &'static [Role] {
        match self {
            Self::Bridge => &[Role::Bridge],
            Self::Bot => &[Role::Bot],
            Self::Both => &[Role::Bridge, Role::Bot],
        }
    }
}
