//! The grants of one account to OAuth clients: authorization codes, refresh tokens and long-lived tokens, all as
//! hashes.
//!
//! A code and a refresh token are good once. The request that used one is kept with it, so that the refusal of the next
//! one can name it.

pub mod attempt_hook;
pub mod consent;
pub mod event;
pub mod exchange_code;
pub mod grant;
pub mod long_lived;
pub mod note_hook;
pub mod refresh;
pub mod rejection;
pub mod require;
pub mod revoke;

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use crate::id::{AccountId, GrantNumber, OauthClientId};
use crate::keys::people::{hook_row, installed_row};
use crate::kinds;
use crate::notice::Notice;
use crate::oauth::grants::event::GrantsEvent;
use crate::oauth::grants::grant::{Grant, PendingHook, WaitingHook};
use crate::tables;
use crate::time::UnixMillis;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::State;
use switchboard_engine::stream::StreamKind;

/// The highest number of waiting reports of an uninstallation; another one takes the place of the oldest.
pub const HOOKS_MAX: usize = 100;

/// The grants of one account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grants {
    /// The account.
    pub account: AccountId,
    /// The grants in force.
    grants: BTreeMap<OauthClientId, Grant>,
    /// The end of the last grant, for each client that has none now.
    ended: BTreeMap<OauthClientId, UnixMillis>,
    /// Reports of uninstallations that wait, oldest first.
    hooks: VecDeque<WaitingHook>,
    /// The number of the last grant: a number is never given again.
    last: u64,
}

impl Grants {
    /// The grant to this client that is in force.
    #[must_use]
    pub fn get(&self, client: OauthClientId) -> Option<&Grant> {
        self.grants.get(&client)
    }

    /// The grants in force, by client.
    pub fn iter(&self) -> impl Iterator<Item = (OauthClientId, &Grant)> {
        self.grants.iter().map(|(client, grant)| (*client, grant))
    }

    /// Returns the end of the last grant to this client, if there is none now.
    #[must_use]
    pub fn ended(&self, client: OauthClientId) -> Option<UnixMillis> {
        self.ended.get(&client).copied()
    }

    /// The reports of uninstallations that wait, oldest first.
    pub fn hooks(&self) -> impl Iterator<Item = &WaitingHook> {
        self.hooks.iter()
    }

    /// The report as it waits; `None` when it waits no more.
    #[must_use]
    pub fn waiting(&self, hook: &PendingHook) -> Option<&WaitingHook> {
        self.hooks.iter().find(|known| known.hook == *hook)
    }

    /// Returns the number of codes, tokens and reports.
    #[must_use]
    pub fn entries(&self) -> usize {
        let grants = self.grants.values().map(Grant::entries);
        grants.fold(self.hooks.len(), usize::saturating_add)
    }

    /// The report that another one takes the place of, if as many wait as may.
    fn too_old_hook(&self) -> Option<&PendingHook> {
        let oldest = self.hooks.front().filter(|_| self.hooks.len() >= HOOKS_MAX);
        oldest.map(|oldest| &oldest.hook)
    }

    /// Adds a report that waits; beyond the most, the oldest one goes.
    fn keep_hook(&mut self, hook: &PendingHook) {
        if self.too_old_hook().is_some() {
            self.hooks.pop_front();
        }
        self.hooks.push_back(WaitingHook::new(hook.clone()));
    }

    /// The grant in force that this event is about, which is new if there is none.
    fn grant(&mut self, client: OauthClientId, number: GrantNumber, at: UnixMillis) -> &mut Grant {
        self.last = self.last.max(number.0);
        self.ended.remove(&client);
        let grant = self.grants.entry(client);
        grant.or_insert_with(|| Grant::new(number, at))
    }
}

impl State for Grants {
    type Id = AccountId;
    type Event = GrantsEvent;
    type Notice = Notice;

    const KIND: StreamKind = kinds::OAUTH_GRANTS;

