//! One step of the assigner in one account. Its work is bounded; what is left is done in the next step.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::domain::account::holder::Holder;
use crate::domain::account::rights::EntityAction;
use crate::domain::account::rights::calculation::Operation;
use crate::domain::account::user::User;
use crate::domain::account::users::Users;
use crate::domain::account::users::rule::Resource;
use crate::domain::assigning::{Attendance, Candidate, Candidates, reason_to_release};
use crate::domain::audit::By;
use crate::domain::conversation::assign_by_rule::AssignByRule;
use crate::domain::crm::Lead;
use crate::domain::crm::assignment::AssignmentReason;
use crate::domain::crm::update_lead::{LeadChange, UpdateLead};
use crate::domain::crm::update_owners::UpdateOwners;
use crate::domain::id::{AccountId, ChannelId, UserId};
use crate::domain::keys::waiting::{self, WaitingRow};
use crate::domain::several::Swap;
use crate::domain::tables;
use crate::domain::time::UnixMillis;
use crate::system::System;
use switchboard_engine::runtime::joint::execute_joint;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_runtime::error::{CommandError, UnavailableError};
use switchboard_runtime::live::assigning::Work;
use switchboard_runtime::owners::assign_owners::{AlongWithOwners, AssignOwners, OwnersRejection};

/// The number of rows that are read at once.
const BATCH: usize = 128;
/// The number of rows of the queue that one step reads.
const ROWS_MAX: usize = 512;
/// The number of conversations that one step gives another responsible user.
const MOVES_MAX: usize = 64;
/// The number of times that a change is tried when another caller changes the same lead at the same moment.
const TRIES: usize = 4;

/// One step in one account.
pub(super) struct Step<'s> {
    system: &'s System,
    account: AccountId,
    users: Arc<Users>,
    /// The channels that assign automatically, with their limits.
    limits: &'s BTreeMap<ChannelId, usize>,
    now: UnixMillis,
    is_grace: bool,
}

/// Another responsible user of a conversation, or none.
#[derive(Clone, Copy, Debug)]
struct Assignment {
    to: Option<UserId>,
    reason: AssignmentReason,
}

impl<'s> Step<'s> {
    /// A step as things are now.
    pub(super) async fn new(
        system: &'s System,
        account: AccountId,
        limits: &'s BTreeMap<ChannelId, usize>,
    ) -> Result<Self, UnavailableError> {
        let kernel = system.kernel();
        kernel.caught_up().await;
        Ok(Self {
            system,
            account,
            users: system.users(account).await?,
            limits,
            now: system.now(),
            is_grace: kernel.shared.assigning.grace_end().is_some(),
        })
    }

    /// The time at which the next user gives back what waits.
    pub(super) fn next_give_back(&self) -> Option<UnixMillis> {
        let away = self.users.iter().filter_map(|user| user.away);
        let times = away.filter_map(|away| away.gives_back_at());
        times.filter(|at| *at > self.now).min()
    }

    /// Does the work; gives what is left of it.
    pub(super) async fn carry_out(&self, work: Work) -> Result<Option<Work>, UnavailableError> {
        for row in work.arrivals.values() {
            self.look_at(row, row.reopened).await?;
        }
        if work.all_users && !self.look_at_users(work.reopened).await? {
            return Ok(Some(Work {
                arrivals: BTreeMap::new(),
                ..work
            }));
        }
        let queue_from = self.share_queue(work.queue_from).await?;
        Ok(queue_from.map(|key| Work {
            queue_from: Some(key),
            ..Work::default()
        }))
    }

    /// Takes a conversation from a user who is gone, or gives one to the user who had it before; true when it moved.
    async fn look_at(&self, row: &WaitingRow, reopened: bool) -> Result<bool, UnavailableError> {
        if !self.limits.contains_key(&row.channel) {
            return Ok(false);
        }
        let assignment = match row.responsible {
            Some(owner) => {
                let user = self.users.get(owner).map(AsRef::as_ref);
                let attendance = self.attendance(owner);
                let reason = reason_to_release(user, attendance, reopened, self.now);
                reason.map(|reason| Assignment { to: None, reason })
            }
            None => {
                let last = row.last.filter(|user| self.is_here(*user));
                last.map(|user| Assignment {
                    to: Some(user),
                    reason: AssignmentReason::Rule,
                })
            }
        };
        let Some(assignment) = assignment else {
            return Ok(false);
        };
        let outcome = self.assign(row, |lead| {
            let may_have_it = assignment.to.is_none_or(|user| self.may_answer(user, lead));
            may_have_it.then_some(assignment)
        });
        Ok(outcome.await?.is_some())
    }

