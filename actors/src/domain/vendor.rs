//! The names under which integrations know the counterpart.

/// The hosts of its chat interface.
pub const CHAT_HOSTS: [&str; 3] = ["amojo.amocrm.ru", "amojo.amocrm.com", "amojo.kommo.com"];

/// The domains of its accounts: each account has a host `<subdomain>.<domain>`.
pub const DOMAINS: [&str; 3] = ["amocrm.ru", "amocrm.com", "kommo.com"];
