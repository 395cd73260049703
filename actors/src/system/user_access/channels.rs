//! The channels of the account: those that it is connected to, and those that it was.

use crate::domain::id::{ChannelId, ScopeId};
use crate::domain::installation::channels::kind::ChannelKind;
use crate::domain::scope::Scope;
use crate::domain::text::url::HttpUrl;
use crate::system::user_access::UserAccess;
use switchboard_engine::state::State;
use switchboard_runtime::error::UnavailableError;

/// A channel of the account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountChannel {
    /// Its id.
    pub id: ChannelId,
    /// Its name.
    pub name: String,
    /// The integration's title of the connection, or else the name.
    pub title: String,
    /// Its kind.
    pub kind: ChannelKind,
    /// The page of the integration itself; `None` without one, and for users who are no administrators.
    pub page: Option<HttpUrl>,
}

impl UserAccess {
    /// The channels that the account is or was connected to, and that the service still has, by id.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn channels(&self) -> Result<Vec<AccountChannel>, UnavailableError> {
        let is_administrator = self.is_administrator();
        let mut channels = Vec::new();
        for channel in self.system.channels() {
            if !self.has_channel(&channel.id).await? {
                continue;
            }
            let scope = ScopeId::new(channel.id.clone(), self.caller.account);
            let connection = self.system.connection(&scope).await?;
            let name = channel.settings.name.to_string();
            let title = connection.map(|connection| connection.title);
            channels.push(AccountChannel {
                id: channel.id,
                title: title.unwrap_or_else(|| name.clone()),
                name,
                kind: channel.settings.kind,
                page: channel.settings.page.filter(|_| is_administrator),
            });
        }
        channels.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(channels)
    }

    /// Returns whether the service has the channel, and the account is or was connected to it.
    pub(super) async fn has_channel(&self, id: &ChannelId) -> Result<bool, UnavailableError> {
        if self.system.channel(id).is_none() {
            return Ok(false);
        }
        let scope = ScopeId::new(id.clone(), self.caller.account);
        let kernel = self.system.kernel();
        kernel.caught_up().await;
        Ok(kernel.index.find(Scope::stream(&scope).key())?.is_some())
    }
}
