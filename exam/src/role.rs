//! The role of a program: what it is to an account.

use switchboard_values::words;

words! {
    /// The role of a program.
    pub enum Role {
        /// It connects a messenger: it gets callbacks of a channel, and posts for its customers.
        Bridge = "bridge",
        /// It watches an account: it gets hooks, and answers in talks.
        Bot = "bot",
    }

    /// The roles that a run examines.
    #[derive(Default)]
    pub enum Profile {
        /// That of a bridge.
        #[default]
        Bridge = "bridge",
        /// That of a bot.
        Bot = "bot",
        /// Both: a rule for bridges and bots is tried in each role, and the worse verdict counts.
        Both = "both",
    }
}

/// The roles of a rule for bridges.
pub(crate) const BRIDGES: &[Role] = &[Role::Bridge];
/// The roles of a rule for bots.
pub(crate) const BOTS: &[Role] = &[Role::Bot];
/// The roles of a rule for bridges and bots.
pub(crate) const BOTH: &[Role] = &[Role::Bridge, Role::Bot];

impl Role {
    /// The programs of this role, for people.
    #[must_use]
    pub fn plural(self) -> &'static str {
        match self {
            Self::Bridge => "bridges",
            Self::Bot => "bots",
        }
    }
}

impl Profile {
    /// The roles of a program that are examined.
    #[must_use]
    pub fn roles(self) -> &'static [Role] {
        match self {
            Self::Bridge => BRIDGES,
            Self::Bot => BOTS,
            Self::Both => BOTH,
        }
    }
}
