//! The memory of a bridge, and the changes of it.

use serde::{Deserialize, Serialize};

/// The kinds of jobs. A slow messenger holds up none of the calls of the service, and reports hold up no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// To the customer: the messenger does it. The body is the callback, as it came.
    Deliver,
    /// To the service, signed: the core does it. [`Post`](crate::posts::Post) is the form of the body.
    Post,
    /// The status of a delivery: the core does it. The lane has the name of the message.
    Report,
    /// A call of the account side: the messenger does it, and the body is whatever it needs.
    Contact,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Deliver, Self::Post, Self::Report, Self::Contact];

    /// The number in the store.
    pub(crate) fn number(self) -> u8 {
        match self {
            Self::Deliver => 0,
            Self::Post => 1,
            Self::Report => 2,
            Self::Contact => 3,
        }
    }

    /// The kind with this number.
    pub(crate) fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.number() == number)
    }
}

/// The jobs of a lane are done one after the other: those of a conversation, or the reports of a message.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lane {
    /// The kind of its jobs.
    pub kind: Kind,
    /// The conversation or the message.
    pub name: String,
}

impl Lane {
    /// A lane of this kind and name.
    pub fn new(kind: Kind, name: impl Into<String>) -> Self {
        Self {
            kind,
            name: name.into(),
        }
    }
}

/// Work that has to be done, whatever happens. [`Store::job`](crate::store::Store::job) makes one, [`Change::Begin`] begins it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The number, which no other job has or had.
    pub id: u64,
    /// The jobs that are done before and after it.
    pub lane: Lane,
    /// The jobs of a lane are in this order, those of one rank in that of their ids.
    pub rank: i64,
    /// The second in which it came.
    pub at: i64,
    /// The text that the work needs; [`Kind`] says which.
    pub body: String,
}

/// The tokens of the account side.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// The proof of a call.
    pub access_token: String,
    /// The right to the next tokens; it counts once.
    pub refresh_token: String,
}

/// The installation in the account.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Account {
    /// True from the report of an uninstallation to the next installation.
    pub is_uninstalled: bool,
    /// The tokens, while there are valid ones.
    pub tokens: Option<Tokens>,
    /// The code that is to be exchanged.
    pub code: Option<String>,
    /// The code that was exchanged last.
    pub exchanged_code: Option<String>,
    /// The code of the environment, which counts once.
    pub first_code: Option<String>,
    /// No call of the account side leaves before this second.
    pub stopped_until: i64,
    /// The secrets of the channel.
    pub secrets: Vec<String>,
    /// Those before.
    pub secrets_before: Vec<String>,
    /// The second of the change.
    pub secrets_changed_at: i64,
}

/// A change. Those of one commit are made together or not at all.
#[derive(Clone)]
pub enum Change {
    /// A callback was taken. If it was before, none of the changes beside it is made.
    Callback {
        /// The name, the same in each attempt.
        identity: String,
        /// The second in which it came.
        at: i64,
    },
    /// A job begins.
    Begin(Job),
    /// The job with this id is over.
    End(u64),
    /// A value of the messenger's own.
    Put {
        /// The table, which begins to exist with its first value.
        table: String,
        /// The key.
        key: String,
        /// The value, in place of the one before.
        value: String,
    },
    /// A value of the messenger's own goes.
    Delete {
        /// The table.
        table: String,
        /// The key.
        key: String,
    },
    /// The installation is another.
    Account(Box<Account>),
}

impl Change {
    /// The value of a key of one of the messenger's tables.
    pub fn put(table: &str, key: impl Into<String>, value: impl Into<String>) -> Self {
        Self::Put {
            table: table.to_owned(),
            key: key.into(),
            value: value.into(),
        }
    }

    /// The end of the value of a key.
    pub fn delete(table: &str, key: impl Into<String>) -> Self {
        Self::Delete {
            table: table.to_owned(),
            key: key.into(),
        }
    }
}
