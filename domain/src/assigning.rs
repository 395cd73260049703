//! The rule of automatic assignment: who takes a conversation that waits, and from whom one is taken.
//!
//! Among the users who are here and below the limit, the one with the fewest open conversations takes it; among equals, the one
//! whose last assignment is the longest ago. So shares of equal limits differ by at most one.

use crate::account::user::User;
use crate::crm::assignment::AssignmentReason;
use crate::id::{GroupId, UserId};
use crate::time::UnixMillis;

/// A user who is here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The user.
    pub user: UserId,
    /// The group of the user.
    pub group: GroupId,
    /// The number of open conversations of the user.
    pub open: usize,
    /// The time of the last assignment by the rule.
    pub last: Option<UnixMillis>,
}

/// The users who are here.
#[derive(Clone, Debug, Default)]
pub struct Candidates(Vec<Candidate>);

impl Candidates {
    /// These users.
    #[must_use]
    pub fn new(users: Vec<Candidate>) -> Self {
        Self(users)
    }

    /// Returns whether a user has fewer open conversations than this.
    #[must_use]
    pub fn has_room(&self, limit: usize) -> bool {
        self.0.iter().any(|it| it.open < limit)
    }

    /// The user who takes a conversation of this group, or of none, in a channel with this limit.
    #[must_use]
    pub fn choose(
        &self,
        group: Option<GroupId>,
        limit: usize,
        may_answer: impl Fn(UserId) -> bool,
    ) -> Option<UserId> {
        let users = self.0.iter().filter(|it| it.open < limit);
        let members = users.filter(|it| group.is_none_or(|group| it.group == group));
        let able = members.filter(|it| may_answer(it.user));
        let first = able.min_by_key(|it| (it.open, it.last, it.user))?;
        Some(first.user)
    }

    /// Takes in that a user has one more open conversation.
    pub fn note_assigned(&mut self, user: UserId, now: UnixMillis) {
        for candidate in self.0.iter_mut().filter(|it| it.user == user) {
            candidate.open = candidate.open.saturating_add(1);
            candidate.last = Some(now);
        }
    }
}

/// The facts about the presence of a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attendance {
    /// True when the user has given a sign of late.
    pub has_sign: bool,
    /// True when the service has just started: that a user has given no sign means nothing yet.
    pub is_grace: bool,
}

/// The reason to take a conversation that waits from its responsible user; `None` when it stays.
#[must_use]
pub fn reason_to_release(
    user: Option<&User>,
    attendance: Attendance,
    reopened: bool,
    now: UnixMillis,
) -> Option<AssignmentReason> {
    let Some(user) = user.filter(|user| user.active) else {
        return Some(AssignmentReason::Absent);
    };
    if attendance.is_grace {
        return None;
    }
    let gives_back_at = user.away.and_then(|away| away.gives_back_at());
    if gives_back_at.is_some_and(|at| at <= now) {
        return Some(AssignmentReason::GaveBack);
    }
    let is_here = attendance.has_sign && user.away.is_none();
    (reopened && !is_here).then_some(AssignmentReason::Absent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::presence::Away;
    use crate::account::user::Standing;
    use crate::installation::accounts::Lang;

    fn candidate(number: u64, open: usize, last: u64) -> Candidate {
        Candidate {
            user: UserId(number),
            group: GroupId(number % 2),
            open,
            last: (last > 0).then(|| UnixMillis::new(last)),
        }
    }

    fn active_user() -> User {
        User {
            id: UserId(1),
            name: "Ada".parse().unwrap(),
            email: "ada@example.com".parse().unwrap(),
            lang: Lang::En,
            standing: Standing::Administrator,
            group: GroupId(1),
            active: true,
            admitted_by: None,
            sessions_ended: 0,
            password: None,
            declared: None,
            token: None,
            notifications: None,
            away: None,
        }
    }

    #[test]
    fn fewest_open_wins_then_the_longest_without_one() {
        let rows = [(1, 2, 1), (2, 1, 9), (3, 1, 8), (4, 1, 8), (5, 1, 9)];
        let users = rows.map(|(user, open, last)| candidate(user, open, last));
        let mut candidates = Candidates::new(users.to_vec());
        let mut order = Vec::new();
        for now in 10..15 {
            let user = candidates.choose(None, 3, |_| true).unwrap();
            candidates.note_assigned(user, UnixMillis::new(now));
            order.push(user.0);
        }
        assert_eq!(order, [3, 4, 2, 5, 1]);
        // Who was never assigned anything waited longest.
        let candidates = Candidates::new(vec![candidate(1, 0, 1), candidate(2, 0, 0)]);
        assert_eq!(candidates.choose(None, 1, |_| true), Some(UserId(2)));
    }

    #[test]
    fn limits_groups_and_rights_bound_the_choice() {
        let candidates = Candidates::new(vec![candidate(1, 0, 0), candidate(2, 3, 0)]);
        let choose = |group: Option<u64>, limit| {
            candidates.choose(group.map(GroupId), limit, |user| user.0 != 3)
        };
        assert_eq!(choose(Some(0), 4), Some(UserId(2)));
        assert_eq!(choose(Some(0), 3), None);
        assert_eq!(choose(Some(7), 4), None);
        assert_eq!(
            candidates.choose(None, 4, |user| user.0 == 2),
            Some(UserId(2))
        );
        assert!(candidates.has_room(1) && !candidates.has_room(0));
    }

    #[test]
    fn what_waits_is_taken_from_those_who_are_gone() {
        let at = UnixMillis::from_secs;
        let here = Attendance {
            has_sign: true,
            is_grace: false,
        };
        let absent = Attendance {
            has_sign: false,
            ..here
        };
        let grace = Attendance {
            is_grace: true,
            ..absent
        };
        let active = active_user();
        let reason = |user: &User, attendance, reopened, now| {
            reason_to_release(Some(user), attendance, reopened, at(now))
        };
        let (gone, back) = (AssignmentReason::Absent, AssignmentReason::GaveBack);
        assert_eq!(reason(&active, here, true, 0), None);
        assert_eq!(reason(&active, absent, false, 0), None);
        assert_eq!(reason(&active, absent, true, 0), Some(gone));
        assert_eq!(reason(&active, grace, true, 0), None);
        let mut away = active.clone();
        away.away = Some(Away {
            since: at(100),
            gives_back: true,
        });
        assert_eq!(reason(&away, here, false, 999), None);
        assert_eq!(reason(&away, here, false, 1_000), Some(back));
        assert_eq!(reason(&away, here, true, 999), Some(gone));
        assert_eq!(reason(&away, grace, true, 1_000), None);
        away.active = false;
        assert_eq!(reason(&away, grace, false, 0), Some(gone));
        assert_eq!(reason_to_release(None, here, false, at(0)), Some(gone));
    }
}
