//! The actors: wiring only. What they decide is in [`crate::domain`], how they are kept alive in `runtime`.

pub(crate) mod admission;
pub(crate) mod board;
pub(crate) mod book;
pub(crate) mod conversation;
pub(crate) mod dispatcher;
pub(crate) mod facts;
pub(crate) mod installation;
pub(crate) mod known_credentials;
pub(crate) mod known_users;
pub(crate) mod meters;
pub(crate) mod recent;
pub(crate) mod roles;
pub(crate) mod scope;
pub(crate) mod typing;

use crate::domain::account::credentials::Credentials;
use crate::domain::account::roles::Roles;
use crate::domain::account::users::Users;
use crate::domain::book::Book;
use crate::domain::conversation::Conversation;
use crate::domain::installation::accounts::Accounts;
use crate::domain::installation::channels::Channels;
use crate::domain::operator::Operator;
use crate::domain::replays::Replays;
use crate::domain::scope::Scope;
use crate::runtime::directory::{Directory, Sweep};

/// The directories of all actors.
pub(crate) struct Directories {
    pub(crate) channels: Directory<Channels>,
    pub(crate) accounts: Directory<Accounts>,
    pub(crate) users: Directory<Users>,
    pub(crate) roles: Directory<Roles>,
    pub(crate) credentials: Directory<Credentials>,
    pub(crate) scopes: Directory<Scope>,
    pub(crate) conversations: Directory<Conversation>,
    pub(crate) books: Directory<Book>,
    pub(crate) operator: Directory<Operator>,
    pub(crate) replays: Directory<Replays>,
}

impl Directories {
    /// Empty directories. Conversations are many and each has few callers; the others are few with many callers.
    pub(crate) fn new(mailbox: usize) -> Self {
        Self {
            channels: Directory::new(mailbox),
            accounts: Directory::new(mailbox),
            users: Directory::new(mailbox),
            roles: Directory::new(mailbox),
            credentials: Directory::new(mailbox),
            scopes: Directory::new(mailbox),
            conversations: Directory::new(mailbox),
            books: Directory::new(mailbox.saturating_mul(4)),
            operator: Directory::new(mailbox),
            replays: Directory::new(mailbox),
        }
    }

    /// Has actors that nobody uses any more leave memory, or let go of what they do not need.
    pub(crate) fn sweep(&self, sweep: &Sweep) {
        self.users.sweep(sweep);
        self.roles.sweep(sweep);
        self.credentials.sweep(sweep);
        self.scopes.sweep(sweep);
        self.conversations.sweep(sweep);
        self.books.sweep(sweep);
    }

    /// Forgets all actors.
    pub(crate) fn clear(&self) {
        self.channels.clear();
        self.accounts.clear();
        self.users.clear();
        self.roles.clear();
        self.credentials.clear();
        self.scopes.clear();
        self.conversations.clear();
        self.books.clear();
        self.operator.clear();
        self.replays.clear();
    }

    /// How many actors are in memory.
    pub(crate) fn live(&self) -> usize {
        self.channels.live()
            + self.accounts.live()
            + self.users.live()
            + self.roles.live()
            + self.credentials.live()
            + self.scopes.live()
            + self.conversations.live()
            + self.books.live()
            + self.operator.live()
            + self.replays.live()
    }

    /// How many actors died by a panic.
    pub(crate) fn deaths(&self) -> u64 {
        self.channels.deaths()
            + self.accounts.deaths()
            + self.users.deaths()
            + self.roles.deaths()
            + self.credentials.deaths()
            + self.scopes.deaths()
            + self.conversations.deaths()
            + self.books.deaths()
            + self.operator.deaths()
            + self.replays.deaths()
    }
}
