//! States that many read and few change: published by the owner whenever they change, read without asking anybody.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use arc_swap::ArcSwap;

use crate::caches::bounded::Bounded;
use crate::caches::operator_cache::OperatorCache;
use crate::caches::state_cache::StateCache;
use crate::typing::TypingNow;
use crate::viewing::ViewersNow;
use switchboard_domain::account::credentials::Credentials;
use switchboard_domain::account::holder::Holder;
use switchboard_domain::account::user::User;
use switchboard_domain::account::users::{TokenHash, Users};
use switchboard_domain::account_quota::AccountQuotas;
use switchboard_domain::audit::By;
use switchboard_domain::generation::Generation;
use switchboard_domain::hook_version::HookVersion;
use switchboard_domain::id::{AccountId, ChannelId, ScopeId, UserId};
use switchboard_domain::installation::accounts::{Account, Accounts};
use switchboard_domain::installation::channels::{Channel, Channels};
use switchboard_domain::oauth::acting_client::ActingClient;
use switchboard_domain::oauth::clients::OauthClients;
use switchboard_domain::oauth::grants::Grants;
use switchboard_domain::oauth::scope::OauthScopes;
use switchboard_domain::scope::{Connection, Scope};
use switchboard_domain::signature::request::Presented;
use switchboard_domain::signature::{Signature, Signer};
use switchboard_domain::text::Name;
use switchboard_domain::time::UnixMillis;
use switchboard_engine::store::committer::Submitted;

/// Of so many tokens and sessions it is remembered whose they are.
const SECRETS_MAX: usize = 65_536;
/// Of so many users it is remembered that they have the highest rank.
const MASTERS_MAX: usize = 65_536;

/// The states that many requests read.
pub struct ReadCache {
    channels: RwLock<Arc<Channels>>,
    known: ArcSwap<BTreeMap<ChannelId, Arc<KnownChannel>>>,
    accounts: RwLock<Arc<Accounts>>,
    /// True when any account has quotas of its own.
    has_quotas: AtomicBool,
    scopes: RwLock<BTreeMap<ScopeId, Arc<CachedScope>>>,
    /// The people who are writing now.
    pub typing: TypingNow,
    /// The users who have a conversation open now.
    pub viewers: ViewersNow,
    /// The users of accounts, with their roles.
    pub users: StateCache<Users>,
    /// The tokens and sessions of users.
    pub credentials: StateCache<Credentials>,
    /// The consents of accounts to OAuth clients.
    pub grants: StateCache<Grants>,
    oauth_clients: RwLock<Arc<OauthClients>>,
    /// The holders of the secrets with these hashes when they were last found; the holder's state decides whether they are still.
    secrets: RwLock<Bounded<[u8; 32], Holder>>,
    /// Users with the highest rank: no user loses it, and the more a user wrote, the more it costs to compute.
    masters: RwLock<Bounded<Holder, ()>>,
    /// The operator.
    pub operator: OperatorCache,
}

impl Default for ReadCache {
    fn default() -> Self {
        Self {
            channels: RwLock::default(),
            known: ArcSwap::default(),
            accounts: RwLock::default(),
            has_quotas: AtomicBool::new(false),
            scopes: RwLock::default(),
            typing: TypingNow::default(),
            viewers: ViewersNow::default(),
            users: StateCache::default(),
            credentials: StateCache::default(),
            grants: StateCache::default(),
            oauth_clients: RwLock::default(),
            secrets: RwLock::new(Bounded::new(SECRETS_MAX)),
            masters: RwLock::new(Bounded::new(MASTERS_MAX)),
            operator: OperatorCache::default(),
        }
    }
}

/// A channel as every request of the chat interface needs it.
#[derive(Debug)]
pub struct KnownChannel {
    /// The channel.
    pub channel: Channel,
    /// Signs and verifies with the channel's secret.
    signer: Signer,
    /// The same with the secret that it takes the place of, and until when that is taken.
    old: Option<(Signer, UnixMillis)>,
    /// The addresses for callbacks, by scope: put together once, not for each of them.
    addresses: Mutex<BTreeMap<(HookVersion, AccountId), Arc<str>>>,
}

/// So many addresses of a channel are kept.
const ADDRESSES_MAX: usize = 4_096;

impl KnownChannel {
    fn new(channel: &Channel) -> Self {
        let rotation = channel.rotation.as_ref();
        Self {
            channel: channel.clone(),
            signer: Signer::new(&channel.secret),
            old: rotation.map(|rotation| (Signer::new(&rotation.old), rotation.ends_at)),
            addresses: Mutex::default(),
        }
    }

