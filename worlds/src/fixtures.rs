//! The people of a world when a test begins: an account with its administrator Ada, a channel, and the scope of both.

use std::error::Error;

use switchboard_actors::domain::account::users::TokenHash;
use switchboard_actors::domain::account::users::declare::DeclareUser;
use switchboard_actors::domain::crm::Pipeline;
use switchboard_actors::domain::hook_version::HookVersion;
use switchboard_actors::domain::id::{AccountId, ChannelId, ScopeId};
use switchboard_actors::domain::installation::accounts::declare::DeclareAccount;
use switchboard_actors::domain::installation::accounts::settings::AccountSettings;
use switchboard_actors::domain::installation::channels::Channel;
use switchboard_actors::domain::installation::channels::settings::ChannelSettings;
use switchboard_actors::domain::oauth::redirect::RedirectUri;
use switchboard_actors::domain::text::Name;
use switchboard_actors::error::CommandError;
use switchboard_actors::system::System;
use switchboard_actors::system::chat::ConnectRequest;

/// The bearer token of Ada.
pub const TOKEN: &str = "token of Ada";

/// The account.
#[must_use]
pub fn account_id() -> AccountId {
    AccountId::from_random([0xac; 16])
}

/// The channel.
///
/// # Panics
/// Never: the name is a valid one.
#[must_use]
#[expect(clippy::expect_used, reason = "the name is a valid one")]
pub fn channel_id() -> ChannelId {
    "messenger".parse().expect("a valid channel id")
}

/// The scope: the account, connected to the channel.
#[must_use]
pub fn scope_id() -> ScopeId {
    ScopeId::new(channel_id(), account_id())
}

/// The channel, with addresses for both versions of callbacks.
///
/// # Panics
/// Never: what is parsed is valid.
#[must_use]
#[expect(clippy::expect_used, reason = "what is parsed is valid")]
pub fn channel() -> Channel {
    let secret = "secret".parse().expect("a valid secret");
    let webhook = |version| {
        let address = format!("http://127.0.0.1:9001/{version}/:scope_id");
        Some(address.parse().expect("a valid address"))
    };
    let settings = ChannelSettings {
        webhook_v1: webhook("v1"),
        webhook_v2: webhook("v2"),
        ..ChannelSettings::new("Messenger".parse().expect("a valid name"))
    };
    Channel::new(channel_id(), secret, settings)
}

/// The choice of the account when it connects.
#[must_use]
pub fn connect_request() -> ConnectRequest {
    ConnectRequest {
        account: account_id(),
        title: None,
        version: HookVersion::V2,
        time_window_disabled: false,
    }
}

/// Returns the address to which browsers return after a consent to the OAuth client, unless a test says otherwise.
///
/// # Panics
/// Never: the address is a valid one.
#[must_use]
#[expect(clippy::expect_used, reason = "the address is a valid one")]
pub fn redirect_uri() -> RedirectUri {
    let address = "http://127.0.0.1:9001/oauth/callback".parse();
    address.expect("a valid address")
}

/// The name of the OAuth client.
///
/// # Panics
/// Never: the name is a valid one.
#[must_use]
#[expect(clippy::expect_used, reason = "the name is a valid one")]
pub fn oauth_client_name() -> Name {
    "Integration".parse().expect("a valid name")
}

/// An administrator with this name, who is recognised by this token.
///
/// # Errors
/// When the name is no valid name of a user, or no valid part of an e-mail address.
pub fn administrator(name: &str, token: &str) -> Result<DeclareUser, Box<dyn Error>> {
    let mailbox = name.to_lowercase().replace(' ', ".");
    Ok(DeclareUser {
        id: None,
        name: name.parse()?,
        email: format!("{mailbox}@example.com").parse()?,
        is_admin: true,
        password: None,
        token: Some(TokenHash::new(token)),
    })
}

/// Declares the account, Ada and the channel, and connects the scope. What is there already does not change.
///
/// # Errors
/// When the system stores nothing now.
pub async fn declare(system: &System) -> Result<(), Box<dyn Error>> {
    let furniture = Furniture {
        account: DeclareAccount {
            id: account_id(),
            settings: AccountSettings::new("Account".parse()?),
        },
        pipelines: Vec::new(),
        users: vec![administrator("Ada", TOKEN)?],
        channel: channel(),
    };
    furniture.declare(system).await
}

/// Everything that is there when a test begins.
pub(super) struct Furniture {
    pub(super) account: DeclareAccount,
    /// The usual ones if there are none.
    pub(super) pipelines: Vec<Pipeline>,
    pub(super) users: Vec<DeclareUser>,
    pub(super) channel: Channel,
}

impl Furniture {
    /// As [`declare`].
    pub(super) async fn declare(self, system: &System) -> Result<(), Box<dyn Error>> {
        let account = self.account.id;
        if !self.pipelines.is_empty() {
            system.declare_pipelines(account, self.pipelines).await?;
        }
        system.declare_account(self.account).await?;
        let channel = self.channel.id.clone();
        system.declare_channel(self.channel).await?;
        for user in self.users {
            system.declare_user(account, user).await?;
        }
        let connect = ConnectRequest {
            account,
            ..connect_request()
        };
        match system.connect(&channel, connect).await {
            Ok(_) => Ok(()),
            Err(CommandError::Unavailable(unavailable)) => Err(unavailable.into()),
            Err(CommandError::Rejected(rejection)) => Err(rejection.into()),
        }
    }
}
