//! The volume of messages, and the quotas that it exceeds.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::account_quota::{AccountQuotaRejection, AccountQuotas, MESSAGE_BYTES, QuotaKind};
use crate::calendar::{day_of, month_of, next_month, until};
use crate::time::UnixMillis;

/// The time until the next attempt, for quotas that never reset.
const RETRY_STORAGE: Duration = Duration::from_secs(3_600);

/// The volume of the messages of one conversation, or of all conversations of an account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "[u64; 6]", into = "[u64; 6]")]
pub struct Volume {
    /// The day of the last message, since the epoch.
    day: u64,
    /// Messages of that day.
    of_day: u64,
    /// Messages of the month of that day.
    of_month: u64,
    /// Messages that are stored.
    messages: u64,
    /// Bytes of their files.
    file_bytes: u64,
    /// Messages of bots in that month.
    of_bots: u64,
}

impl From<[u64; 6]> for Volume {
    fn from([day, of_day, of_month, messages, file_bytes, of_bots]: [u64; 6]) -> Self {
        Self {
            day,
            of_day,
            of_month,
            messages,
            file_bytes,
            of_bots,
        }
    }
}

impl From<Volume> for [u64; 6] {
    fn from(volume: Volume) -> Self {
        let Volume {
            day,
            of_day,
            of_month,
            messages,
            file_bytes,
            of_bots,
        } = volume;
        [day, of_day, of_month, messages, file_bytes, of_bots]
    }
}

impl Volume {
    /// Nothing, on the day of this time.
    #[must_use]
    pub fn at(now: UnixMillis) -> Self {
        Self {
            day: day_of(now),
            ..Self::default()
        }
    }

    /// Counts a message that comes now, with its file.
    pub fn count(&mut self, now: UnixMillis, file_bytes: u64) {
        self.go_on_to(now);
        self.of_day = self.of_day.saturating_add(1);
        self.of_month = self.of_month.saturating_add(1);
        self.messages = self.messages.saturating_add(1);
        self.count_file(file_bytes);
    }

    /// Counts the message that was counted last as one of a bot.
    pub fn count_bot(&mut self) {
        self.of_bots = self.of_bots.saturating_add(1);
    }

    /// Counts a file that comes later than its message.
    pub fn count_file(&mut self, bytes: u64) {
        self.file_bytes = self.file_bytes.saturating_add(bytes);
    }

    /// Counts less what was not stored.
    pub fn discount(&mut self, less: Addition) {
        self.of_day = self.of_day.saturating_sub(less.messages);
        self.of_month = self.of_month.saturating_sub(less.messages);
        self.of_bots = self.of_bots.saturating_sub(less.bot_messages);
        self.messages = self.messages.saturating_sub(less.messages);
        self.file_bytes = self.file_bytes.saturating_sub(less.file_bytes);
    }

    /// The messages and their files are stored no more; they still count for their day and their month.
    pub fn forget_stored(&mut self) {
        (self.messages, self.file_bytes) = (0, 0);
    }

    /// Begins a new day, and a new month, when they have come. A clock that goes back begins none.
    pub fn go_on_to(&mut self, now: UnixMillis) {
        let day = day_of(now);
        if day <= self.day {
            return;
        }
        if month_of(day) != month_of(self.day) {
            (self.of_month, self.of_bots) = (0, 0);
        }
        (self.day, self.of_day) = (day, 0);
    }

    /// Adds what one conversation counts; what it counts for another day, or month, is left out.
    pub fn add(&mut self, one: &Self) {
        if one.day == self.day {
            self.of_day = self.of_day.saturating_add(one.of_day);
        }
        if month_of(one.day) == month_of(self.day) {
            self.of_month = self.of_month.saturating_add(one.of_month);
            self.of_bots = self.of_bots.saturating_add(one.of_bots);
        }
        self.messages = self.messages.saturating_add(one.messages);
        self.count_file(one.file_bytes);
    }

    /// Messages of the day.
    #[must_use]
    pub fn messages_of_day(&self) -> u64 {
        self.of_day
    }

    /// Messages of the month.
    #[must_use]
    pub fn messages_of_month(&self) -> u64 {
        self.of_month
    }

    /// Messages of bots in the month.
    #[must_use]
    pub fn bot_messages_of_month(&self) -> u64 {
        self.of_bots
    }

    /// Bytes of messages and files.
    #[must_use]
    pub fn storage_bytes(&self) -> u64 {
        let messages = self.messages.saturating_mul(MESSAGE_BYTES);
        messages.saturating_add(self.file_bytes)
    }

    /// The bytes of a row.
    #[must_use]
    pub fn to_row(self) -> Vec<u8> {
        let numbers: [u64; 6] = self.into();
        numbers.into_iter().flat_map(u64::to_be_bytes).collect()
    }

    /// Reads the result of [`Self::to_row`].
    #[must_use]
    pub fn of_row(row: &[u8]) -> Option<Self> {
        let (numbers, []) = row.as_chunks::<8>() else {
            return None;
        };
        let numbers = <[[u8; 8]; 6]>::try_from(numbers).ok()?;
        Some(Self::from(numbers.map(u64::from_be_bytes)))
    }

