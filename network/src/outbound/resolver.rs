//! The resolver of the one HTTP client: looks a name up once for each connection and hands
//! out only addresses that the guard has seen.
//!
//! The connection goes to exactly these addresses, so a name that means something else a
//! moment later («DNS rebinding») gains nothing. One forbidden address among many refuses
//! them all: an honest name has no reason to point into a private network, and the choice
//! among several addresses is not ours to make.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::time::timeout;

use super::guard::{AddressGuard, GuardError};
use super::lookup::{Lookup, Lookups};

/// More addresses than this are not tried for one name.
const ADDRESSES_MAX: usize = 16;

/// The reason why a name gave no address to connect to.
#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    /// The name points (also) to an address that must not be reached.
    #[error("{name} was refused: {reason}")]
    Refused {
        /// The name that was looked up.
        name: String,
        /// The refused address, and the reason.
        reason: GuardError,
    },
    /// The name exists and has no address.
    #[error("{0} has no address")]
    Empty(String),
    /// No answer in time, or no look-up was free in time.
    #[error("no answer to the look-up of {name} within {deadline:?}")]
    TimedOut {
        /// The name that was looked up.
        name: String,
        /// The time that was waited.
        deadline: Duration,
    },
    /// The look-up failed.
    #[error("the look-up of {name} failed: {reason}")]
    Failed {
        /// The name that was looked up.
        name: String,
        /// The error of the resolver; shared by all who waited for it.
        reason: Arc<io::Error>,
    },
}

/// A [`Resolve`] that lets nothing pass that the guard refuses. Cheap to clone.
#[derive(Clone, Debug)]
pub struct GuardedResolver {
    lookups: Lookups,
    guard: Arc<AddressGuard>,
    deadline: Duration,
}

impl GuardedResolver {
    /// A resolver with at most `at_once` look-ups in progress, each answered within `deadline`
    /// or given up.
    pub fn new(
        lookup: Arc<dyn Lookup>,
        guard: Arc<AddressGuard>,
        at_once: usize,
        deadline: Duration,
    ) -> Self {
        Self {
            lookups: Lookups::new(lookup, at_once),
            guard,
            deadline,
        }
    }

    /// The addresses of `name`, at least one, all of them allowed.
    ///
    /// # Errors
    /// [`ResolveError`]; also when only one of several addresses is forbidden.
    pub async fn addresses(&self, name: String) -> Result<Vec<IpAddr>, ResolveError> {
        let addresses = match timeout(self.deadline, self.lookups.addresses(&name)).await {
            Ok(Ok(addresses)) => addresses,
            Ok(Err(reason)) => return Err(ResolveError::Failed { name, reason }),
            Err(_elapsed) => {
                return Err(ResolveError::TimedOut {
                    name,
                    deadline: self.deadline,
                });
            }
        };
        if addresses.is_empty() {
            return Err(ResolveError::Empty(name));
        }
        for address in addresses.iter() {
            if let Err(reason) = self.guard.check_address(*address) {
                return Err(ResolveError::Refused { name, reason });
            }
        }
        Ok(addresses.iter().take(ADDRESSES_MAX).copied().collect())
    }
}

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let resolver = self.clone();
        let name = name.as_str().to_owned();
        Box::pin(async move {
            let addresses = resolver.addresses(name).await?;
            // Port 0 asks the client to fill in the port of the URL.
            let sockets = addresses.into_iter().map(|ip| SocketAddr::new(ip, 0));
            Ok::<Addrs, _>(Box::new(sockets))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outbound::address::AddressKind;
    use crate::outbound::scripted_names::Names;

    const PUBLIC: &str = "93.184.216.34";
    const PRIVATE: &str = "10.0.0.1";

    fn resolver(names: &Names, at_once: usize, deadline: Duration) -> GuardedResolver {
        let guard = Arc::new(AddressGuard::default());
        GuardedResolver::new(Arc::new(names.clone()), guard, at_once, deadline)
    }

    #[tokio::test]
    async fn public_addresses_are_handed_out_in_order() {
        let names = Names::new();
        names.answer("hook.test", &[PUBLIC, "2606:4700:4700::1111"]);
        let resolver = resolver(&names, 1, Duration::from_secs(10));
        let addresses = resolver.addresses("hook.test".to_owned()).await.unwrap();
        let both: Vec<IpAddr> = [PUBLIC, "2606:4700:4700::1111"]
            .map(|text| text.parse().unwrap())
            .to_vec();
        assert_eq!(addresses, both);
    }

    #[tokio::test]
    async fn one_private_address_among_public_ones_refuses_all() {
        let names = Names::new();
        names.answer("hook.test", &[PUBLIC, PRIVATE]);
        let resolver = resolver(&names, 1, Duration::from_secs(10));
        let error = resolver.addresses("hook.test".to_owned()).await;
        assert!(
            matches!(
                error,
                Err(ResolveError::Refused {
                    reason: GuardError::Address {
                        kind: AddressKind::Private,
                        ..
                    },
                    ..
                })
            ),
            "{error:?}"
        );
    }

    #[tokio::test]
    async fn each_look_up_is_checked_anew() {
        let names = Names::new();
        names.answer("hook.test", &[PUBLIC]);
        names.answer("hook.test", &[PRIVATE]);
        let resolver = resolver(&names, 1, Duration::from_secs(10));
        assert!(resolver.addresses("hook.test".to_owned()).await.is_ok());
        assert!(matches!(
            resolver.addresses("hook.test".to_owned()).await,
            Err(ResolveError::Refused { .. })
        ));
    }

    #[tokio::test]
    async fn a_name_without_addresses_differs_from_an_unknown_name() {
        let names = Names::new();
        names.answer("empty.test", &[]);
        let resolver = resolver(&names, 1, Duration::from_secs(10));
        assert!(matches!(
            resolver.addresses("empty.test".to_owned()).await,
            Err(ResolveError::Empty(_))
        ));
        assert!(matches!(
            resolver.addresses("unknown.test".to_owned()).await,
            Err(ResolveError::Failed { .. })
        ));
    }

    #[tokio::test(start_paused = true)]
    async fn a_look_up_that_hangs_times_out_and_keeps_its_permit() {
        let names = Names::new();
        names.hang("slow.test");
        names.answer("hook.test", &[PUBLIC]);
        let resolver = resolver(&names, 1, Duration::from_secs(2));
        assert!(matches!(
            resolver.addresses("slow.test".to_owned()).await,
            Err(ResolveError::TimedOut { .. })
        ));
        assert_eq!(resolver.lookups.free(), 0);
        assert!(matches!(
            resolver.addresses("hook.test".to_owned()).await,
            Err(ResolveError::TimedOut { .. })
        ));
        names.release();
        assert!(resolver.addresses("hook.test".to_owned()).await.is_ok());
        assert_eq!(resolver.lookups.free(), 1);
    }
}
