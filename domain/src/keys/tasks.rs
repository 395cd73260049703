//! Keys and rows of tasks.

use crate::crm::entity::NoteSubject;
use crate::id::{AccountId, TaskId, UserId};
use switchboard_engine::entries::Key;

/// The newest state of a task.
#[must_use]
pub fn task(account: AccountId, task: TaskId) -> Key {
    Key::new("task", &(account, task))
}

/// A list of tasks, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskList {
    /// Those about a lead or a contact.
    About(NoteSubject),
    /// Those that a user is to do, or has done.
    Responsible(UserId),
    /// Those that are to be done.
    Open,
}

impl TaskList {
    /// The bytes that the rows of the list start with.
    #[must_use]
    pub fn prefix(self, account: AccountId) -> Vec<u8> {
        let mut key = account.bytes().to_vec();
        match self {
            Self::About(about) => {
                key.extend([1, about.kind.code()]);
                key.extend(about.id.to_be_bytes());
            }
            Self::Responsible(user) => {
                key.push(2);
                key.extend(user.0.to_be_bytes());
            }
            Self::Open => key.push(3),
        }
        key
    }

    /// The place of a task in the list.
    #[must_use]
    pub fn row(self, account: AccountId, task: TaskId) -> Vec<u8> {
        let mut key = self.prefix(account);
        key.extend(task.0.to_be_bytes());
        key
    }
}
