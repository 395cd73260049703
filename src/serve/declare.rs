//! What the configuration names exists after start-up. Nothing is removed.

use anyhow::{Context, Result};
use switchboard_actors::System;
use switchboard_actors::domain::account::users::TokenHash;
use switchboard_actors::domain::account::users::declare::DeclareUser;
use switchboard_actors::domain::installation::accounts::declare::DeclareAccount;

use crate::config::{Settings, User};

/// Declares accounts, their users, channels and OAuth clients.
pub(super) async fn declare(system: &System, settings: &Settings) -> Result<()> {
    for account in &settings.accounts {
        system
            .declare_account(DeclareAccount {
                id: account.id,
                settings: account.settings.clone(),
            })
            .await
            .with_context(|| format!("account {}", account.id))?;
        for user in &account.users {
            system
                .declare_user(account.id, user_of(user))
                .await
                .with_context(|| format!("user {}", user.email))?;
        }
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

fn user_of(user: &User) -> DeclareUser {
    DeclareUser {
        name: user.name.clone(),
        email: user.email.clone(),
        is_admin: user.is_admin,
        password: Some(user.password.clone()),
        token: user
            .token
            .as_ref()
            .map(|token| TokenHash::of(token.expose())),
    }
}
