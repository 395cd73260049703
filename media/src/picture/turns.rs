//! Turns at what only one may do at a time. Accounts take turns, so that the pictures of one do not delay those of the others
//! by more than one picture each.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use switchboard_actors::domain::id::AccountId;
use tokio::sync::oneshot;

/// The largest number of requests that wait for their turn, of all accounts.
const WAITING_MAX: usize = 32;
/// The largest number of requests that wait for their turn, of one account.
const WAITING_PER_ACCOUNT_MAX: usize = WAITING_MAX / 4;

/// The turns. Cheap to clone; all clones are the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Turns(Arc<Mutex<Queue>>);

/// A turn, which ends when it is dropped.
#[derive(Debug)]
pub(super) struct Turn(Option<Turns>);

#[derive(Debug, Default)]
struct Queue {
    is_taken: bool,
    /// The accounts that wait, the next one first, each with those that wait.
    accounts: VecDeque<(AccountId, VecDeque<oneshot::Sender<Turn>>)>,
}

impl Turns {
    /// Waits for a turn; `None` when too many wait. The account that has the most waiting gives way to one that has fewer.
    pub(super) async fn take(&self, account: AccountId) -> Option<Turn> {
        let waiting = {
            let mut queue = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if !queue.is_taken {
                queue.is_taken = true;
                return Some(Turn(Some(self.clone())));
            }
            queue.join(account)?
        };
        waiting.await.ok()
    }

    /// The number of those that have a turn or wait for one.
    pub(super) fn in_use(&self) -> usize {
        let queue = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting: usize = queue
            .accounts
            .iter()
            .map(|(_, waiting)| waiting.len())
            .sum();
        waiting.saturating_add(usize::from(queue.is_taken))
    }

    /// Gives the turn to the next one who still waits.
    fn pass_on(&self) {
        loop {
            let next = {
                let mut queue = self.0.lock().unwrap_or_else(PoisonError::into_inner);
                let next = queue.next();
                queue.is_taken = next.is_some();
                next
            };
            let Some(next) = next else { return };
            match next.send(Turn(Some(self.clone()))) {
                Ok(()) => return,
                // No picture waits for it any more: this loop passes it on, and not its drop.
                Err(mut unclaimed) => unclaimed.0 = None,
            }
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(turns) = self.0.take() {
            turns.pass_on();
        }
    }
}

impl Queue {
    fn join(&mut self, account: AccountId) -> Option<oneshot::Receiver<Turn>> {
        for (_, waiting) in &mut self.accounts {
            waiting.retain(|waiting| !waiting.is_closed());
        }
        self.accounts.retain(|(_, waiting)| !waiting.is_empty());
        let mine = self
            .accounts
            .iter()
            .position(|(known, _)| *known == account);
        let waiting = mine.and_then(|place| self.accounts.get(place));
        let count = waiting.map_or(0, |(_, waiting)| waiting.len());
        if count >= WAITING_PER_ACCOUNT_MAX {
            return None;
        }
        let all: usize = self.accounts.iter().map(|(_, waiting)| waiting.len()).sum();
        if all >= WAITING_MAX {
            let most = self
                .accounts
                .iter_mut()
                .max_by_key(|(_, waiting)| waiting.len());
            let (_, most) = most.filter(|(_, waiting)| waiting.len() > count.saturating_add(1))?;
            most.pop_back();
        }
        let (sender, receiver) = oneshot::channel();
        match mine.and_then(|place| self.accounts.get_mut(place)) {
            Some((_, waiting)) => waiting.push_back(sender),
            None => self.accounts.push_back((account, VecDeque::from([sender]))),
        }
        Some(receiver)
    }

    fn next(&mut self) -> Option<oneshot::Sender<Turn>> {
        let (account, mut waiting) = self.accounts.pop_front()?;
        let next = waiting.pop_front();
        if !waiting.is_empty() {
            self.accounts.push_back((account, waiting));
        }
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use futures_util::future::BoxFuture;

    fn account(number: u8) -> AccountId {
        AccountId::from_random([number; 16])
    }

    /// One who has asked for a turn, and does not have it yet.
    fn waits(turns: &Turns, number: u8) -> BoxFuture<'static, Option<Turn>> {
        let turns = turns.clone();
        let mut take = async move { turns.take(account(number)).await }.boxed();
        assert!((&mut take).now_or_never().is_none_or(|turn| turn.is_none()));
        take
    }

    #[test]
    fn accounts_take_turns() {
        let turns = Turns::default();
        let mut turn = turns.take(account(1)).now_or_never().unwrap();
        let mut waiting: Vec<_> = [1, 1, 1, 2, 3]
            .map(|number| (number, waits(&turns, number)))
            .into();
        let mut order = Vec::new();
        while !waiting.is_empty() {
            drop(turn.take());
            let next = waiting
                .iter_mut()
                .enumerate()
                .find_map(|(place, (_, take))| {
                    take.now_or_never().map(|turn| (place, turn.unwrap()))
                });
            let (place, next) = next.unwrap();
            order.push(waiting.remove(place).0);
            turn = Some(next);
        }
        assert_eq!(order, [1, 2, 3, 1, 1]);
    }

    #[test]
    fn who_left_is_passed_over() {
        let turns = Turns::default();
        let turn = turns.take(account(1)).now_or_never().unwrap();
        let (left, stays) = (waits(&turns, 1), waits(&turns, 2));
        // This one leaves after the turn is its own.
        let late = waits(&turns, 3);
        drop(left);
        drop(turn);
        drop(stays);
        drop(late);
        assert!(turns.take(account(4)).now_or_never().flatten().is_some());
        assert!(!turns.0.lock().unwrap().is_taken);
    }

    #[test]
    fn an_account_with_many_waiting_gives_way() {
        let turns = Turns::default();
        let _turn = turns.take(account(1)).now_or_never().unwrap();
        let mut crowd: Vec<_> = (0..WAITING_MAX)
            .map(|place| waits(&turns, u8::try_from(place % 4).unwrap()))
            .collect();
        // A fifth waiter of an account that has its share finds no room, one of another account does.
        assert!(turns.take(account(0)).now_or_never().unwrap().is_none());
        let mut newcomer = waits(&turns, 9);
        assert!((&mut newcomer).now_or_never().is_none());
        let gave_way = crowd
            .iter_mut()
            .filter_map(|waiting| waiting.now_or_never())
            .count();
        assert_eq!(gave_way, 1);
    }
}