    /// As [`Channel::webhook`].
    pub fn webhook(&self, version: HookVersion, scope: &ScopeId) -> Option<Arc<str>> {
        let name = (version, scope.account());
        let mut addresses = self
            .addresses
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(address) = addresses.get(&name) {
            return Some(Arc::clone(address));
        }
        let address = self.channel.webhook(version, scope)?;
        if addresses.len() >= ADDRESSES_MAX {
            addresses.clear();
        }
        addresses.insert(name, Arc::clone(&address));
        Some(address)
    }

    /// The signature of a callback that leaves now; see [`Channel::signing_secret`].
    pub fn sign(&self, body: &[u8], now: UnixMillis) -> Signature {
        let old = self.old.as_ref().filter(|(_, until)| now < *until);
        old.map_or(&self.signer, |(signer, _)| signer).sign(body)
    }

    /// The generation that `signature` proves for a request, under the channel's secret or under the one that is being
    /// rotated out; see [`Presented::proven`].
    #[must_use]
    pub fn proves(
        &self,
        presented: &Presented<'_>,
        signature: &[u8],
        wanted: Option<Generation>,
        now: UnixMillis,
    ) -> Option<Generation> {
        let mut proven = self
            .signers(now)
            .map(|signer| presented.proven(signer, signature, wanted, now));
        proven.find_map(|generation| generation)
    }

    /// Returns whether `signature` proves the head of a request of the current generation, before its body is there; see
    /// [`Presented::proves_head`].
    #[must_use]
    pub fn proves_head(
        &self,
        presented: &Presented<'_>,
        signature: &[u8],
        now: UnixMillis,
    ) -> bool {
        let mut signers = self.signers(now);
        signers.any(|signer| presented.proves_head(signer, signature, now))
    }

    fn signers(&self, now: UnixMillis) -> impl Iterator<Item = &Signer> {
        let old = self.old.as_ref().filter(move |(_, until)| now < *until);
        std::iter::once(&self.signer).chain(old.map(|(signer, _)| signer))
    }
}

/// The state of a scope for handlers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CachedScope {
    /// The connection of the account to the channel; `None` when there is none.
    pub connection: Option<Connection>,
    /// The number of conversations whose foreign ids are bound.
    pub bound_conversations: u64,
    /// The number of people whose foreign ids are bound.
    pub bound_people: u64,
    /// The scope's last record: these facts are true once it is on disk, bindings are found once the index has it.
    pub depends_on: Submitted,
}

/// A caller: a user of an account, or an OAuth client that acts for one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The account.
    pub account: AccountId,
    /// The user.
    pub user: UserId,
    /// The user's name.
    pub name: Name,
    /// True when the user is an administrator of the account.
    pub is_admin: bool,
    /// The OAuth client that acts for the user; `None` when the user asks.
    pub client: Option<ActingClient>,
    /// The scopes of that client; all when the user asks.
    pub scopes: OauthScopes,
}

impl Caller {
    /// The holder of the caller's credentials.
    #[must_use]
    pub fn holder(&self) -> Holder {
        let (account, user) = (self.account, self.user);
        Holder { account, user }
    }

    /// This user of this account.
    pub fn new(account: AccountId, user: &User) -> Self {
        Self {
            account,
            user: user.id,
            name: user.name.clone().into(),
            is_admin: user.is_admin(),
            client: None,
            scopes: OauthScopes::all(),
        }
    }

    /// The same, asked through this client, which has these scopes.
    pub fn through(self, client: ActingClient, scopes: OauthScopes) -> Self {
        let client = Some(client);
        Self {
            client,
            scopes,
            ..self
        }
    }
}

impl From<&Caller> for By {
    fn from(caller: &Caller) -> Self {
        Self::User {
            account: caller.account,
            user: caller.user,
            name: caller.name.clone(),
            client: caller.client.clone(),
        }
    }
}

/// The state of a scope for each request, copied: to count who holds it would write where all threads read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScopeBrief {
    /// True when the account is connected to the channel.
    pub is_connected: bool,
    /// The number of conversations whose foreign ids are bound.
    pub bound_conversations: u64,
    /// The number of people whose foreign ids are bound.
    pub bound_people: u64,
    /// As of the facts.
    pub depends_on: Submitted,
}

impl CachedScope {
    /// The facts that each request needs, without the connection's details.
    pub fn brief(&self) -> ScopeBrief {
        ScopeBrief {
            is_connected: self.connection.is_some(),
            bound_conversations: self.bound_conversations,
            bound_people: self.bound_people,
            depends_on: self.depends_on,
        }
    }