    /// The quota that so many more messages and bytes of files would exceed now.
    #[must_use]
    pub fn exceeds(
        &self,
        quotas: &AccountQuotas,
        more: Addition,
        now: UnixMillis,
    ) -> Option<AccountQuotaRejection> {
        let bytes = more
            .messages
            .saturating_mul(MESSAGE_BYTES)
            .saturating_add(more.file_bytes);
        let day = self.of_day.saturating_add(more.messages);
        let month = self.of_month.saturating_add(more.messages);
        let of_bots = self.of_bots.saturating_add(more.bot_messages);
        let storage = self.storage_bytes().saturating_add(bytes);
        // The one that lasts longest comes first: waiting for another would not help.
        let checks = [
            (QuotaKind::StorageBytes, quotas.storage_bytes, storage),
            (
                QuotaKind::MessagesPerMonth,
                quotas.messages_per_month,
                month,
            ),
            (
                QuotaKind::BotMessagesPerMonth,
                // What people and customers write does not meet this quota.
                quotas
                    .bot_messages_per_month
                    .saturating_mul(more.bot_messages.min(1)),
                of_bots,
            ),
            (QuotaKind::MessagesPerDay, quotas.messages_per_day, day),
        ];
        let mut reached = checks.into_iter();
        let (kind, limit, _) = reached.find(|(_, limit, used)| *limit > 0 && used > limit)?;
        let today = day_of(now);
        let retry_after = match kind {
            QuotaKind::MessagesPerDay => until(today.saturating_add(1), now),
            QuotaKind::MessagesPerMonth | QuotaKind::BotMessagesPerMonth => {
                until(next_month(today), now)
            }
            QuotaKind::StorageBytes => RETRY_STORAGE,
        };
        Some(AccountQuotaRejection {
            kind,
            limit,
            retry_after,
        })
    }
}

/// The volume that is about to be added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Addition {
    /// Messages.
    pub messages: u64,
    /// Those of them that a bot writes.
    pub bot_messages: u64,
    /// Bytes of files.
    pub file_bytes: u64,
}

impl Addition {
    /// One message with this size of its file.
    #[must_use]
    pub fn message(file_bytes: u64) -> Self {
        Self {
            messages: 1,
            bot_messages: 0,
            file_bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calendar::DAY_MILLIS;

    #[test]
    fn a_quota_says_when_it_resets() {
        // 2026-11-27, 00:20 UTC.
        let now = UnixMillis::new(1_795_738_800_000);
        let mut volume = Volume::at(now);
        volume.count(now, 0);
        volume.count(now, 0);
        let quotas = |messages_per_day, messages_per_month, storage_bytes| AccountQuotas {
            messages_per_day,
            messages_per_month,
            storage_bytes,
            bot_messages_per_month: 1,
        };
        let one = Addition::message(0);
        let reached = |quotas: AccountQuotas| volume.exceeds(&quotas, one, now);
        assert_eq!(reached(quotas(0, 0, 0)), None);
        assert_eq!(reached(quotas(3, 3, 3_072)), None);
        let day = reached(quotas(2, 0, 0)).unwrap();
        assert_eq!(
            day.retry_after.as_secs() % 86_400,
            86_400 - 1_795_738_800 % 86_400
        );
        let month = reached(quotas(2, 2, 0)).unwrap();
        assert_eq!(month.kind, QuotaKind::MessagesPerMonth);
        assert!(month.retry_after > day.retry_after);
        let of_bots = Addition {
            bot_messages: 1,
            ..one
        };
        let mut with_bot = volume;
        with_bot.count_bot();
        let bots = with_bot.exceeds(&quotas(0, 0, 0), of_bots, now).unwrap();
        assert_eq!(bots.kind, QuotaKind::BotMessagesPerMonth);
        assert_eq!(bots.retry_after, month.retry_after);
        let storage = volume.exceeds(&quotas(2, 2, 3_071), one, now).unwrap();
        assert_eq!(
            storage.to_string(),
            "the account has used up its quota: 3071 bytes of messages and files (storage_bytes); it does not reset, ask the operator for a larger one"
        );
    }

    #[test]
    fn conversations_add_up_to_what_the_account_counted() {
        let at = |day: u64| UnixMillis::new(day * DAY_MILLIS);
        let messages = [(1, 59), (2, 59), (1, 60), (2, 90), (1, 90), (1, 91)];
        let mut whole = Volume::at(at(59));
        let mut each = [Volume::default(); 2];
        for (n, (conversation, day)) in messages.into_iter().enumerate() {
            whole.count(at(day), 10);
            each[conversation - 1].count(at(day), 10);
            let mut sum = Volume::at(at(day));
            for one in &each {
                let row = one.to_row();
                sum.add(&Volume::of_row(&row).unwrap());
            }
            assert_eq!(sum, whole, "{n}");
        }
        assert_eq!((whole.messages_of_day(), whole.messages), (1, 6));
        assert_eq!(whole.storage_bytes(), 6 * 1_024 + 60);
        whole.discount(Addition::message(10));
        assert_eq!((whole.messages_of_day(), whole.messages), (0, 5));
        assert_eq!(Volume::of_row(&[0; 40]), None);
    }
}
