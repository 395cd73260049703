//! The signs of users on their devices: who has given one of late. A restart may lose this, so it is kept in memory only.

use std::collections::BTreeMap;

use switchboard_domain::account::holder::Holder;
use switchboard_domain::account::presence::IDLE_AFTER;
use switchboard_domain::id::{AccountId, UserId};
use switchboard_domain::time::UnixMillis;

/// The maximum number of users who are remembered. Those with a device come in any case: streams are bounded.
const USERS_MAX: usize = 65_536;

/// The signs of one user, on whatever number of devices.
#[derive(Clone, Copy, Debug)]
struct Sign {
    /// The number of devices with an open stream: each is a sign as long as it lasts.
    devices: usize,
    /// The time of the last sign.
    last: UnixMillis,
    /// True when the listeners of the account know of the user.
    is_shown: bool,
}

impl Sign {
    fn is_fresh(self, now: UnixMillis) -> bool {
        self.devices > 0 || now < self.last.plus(IDLE_AFTER)
    }
}

/// The users who have given a sign of late.
#[derive(Debug, Default)]
pub struct Signs(BTreeMap<Holder, Sign>);

impl Signs {
    /// Notes that a user has one more device with an open stream.
    pub fn open(&mut self, holder: Holder, now: UnixMillis) {
        let sign = self.0.entry(holder).or_insert(Sign {
            devices: 0,
            last: now,
            is_shown: false,
        });
        sign.devices = sign.devices.saturating_add(1);
    }

    /// Notes that a device of a user has gone: that is its last sign.
    pub fn close(&mut self, holder: Holder, now: UnixMillis) {
        if let Some(sign) = self.0.get_mut(&holder) {
            sign.devices = sign.devices.saturating_sub(1);
            sign.last = now;
        }
    }

    /// Notes a sign of a user; true when they had given none of late.
    pub fn note(&mut self, holder: Holder, now: UnixMillis) -> bool {
        if let Some(sign) = self.0.get_mut(&holder) {
            let was_fresh = sign.is_fresh(now);
            sign.last = now;
            return !was_fresh;
        }
        if self.0.len() >= USERS_MAX {
            return false;
        }
        let sign = Sign {
            devices: 0,
            last: now,
            is_shown: false,
        };
        self.0.insert(holder, sign);
        true
    }

    /// Returns whether a user has given a sign of late.
    #[must_use]
    pub fn has(&self, holder: Holder, now: UnixMillis) -> bool {
        self.0.get(&holder).is_some_and(|sign| sign.is_fresh(now))
    }

    /// The users of an account who have given a sign of late.
    #[must_use]
    pub fn of_account(&self, account: AccountId, now: UnixMillis) -> Vec<UserId> {
        let holder = |number| Holder {
            account,
            user: UserId(number),
        };
        let signs = self.0.range(holder(0)..=holder(u64::MAX));
        let fresh = signs.filter(|(_, sign)| sign.is_fresh(now));
        fresh.map(|(holder, _)| holder.user).collect()
    }

    /// The users who have given a sign, or none for too long, since the last call; those are forgotten.
    pub fn take_changes(&mut self, now: UnixMillis) -> Vec<Holder> {
        let mut holders = Vec::new();
        self.0.retain(|holder, sign| {
            let is_fresh = sign.is_fresh(now);
            if is_fresh != sign.is_shown {
                holders.push(*holder);
                sign.is_shown = is_fresh;
            }
            is_fresh
        });
        holders
    }

    /// The time at which the next user has given no sign for too long.
    #[must_use]
    pub fn next_end(&self) -> Option<UnixMillis> {
        let idle = self.0.values().filter(|sign| sign.devices == 0);
        idle.map(|sign| sign.last.plus(IDLE_AFTER)).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holder(user: u64) -> Holder {
        Holder {
            account: AccountId::from_random([1; 16]),
            user: UserId(user),
        }
    }

    #[test]
    fn a_user_is_here_as_long_as_any_device_is() {
        let at = UnixMillis::from_secs;
        let mut signs = Signs::default();
        signs.open(holder(7), at(0));
        signs.open(holder(7), at(1));
        signs.close(holder(7), at(10));
        assert!(signs.has(holder(7), at(9_000)), "the other device");
        assert_eq!(signs.next_end(), None);
        signs.close(holder(7), at(9_000));
        assert!(signs.has(holder(7), at(9_599)));
        assert!(!signs.has(holder(7), at(9_600)));
        assert_eq!(signs.next_end(), Some(at(9_600)));
        assert!(!signs.note(holder(7), at(9_500)), "no news");
        assert!(signs.has(holder(7), at(9_600)));
    }

    #[test]
    fn changes_are_taken_once_and_idle_users_are_forgotten() {
        let at = UnixMillis::from_secs;
        let mut signs = Signs::default();
        assert!(signs.note(holder(1), at(0)));
        signs.open(holder(2), at(0));
        assert_eq!(signs.take_changes(at(1)), [holder(1), holder(2)]);
        assert_eq!(signs.take_changes(at(599)), []);
        let account = holder(1).account;
        assert_eq!(signs.of_account(account, at(599)), [UserId(1), UserId(2)]);
        assert_eq!(signs.take_changes(at(600)), [holder(1)]);
        assert_eq!(signs.of_account(account, at(600)), [UserId(2)]);
        assert!(signs.note(holder(1), at(601)), "a sign again");
    }

    #[test]
    fn the_number_of_users_is_bounded() {
        let mut signs = Signs::default();
        let at = UnixMillis::from_secs(1);
        for user in 0..65_600 {
            signs.note(holder(user), at);
        }
        assert!(!signs.has(holder(65_599), at));
        signs.open(holder(65_599), at);
        assert!(signs.has(holder(65_599), at), "a device comes in any case");
    }
}
