//! What every request needs is published before the first one comes: channels, accounts, users, their credentials, OAuth
//! clients, grants, the operator's token. Scopes are read when they are first asked for.

use crate::domain::account::credentials::{Credentials, Holder};
use crate::domain::account::users::Users;
use crate::domain::installation::accounts::Accounts;
use crate::domain::installation::channels::Channels;
use crate::domain::keys;
use crate::domain::oauth::clients::OauthClients;
use crate::domain::oauth::grants::Grants;
use crate::domain::operator::Operator;
use crate::domain::tables;
use crate::error::{StartError, Unavailable};
use crate::world::Env;
use switchboard_engine::store::ReadError;
use switchboard_engine::store::committer::Submitted;
use switchboard_engine::store::tables::{KeyRange, ScanOrder, StoredRow};

/// Publishes it.
pub(super) fn read(env: &Env) -> Result<(), StartError> {
    let unusable = |error| StartError::Store(Unavailable::Damaged(error).to_string());
    if let Some((channels, _)) = env.index.load::<Channels>(&()).map_err(unusable)? {
        env.world.read_cache.set_channels(channels);
    }
    if let Some((operator, _)) = env.index.load::<Operator>(&()).map_err(unusable)? {
        env.world.read_cache.set_operator(operator.token());
    }
    if let Some((clients, _)) = env.index.load::<OauthClients>(&()).map_err(unusable)? {
        env.world.read_cache.oauth.set_clients(clients);
    }
    if let Some((accounts, _)) = env.index.load::<Accounts>(&()).map_err(unusable)? {
        for account in accounts.iter() {
            if let Some((grants, _)) = env.index.load::<Grants>(&account.id).map_err(unusable)? {
                env.world.read_cache.oauth.set_grants(grants);
            }
            if let Some((users, last)) = env.index.load::<Users>(&account.id).map_err(unusable)? {
                let epoch = env.journal.epoch();
                env.world
                    .read_cache
                    .users
                    .set(users, Submitted { last, epoch });
            }
        }
        env.world.read_cache.set_accounts(accounts);
    }
    read_credentials(env).map_err(unusable)
}

/// How many rows are read at once.
const ROWS: usize = 1_000;

/// Publishes the tokens and sessions of all users who ever had any.
fn read_credentials(env: &Env) -> Result<(), ReadError> {
    let mut range = KeyRange::all();
    loop {
        let rows = env
            .index
            .scan(tables::CREDENTIALS, &range, ScanOrder::Ascending, ROWS)?;
        let Some((last, _)) = rows.last().filter(|_| rows.len() == ROWS).cloned() else {
            return publish_credentials(env, rows);
        };
        publish_credentials(env, rows)?;
        range = range.behind(last, ScanOrder::Ascending);
    }
}

fn publish_credentials(env: &Env, rows: Vec<StoredRow>) -> Result<(), ReadError> {
    for (key, _) in rows {
        let holder = keys::parse_credentials_row(&key);
        let Some((account, user)) = holder else {
            continue;
        };
        if let Some((known, _)) = env.index.load::<Credentials>(&Holder { account, user })? {
            env.world.read_cache.credentials.set(known);
        }
    }
    Ok(())
}
