//! What handlers share.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use actix_web::http::header::HeaderMap;
use ipnet::IpNet;
use switchboard_actors::System;
use switchboard_actors::domain::id::AccountId;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_engine::runtime::clock::{Clock as _, SystemClock};
use switchboard_media::MediaStore;
use switchboard_network::outbound::guard::AddressGuard;
use tokio::sync::{Notify, watch};

use crate::archive::thread::Archiver;

use crate::http::console::source::Console;
use crate::http::guesses::Guesses;
use crate::http::limits::{LimitSettings, RateLimits};
use crate::http::metrics::requests::Requests;
use crate::http::oauth::token_log::TokenLog;
use crate::http::request_id::{RequestId, RequestIds};
use crate::http::requests::log::{RequestLog, RequestLogLimits};
use crate::http::vendor::{AskedHost, VendorKey};
use crate::http::worlds::TakesOrders;
use crate::shared_log::NodeState;

/// What handlers share: the system and a few settings.
#[derive(Clone)]
pub(crate) struct AppState {
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
    archiver: Option<Archiver>,
    node: Option<NodeState>,
}

/// How many requests are in progress.
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
pub(crate) struct HttpSettings {
    /// What links begin with, without a slash at the end; none when that follows the request.
    pub(crate) public_url: Option<String>,
    /// What the addresses of files in callbacks begin with, without a slash at the end.
    pub(crate) callback_url: String,
    /// What proves that a request comes through the development proxy; none when there is no such proxy.
    pub(crate) vendor_key: Option<VendorKey>,
    /// The longest body that is read, in bytes.
    pub(crate) body_limit: usize,
    /// Whether a refused signature is answered with what the signer probably did wrong.
    pub(crate) signature_hints: bool,
    /// How much of what integrations ask is kept for people to look at.
    pub(crate) request_log: RequestLogLimits,
    /// Where callbacks may go.
    pub(crate) guard: Arc<AddressGuard>,
    /// Whether the clock of the system is moved apart from the machine's, as that of a world is: `Date` may be by either.
    pub(crate) clock_is_moved: bool,
    /// How much clients may request.
    pub(crate) limits: LimitSettings,
    /// The directory with the data; `None` if the data ends with the process.
    pub(crate) data_directory: Option<PathBuf>,
    /// The accounts that the configuration names.
    pub(crate) declared: Vec<AccountId>,
}

impl AppState {
    pub(crate) fn new(
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
        }
    }

    /// With this archive, if there is one.
    pub(crate) fn with_archiver(self, archiver: Option<Archiver>) -> Self {
        Self { archiver, ..self }
    }

    /// The archive; none unless it is set up.
    pub(crate) fn archiver(&self) -> Option<&Archiver> {
        self.archiver.as_ref()
    }

    /// As this node of a shared log, if there is one.
    pub(crate) fn with_node(self, node: Option<NodeState>) -> Self {
        Self { node, ..self }
    }

    /// The node of a shared log; none when this machine is alone.
    pub(crate) fn node(&self) -> Option<&NodeState> {
        self.node.as_ref()
    }

    /// With these worlds, if there are any.
    pub(crate) fn with_worlds(self, worlds: Option<Arc<dyn TakesOrders>>) -> Self {
        Self { worlds, ..self }
    }

    /// What takes orders about worlds; only `switchboard dev` has them.
    pub(crate) fn worlds(&self) -> Option<&dyn TakesOrders> {
        self.worlds.as_deref()
    }

    pub(crate) fn system(&self) -> &System {
        &self.system
    }

    pub(crate) fn media(&self) -> &MediaStore {
        &self.media
    }

    pub(crate) fn console(&self) -> &Console {
        &self.console
    }

    /// What links begin with; none when that follows the request.
    pub(crate) fn public_url(&self) -> Option<&str> {
        self.settings.public_url.as_deref()
    }

    /// Whether the development proxy of this process passes requests on.
    pub(crate) fn has_proxy(&self) -> bool {
        self.settings.vendor_key.is_some()
    }

    /// The host of the counterpart that the client asked, if the request came through the development proxy.
    pub(crate) fn vendor_host<'r>(&self, headers: &'r HeaderMap) -> Option<AskedHost<'r>> {
        self.settings.vendor_key.as_ref()?.asked(headers)
    }

    /// What the addresses of files in callbacks begin with.
    pub(crate) fn callback_url(&self) -> &str {
        &self.settings.callback_url
    }

    /// Where callbacks may go.
    pub(crate) fn guard(&self) -> &AddressGuard {
        &self.settings.guard
    }

    /// The time of the machine, which signers read, if the clock of the system is moved apart from it.
    pub(crate) fn machine_time(&self) -> Option<UnixMillis> {
        self.settings.clock_is_moved.then(|| SystemClock.now())
    }

    /// The directory with the data; `None` if the data ends with the process.
    pub(crate) fn data_directory(&self) -> Option<&Path> {
        self.settings.data_directory.as_deref()
    }

    /// Whether the configuration names this account.
    pub(crate) fn declares(&self, account: AccountId) -> bool {
        self.settings.declared.contains(&account)
    }

    pub(crate) fn body_limit(&self) -> usize {
        self.settings.body_limit
    }

    pub(crate) fn signature_hints(&self) -> bool {
        self.settings.signature_hints
    }

    pub(crate) fn trusted_proxies(&self) -> &[IpNet] {
        &self.settings.limits.trusted_proxies
    }

    pub(crate) fn now(&self) -> UnixMillis {
        self.system.now()
    }

    /// How much clients may request, and what is counted for that.
    pub(crate) fn limits(&self) -> &Arc<RateLimits> {
        &self.limits
    }

    /// What is counted of those who guess.
    pub(crate) fn guesses(&self) -> &Guesses {
        &self.guesses
    }

    /// No new work is wanted: `/readyz` says so.
    pub(crate) fn drain(&self) {
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

    /// How many requests are in progress now.
    pub(crate) fn in_flight_now(&self) -> usize {
        self.traffic.in_flight.load(Ordering::Relaxed)
    }

    /// The counters of requests.
    pub(crate) fn requests(&self) -> &Requests {
        &self.requests
    }

    /// What integrations asked lately.
    pub(crate) fn request_log(&self) -> &RequestLog {
        &self.request_log
    }

    /// The newest requests of OAuth clients for tokens.
    pub(crate) fn token_log(&self) -> &TokenLog {
        &self.token_log
    }

    /// Waits until no request is in progress.
    pub(crate) async fn idle(&self) {
        while self.traffic.in_flight.load(Ordering::Acquire) > 0 {
            self.traffic.none_left.notified().await;
        }
    }

    pub(crate) fn is_draining(&self) -> bool {
        self.traffic.is_draining.load(Ordering::Acquire)
    }
}
