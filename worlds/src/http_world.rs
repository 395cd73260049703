//! The whole HTTP interface over a world, in memory: a request is a function call, without a socket and without a process.
//!
//! ```
//! use switchboard_worlds::http_world::HttpWorld;
//!
//! let world = HttpWorld::start();
//! let answer = world.request("GET", "/inbox/v1/me").user("ada").send();
//! assert_eq!((answer.status, answer.json()["user"]["name"].as_str()), (200, Some("Ada")));
//! ```

mod request;

use std::cell::RefCell;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use actix_http::{Request as HttpRequest, Response};
use actix_service::Service as _;
use actix_web::body;
use actix_web::http::header;
use bytes::Bytes;
use switchboard_actors::System;
use switchboard_http::in_memory::{self, HttpService};
use switchboard_http::state::HttpSettings;
use switchboard_http::vendor::VendorKey;
use switchboard_network::outbound::address::Policy;
use switchboard_network::outbound::guard::AddressGuard;

use crate::World;
use crate::handlers::Files;

pub use request::{HttpAnswer, Request};

/// The address at which the service would listen, unless a test says otherwise.
const ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8080);
/// The longest form with a file that the service takes with its default settings, in bytes.
pub(crate) const FORM_BYTES_MAX: usize = 21 << 20;
/// The longest answer that is read, in bytes.
const ANSWER_MAX: usize = 64 << 20;
/// The time an answer has to end, in the world's time.
const ENDS_WITHIN: Duration = Duration::from_secs(60);

/// A world whose HTTP interface is called without sockets. It is a [`World`], with all that a world can do. Files that
/// users upload are in a directory of its own until it is dropped.
pub struct HttpWorld {
    world: World,
    files: Files,
    address: SocketAddr,
    vendor: Option<VendorKey>,
    /// The service that answers, for the system of this start of the world.
    service: RefCell<Option<(u64, Rc<HttpService>)>>,
}

impl HttpWorld {
    /// A world as [`World::start`] makes it.
    ///
    /// # Panics
    /// As [`World::start`], and when no directory for files can be made.
    #[must_use]
    #[track_caller]
    pub fn start() -> Self {
        Self::on(World::start())
    }

    /// The HTTP interface of this world, with the default settings of the service.
    ///
    /// # Panics
    /// When no directory for files can be made.
    #[must_use]
    pub fn on(world: World) -> Self {
        Self::at(world, ADDRESS, None)
    }

    /// The HTTP interface of this world, which clients reach at this address, and through what has this key by the hosts of
    /// the counterpart.
    #[expect(
        clippy::expect_used,
        reason = "a test that has no place for files cannot go on"
    )]
    pub(crate) fn at(world: World, address: SocketAddr, vendor: Option<VendorKey>) -> Self {
        Self {
            world,
            files: Files::for_now().expect("there is a place for files"),
            address,
            vendor,
            service: RefCell::new(None),
        }
    }

    /// A request to this path, which may have a query.
    pub fn request(&self, method: &str, path: &str) -> Request<'_> {
        Request::new(self, method, path)
    }

    /// Sends a request; `None`: no answer came.
    #[track_caller]
    fn call(&self, request: HttpRequest) -> Option<HttpAnswer> {
        let starts = self.world.starts();
        self.world.exchange(async |system| {
            let service = self.service(starts, system).await;
            answer(&service, request).await
        })
    }

    async fn service(&self, starts: u64, system: &System) -> Rc<HttpService> {
        let cache = self.service.borrow().clone();
        if let Some((of_start, service)) = cache
            && of_start == starts
        {
            return service;
        }
        let service = Rc::new(self.new_service(system).await);
        *self.service.borrow_mut() = Some((starts, Rc::clone(&service)));
        service
    }

    #[expect(
        clippy::expect_used,
        reason = "a test that has no place for files cannot go on"
    )]
    async fn new_service(&self, system: &System) -> HttpService {
        let settings = HttpSettings {
            vendor_key: self.vendor.clone(),
            // Integrations fetch the files of messages here.
            callback_url: format!("http://{}", self.address),
            clock_is_moved: true,
            // The programs that subscribe are on the developer's machine.
            guard: Arc::new(AddressGuard::new(Policy {
                allow_private_networks: true,
                allow_cidrs: Vec::new(),
            })),
            ..HttpSettings::default()
        };
        let state = self
            .files
            .state(system, settings)
            .expect("there is a place for files");
        let service = in_memory::service(state, self.address).await;
        service.expect("the routes are valid")
    }
}

#[expect(clippy::expect_used, reason = "a test fails by panicking")]
async fn answer(service: &HttpService, request: HttpRequest) -> HttpAnswer {
    let answer = service
        .call(request)
        .await
        .expect("errors of handlers are answers");
    let (head, content) = answer.into_parts();
    if is_stream(&head) {
        return HttpAnswer::new(&head, Bytes::new());
    }
    let reading = body::to_bytes_limited(content, ANSWER_MAX);
    let bytes = tokio::time::timeout(ENDS_WITHIN, reading)
        .await
        .expect("the answer ends within a minute of the world's time");
    let content = bytes
        .expect("the answer has less than 64 MiB")
        .expect("the answer can be read");
    HttpAnswer::new(&head, content)
}

/// Returns whether an answer has no end: a stream of events.
fn is_stream<B>(head: &Response<B>) -> bool {
    let kind = head.headers().get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"))
}

impl Deref for HttpWorld {
    type Target = World;
    fn deref(&self) -> &World {
        &self.world
    }
}

impl fmt::Debug for HttpWorld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpWorld")
            .field("world", &self.world)
            .finish_non_exhaustive()
    }
}
