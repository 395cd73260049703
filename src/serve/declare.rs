//! Creates what the configuration names, at the start. Nothing is removed.

use anyhow::{Context, Result, bail};
use switchboard_actors::System;
use switchboard_actors::domain::account::users::TokenHash;
use switchboard_actors::domain::account::users::declare::DeclareUser;
use switchboard_actors::domain::installation::accounts::AccountRejection;
use switchboard_actors::domain::installation::accounts::declare::DeclareAccount;

use crate::config::{Account, Settings, User};

/// Declares accounts with their pipelines and users, channels and OAuth clients. Nothing is declared if something conflicts
/// with what is stored.
pub(super) async fn declare(system: &System, settings: &Settings) -> Result<()> {
    check(system, settings).await?;
    for account in &settings.accounts {
        account_of(system, account)
            .await
            .with_context(|| format!("account {}", account.id))?;
    }
    for channel in &settings.channels {
        system
            .declare_channel(channel.clone())
            .await
            .with_context(|| format!("channel {}", channel.id))?;
    }
    for client in &settings.oauth_clients {
        system
            .declare_oauth_client(client.clone())
            .await
            .with_context(|| format!("OAuth client {}", client.id))?;
    }
    Ok(())
}

/// Compares what is to be declared with what is stored.
///
/// # Errors
/// Every conflict, with its path in the configuration; or that something cannot be read now.
pub(super) async fn check(system: &System, settings: &Settings) -> Result<()> {
    let conflicts = conflicts(system, &settings.accounts).await?;
    if conflicts.is_empty() {
        return Ok(());
    }
    bail!(
        "the configuration conflicts with what is stored, and nothing of it was declared:\n  {}",
        conflicts.join("\n  ")
    )
}

async fn account_of(system: &System, account: &Account) -> Result<()> {
    // Before the account: one that is there keeps the pipelines that it has.
    if !account.pipelines.is_empty() {
        let pipelines = account.pipelines.clone();
        system.declare_pipelines(account.id, pipelines).await?;
    }
    system.declare_account(declared(account)).await?;
    for user in &account.users {
        system
            .declare_user(account.id, user_of(user))
            .await
            .with_context(|| format!("user {}", user.email))?;
    }
    Ok(())
}

/// Everything that cannot be declared, each with its path in the configuration.
async fn conflicts(system: &System, accounts: &[Account]) -> Result<Vec<String>> {
    let mut conflicts = Vec::new();
    let all: Vec<_> = accounts.iter().map(declared).collect();
    let of_accounts = system.account_conflicts(&all).await?;
    for ((at, account), conflict) in accounts.iter().enumerate().zip(of_accounts) {
        if let Some(conflict) = conflict {
            let key = match conflict {
                AccountRejection::SameField | AccountRejection::FieldTaken(_) => "phone_field_id",
                AccountRejection::Unknown
                | AccountRejection::Exists
                | AccountRejection::Full
                | AccountRejection::SubdomainTaken(_)
                | AccountRejection::SubdomainReserved => "subdomain",
            };
            conflicts.push(format!("accounts[{at}].{key}: {conflict}"));
        }
        if !account.pipelines.is_empty() {
            let conflict = system.pipelines_conflict(account.id, &account.pipelines);
            if let Some(conflict) = conflict.await? {
                conflicts.push(format!("accounts[{at}].pipelines: {conflict}"));
            }
        }
        let declared: Vec<_> = account.users.iter().map(user_of).collect();
        let of_users = system.user_conflicts(account.id, &declared).await?;
        for (user, conflict) in of_users {
            conflicts.push(format!("accounts[{at}].users[{user}].id: {conflict}"));
        }
    }
    Ok(conflicts)
}

fn declared(account: &Account) -> DeclareAccount {
    DeclareAccount {
        id: account.id,
        settings: account.settings.clone(),
    }
}

fn user_of(user: &User) -> DeclareUser {
    DeclareUser {
        id: user.id,
        name: user.name.clone(),
        email: user.email.clone(),
        is_admin: user.is_admin,
        password: Some(user.password.clone()),
        token: user
            .token
            .as_ref()
            .map(|token| TokenHash::new(token.expose())),
    }
}