    /// The facts of a scope that rest on its last record.
    pub fn new(scope: &Scope, depends_on: Submitted) -> Self {
        Self {
            connection: scope.connection.clone(),
            bound_conversations: scope.bound_conversations,
            bound_people: scope.bound_people,
            depends_on,
        }
    }
}

impl ReadCache {
    /// The channels as they were last published.
    pub fn channels(&self) -> Arc<Channels> {
        Arc::clone(&self.channels.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The channel with this id, shared by all callers: neither copied nor keyed again for each request.
    pub fn channel(&self, id: &ChannelId) -> Option<Arc<KnownChannel>> {
        self.known.load().get(id).cloned()
    }

    /// Publishes the channels, and prepares the signers of their secrets.
    pub fn set_channels(&self, channels: Channels) {
        let entries = channels
            .iter()
            .map(|channel| (channel.id.clone(), Arc::new(KnownChannel::new(channel))));
        self.known.store(Arc::new(entries.collect()));
        *self
            .channels
            .write()
            .unwrap_or_else(PoisonError::into_inner) = Arc::new(channels);
    }

    /// The accounts as they were last published.
    pub fn accounts(&self) -> Arc<Accounts> {
        Arc::clone(&self.accounts.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns whether any account has quotas of its own.
    pub fn has_quotas(&self) -> bool {
        self.has_quotas.load(Ordering::Relaxed)
    }

    /// Publishes the accounts.
    pub fn set_accounts(&self, accounts: Accounts) {
        let none = AccountQuotas::default();
        let limits = |account: &Account| account.settings.quotas(&none).is_on();
        let has_quotas = accounts.iter().any(limits);
        self.has_quotas.store(has_quotas, Ordering::Relaxed);
        *self
            .accounts
            .write()
            .unwrap_or_else(PoisonError::into_inner) = Arc::new(accounts);
    }

    /// The facts of a scope, if they were published or kept.
    pub fn scope(&self, id: &ScopeId) -> Option<Arc<CachedScope>> {
        self.scopes
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(id)
            .cloned()
    }

    /// As [`Self::scope`], copied.
    pub fn scope_brief(&self, id: &ScopeId) -> Option<ScopeBrief> {
        let scopes = self.scopes.read().unwrap_or_else(PoisonError::into_inner);
        scopes.get(id).map(|cached| cached.brief())
    }

    /// Publishes the facts of a scope.
    pub(crate) fn set_scope(&self, id: ScopeId, cached: CachedScope) {
        self.scopes
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(id, Arc::new(cached));
    }

    /// Keeps what was read from the store, in the place of what turned out to be `lost`, unless the scope's owner has
    /// said something newer meanwhile.
    pub fn keep_scope(
        &self,
        id: ScopeId,
        lost: Option<&Arc<CachedScope>>,
        cached: CachedScope,
    ) -> Arc<CachedScope> {
        let mut scopes = self.scopes.write().unwrap_or_else(PoisonError::into_inner);
        match scopes.get(&id) {
            Some(newer) if !lost.is_some_and(|lost| Arc::ptr_eq(lost, newer)) => Arc::clone(newer),
            Some(_) | None => {
                let cached = Arc::new(cached);
                scopes.insert(id, Arc::clone(&cached));
                cached
            }
        }
    }

    /// The OAuth clients.
    pub fn oauth_clients(&self) -> Arc<OauthClients> {
        let clients = self.oauth_clients.read();
        Arc::clone(&clients.unwrap_or_else(PoisonError::into_inner))
    }

    /// Publishes the OAuth clients.
    pub fn set_oauth_clients(&self, clients: OauthClients) {
        let mut published_clients = self
            .oauth_clients
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        *published_clients = Arc::new(clients);
    }

    /// The holder that the token or session with this hash may have.
    pub fn holder(&self, hash: &TokenHash) -> Option<Holder> {
        let secrets = self.secrets.read().unwrap_or_else(PoisonError::into_inner);
        secrets.get(hash.bytes()).copied()
    }

    /// This user has the token or session with this hash.
    pub fn note_holder(&self, hash: &TokenHash, holder: Holder) {
        let mut secrets = self.secrets.write().unwrap_or_else(PoisonError::into_inner);
        secrets.insert(*hash.bytes(), holder, 1);
    }

    /// Returns whether this user is known to have the highest rank.
    pub fn is_master(&self, user: &Holder) -> bool {
        let masters = self.masters.read().unwrap_or_else(PoisonError::into_inner);
        masters.get(user).is_some()
    }

    /// This user has the highest rank from now on.
    pub fn note_master(&self, user: Holder) {
        let mut masters = self.masters.write().unwrap_or_else(PoisonError::into_inner);
        masters.insert(user, (), 1);
    }
}
