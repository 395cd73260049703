//! The variables of the environment by which commands get what they need: one name for each thing. Tested programs learn of
//! their worlds by the same names and by more (`switchboard_worlds::dev::scenario::WORLD_VARIABLES`). A test (`tests/project`)
//! compares `docs/quick-start.md` with both and finds every other spelling.

/// The address of the service.
pub(crate) const URL: &str = "SWITCHBOARD_URL";
/// The id of the channel.
pub(crate) const CHANNEL_ID: &str = "SWITCHBOARD_CHANNEL_ID";
/// The secret of the channel.
pub(crate) const CHANNEL_SECRET: &str = "SWITCHBOARD_CHANNEL_SECRET";
/// The id of the account.
pub(crate) const ACCOUNT_ID: &str = "SWITCHBOARD_ACCOUNT_ID";
/// The bearer token of an account user.
pub(crate) const USER_TOKEN: &str = "SWITCHBOARD_USER_TOKEN";
/// The token of the operator: the variable of the setting `operator.token`.
pub(crate) const OPERATOR_TOKEN: &str = "SWITCHBOARD_OPERATOR__TOKEN";
/// The configuration file.
pub(crate) const CONFIG: &str = "SWITCHBOARD_CONFIG";
