//! Shares of something that users hold at once, so that none uses up what is there for the others.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use switchboard_actors::domain::account::holder::Holder;
use switchboard_actors::domain::id::AccountId;

/// The largest number that may be held at once; `usize::MAX` where there is no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShareLimits {
    /// By all users together.
    pub all: usize,
    /// By the users of one account.
    pub account: usize,
    /// By one user.
    pub user: usize,
}

impl ShareLimits {
    /// As these, with at most this part of an account's share for one of its users, whatever is configured.
    pub fn with_user_part(self, part: usize) -> Self {
        let most = self
            .account
            .checked_div(part)
            .unwrap_or(self.account)
            .max(1);
        Self {
            user: self.user.min(most),
            ..self
        }
    }
}

/// The rank of a holder: an administrator has a share beside that of the account, so that the users of the account
/// cannot use it up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rank {
    User,
    Administrator,
}

/// The owner of the limit that is reached, and the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShareError {
    All,
    Account(usize),
    User(usize),
}

/// The shares that are held. A user or an account without shares has no entry.
#[derive(Debug)]
pub struct Shares {
    limits: ShareLimits,
    all: usize,
    /// The number that users hold of the share of their account.
    accounts: BTreeMap<AccountId, usize>,
    users: BTreeMap<Holder, Held>,
}

/// The number that one user holds.
#[derive(Clone, Copy, Debug, Default)]
struct Held {
    all: usize,
    /// The part of it beside the share of the account.
    beside: usize,
}

impl Shares {
    pub fn new(limits: ShareLimits) -> Self {
        Self {
            limits,
            all: 0,
            accounts: BTreeMap::new(),
            users: BTreeMap::new(),
        }
    }

    /// One more is held by this user.
    #[cfg(test)]
    pub fn take(&mut self, holder: Holder) -> Result<(), ShareError> {
        self.take_as(holder, Rank::User)
    }

    /// One more is held by a user of this rank.
    pub fn take_as(&mut self, holder: Holder, rank: Rank) -> Result<(), ShareError> {
        let limits = self.limits;
        let account = self.accounts.get(&holder.account).copied().unwrap_or(0);
        if self.held(holder).all >= limits.user {
            return Err(ShareError::User(limits.user));
        }
        if rank == Rank::User && account >= limits.account {
            return Err(ShareError::Account(limits.account));
        }
        if self.all >= limits.all {
            return Err(ShareError::All);
        }
        self.all = self.all.saturating_add(1);
        let holding = self.users.entry(holder).or_default();
        holding.all = holding.all.saturating_add(1);
        match rank {
            Rank::User => {
                self.accounts
                    .insert(holder.account, account.saturating_add(1));
            }
            Rank::Administrator => holding.beside = holding.beside.saturating_add(1),
        }
        Ok(())
    }

    fn held(&self, holder: Holder) -> Held {
        self.users.get(&holder).copied().unwrap_or_default()
    }

    /// One less is. What was never taken, as in an earlier run, is passed over.
    pub fn give_back(&mut self, holder: Holder) {
        let Some(holding) = self.users.get_mut(&holder) else {
            return;
        };
        self.all = self.all.saturating_sub(1);
        holding.all = holding.all.saturating_sub(1);
        if holding.beside > 0 {
            holding.beside = holding.beside.saturating_sub(1);
        } else {
            count_down(&mut self.accounts, holder.account);
        }
        if holding.all == 0 {
            self.users.remove(&holder);
        }
    }

    /// The number of shares that are held.
    pub fn in_use(&self) -> usize {
        self.all
    }

    /// The number of shares that this user holds.
    pub fn held_by(&self, holder: Holder) -> usize {
        self.held(holder).all
    }
}

/// One share, held until it is dropped.
#[derive(Debug)]
pub struct Share {
    shares: Arc<Mutex<Shares>>,
    holder: Holder,
}

impl Share {
    pub fn take(shares: &Arc<Mutex<Shares>>, holder: Holder) -> Result<Self, ShareError> {
        Self::take_as(shares, holder, Rank::User)
    }

