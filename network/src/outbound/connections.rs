//! Connections for callbacks: opened to checked addresses only, one request at a time on each, kept for the next one.
//!
//! A connection has no task of its own: the attempt that uses it polls it. So a request takes two visits of one task, and
//! no message between tasks. A connection that its receiver closed meanwhile is found closed before anything is sent.

mod open;
pub mod target;

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::thread::{self, ThreadId};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::{Request, Response};
use tokio::time::{Instant, Sleep};

use self::open::{Connector, Open, ResponseError};
use self::target::{Origin, Target};
use super::client::ClientSettings;
use super::error::RequestError;
use super::guard::AddressGuard;
use super::lookup::Lookup;
use super::pace::Pace;
use super::roots::RootsError;

/// So many addresses are remembered with what they were parsed into.
const TARGETS_MAX: usize = 4_096;

/// The body of a request.
type RequestBody = Full<Bytes>;

/// The connections of all receivers.
#[derive(Debug)]
pub struct Connections {
    connector: Connector,
    guard: Arc<AddressGuard>,
    kept: Arc<Kept>,
    targets: Mutex<BTreeMap<Arc<str>, Arc<Target>>>,
}

/// The connections that wait for their next request.
#[derive(Debug)]
struct Kept {
    per_origin: usize,
    timeout: Duration,
    origins: Mutex<BTreeMap<Arc<Origin>, Vec<Idle>>>,
    /// True while a task closes connections that waited for too long.
    swept: AtomicBool,
}

/// A connection that waits. It is used again by the thread that opened it: its socket is polled there.
#[derive(Debug)]
struct Idle {
    open: Open,
    thread: ThreadId,
    since: Instant,
}

/// A response whose body is not read yet, with its connection.
pub struct UnreadResponse {
    /// The head, and the body behind it.
    pub response: Response<Incoming>,
    /// The connection.
    pub(super) open: Open,
    origin: Arc<Origin>,
}

impl Connections {
    /// No connections yet; `guard` checks every address that `lookup` finds.
    ///
    /// # Errors
    /// When the root certificates cannot be used.
    pub fn new(
        settings: &ClientSettings,
        guard: Arc<AddressGuard>,
        lookup: Arc<dyn Lookup>,
    ) -> Result<Self, RootsError> {
        Ok(Self {
            connector: Connector::new(settings, Arc::clone(&guard), lookup)?,
            guard,
            kept: Arc::new(Kept {
                per_origin: settings.idle_per_host,
                timeout: settings.idle_timeout,
                origins: Mutex::default(),
                swept: AtomicBool::new(false),
            }),
            targets: Mutex::default(),
        })
    }

    /// Returns the target of an address, if a request may go there. Each address is parsed and checked once: what it
    /// says, and what is allowed, stays the same for the life of the process. The addresses of a name are checked with
    /// each new connection.
    ///
    /// # Errors
    /// Why no request may go there.
    pub fn target(&self, url: &Arc<str>) -> Result<Arc<Target>, RequestError> {
        if let Some(target) = lock(&self.targets).get(url) {
            return Ok(Arc::clone(target));
        }
        let target = Arc::new(Target::parse(url, &self.guard)?);
        let mut targets = lock(&self.targets);
        if targets.len() >= TARGETS_MAX {
            targets.clear();
        }
        targets.insert(Arc::clone(url), Arc::clone(&target));
        Ok(target)
    }

