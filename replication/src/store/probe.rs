//! The check that a store refuses to create an object under a key that has one. A log depends on it: a store that ignores the condition
//! would let two nodes own the log at once.

use std::thread;

use switchboard_engine::runtime::entropy::{Entropy as _, Generator};

use super::installation::Installations;
use super::keys::{IDENTITY, PROBES};
use super::objects::{Created, Store, StoreError, create_once};

/// So many threads create one object at once.
const AT_ONCE: usize = 8;

/// The reason for which a store cannot have the log.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// It does not answer as it should; later it may.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It must not have the log.
    #[error("{0}")]
    Unfit(String),
}

/// Stores the identity in an empty store, compares it with that of another one, and tries conditional writes.
///
/// # Errors
/// Why the store cannot have the log.
pub fn admit(store: &dyn Store, identity: &[u8]) -> Result<(), ProbeError> {
    if create_once(store, IDENTITY, identity)? == Created::Taken {
        let archive_identity = store.get(IDENTITY)?.unwrap_or_default();
        match Installations::compare(&archive_identity, identity) {
            Installations::Same => {}
            Installations::Different => return Err(ProbeError::Unfit(
                "the archive there belongs to another installation; give this one an archive of its own (archive.to)".to_owned(),
            )),
            Installations::Newer(format) => {
                return Err(ProbeError::Unfit(Installations::newer(format)));
            }
            Installations::Damaged => return Err(ProbeError::Store(StoreError {
                doing: "use",
                object: store.describe(IDENTITY),
                reason: "it is damaged".to_owned(),
            })),
        }
    }
    let random = Generator::from_system().map_err(|error| {
        let reason = format!("the system has no random bytes: {error}");
        ProbeError::Unfit(reason)
    })?;
    let key = format!("{PROBES}/{}", hex::encode(random.bytes()));
    let outcome = conditions(store, &key);
    // A probe that stays behind does no harm.
    if let Err(error) = store.remove(&key) {
        tracing::warn!(%error, "the probe of conditional writes stays in the store");
    }
    outcome
}

fn conditions(store: &dyn Store, key: &str) -> Result<(), ProbeError> {
    let answers: Vec<Result<Created, StoreError>> = thread::scope(|scope| {
        let create = |number: usize| move || store.create(key, &number.to_be_bytes());
        let threads: Vec<_> = (0..AT_ONCE).map(|it| scope.spawn(create(it))).collect();
        let results = threads.into_iter().filter_map(|thread| thread.join().ok());
        results.collect()
    });
    let mut count = 0_usize;
    for answer in answers {
        match answer {
            Ok(Created::Stored) => count = count.saturating_add(1),
            Ok(Created::Taken) => {}
            Err(error) => return Err(error.into()),
        }
    }
    if store.create(key, b"another")? == Created::Stored {
        count = count.saturating_add(1);
    }
    // None: the store has said «taken» to all of them, and has the object of one.
    if count <= 1 && store.get(key)?.is_some() {
        return Ok(());
    }
    Err(ProbeError::Unfit(format!(
        "it stored {count} of {} objects under one key, each of which was to be stored only if the key was new; two nodes could own a log \
         there at once. Use a store with conditional writes, or PostgreSQL",
        AT_ONCE.saturating_add(1)
    )))
}