    /// Looks at each user who has conversations that wait; false when there is more to do.
    async fn look_at_users(&self, reopened: bool) -> Result<bool, UnavailableError> {
        let mut moves = 0_usize;
        let mut next = self.next_owner(UserId(0))?;
        while let Some(owner) = next {
            let user = self.users.get(owner).map(AsRef::as_ref);
            let attendance = self.attendance(owner);
            let reason = reason_to_release(user, attendance, reopened, self.now);
            if reason.is_some() {
                for row in self.rows_of(owner)? {
                    let is_moved = self.look_at(&row, reopened && row.reopened).await?;
                    moves = moves.saturating_add(usize::from(is_moved));
                    if moves >= MOVES_MAX {
                        return Ok(false);
                    }
                }
            }
            tokio::task::yield_now().await;
            next = self.next_owner(owner)?;
        }
        Ok(true)
    }

    /// The next user behind this one who has a conversation that waits.
    fn next_owner(&self, owner: UserId) -> Result<Option<UserId>, UnavailableError> {
        let from = UserId(owner.0.saturating_add(1));
        let range = KeyRange::prefix(&self.account.bytes())
            .from_key(waiting::prefix(self.account, Some(from)));
        let rows = self.scan(&range, 1)?;
        Ok(rows.first().and_then(|row| row.responsible))
    }

    /// The conversations of a user that wait, in the channels that assign automatically.
    fn rows_of(&self, owner: UserId) -> Result<Vec<WaitingRow>, UnavailableError> {
        let mut waiting_rows = Vec::new();
        let mut range = KeyRange::prefix(&waiting::prefix(self.account, Some(owner)));
        loop {
            let rows = self.scan(&range, BATCH)?;
            let is_last = rows.len() < BATCH;
            let last = rows.last().map(|row| row.key().to_vec());
            let of_rule = |row: &WaitingRow| self.limits.contains_key(&row.channel);
            waiting_rows.extend(rows.into_iter().filter(of_rule));
            // One step moves no more than these.
            let Some(last) = last.filter(|_| !is_last && waiting_rows.len() < ROWS_MAX) else {
                return Ok(waiting_rows);
            };
            range = range.behind(last, ScanOrder::Ascending);
        }
    }

    /// Shares the queue among the users who are here, the longest wait first; gives the place where the next step goes on.
    async fn share_queue(
        &self,
        queue_from: Option<Vec<u8>>,
    ) -> Result<Option<Vec<u8>>, UnavailableError> {
        let most = self.limits.values().copied().max().unwrap_or_default();
        let mut candidates = self.candidates(most)?;
        let mut range = KeyRange::prefix(&waiting::prefix(self.account, None));
        if let Some(last) = queue_from {
            range = range.behind(last, ScanOrder::Ascending);
        }
        let (mut row_count, mut moves) = (0_usize, 0_usize);
        while candidates.has_room(most) {
            let rows = self.scan(&range, BATCH)?;
            let is_last = rows.len() < BATCH;
            for row in rows {
                let key = row.key().to_vec();
                if let Some(user) = self.give(&row, &candidates).await? {
                    candidates.note_assigned(user, self.now);
                    moves = moves.saturating_add(1);
                }
                if !candidates.has_room(most) {
                    return Ok(None);
                }
                if moves >= MOVES_MAX {
                    return Ok(Some(key));
                }
                range = range.behind(key, ScanOrder::Ascending);
            }
            row_count = row_count.saturating_add(BATCH);
            if is_last {
                return Ok(None);
            }
            if row_count >= ROWS_MAX {
                return Ok(match range.from {
                    std::ops::Bound::Excluded(key) => Some(key),
                    std::ops::Bound::Included(_) | std::ops::Bound::Unbounded => None,
                });
            }
        }
        Ok(None)
    }

    /// Gives a conversation of the queue to the user who is to have it; `None` when there is none.
    async fn give(
        &self,
        row: &WaitingRow,
        candidates: &Candidates,
    ) -> Result<Option<UserId>, UnavailableError> {
        let Some(limit) = self.limits.get(&row.channel) else {
            return Ok(None);
        };
        let groups = self.users.groups();
        let group = row.group.filter(|group| groups.contains_key(group));
        if candidates.choose(group, *limit, |_| true).is_none() {
            return Ok(None);
        }
        let assignment = self.assign(row, |lead| {
            let able = |user| self.may_answer(user, lead);
            let user = candidates.choose(group, *limit, able)?;
            Some(Assignment {
                to: Some(user),
                reason: AssignmentReason::Rule,
            })
        });
        Ok(assignment.await?.and_then(|assignment| assignment.to))
    }

