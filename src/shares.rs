//! How much of something users hold at once, so that none uses up what is there for the others.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use switchboard_actors::domain::account::holder::Holder;
use switchboard_actors::domain::id::AccountId;

/// How much may be held at once; `usize::MAX` where there is no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ShareLimits {
    /// By all users together.
    pub(crate) all: usize,
    /// By the users of one account.
    pub(crate) account: usize,
    /// By one user.
    pub(crate) user: usize,
}

/// Whose limit is reached, and what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Full {
    All,
    Account(usize),
    User(usize),
}

/// The shares that are held. A user or an account without shares has no entry.
#[derive(Debug)]
pub(crate) struct Shares {
    limits: ShareLimits,
    all: usize,
    accounts: BTreeMap<AccountId, usize>,
    users: BTreeMap<Holder, usize>,
}

impl Shares {
    pub(crate) fn new(limits: ShareLimits) -> Self {
        Self {
            limits,
            all: 0,
            accounts: BTreeMap::new(),
            users: BTreeMap::new(),
        }
    }

    /// One more is held by this user.
    pub(crate) fn take(&mut self, holder: Holder) -> Result<(), Full> {
        let limits = self.limits;
        if held(&self.users, &holder) >= limits.user {
            return Err(Full::User(limits.user));
        }
        if held(&self.accounts, &holder.account) >= limits.account {
            return Err(Full::Account(limits.account));
        }
        if self.all >= limits.all {
            return Err(Full::All);
        }
        self.all = self.all.saturating_add(1);
        for count in [
            self.users.entry(holder).or_default(),
            self.accounts.entry(holder.account).or_default(),
        ] {
            *count = count.saturating_add(1);
        }
        Ok(())
    }

    /// One less is. What was never taken, as in an earlier run, is passed over.
    pub(crate) fn give_back(&mut self, holder: Holder) {
        if held(&self.users, &holder) == 0 {
            return;
        }
        self.all = self.all.saturating_sub(1);
        count_down(&mut self.users, &holder);
        count_down(&mut self.accounts, &holder.account);
    }

    /// The number of shares that are held.
    pub(crate) fn held(&self) -> usize {
        self.all
    }

    #[cfg(test)]
    pub(crate) fn of(&self, holder: Holder) -> usize {
        held(&self.users, &holder)
    }
}

/// One share, held until it is dropped.
#[derive(Debug)]
pub(crate) struct Share {
    shares: Arc<Mutex<Shares>>,
    holder: Holder,
}

impl Share {
    pub(crate) fn of(shares: &Arc<Mutex<Shares>>, holder: Holder) -> Result<Self, Full> {
        let mut held = shares.lock().unwrap_or_else(PoisonError::into_inner);
        held.take(holder)?;
        Ok(Self {
            shares: Arc::clone(shares),
            holder,
        })
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let held = self.shares.lock();
        held.unwrap_or_else(PoisonError::into_inner)
            .give_back(self.holder);
    }
}

fn held<K: Ord>(counts: &BTreeMap<K, usize>, key: &K) -> usize {
    counts.get(key).copied().unwrap_or_default()
}

fn count_down<K: Ord>(counts: &mut BTreeMap<K, usize>, key: &K) {
    if let Some(count) = counts.get_mut(key) {
        *count = count.saturating_sub(1);
        if *count == 0 {
            counts.remove(key);
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
        let taken: Vec<_> = [
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
            taken,
            [
                Ok(()),
                Ok(()),
                Err(Full::User(2)),
                Ok(()),
                Err(Full::Account(3)),
                Ok(()),
                Ok(()),
                Err(Full::All)
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
    fn a_share_is_given_back_when_it_is_dropped() {
        let shares = Arc::new(Mutex::new(Shares::new(LIMITS)));
        let held = [user(1, 1), user(1, 1)].map(|user| Share::of(&shares, user).unwrap());
        assert_eq!(Share::of(&shares, user(1, 1)).unwrap_err(), Full::User(2));
        drop(held);
        assert_eq!(shares.lock().unwrap().of(user(1, 1)), 0);
    }
}
