//! The names under which integrations know the counterpart.

/// The hosts of its chat interface.
pub const CHAT_HOSTS: [&str; 3] = ["amojo.amocrm.ru", "amojo.amocrm.com", "amojo.kommo.com"];

/// The domains of its accounts: each account has a host `<subdomain>.<domain>`.
pub const DOMAINS: [&str; 3] = ["amocrm.ru", "amocrm.com", "kommo.com"];

/// The labels of hosts that all accounts share, and what others of them begin with, as in `drive-b`.
const SHARED_LABELS: [&str; 2] = ["www", "amojo"];
const SHARED_PREFIXES: [&str; 2] = ["api-", "drive-"];

/// Returns true for the label of a host that all accounts share: no account has it for its subdomain.
#[must_use]
pub fn is_shared_label(label: &str) -> bool {
    SHARED_LABELS.contains(&label)
        || SHARED_PREFIXES
            .iter()
            .any(|prefix| label.starts_with(prefix))
}
