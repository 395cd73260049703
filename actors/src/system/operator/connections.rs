//! The accounts connected to a channel, and ending a connection.

use crate::domain::audit::By;
use crate::domain::id::{AccountId, ChannelId, ScopeId};
use crate::domain::keys;
use crate::domain::operator::note::Note;
use crate::domain::scope::{Connection, Scope};
use crate::domain::tables;
use crate::system::System;
use crate::system::inbox::{PAGE_MAX, Page};
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_runtime::error::{CommandError, UnavailableError};

/// An account that is connected to a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectedAccount {
    /// The scope of the account in the channel.
    pub scope: ScopeId,
    /// The account's choices when it connected.
    pub connection: Connection,
}

/// There is no such connection to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the account is not connected to the channel")]
pub struct DisconnectRejection;

impl System {
    /// The accounts that are connected to the channel, by id, behind `after`; at most [`PAGE_MAX`].
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn connections(
        &self,
        channel: &ChannelId,
        after: Option<AccountId>,
        limit: usize,
    ) -> Result<Page<ConnectedAccount, AccountId>, UnavailableError> {
        let kernel = self.kernel();
        kernel.caught_up().await;
        let limit = limit.clamp(1, PAGE_MAX);
        let mut range = KeyRange::prefix(&keys::channel_prefix(channel));
        if let Some(account) = after {
            let row = keys::scope_row(&ScopeId::new(channel.clone(), account));
            range = range.behind(row, ScanOrder::Ascending);
        }
        let most = limit.saturating_add(1);
        let rows = kernel
            .index
            .scan(tables::SCOPES, &range, ScanOrder::Ascending, most)?;
        let more = rows.len() > limit;
        let mut entries = Vec::with_capacity(limit.min(rows.len()));
        let mut next = None;
        for (key, _) in rows.into_iter().take(limit) {
            let Some(scope) = keys::parse_scope_row(&key) else {
                continue;
            };
            next = Some(scope.account());
            let state = self.look::<Scope>(&scope).await?;
            if let Some(connection) = state.and_then(|state| state.connection) {
                entries.push(ConnectedAccount { scope, connection });
            }
        }
        Ok(Page {
            entries,
            next: next.filter(|_| more),
        })
    }

    /// Ends the connection of an account to a channel, as its integration can too. The integration may connect it again.
    ///
    /// # Errors
    /// When it is not connected, or nothing can be stored now.
    pub async fn disconnect_as_operator(
        &self,
        by: By,
        scope: &ScopeId,
    ) -> Result<(), CommandError<DisconnectRejection>> {
        let _accepted = self.kernel().gate.enter()?;
        if !self.is_connected(scope).await? {
            return Err(CommandError::Rejected(DisconnectRejection));
        }
        self.note(Note {
            by,
            action: "connection.disconnect",
            object: scope.to_string(),
            account: Some(scope.account()),
            changes: Vec::new(),
        })
        .await?;
        Ok(self.disconnect(scope).await?)
    }
}
