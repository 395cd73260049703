//! The newest answers to the customer: whether a colleague, the integration or a bot has answered since a user last looked.

use serde::{Deserialize, Serialize};

use crate::id::UserId;

/// The newest answers in a conversation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answers {
    /// The number of the newest answer; 0 before the first.
    newest: u64,
    /// The account user who wrote it; `None` when the integration or a program did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by: Option<UserId>,
    /// The number of the newest answer that another than this user wrote.
    of_others: u64,
}

impl Answers {
    /// Returns whether there is no answer yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.newest == 0
    }

    /// The number of the newest answer; 0 before the first.
    #[must_use]
    pub fn newest(&self) -> u64 {
        self.newest
    }

    /// Takes in an answer; `by` is `None` when the integration or a program wrote it.
    pub(super) fn note(&mut self, number: u64, by: Option<UserId>) {
        if by.is_none() || by != self.by {
            self.of_others = self.newest;
        }
        self.newest = number;
        self.by = by;
    }

    /// The number of the newest answer that this user did not write; 0 when there is none.
    #[must_use]
    pub fn newest_of_others(&self, user: UserId) -> u64 {
        if self.by == Some(user) {
            self.of_others
        } else {
            self.newest
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(by: &[Option<u64>]) -> Answers {
        let mut answers = Answers::default();
        for (number, user) in (1..).zip(by) {
            answers.note(number, user.map(UserId));
        }
        answers
    }

    #[test]
    fn own_answers_do_not_count() {
        let user = UserId(7);
        assert_eq!(answers(&[]).newest_of_others(user), 0);
        assert_eq!(answers(&[Some(7), Some(7)]).newest_of_others(user), 0);
        assert_eq!(answers(&[Some(7)]).newest_of_others(UserId(8)), 1);
    }

    #[test]
    fn an_answer_of_another_counts_behind_own_ones_too() {
        let user = UserId(7);
        assert_eq!(
            answers(&[Some(8), Some(7), Some(7)]).newest_of_others(user),
            1
        );
        assert_eq!(answers(&[Some(7), None, Some(7)]).newest_of_others(user), 2);
        assert_eq!(answers(&[None, None]).newest_of_others(user), 2);
        assert_eq!(answers(&[Some(7), Some(8)]).newest_of_others(user), 2);
    }
}
