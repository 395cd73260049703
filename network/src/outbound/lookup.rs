//! Looking names up, a bounded number at a time.
//!
//! The system's look-up occupies a thread and cannot be called off. Each therefore runs in a
//! task of its own, which keeps its permit until it really ends, however many deadlines pass
//! meanwhile; and those who ask for a name that is being looked up wait for that answer, so
//! that one name server that hangs costs one thread and not one for each message behind it.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};
use tokio::sync::Semaphore;

/// A service that looks up names; the seam for tests that need a lying name server.
pub trait Lookup: Send + Sync + 'static {
    /// All addresses of `name`, without port.
    fn lookup(&self, name: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>>;
}

/// The system's own resolver, with its hosts file and search rules.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemLookup;

impl Lookup for SystemLookup {
    fn lookup(&self, name: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        Box::pin(async move {
            let addresses = tokio::net::lookup_host((name, 0)).await?;
            Ok(addresses.map(|address| address.ip()).collect())
        })
    }
}

/// The result of a look-up, shared by all who waited for it.
pub type LookupResult = Result<Arc<[IpAddr]>, Arc<io::Error>>;

/// All look-ups in progress. Clones share them. Holds at most one entry for each name that is
/// being asked for.
#[derive(Clone)]
pub struct Lookups {
    lookup: Arc<dyn Lookup>,
    permits: Arc<Semaphore>,
    in_flight: Arc<InFlight>,
}

type InFlight = Mutex<BTreeMap<String, Shared<BoxFuture<'static, LookupResult>>>>;

impl Lookups {
    /// Looks up with `lookup`, at most `at_once` names at a time.
    #[must_use]
    pub fn new(lookup: Arc<dyn Lookup>, at_once: usize) -> Self {
        Self {
            lookup,
            permits: Arc::new(Semaphore::new(at_once)),
            in_flight: Arc::default(),
        }
    }

    /// The addresses of `name`: of the look-up in progress, else of a new one. Dropping the
    /// future gives up waiting, not the look-up. Must be called within a tokio runtime.
    pub fn addresses(&self, name: &str) -> impl Future<Output = LookupResult> + Send + use<> {
        let mut in_flight = lock(&self.in_flight);
        if let Some(looking) = in_flight.get(name) {
            return looking.clone();
        }
        let looking = self.begin(name.to_owned());
        in_flight.insert(name.to_owned(), looking.clone());
        looking
    }

    /// Returns the number of look-ups that could begin at once now.
    #[must_use]
    pub fn free(&self) -> usize {
        self.permits.available_permits()
    }

    fn begin(&self, name: String) -> Shared<BoxFuture<'static, LookupResult>> {
        let entry = InFlightName {
            in_flight: Arc::clone(&self.in_flight),
            name: name.clone(),
        };
        let permits = Arc::clone(&self.permits);
        let lookup = Arc::clone(&self.lookup);
        let task = tokio::spawn(async move {
            // Dropped in the reverse order: the permit is free before the name is.
            let _entry = entry;
            let _permit = permits.acquire_owned().await.map_err(io::Error::other)?;
            lookup.lookup(name).await
        });
        async move {
            match task.await {
                Ok(Ok(found)) => Ok(found.into()),
                Ok(Err(error)) => Err(Arc::new(error)),
                Err(ended) => Err(Arc::new(io::Error::other(ended))),
            }
        }
        .boxed()
        .shared()
    }
}

impl fmt::Debug for Lookups {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lookups")
            .field("free", &self.free())
            .finish_non_exhaustive()
    }
}

/// A name's place among the look-ups in progress; given up when the look-up ends in any way,
/// so that the next one to ask is answered anew.
struct InFlightName {
    in_flight: Arc<InFlight>,
    name: String,
}

impl Drop for InFlightName {
    fn drop(&mut self) {
        lock(&self.in_flight).remove(&self.name);
    }
}

/// A panic cannot leave the map half changed, so a poisoned lock is as good as any.
fn lock(
    in_flight: &InFlight,
) -> std::sync::MutexGuard<'_, BTreeMap<String, Shared<BoxFuture<'static, LookupResult>>>> {
    in_flight.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures_util::future::join_all;

    use super::*;
    use crate::outbound::scripted_names::Names;

    /// Counts the look-ups that really begin.
    struct Counting {
        names: Names,
        begun: Arc<AtomicUsize>,
    }

    impl Lookup for Counting {
        fn lookup(&self, name: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
            self.begun.fetch_add(1, Ordering::Relaxed);
            self.names.lookup(name)
        }
    }

    fn counted(names: &Names, at_once: usize) -> (Lookups, Arc<AtomicUsize>) {
        let starts = Arc::new(AtomicUsize::new(0));
        let counting = Counting {
            names: names.clone(),
            begun: Arc::clone(&starts),
        };
        (Lookups::new(Arc::new(counting), at_once), starts)
    }

    #[tokio::test]
    async fn concurrent_look_ups_of_one_name_share_one_request() {
        let names = Names::new();
        names.answer("hook.test", &["93.184.216.34"]);
        let (lookups, begun) = counted(&names, 8);
        let results = join_all((0..100).map(|_| lookups.addresses("hook.test"))).await;
        assert!(
            results
                .iter()
                .all(|results| results.as_ref().unwrap().len() == 1)
        );
        assert_eq!(begun.load(Ordering::Relaxed), 1);
        lookups.addresses("hook.test").await.unwrap();
        assert_eq!(begun.load(Ordering::Relaxed), 2);
    }

    #[tokio::test]
    async fn a_name_that_hangs_holds_one_permit_for_all_its_requests() {
        let names = Names::new();
        names.hang("slow.test");
        names.answer("hook.test", &["93.184.216.34"]);
        let (lookups, _begun) = counted(&names, 2);
        for _ in 0..100 {
            assert!(lookups.addresses("slow.test").now_or_never().is_none());
        }
        assert_eq!(lookups.addresses("hook.test").await.unwrap().len(), 1);
        assert_eq!(lookups.free(), 1);
        names.release();
        assert!(lookups.addresses("slow.test").await.is_err());
        assert_eq!(lookups.free(), 2);
    }

    #[tokio::test]
    async fn concurrent_look_ups_are_limited() {
        let names = Names::new();
        let all: Vec<String> = (0..5).map(|n| format!("slow{n}.test")).collect();
        all.iter().for_each(|name| names.hang(name));
        names.answer("hook.test", &["93.184.216.34"]);
        let (lookups, begun) = counted(&names, 5);
        let waiting: Vec<_> = all.iter().map(|name| lookups.addresses(name)).collect();
        let mut last = Box::pin(lookups.addresses("hook.test"));
        tokio::task::yield_now().await;
        assert!((&mut last).now_or_never().is_none());
        assert_eq!((lookups.free(), begun.load(Ordering::Relaxed)), (0, 5));
        names.release();
        assert_eq!(last.await.unwrap().len(), 1);
        assert!(join_all(waiting).await.iter().all(Result::is_err));
    }

    #[tokio::test]
    async fn the_systems_resolver_knows_this_machine() {
        let addresses = SystemLookup.lookup("localhost".to_owned()).await.unwrap();
        assert!(addresses.iter().all(IpAddr::is_loopback), "{addresses:?}");
    }
}
