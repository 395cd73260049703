//! An object store: S3 and what speaks its interface, Google Cloud Storage, Azure Blob Storage.

use std::error::Error as _;

use futures_util::TryStreamExt as _;
use futures_util::future::join_all;
use object_store::path::Path;
use object_store::{Error, ObjectStore, ObjectStoreExt as _, PutMode, PutOptions, PutPayload};

use super::{Created, Listed, Store, StoreError};
use crate::io_runtime::IoRuntime;

/// Objects below a path of a bucket or container.
#[derive(Debug)]
pub(crate) struct ObjectStorage {
    store: Box<dyn ObjectStore>,
    /// What people call it.
    url: String,
    /// The path of the archive in it.
    root: Path,
    runtime: IoRuntime,
}

impl ObjectStorage {
    /// The archive below a path of this store.
    ///
    /// # Errors
    /// When no thread can be started for its requests.
    pub(crate) fn new(store: Box<dyn ObjectStore>, url: &str, root: Path) -> std::io::Result<Self> {
        Ok(Self {
            store,
            url: url.trim_end_matches('/').to_owned(),
            root,
            runtime: IoRuntime::start("archive-io")?,
        })
    }

    fn path(&self, key: &str) -> Path {
        let parts = self.root.parts();
        parts.chain(Path::from(key).parts()).collect()
    }

    fn error(&self, doing: &'static str, key: &str, error: &Error) -> StoreError {
        // The cause says more than the error, which begins with what is said here already.
        let mut reason = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            reason = error.to_string();
            cause = error.source();
        }
        StoreError {
            doing,
            object: self.describe(key),
            reason,
        }
    }

    /// The key of an object at this path of the store.
    fn key(&self, path: &Path) -> Option<String> {
        let parts = path.prefix_match(&self.root)?;
        Some(Path::from_iter(parts).to_string())
    }

    async fn read(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let path = self.path(key);
        let read = async {
            let found = self.store.get(&path).await?;
            found.bytes().await
        };
        match read.await {
            Ok(bytes) => Ok(Some(bytes.to_vec())),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.error("read", key, &error)),
        }
    }

    fn put(&self, key: &str, bytes: &[u8], mode: PutMode) -> Result<(), Error> {
        let payload = PutPayload::from(bytes.to_vec());
        let options = PutOptions::from(mode);
        let path = self.path(key);
        self.runtime
            .block_on(self.store.put_opts(&path, payload, options))
            .map(drop)
    }
}

impl Store for ObjectStorage {
    fn create(&self, key: &str, bytes: &[u8]) -> Result<Created, StoreError> {
        match self.put(key, bytes, PutMode::Create) {
            Ok(()) => Ok(Created::Stored),
            Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => Ok(Created::Taken),
            Err(error) => Err(self.error("create", key, &error)),
        }
    }

    fn replace(&self, key: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.put(key, bytes, PutMode::Overwrite)
            .map_err(|error| self.error("write", key, &error))
    }

    fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.runtime.block_on(self.read(key))
    }

    fn get_all(&self, keys: &[String]) -> Vec<Result<Option<Vec<u8>>, StoreError>> {
        let all = keys.iter().map(|key| self.read(key));
        self.runtime.block_on(join_all(all))
    }

    fn span(&self, prefix: &str, after: &str) -> Result<Option<(String, String)>, StoreError> {
        let (below, offset) = (self.path(prefix), self.path(after));
        let listed = self.store.list_with_offset(Some(&below), &offset);
        // Not every store lists in the order of the keys.
        let ends = listed.try_fold(None, |ends: Option<(Path, Path)>, object| {
            let key = object.location;
            let ends = match ends {
                None => (key.clone(), key),
                Some((first, last)) => (first.min(key.clone()), last.max(key)),
            };
            std::future::ready(Ok(Some(ends)))
        });
        let ends = self.runtime.block_on(ends);
        let ends = ends.map_err(|error| self.error("list", prefix, &error))?;
        Ok(ends.and_then(|(first, last)| self.key(&first).zip(self.key(&last))))
    }

    fn list(&self, prefix: &str) -> Result<Vec<Listed>, StoreError> {
        let path = self.path(prefix);
        let listed: Result<Vec<_>, _> = self
            .runtime
            .block_on(self.store.list(Some(&path)).try_collect());
        let listed = listed.map_err(|error| self.error("list", prefix, &error))?;
        let own = |it: object_store::ObjectMeta| {
            let key = self.key(&it.location)?;
            let bytes = it.size;
            Some(Listed { key, bytes })
        };
        let mut found: Vec<_> = listed.into_iter().filter_map(own).collect();
        found.sort_by(|one, other| one.key.cmp(&other.key));
        Ok(found)
    }

    fn remove(&self, key: &str) -> Result<(), StoreError> {
        match self.runtime.block_on(self.store.delete(&self.path(key))) {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(self.error("remove", key, &error)),
        }
    }

    fn describe(&self, key: &str) -> String {
        format!("{}/{key}", self.url)
    }
}
