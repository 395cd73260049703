//! An account is connected to a channel, or what stands against it.

use std::sync::Arc;

use crate::domain::hook_version::HookVersion;
use crate::domain::id::{AccountId, ChannelId, ScopeId};
use crate::domain::scope::Connection;
use crate::domain::scope::connect::Connect;
use crate::system::System;
use crate::system::chat::infallible;
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::caches::read_cache::KnownChannel;
use switchboard_runtime::error::CommandError;

/// The choices of an account that connects; a missing one gets the default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectRequest {
    /// The account.
    pub account: AccountId,
    /// The name of the scope; the channel's name when left out.
    pub title: Option<String>,
    /// The form of callbacks.
    pub version: HookVersion,
    /// True when people may write at any time, whatever window the messenger has.
    pub time_window_disabled: bool,
}

/// The rejection of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConnectRejection {
    /// The channel is not known.
    #[error("there is no such channel")]
    UnknownChannel,
    /// The account is not known.
    #[error("there is no account with this id")]
    UnknownAccount,
    /// The channel's list of accounts does not hold this one.
    #[error("the channel is not open to this account")]
    AccountNotAllowed,
}

impl System {
    /// The channel, when this account may be connected to it.
    ///
    /// # Errors
    /// Why it may not.
    pub fn connectable(
        &self,
        channel: &ChannelId,
        account: AccountId,
    ) -> Result<Arc<KnownChannel>, ConnectRejection> {
        let known_channel = self
            .channel(channel)
            .ok_or(ConnectRejection::UnknownChannel)?;
        if self
            .kernel()
            .shared
            .read_cache
            .accounts()
            .get(account)
            .is_none()
        {
            return Err(ConnectRejection::UnknownAccount);
        }
        if known_channel.channel.settings.accounts.holds(account) {
            Ok(known_channel)
        } else {
            Err(ConnectRejection::AccountNotAllowed)
        }
    }

    /// Connects an account to a channel. Repeating is the normal case: the last title and version win.
    ///
    /// # Errors
    /// When channel or account are unknown, the channel is not open to the account, or nothing can be stored now.
    pub async fn connect(
        &self,
        channel: &ChannelId,
        request: ConnectRequest,
    ) -> Result<(ScopeId, Connection), CommandError<ConnectRejection>> {
        let channel = &self
            .connectable(channel, request.account)
            .map_err(CommandError::Rejected)?
            .channel;
        let scope = ScopeId::new(channel.id.clone(), request.account);
        let title = request
            .title
            .unwrap_or_else(|| channel.settings.name.clone().into());
        let command = Connect {
            connection: Connection {
                title,
                version: request.version,
                time_window_disabled: request.time_window_disabled,
            },
        };
        let connection = execute(self.kernel(), &scope, command)
            .await
            .map_err(infallible)?;
        Ok((scope, connection))
    }
}