    pub fn take_as(
        shares: &Arc<Mutex<Shares>>,
        holder: Holder,
        rank: Rank,
    ) -> Result<Self, ShareError> {
        let mut table = shares.lock().unwrap_or_else(PoisonError::into_inner);
        table.take_as(holder, rank)?;
        Ok(Self {
            shares: Arc::clone(shares),
            holder,
        })
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let lock = self.shares.lock();
        lock.unwrap_or_else(PoisonError::into_inner)
            .give_back(self.holder);
    }
}

fn count_down(counts: &mut BTreeMap<AccountId, usize>, account: AccountId) {
    if let Some(count) = counts.get_mut(&account) {
        *count = count.saturating_sub(1);
        if *count == 0 {
            counts.remove(&account);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: ShareLimits = ShareLimits {
        all: 5,
        account: 3,
        user: 2,
    };

    fn user(account: u8, user: u64) -> Holder {
        Holder {
            account: AccountId::from_random([account; 16]),
            user: user.to_string().parse().unwrap(),
        }
    }

    #[test]
    fn one_user_cannot_hold_the_shares_of_others() {
        let mut shares = Shares::new(LIMITS);
        let results: Vec<_> = [
            (1, 1),
            (1, 1),
            (1, 1),
            (1, 2),
            (1, 2),
            (2, 1),
            (3, 1),
            (3, 2),
        ]
        .map(|(account, number)| shares.take(user(account, number)))
        .into();
        assert_eq!(
            results,
            [
                Ok(()),
                Ok(()),
                Err(ShareError::User(2)),
                Ok(()),
                Err(ShareError::Account(3)),
                Ok(()),
                Ok(()),
                Err(ShareError::All)
            ]
        );
        for (account, number) in [(1, 1), (1, 1), (1, 2), (2, 1), (3, 1)] {
            shares.give_back(user(account, number));
        }
        assert!(shares.users.is_empty() && shares.accounts.is_empty() && shares.all == 0);
        shares.give_back(user(9, 9));
        assert_eq!(shares.all, 0);
    }

    #[test]
    fn an_administrator_has_a_share_beside_that_of_the_account() {
        let mut shares = Shares::new(LIMITS);
        for number in [1, 1, 2] {
            shares.take(user(1, number)).unwrap();
        }
        assert_eq!(shares.take(user(1, 3)), Err(ShareError::Account(3)));
        let administrator = user(1, 9);
        let mut take = || shares.take_as(administrator, Rank::Administrator);
        assert_eq!(
            [take(), take(), take()],
            [Ok(()), Ok(()), Err(ShareError::User(2))]
        );
        // What an administrator gives back is no room for the users of the account.
        shares.give_back(administrator);
        assert_eq!(shares.take(user(1, 3)), Err(ShareError::Account(3)));
        for number in [9, 1, 1, 2] {
            shares.give_back(user(1, number));
        }
        assert!(shares.users.is_empty() && shares.accounts.is_empty() && shares.all == 0);
    }

    #[test]
    fn the_part_of_a_user_follows_the_share_of_the_account() {
        let limits = |account, user| ShareLimits {
            all: 1_000,
            account,
            user,
        };
        for (account, configured, user) in
            [(1_000, 200, 200), (30, 200, 6), (4, 200, 1), (30, 2, 2)]
        {
            let part = limits(account, configured).with_user_part(5);
            assert_eq!(part, limits(account, user));
        }
    }

    #[test]
    fn a_share_is_given_back_when_it_is_dropped() {
        let shares = Arc::new(Mutex::new(Shares::new(LIMITS)));
        let both = [user(1, 1), user(1, 1)].map(|user| Share::take(&shares, user).unwrap());
        assert_eq!(
            Share::take(&shares, user(1, 1)).unwrap_err(),
            ShareError::User(2)
        );
        drop(both);
        assert_eq!(shares.lock().unwrap().held_by(user(1, 1)), 0);
    }
}