    /// The users who are here, with what they have.
    fn candidates(&self, most: usize) -> Result<Candidates, UnavailableError> {
        let assigning = &self.system.kernel().shared.assigning;
        let mut candidates = Vec::new();
        for id in assigning.with_sign(self.account) {
            let Some(user) = self.users.get(id).filter(|user| takes(user)) else {
                continue;
            };
            candidates.push(Candidate {
                user: id,
                group: user.group,
                open: self.open_count(id, most)?,
                last: self.last_assigned(id)?,
            });
        }
        Ok(Candidates::new(candidates))
    }

    /// The number of open conversations of a user, counted up to the highest limit.
    fn open_count(&self, user: UserId, most: usize) -> Result<usize, UnavailableError> {
        let range = KeyRange::prefix(&waiting::prefix(self.account, Some(user)));
        let index = &self.system.kernel().index;
        let rows = index.scan(tables::WAITING, &range, ScanOrder::Ascending, most)?;
        Ok(rows.len())
    }

    fn last_assigned(&self, user: UserId) -> Result<Option<UnixMillis>, UnavailableError> {
        let row = waiting::assigned_row(self.account, user);
        let value = self.system.kernel().index.row(tables::ASSIGNED, &row)?;
        let bytes = value.and_then(|value| <[u8; 8]>::try_from(value).ok());
        Ok(bytes.map(|bytes| UnixMillis::new(u64::from_be_bytes(bytes))))
    }

    fn scan(&self, range: &KeyRange, limit: usize) -> Result<Vec<WaitingRow>, UnavailableError> {
        let index = &self.system.kernel().index;
        let rows = index.scan(tables::WAITING, range, ScanOrder::Ascending, limit)?;
        let waiting_rows = rows
            .iter()
            .filter_map(|(key, value)| WaitingRow::parse(key, value));
        Ok(waiting_rows.collect())
    }

    fn attendance(&self, user: UserId) -> Attendance {
        let account = self.account;
        let assigning = &self.system.kernel().shared.assigning;
        Attendance {
            has_sign: assigning.has_sign(Holder { account, user }),
            is_grace: self.is_grace,
        }
    }

    fn is_here(&self, user: UserId) -> bool {
        let takes_more = self.users.get(user).is_some_and(|user| takes(user));
        takes_more && self.attendance(user).has_sign
    }

    /// Returns whether a user may answer in a conversation once they are responsible for its lead.
    fn may_answer(&self, user: UserId, lead: &Lead) -> bool {
        let thing = Resource {
            responsible: Some(user),
            stage: Some((lead.pipeline, lead.stage)),
            subscriber: false,
        };
        let edit = Operation::Leads(EntityAction::Edit);
        self.users.authorize(user, edit, &thing).allowed
    }

    /// Gives the newest lead of a conversation another responsible user, if it is as the row says; in one step with all that
    /// must be true for it.
    async fn assign(
        &self,
        row: &WaitingRow,
        plan: impl Fn(&Lead) -> Option<Assignment>,
    ) -> Result<Option<Assignment>, UnavailableError> {
        let kernel = self.system.kernel();
        let conversation = row.conversation;
        let _accepted = kernel.gate.enter()?;
        for _ in 0..TRIES {
            let lead = self.system.lead_of(conversation).await?;
            let Some(lead) = lead.filter(|lead| lead.responsible == row.responsible) else {
                return Ok(None);
            };
            let Some(assignment) = plan(&lead) else {
                return Ok(None);
            };
            let command = AssignByRule {
                user: Swap {
                    to: assignment.to,
                    replaces: row.responsible,
                },
            };
            let along = AlongWithOwners {
                conversation,
                owners: self.owners(lead, assignment),
                draft: None,
            };
            match execute_joint(kernel, &conversation, AssignOwners { command, along }).await {
                Ok(_) => return Ok(Some(assignment)),
                // The lead is another one by now: it is examined again.
                Err(CommandError::Rejected(OwnersRejection::Lead(_))) => {}
                Err(CommandError::Rejected(OwnersRejection::Conversation(_))) => return Ok(None),
                Err(CommandError::Unavailable(unavailable)) => return Err(unavailable),
            }
        }
        Ok(None)
    }

    fn owners(&self, seen: Lead, assignment: Assignment) -> UpdateOwners {
        let update = UpdateLead {
            by: By::Service,
            account: self.account,
            seen,
            change: LeadChange {
                responsible: Some(assignment.to),
                ..LeadChange::default()
            },
            reason: assignment.reason,
            noted: true,
            with_contact: false,
        };
        UpdateOwners {
            by: By::Service,
            account: self.account,
            update: Some(update),
            group: None,
        }
    }
}

/// Returns whether a user takes conversations as long as they give signs.
fn takes(user: &User) -> bool {
    user.active && user.away.is_none()
}
