//! A store in memory that fails on order.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::sync::{Mutex, MutexGuard};

use flate2::read::GzDecoder;
use rand::RngExt as _;
use rand::rngs::StdRng;

use crate::store::{Created, Listed, Store, StoreError};

/// The fault of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// It refuses everything.
    Refuses,
    /// It reads, and refuses to write: it is full.
    Full,
    /// It stores, and its answer is lost.
    AnswersLost,
}

impl Fault {
    pub(super) fn random(random: &mut StdRng) -> Self {
        match random.random_range(0..3) {
            0 => Self::Refuses,
            1 => Self::Full,
            _ => Self::AnswersLost,
        }
    }
}

#[derive(Debug, Default)]
struct State {
    objects: BTreeMap<String, Vec<u8>>,
    fault: Option<Fault>,
    /// The number of requests that are answered before the fault begins.
    before: u32,
}

/// The store.
#[derive(Debug, Default)]
pub(super) struct FlakyStore(Mutex<State>);

impl FlakyStore {
    /// Fails after so many requests.
    pub(super) fn fail(&self, fault: Fault, before: u32) {
        let mut state = self.state();
        (state.fault, state.before) = (Some(fault), before);
    }

    pub(super) fn heal(&self) {
        self.state().fault = None;
    }

    /// All objects, by their keys.
    pub(super) fn objects(&self) -> BTreeMap<String, Vec<u8>> {
        self.state().objects.clone()
    }

    /// The same objects in another store.
    pub(super) fn copy(&self) -> Self {
        let store = Self::default();
        store.state().objects = self.objects();
        store
    }

    /// Everything that the objects say, decompressed.
    pub(super) fn texts(&self) -> String {
        let state = self.state();
        let mut texts = String::new();
        for (key, bytes) in &state.objects {
            let mut text = Vec::new();
            if GzDecoder::new(bytes.as_slice())
                .read_to_end(&mut text)
                .is_err()
            {
                text.clone_from(bytes);
            }
            texts.push_str(&format!("{key}: {}\n", String::from_utf8_lossy(&text)));
        }
        texts
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    /// The fault of this request.
    fn fault(&self) -> Option<Fault> {
        let mut state = self.state();
        if state.fault.is_some() && state.before > 0 {
            state.before -= 1;
            return None;
        }
        state.fault
    }

    fn read<T>(&self, read: impl FnOnce(&BTreeMap<String, Vec<u8>>) -> T) -> Result<T, StoreError> {
        match self.fault() {
            Some(Fault::Refuses) => Err(refused()),
            Some(Fault::Full | Fault::AnswersLost) | None => Ok(read(&self.state().objects)),
        }
    }

    fn write<T>(
        &self,
        write: impl FnOnce(&mut BTreeMap<String, Vec<u8>>) -> T,
    ) -> Result<T, StoreError> {
        let fault = self.fault();
        if matches!(fault, Some(Fault::Refuses | Fault::Full)) {
            return Err(refused());
        }
        let value = write(&mut self.state().objects);
        if fault.is_some() {
            Err(refused())
        } else {
            Ok(value)
        }
    }
}

fn refused() -> StoreError {
    StoreError {
        doing: "use",
        object: "memory".to_owned(),
        reason: "it fails".to_owned(),
    }
}

impl Store for FlakyStore {
    fn create(&self, key: &str, bytes: &[u8]) -> Result<Created, StoreError> {
        self.write(|objects| {
            if objects.contains_key(key) {
                return Created::Taken;
            }
            objects.insert(key.to_owned(), bytes.to_vec());
            Created::Stored
        })
    }

    fn replace(&self, key: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.write(|objects| drop(objects.insert(key.to_owned(), bytes.to_vec())))
    }

    fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.read(|objects| objects.get(key).cloned())
    }

    fn list(&self, prefix: &str) -> Result<Vec<Listed>, StoreError> {
        let prefix = format!("{prefix}/");
        self.read(|objects| {
            let below = objects.iter().filter(|(key, _)| key.starts_with(&prefix));
            below
                .map(|(key, bytes)| Listed {
                    key: key.clone(),
                    bytes: u64::try_from(bytes.len()).unwrap(),
                })
                .collect()
        })
    }

    fn remove(&self, key: &str) -> Result<(), StoreError> {
        self.write(|objects| drop(objects.remove(key)))
    }

    fn describe(&self, key: &str) -> String {
        format!("memory/{key}")
    }
}
