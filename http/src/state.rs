//! The state that handlers share.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use actix_web::http::header::HeaderMap;
use ipnet::IpNet;
use switchboard_actors::System;
use switchboard_actors::domain::id::AccountId;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_engine::runtime::clock::{Clock as _, SystemClock};
use switchboard_gate::guesses::Guesses;
use switchboard_gate::limits::{LimitSettings, RateLimits};
use switchboard_gate::request_id::{RequestId, RequestIds};
use switchboard_media::MediaStore;
use switchboard_network::outbound::guard::AddressGuard;
use tokio::sync::{Notify, watch};

use crate::archiver::Archiver;

use crate::console::source::Console;
use crate::metrics::requests::Requests;
use crate::node::NodeHandle;
use crate::oauth::token_log::TokenLog;
use crate::relays::ServesRelays;
use crate::vendor::{AskedHost, VendorKey};
use crate::worlds::TakesOrders;
use switchboard_gate::requests::log::{RequestLog, RequestLogLimits};
use switchboard_network::limits::pools::BODY_LIMIT;

/// The state that handlers share: the system and a few settings.
#[derive(Clone)]
pub struct AppState {
    system: System,
    settings: HttpSettings,
    media: MediaStore,
    console: Console,
    draining: watch::Sender<bool>,
    traffic: Arc<Traffic>,
    requests: Arc<Requests>,
    request_ids: Arc<RequestIds>,
    request_log: Arc<RequestLog>,
    token_log: Arc<TokenLog>,
    guesses: Arc<Guesses>,
    limits: Arc<RateLimits>,
    worlds: Option<Arc<dyn TakesOrders>>,
    archiver: Option<Arc<dyn Archiver>>,
    node: Option<NodeHandle>,
    relays: Option<Arc<dyn ServesRelays>>,
}

/// The requests in progress.
#[derive(Debug, Default)]
struct Traffic {
    in_flight: AtomicUsize,
    none_left: Notify,
    /// As `draining` of the state says, for those who only look: a look at that counts the readers.
    is_draining: AtomicBool,
}

/// A request that is in progress, until it is dropped.
#[derive(Debug)]
pub(crate) struct InFlight<'a>(&'a Traffic);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        if self.0.in_flight.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.0.none_left.notify_one();
        }
    }
}

/// The settings of the HTTP interface.
#[derive(Clone, Debug)]
pub struct HttpSettings {
    /// The beginning of links, without a slash at the end; none when that follows the request.
    pub public_url: Option<String>,
    /// The beginning of file addresses in callbacks, without a slash at the end.
    pub callback_url: String,
    /// The proof that a request comes through the development proxy; none when there is no such proxy.
    pub vendor_key: Option<VendorKey>,
    /// The longest body that is read, in bytes.
    pub body_limit: usize,
    /// True when a refused signature is answered with what the signer probably did wrong.
    pub signature_hints: bool,
    /// The limits of the log of integrations' requests, which people look at.
    pub request_log: RequestLogLimits,
    /// The guard of the addresses of callbacks.
    pub guard: Arc<AddressGuard>,
    /// True when the clock of the system is moved apart from the machine's, as that of a world is: `Date` may be by
    /// either.
    pub clock_is_moved: bool,
    /// The limits of clients' requests.
    pub limits: LimitSettings,
    /// The directory with the data; `None` if the data ends with the process.
    pub data_directory: Option<PathBuf>,
    /// The accounts that the configuration names.
    pub declared: Vec<AccountId>,
    /// The beginning of a command of the program where this service was started: one of [`PROGRAMS`].
    pub program: &'static str,
}

/// The possible beginnings of a command of the program: the name on the PATH, and in a clone of the project.
pub const PROGRAMS: [&str; 2] = ["switchboard", "cargo run --"];

impl Default for HttpSettings {
    /// The settings of a service without a configuration.
    fn default() -> Self {
        let [program, _] = PROGRAMS;
        Self {
            public_url: None,
            callback_url: "http://127.0.0.1:8080".to_owned(),
            vendor_key: None,
            body_limit: BODY_LIMIT,
            signature_hints: true,
            request_log: RequestLogLimits::default(),
            guard: Arc::default(),
            clock_is_moved: false,
            limits: LimitSettings::default(),
            data_directory: None,
            declared: Vec::new(),
            program,
        }
    }
}

impl AppState {
    pub fn new(
        system: System,
        settings: HttpSettings,
        media: MediaStore,
        console: Console,
    ) -> Self {
        let request_log = RequestLog::new(settings.request_log);
        let request_ids = RequestIds::new(system.now());
        Self {
            guesses: Arc::new(Guesses::new(&system)),
            limits: Arc::new(RateLimits::new(settings.limits.clone())),
            system,
            request_log: Arc::new(request_log),
            token_log: Arc::default(),
            settings,
            media,
            console,
            draining: watch::Sender::new(false),
            traffic: Arc::default(),
            requests: Arc::default(),
            request_ids: Arc::new(request_ids),
            worlds: None,
            archiver: None,
            node: None,
            relays: None,
        }
    }

    /// With this archive, if there is one.
    pub fn with_archiver(self, archiver: Option<Arc<dyn Archiver>>) -> Self {
        Self { archiver, ..self }
    }

