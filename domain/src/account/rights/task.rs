//! The rights over tasks: to change them and to take them away.

use serde::{Deserialize, Serialize};

use crate::account::rights::{EntityAction, Right, RightsExcessError, StoredRightsError, excesses};

/// The rights over tasks: delete reaches no further than edit. Stored as two letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TaskRights {
    edit: Right,
    delete: Right,
}

impl TaskRights {
    /// Nothing is allowed.
    pub const DENIED: Self = Self {
        edit: Right::Denied,
        delete: Right::Denied,
    };
    /// Everything is allowed.
    pub const ALL: Self = Self {
        edit: Right::All,
        delete: Right::All,
    };

    /// These rights, if they do not contradict each other.
    ///
    /// # Errors
    /// What is too wide.
    pub fn new(edit: Right, delete: Right) -> Result<Self, Vec<RightsExcessError>> {
        let excesses = excesses(&[EntityAction::Edit, EntityAction::Delete], |action| {
            if action == EntityAction::Edit {
                edit
            } else {
                delete
            }
        });
        if excesses.is_empty() {
            Ok(Self { edit, delete })
        } else {
            Err(excesses)
        }
    }

    /// To change a task.
    #[must_use]
    pub fn edit(&self) -> Right {
        self.edit
    }

    /// To take a task away.
    #[must_use]
    pub fn delete(&self) -> Right {
        self.delete
    }
}

impl From<TaskRights> for String {
    fn from(rights: TaskRights) -> Self {
        Self::from_iter([rights.edit.letter(), rights.delete.letter()])
    }
}

impl TryFrom<String> for TaskRights {
    type Error = StoredRightsError;
    fn try_from(text: String) -> Result<Self, StoredRightsError> {
        let mut letters = text.chars().map(Right::of_letter);
        let rights = match (letters.next(), letters.next(), letters.next()) {
            (Some(Some(edit)), Some(Some(delete)), None) => Self::new(edit, delete).ok(),
            _ => None,
        };
        rights.ok_or(StoredRightsError("two letters of the rights over tasks"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_right_to_delete_tasks_is_never_wider_than_to_edit() {
        for edit in Right::ALL {
            for delete in Right::ALL {
                let rights = TaskRights::new(edit, delete);
                assert_eq!(rights.is_ok(), delete <= edit, "{edit:?} {delete:?}");
                let json = format!("\"{}{}\"", edit.letter(), delete.letter());
                let read = serde_json::from_str::<TaskRights>(&json);
                assert_eq!(read.ok(), rights.ok());
            }
        }
    }
}
