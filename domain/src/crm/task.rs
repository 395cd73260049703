//! A task: what an account user has to do until a time, about a lead, about a contact, or about neither.

use serde::{Deserialize, Serialize};

use crate::crm::entity::NoteSubject;
use crate::id::{AccountId, TaskId, UserId};
use crate::keys;
use crate::keys::changes::{Change, ChangeList};
use crate::keys::tasks::TaskList;
use crate::oauth::acting_client::ActingClient;
use crate::tables;
use crate::text::MessageText;
use crate::time::UnixMillis;
use crate::words;
use switchboard_engine::entries::IndexEntries;

words! {
    /// A type of tasks.
    pub enum TaskType {
        /// Get in touch.
        FollowUp = "follow_up",
        /// Meet.
        Meeting = "meeting",
    }
}

impl TaskType {
    /// The counterpart's number of the type.
    #[must_use]
    pub fn number(self) -> u64 {
        match self {
            Self::FollowUp => 1,
            Self::Meeting => 2,
        }
    }

    /// The type with this number.
    #[must_use]
    pub fn from_number(number: u64) -> Option<Self> {
        let mut types = Self::ALL.into_iter();
        types.find(|it| it.number() == number)
    }
}

/// The content of a task, which users set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskContent {
    /// The text.
    pub text: MessageText,
    /// The type.
    pub kind: TaskType,
    /// The lead or the contact; `None` for a task about neither.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<NoteSubject>,
    /// The user who is to do it.
    pub responsible: UserId,
    /// The time until which it is to be done.
    pub due_at: UnixMillis,
    /// The planned length, in seconds.
    #[serde(default)]
    pub duration: u64,
    /// True when it is done.
    #[serde(default)]
    pub is_completed: bool,
    /// The outcome, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<MessageText>,
}

/// A task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// Its number.
    pub id: TaskId,
    /// Its content.
    pub content: TaskContent,
    /// The author.
    pub created_by: UserId,
    /// The OAuth client that acted for the author.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_by_client: Option<ActingClient>,
    /// The user of the last change.
    pub updated_by: UserId,
    /// The OAuth client that acted for the user of the last change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_by_client: Option<ActingClient>,
    /// The time of creation.
    pub created_at: UnixMillis,
    /// The time of the last change.
    pub updated_at: UnixMillis,
}

/// The place of a task in lists before a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskBefore {
    /// The lead or the contact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<NoteSubject>,
    /// The user who was to do it.
    pub responsible: UserId,
    /// The time until which it was to be done.
    pub due_at: UnixMillis,
    /// True when it was done.
    pub is_completed: bool,
}

impl From<&TaskContent> for TaskBefore {
    fn from(content: &TaskContent) -> Self {
        Self {
            about: content.about,
            responsible: content.responsible,
            due_at: content.due_at,
            is_completed: content.is_completed,
        }
    }
}

impl TaskBefore {
    /// The lists that the task was in.
    fn lists(self) -> Vec<TaskList> {
        let mut lists = vec![TaskList::Responsible(self.responsible)];
        lists.extend(self.about.map(TaskList::About));
        lists.extend((!self.is_completed).then_some(TaskList::Open));
        lists
    }
}

/// A task is new, or is as follows now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskChanged {
    /// The task.
    pub task: Task,
    /// Its place before; `None` for a new task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<TaskBefore>,
}

impl TaskChanged {
    /// Counts the task among those that are to be done.
    pub(super) fn count_open(&self, open: &mut u64) {
        let was_open = self.before.is_some_and(|before| !before.is_completed);
        match (was_open, !self.task.content.is_completed) {
            (false, true) => *open = open.saturating_add(1),
            (true, false) => *open = open.saturating_sub(1),
            (true, true) | (false, false) => {}
        }
    }

    pub(super) fn index(&self, account: AccountId, entries: &mut IndexEntries) {
        let task = &self.task;
        entries.key(keys::tasks::task(account, task.id));
        let lists = TaskBefore::from(&task.content).lists();
        let lists_before = self.before.map(TaskBefore::lists).unwrap_or_default();
        for list in lists_before.iter().filter(|list| !lists.contains(list)) {
            entries.delete(tables::TASKS_OF, list.row(account, task.id));
        }
        for list in lists {
            entries.put(tables::TASKS_OF, list.row(account, task.id), Vec::new());
        }
        let change = Change {
            before: self.before.map(|before| before.due_at),
            now: task.content.due_at,
        };
        ChangeList::TasksDue.index(account, task.id.0, change, entries);
    }
}