    /// The archive; none unless it is set up.
    pub fn archiver(&self) -> Option<&dyn Archiver> {
        self.archiver.as_deref()
    }

    /// As this node of a shared log, if there is one.
    pub fn with_node(self, node: Option<NodeHandle>) -> Self {
        Self { node, ..self }
    }

    /// The node of a shared log; none when this machine is alone.
    pub fn node(&self) -> Option<&NodeHandle> {
        self.node.as_ref()
    }

    /// With these relays, if there are any.
    pub fn with_relays(self, relays: Option<Arc<dyn ServesRelays>>) -> Self {
        Self { relays, ..self }
    }

    /// The relays; none unless the configuration has some.
    pub(crate) fn relays(&self) -> Option<&dyn ServesRelays> {
        self.relays.as_deref()
    }

    /// With these worlds, if there are any.
    pub fn with_worlds(self, worlds: Option<Arc<dyn TakesOrders>>) -> Self {
        Self { worlds, ..self }
    }

    /// The worlds, which take orders; only `switchboard dev` has them.
    pub fn worlds(&self) -> Option<&dyn TakesOrders> {
        self.worlds.as_deref()
    }

    pub fn system(&self) -> &System {
        &self.system
    }

    pub fn media(&self) -> &MediaStore {
        &self.media
    }

    pub fn console(&self) -> &Console {
        &self.console
    }

    /// The beginning of links; none when that follows the request.
    pub fn public_url(&self) -> Option<&str> {
        self.settings.public_url.as_deref()
    }

    /// Returns whether the development proxy of this process passes requests on.
    pub(crate) fn has_proxy(&self) -> bool {
        self.settings.vendor_key.is_some()
    }

    /// The host of the counterpart that the client asked, if the request came through the development proxy.
    pub(crate) fn vendor_host<'r>(&self, headers: &'r HeaderMap) -> Option<AskedHost<'r>> {
        self.settings.vendor_key.as_ref()?.asked(headers)
    }

    /// The beginning of file addresses in callbacks.
    pub fn callback_url(&self) -> &str {
        &self.settings.callback_url
    }

    /// The guard of the addresses of callbacks.
    pub fn guard(&self) -> &AddressGuard {
        &self.settings.guard
    }

    /// The time of the machine, which signers read, if the clock of the system is moved apart from it.
    pub(crate) fn machine_time(&self) -> Option<UnixMillis> {
        self.settings.clock_is_moved.then(|| SystemClock.now())
    }

    /// The directory with the data; `None` if the data ends with the process.
    pub fn data_directory(&self) -> Option<&Path> {
        self.settings.data_directory.as_deref()
    }

    /// Returns whether the configuration names this account.
    pub fn declares(&self, account: AccountId) -> bool {
        self.settings.declared.contains(&account)
    }

    /// The beginning of a command of the program where this service was started.
    pub fn program(&self) -> &'static str {
        self.settings.program
    }

    pub fn body_limit(&self) -> usize {
        self.settings.body_limit
    }

    pub fn signature_hints(&self) -> bool {
        self.settings.signature_hints
    }

    pub fn trusted_proxies(&self) -> &[IpNet] {
        &self.settings.limits.trusted_proxies
    }

    pub fn now(&self) -> UnixMillis {
        self.system.now()
    }

    /// The limits of clients' requests, with their counts.
    pub(crate) fn limits(&self) -> &Arc<RateLimits> {
        &self.limits
    }

    /// The counts of wrong guesses.
    pub(crate) fn guesses(&self) -> &Guesses {
        &self.guesses
    }

    /// No new work is wanted: `/readyz` says so.
    pub fn drain(&self) {
        self.traffic.is_draining.store(true, Ordering::Release);
        self.draining.send_replace(true);
    }

    /// Ends when no new work is wanted any more: what would go on for ever ends then.
    pub(crate) async fn closing(&self) {
        let mut draining = self.draining.subscribe();
        // This state keeps the sender alive, so the wait does not fail.
        draining
            .wait_for(|draining| *draining)
            .await
            .map(drop)
            .unwrap_or_default();
    }

    /// A request begins.
    pub(crate) fn in_flight(&self) -> InFlight<'_> {
        self.traffic.in_flight.fetch_add(1, Ordering::AcqRel);
        InFlight(&self.traffic)
    }

    /// The id of a request that begins.
    pub(crate) fn next_request(&self) -> RequestId {
        self.request_ids.next()
    }

    /// The number of requests in progress now.
    pub(crate) fn in_flight_now(&self) -> usize {
        self.traffic.in_flight.load(Ordering::Relaxed)
    }

    /// The counters of requests.
    pub(crate) fn requests(&self) -> &Requests {
        &self.requests
    }

    /// The log of integrations' latest requests.
    pub(crate) fn request_log(&self) -> &RequestLog {
        &self.request_log
    }

    /// The newest requests of OAuth clients for tokens.
    pub(crate) fn token_log(&self) -> &TokenLog {
        &self.token_log
    }

    /// Waits until no request is in progress.
    pub async fn idle(&self) {
        while self.traffic.in_flight.load(Ordering::Acquire) > 0 {
            self.traffic.none_left.notified().await;
        }
    }

    pub(crate) fn is_draining(&self) -> bool {
        self.traffic.is_draining.load(Ordering::Acquire)
    }
}