    fn initial(id: &AccountId) -> Self {
        Self {
            account: *id,
            grants: BTreeMap::new(),
            ended: BTreeMap::new(),
            hooks: VecDeque::new(),
            last: 0,
        }
    }

    fn apply(&mut self, event: &GrantsEvent) {
        match event {
            GrantsEvent::Consented {
                client,
                grant,
                code,
                scopes,
                ..
            } => {
                let grant = self.grant(*client, *grant, code.issued_at);
                grant.user = Some(code.user);
                grant.scopes = scopes.clone();
                grant.keep_code(code.clone());
            }
            GrantsEvent::CodeUsed {
                client,
                code,
                by,
                refresh,
            } => {
                if let Some(grant) = self.grants.get_mut(client) {
                    grant.use_code(code, by);
                    grant.keep_refresh_token(refresh.clone());
                }
            }
            GrantsEvent::Refreshed {
                client,
                used,
                by,
                refresh,
            } => {
                if let Some(grant) = self.grants.get_mut(client) {
                    grant.use_refresh_token(used, by);
                    grant.keep_refresh_token(refresh.clone());
                }
            }
            GrantsEvent::LongLivedIssued {
                client,
                grant,
                token,
                scopes,
                ..
            } => {
                let grant = self.grant(*client, *grant, token.created_at);
                grant.user = grant.user.or(Some(token.user));
                grant.scopes = scopes.clone();
                grant.keep_long_lived(token.clone());
            }
            GrantsEvent::LongLivedRevoked { client, token, .. } => {
                if let Some(grant) = self.grants.get_mut(client) {
                    grant.long_lived.retain(|known| known.id != *token);
                }
            }
            GrantsEvent::Revoked {
                client, hook, at, ..
            } => {
                self.grants.remove(client);
                self.ended.insert(*client, *at);
                if let Some(hook) = hook {
                    self.keep_hook(hook);
                }
            }
            GrantsEvent::HookAttempted { waiting } => {
                let hooks = self.hooks.iter_mut();
                for hooks in hooks.filter(|hooks| hooks.hook == waiting.hook) {
                    *hooks = waiting.clone();
                }
            }
            GrantsEvent::HookEnded { hook, .. } => self.hooks.retain(|known| known.hook != *hook),
        }
    }

    fn index(&self, event: &GrantsEvent, entries: &mut IndexEntries) {
        let installed = |client: &OauthClientId| installed_row(*client, self.account);
        match event {
            GrantsEvent::Consented { client, .. } | GrantsEvent::LongLivedIssued { client, .. } => {
                if self.get(*client).is_none() {
                    entries.put(tables::INSTALLED, installed(client), Vec::new());
                }
            }
            GrantsEvent::Revoked { client, hook, .. } => {
                entries.delete(tables::INSTALLED, installed(client));
                if let Some(hook) = hook {
                    if let Some(oldest) = self.too_old_hook() {
                        let row = hook_row(self.account, oldest);
                        entries.delete(tables::UNINSTALL_HOOKS, row);
                    }
                    let row = hook_row(self.account, hook);
                    entries.put(tables::UNINSTALL_HOOKS, row, Vec::new());
                }
            }
            GrantsEvent::HookEnded { hook, .. } => {
                entries.delete(tables::UNINSTALL_HOOKS, hook_row(self.account, hook));
            }
            GrantsEvent::LongLivedRevoked { .. }
            | GrantsEvent::CodeUsed { .. }
            | GrantsEvent::HookAttempted { .. }
            | GrantsEvent::Refreshed { .. } => {}
        }
        match event {
            GrantsEvent::Consented { audit, .. }
            | GrantsEvent::LongLivedIssued { audit, .. }
            | GrantsEvent::LongLivedRevoked { audit, .. }
            | GrantsEvent::Revoked { audit, .. }
            | GrantsEvent::HookEnded { audit, .. } => audit.index(entries),
            GrantsEvent::CodeUsed { .. }
            | GrantsEvent::HookAttempted { .. }
            | GrantsEvent::Refreshed { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests;
