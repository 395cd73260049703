//! Fills the read cache before the first request: channels, accounts, OAuth clients, the operator's
//! token, the users with browsers that are pushed notifications. Scopes, users, their credentials and grants are read when they are first asked for.

use crate::domain::installation::accounts::Accounts;
use crate::domain::installation::channels::Channels;
use crate::domain::keys::people::holder_of_row;
use crate::domain::oauth::clients::OauthClients;
use crate::domain::operator::Operator;
use crate::domain::tables;
use switchboard_engine::store::ReadError;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_runtime::error::{StartError, UnavailableError};
use switchboard_runtime::shared::Kernel;

/// So many rows are read at once.
const ROWS_AT_ONCE: usize = 1_000;

/// Publishes it.
pub(super) fn read(kernel: &Kernel) -> Result<(), StartError> {
    let unusable = |error| StartError::Store(UnavailableError::Damaged(error).to_string());
    if let Some((channels, _)) = kernel.index.load::<Channels>(&()).map_err(unusable)? {
        kernel.shared.read_cache.set_channels(channels);
    }
    if let Some((operator, _)) = kernel.index.load::<Operator>(&()).map_err(unusable)? {
        kernel.shared.read_cache.operator.set(&operator);
    }
    if let Some((clients, _)) = kernel.index.load::<OauthClients>(&()).map_err(unusable)? {
        kernel.shared.read_cache.set_oauth_clients(clients);
    }
    if let Some((accounts, _)) = kernel.index.load::<Accounts>(&()).map_err(unusable)? {
        kernel.shared.read_cache.set_accounts(accounts);
    }
    read_pushed_users(kernel).map_err(unusable)
}

/// Notes the users with browsers that are pushed notifications.
fn read_pushed_users(kernel: &Kernel) -> Result<(), ReadError> {
    let mut range = KeyRange::all();
    let order = ScanOrder::Ascending;
    loop {
        let rows = kernel
            .index
            .scan(tables::PUSHES, &range, order, ROWS_AT_ONCE)?;
        for (key, _) in &rows {
            if let Some(holder) = holder_of_row(key) {
                kernel.shared.feed.note_pushed(holder, true);
            }
        }
        match rows.last() {
            Some((last, _)) if rows.len() == ROWS_AT_ONCE => {
                range = range.behind(last.clone(), order);
            }
            Some(_) | None => return Ok(()),
        }
    }
}