    /// Sends a request and waits for the head of the response. One with a pace gets a connection of its own.
    ///
    /// # Errors
    /// Why there is none. A request of which a byte may have left is never sent again.
    pub async fn send(
        &self,
        target: &Target,
        request: Request<RequestBody>,
        pace: Option<Pace>,
        mut deadline: Pin<&mut Sleep>,
    ) -> Result<UnreadResponse, RequestError> {
        let mut request = request;
        while pace.is_none()
            && let Some(mut open) = self.kept.take(&target.origin).await
        {
            match open.send(request, deadline.as_mut()).await {
                Ok(response) => return Ok(target.answer(response, open)),
                Err(ResponseError::Unsent(unsent, _)) => request = *unsent,
                Err(ResponseError::Failed(failure)) => return Err(failure),
            }
        }
        let connecting = self.connector.connect(&target.origin, pace);
        let connected = until(deadline.as_mut(), connecting).await;
        let mut open = connected.ok_or_else(RequestError::no_answer)??;
        match open.send(request, deadline).await {
            Ok(response) => Ok(target.answer(response, open)),
            Err(ResponseError::Unsent(_, failure) | ResponseError::Failed(failure)) => Err(failure),
        }
    }

    /// Keeps the connection of a response that was read to its end.
    pub async fn keep(&self, origin: Arc<Origin>, mut open: Open) {
        if !open.is_paced && open.is_ready().await {
            self.kept.put(origin, open);
        }
    }
}

impl Target {
    fn answer(&self, response: Response<Incoming>, open: Open) -> UnreadResponse {
        UnreadResponse {
            response,
            open,
            origin: Arc::clone(&self.origin),
        }
    }
}

impl UnreadResponse {
    /// The response, its connection, and where that leads.
    pub fn into_parts(self) -> (Response<Incoming>, Open, Arc<Origin>) {
        (self.response, self.open, self.origin)
    }
}

impl Kept {
    /// The connection that waited last and is still usable.
    async fn take(&self, origin: &Arc<Origin>) -> Option<Open> {
        while let Some(mut open) = self.pop(origin) {
            if open.is_ready().await {
                return Some(open);
            }
        }
        None
    }

    fn pop(&self, origin: &Arc<Origin>) -> Option<Open> {
        let here = thread::current().id();
        let mut origins = lock(&self.origins);
        let idle = origins.get_mut(origin)?;
        let place = idle.iter().rposition(|idle| idle.thread == here)?;
        let idle_connection = idle.remove(place);
        // Those before it waited even longer; the sweep closes them.
        (idle_connection.since.elapsed() < self.timeout).then_some(idle_connection.open)
    }

    fn put(self: &Arc<Self>, origin: Arc<Origin>, open: Open) {
        let idle = Idle {
            open,
            thread: thread::current().id(),
            since: Instant::now(),
        };
        let mut origins = lock(&self.origins);
        let all = origins.entry(origin).or_default();
        if all.len() < self.per_origin {
            all.push(idle);
        }
        drop(origins);
        if !self.swept.swap(true, Ordering::AcqRel) {
            drop(tokio::spawn(sweep(Sweep(Arc::clone(self)))));
        }
    }

    /// Closes what waited for too long; returns whether anything still waits.
    fn close_old(&self) -> bool {
        let mut origins = lock(&self.origins);
        for all in origins.values_mut() {
            all.retain(|idle| idle.since.elapsed() < self.timeout);
        }
        origins.retain(|_, all| !all.is_empty());
        !origins.is_empty()
    }
}

/// The right to sweep, given back when the task ends, also with its thread.
struct Sweep(Arc<Kept>);

impl Drop for Sweep {
    fn drop(&mut self) {
        self.0.swept.store(false, Ordering::Release);
    }
}

/// Closes connections that waited for too long, until none waits.
async fn sweep(kept: Sweep) {
    loop {
        tokio::time::sleep(kept.0.timeout).await;
        if !kept.0.close_old() {
            return;
        }
    }
}

/// Returns the output of the future, unless the deadline comes first.
pub(super) async fn until<T>(
    mut deadline: Pin<&mut Sleep>,
    future: impl Future<Output = T>,
) -> Option<T> {
    let mut future = std::pin::pin!(future);
    std::future::poll_fn(move |task| match future.as_mut().poll(task) {
        Poll::Ready(value) => Poll::Ready(Some(value)),
        Poll::Pending => deadline.as_mut().poll(task).map(|()| None),
    })
    .await
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
