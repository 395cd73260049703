//! `[account_quotas]`: what each account may store that has no limits of its own.

use switchboard_actors::domain::account_quota::{AccountQuotas, QuotaSize};

use super::kinds::whole;
use super::reader::{Reader, Section};

/// Reads `[account_quotas]`.
pub(super) fn account_quotas(reader: &mut Reader, root: &mut Section) -> AccountQuotas {
    let mut section = reader.section(root, "account_quotas");
    let mut quota = |key| reader.or(&mut section, key, 0, whole::<u64>(0..=QuotaSize::MOST));
    let quotas = AccountQuotas {
        messages_per_day: quota("messages_per_day"),
        messages_per_month: quota("messages_per_month"),
        storage_bytes: quota("storage_bytes"),
    };
    reader.close(section);
    quotas
}
