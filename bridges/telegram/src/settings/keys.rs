//! The settings by name: where the file has them, and the variable that overrides it.

/// A setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) section: &'static str,
    pub(crate) name: &'static str,
    pub(crate) variable: &'static str,
}

const fn key(section: &'static str, name: &'static str, variable: &'static str) -> Key {
    Key {
        section,
        name,
        variable,
    }
}

/// Not in the file: others read that.
pub(crate) const TOKEN: Key = key("telegram", "token", "TELEGRAM_BOT_TOKEN");
pub(crate) const TOKEN_FILE: Key = key("telegram", "token_file", "TELEGRAM_BOT_TOKEN_FILE");
pub(crate) const TELEGRAM_URL: Key = key("telegram", "url", "TELEGRAM_URL");
pub(crate) const FILE_URL: Key = key("telegram", "file_url", "TELEGRAM_FILE_URL");
pub(crate) const TEST_NETWORK: Key = key("telegram", "test_network", "TELEGRAM_TEST_NETWORK");
pub(crate) const SERVICE_URL: Key = key("service", "url", "SWITCHBOARD_URL");
pub(crate) const ACCOUNT: Key = key("service", "account_id", "SWITCHBOARD_ACCOUNT_ID");
pub(crate) const CHANNEL: Key = key("service", "channel_id", "SWITCHBOARD_CHANNEL_ID");
pub(crate) const SECRET: Key = key("service", "channel_secret", "SWITCHBOARD_CHANNEL_SECRET");
pub(crate) const SECRET_NEXT: Key = key(
    "service",
    "channel_secret_next",
    "SWITCHBOARD_CHANNEL_SECRET_NEXT",
);
pub(crate) const RATE: Key = key(
    "service",
    "requests_per_second",
    "TELEGRAM_BRIDGE_REQUESTS_PER_SECOND",
);
pub(crate) const CLIENT: Key = key("oauth", "client_id", "SWITCHBOARD_CLIENT_ID");
pub(crate) const CLIENT_SECRET: Key = key("oauth", "client_secret", "SWITCHBOARD_CLIENT_SECRET");
pub(crate) const REDIRECT: Key = key("oauth", "redirect_uri", "SWITCHBOARD_REDIRECT_URI");
/// A code works once, so it is no setting of a file.
pub(crate) const CODE: Key = key("oauth", "code", "SWITCHBOARD_CODE");
pub(crate) const LISTEN: Key = key("bridge", "listen", "TELEGRAM_BRIDGE_LISTEN");
/// Another port of the same address, as programs that start others give it.
pub(crate) const PORT: Key = key("bridge", "port", "PORT");
pub(crate) const PUBLIC_URL: Key = key("bridge", "public_url", "TELEGRAM_BRIDGE_PUBLIC_URL");
pub(crate) const DIRECTORY: Key = key("bridge", "directory", "TELEGRAM_BRIDGE_DIRECTORY");
pub(crate) const TAG: Key = key("bridge", "blocked_tag", "TELEGRAM_BRIDGE_BLOCKED_TAG");
pub(crate) const LINK_DAYS: Key = key("bridge", "file_link_days", "TELEGRAM_BRIDGE_FILE_LINK_DAYS");
pub(crate) const FORMAT: Key = key("log", "format", "TELEGRAM_BRIDGE_LOG_FORMAT");

/// The settings that a file may have.
pub(crate) const FILE_KEYS: [Key; 19] = [
    TOKEN_FILE,
    TELEGRAM_URL,
    FILE_URL,
    TEST_NETWORK,
    SERVICE_URL,
    ACCOUNT,
    CHANNEL,
    SECRET,
    SECRET_NEXT,
    RATE,
    CLIENT,
    CLIENT_SECRET,
    REDIRECT,
    LISTEN,
    PUBLIC_URL,
    DIRECTORY,
    TAG,
    LINK_DAYS,
    FORMAT,
];

/// The settings of the file in a section, as a list for people.
pub(crate) fn names(section: &str) -> String {
    let keys = FILE_KEYS.iter().filter(|key| key.section == section);
    let names: Vec<&str> = keys.map(|key| key.name).collect();
    names.join(", ")
}
