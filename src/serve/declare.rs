//! What the configuration names exists after start-up. Nothing is removed.

use anyhow::{Context, Result};
use switchboard_actors::System;
use switchboard_actors::domain::account::users::TokenHash;
use switchboard_actors::domain::account::users::declare::DeclareUser;
use switchboard_actors::domain::installation::accounts;
use switchboard_actors::domain::installation::channels::{self, AllowedAccounts};

use crate::config::values::{Lang, Plan, Secret, WebhookAddress};
use crate::config::{Account, Audience, Channel, Settings, User};

/// Declares accounts, their users and channels.
pub(super) async fn declare(system: &System, settings: &Settings) -> Result<()> {
    for account in &settings.accounts {
        system
            .declare_account(account_of(account))
            .await
            .with_context(|| format!("account {}", account.id))?;
        for user in &account.users {
            let declared = user_of(user).with_context(|| format!("user {}", user.email))?;
            system
                .declare_user(account.id, declared)
                .await
                .with_context(|| format!("user {}", user.email))?;
        }
    }
    for channel in &settings.channels {
        let declared = channel_of(channel).with_context(|| format!("channel {}", channel.id))?;
        system
            .declare_channel(declared)
            .await
            .with_context(|| format!("channel {}", channel.id))?;
    }
    Ok(())
}

fn account_of(account: &Account) -> accounts::Account {
    accounts::Account {
        id: account.id,
        name: account.name.clone(),
        lang: match account.lang {
            Lang::En => accounts::Lang::En,
            Lang::Ru => accounts::Lang::Ru,
        },
        plan: match account.plan {
            Plan::Base => accounts::Plan::Base,
            Plan::Enterprise => accounts::Plan::Enterprise,
        },
    }
}

fn user_of(user: &User) -> Result<DeclareUser> {
    Ok(DeclareUser {
        name: user.name.parse()?,
        email: user.email.as_str().parse()?,
        is_admin: user.is_admin,
        password: Some(user.password.expose().parse()?),
        token: user
            .token
            .as_ref()
            .map(|token| TokenHash::of(token.expose())),
    })
}

fn channel_of(channel: &Channel) -> Result<channels::Channel> {
    let address = |address: &Option<WebhookAddress>| {
        address.as_ref().map(|address| address.as_str().to_owned())
    };
    let secret = Secret::expose(&channel.secret).parse()?;
    Ok(channels::Channel {
        webhook_v1: address(&channel.webhook_v1),
        webhook_v2: address(&channel.webhook_v2),
        accounts: match &channel.accounts {
            Audience::Everyone => AllowedAccounts::All,
            Audience::Only(accounts) => AllowedAccounts::Named(accounts.iter().copied().collect()),
        },
        generation: channel.generation,
        typing_callbacks: channel.typing_callbacks,
        reaction_callbacks: channel.reaction_callbacks,
        ..channels::Channel::new(channel.id.clone(), &channel.name, secret)
    })
}
