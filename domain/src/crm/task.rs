//! A task: what an account user has to do until a time, about a lead, about a contact, or about neither.

use serde::{Deserialize, Serialize};

use crate::crm::authorship::Authorship;
use crate::crm::entity::NoteSubject;
use crate::id::{AccountId, TaskId, UserId};
use crate::keys;
use crate::keys::changes::{Change, ChangeList};
use crate::keys::tasks::TaskList;
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
    /// The users who made and changed it.
    #[serde(flatten)]
    pub authorship: Authorship,
}

impl TaskContent {
    /// The lists that the task is in.
    fn lists(&self) -> Vec<TaskList> {
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
    /// Its content before; `None` for a new task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<TaskContent>,
}

impl TaskChanged {
    /// Counts the task among those that are to be done.
    pub(super) fn count_open(&self, open: &mut u64) {
        let was_open = self.before.as_ref().is_some_and(|it| !it.is_completed);
        match (was_open, !self.task.content.is_completed) {
            (false, true) => *open = open.saturating_add(1),
            (true, false) => *open = open.saturating_sub(1),
            (true, true) | (false, false) => {}
        }
    }

    pub(super) fn index(&self, account: AccountId, entries: &mut IndexEntries) {
        let Task { id, content, .. } = &self.task;
        entries.key(keys::tasks::task(account, *id));
        let before = self.before.as_ref();
        let lists = content.lists();
        let mut lists_before = before.map(TaskContent::lists).unwrap_or_default();
        lists_before.retain(|list| !lists.contains(list));
        for list in lists_before {
            entries.delete(tables::TASKS_OF, list.row(account, *id));
        }
        for list in lists {
            entries.put(tables::TASKS_OF, list.row(account, *id), Vec::new());
        }
        let change = Change {
            before: before.map(|before| before.due_at),
            now: content.due_at,
        };
        ChangeList::TasksDue.index(account, id.0, change, entries);
    }
}
