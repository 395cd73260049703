//! The variables of the environment by which commands and tested programs get what they need: one name for each thing. A
//! test (`tests/project`) compares `docs/quick-start.md` with them and finds every other spelling.

/// The address of the service.
pub(crate) const URL: &str = "SWITCHBOARD_URL";
/// The id of the channel.
pub(crate) const CHANNEL_ID: &str = "SWITCHBOARD_CHANNEL_ID";
/// The secret of the channel.
pub(crate) const CHANNEL_SECRET: &str = "SWITCHBOARD_CHANNEL_SECRET";
/// The id of the account.
pub(crate) const ACCOUNT_ID: &str = "SWITCHBOARD_ACCOUNT_ID";
/// The id of the scope: the channel and the account.
#[cfg(feature = "dev")]
pub(crate) const SCOPE_ID: &str = "SWITCHBOARD_SCOPE_ID";
/// The bearer token of an account user.
pub(crate) const USER_TOKEN: &str = "SWITCHBOARD_USER_TOKEN";
/// The token of the operator: the variable of the setting `operator.token`.
pub(crate) const OPERATOR_TOKEN: &str = "SWITCHBOARD_OPERATOR__TOKEN";
/// The id of the OAuth client.
#[cfg(feature = "dev")]
pub(crate) const CLIENT_ID: &str = "SWITCHBOARD_CLIENT_ID";
/// The secret of the OAuth client.
#[cfg(feature = "dev")]
pub(crate) const CLIENT_SECRET: &str = "SWITCHBOARD_CLIENT_SECRET";
/// The redirect URI of the OAuth client.
#[cfg(feature = "dev")]
pub(crate) const REDIRECT_URI: &str = "SWITCHBOARD_REDIRECT_URI";
/// An authorization code of the OAuth client.
#[cfg(feature = "dev")]
pub(crate) const CODE: &str = "SWITCHBOARD_CODE";
/// The configuration file.
pub(crate) const CONFIG: &str = "SWITCHBOARD_CONFIG";
