//! Fills the read cache before the first request: channels, accounts, OAuth clients, the operator's
//! token. Scopes, users, their credentials and grants are read when they are first asked for.

use crate::domain::installation::accounts::Accounts;
use crate::domain::installation::channels::Channels;
use crate::domain::oauth::clients::OauthClients;
use crate::domain::operator::Operator;
use switchboard_runtime::error::{StartError, UnavailableError};
use switchboard_runtime::shared::Kernel;

/// Publishes it.
pub(super) fn read(kernel: &Kernel) -> Result<(), StartError> {
    let unusable = |error| StartError::Store(UnavailableError::Damaged(error).to_string());
    if let Some((channels, _)) = kernel.index.load::<Channels>(&()).map_err(unusable)? {
        kernel.shared.read_cache.set_channels(channels);
    }
    if let Some((operator, _)) = kernel.index.load::<Operator>(&()).map_err(unusable)? {
        kernel.shared.read_cache.set_operator(operator.token());
    }
    if let Some((clients, _)) = kernel.index.load::<OauthClients>(&()).map_err(unusable)? {
        kernel.shared.read_cache.set_oauth_clients(clients);
    }
    if let Some((accounts, _)) = kernel.index.load::<Accounts>(&()).map_err(unusable)? {
        kernel.shared.read_cache.set_accounts(accounts);
    }
    Ok(())
}
