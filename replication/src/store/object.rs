//! An object store: S3 and what speaks its interface, Google Cloud Storage, Azure Blob Storage.

use std::error::Error as _;
use std::future::Future;

use futures_util::future::join_all;
use futures_util::{Stream, TryStreamExt as _};
use object_store::path::Path;
use object_store::{
    Error, GetResult, ObjectMeta, ObjectStore, ObjectStoreExt as _, PutMode, PutOptions, PutPayload,
};
use tokio::sync::watch;

use super::bounds::{bytes_max, objects_max, too_large, too_many};
use super::objects::{Created, Listed, Store, StoreError};
use crate::io_runtime::IoRuntime;

/// Objects below a path of a bucket or container.
#[derive(Debug)]
pub struct ObjectStorage {
    store: Box<dyn ObjectStore>,
    /// Its address, for people.
    url: String,
    /// The path of the archive in it.
    root: Path,
    runtime: IoRuntime,
    /// True when nothing waits for requests any more.
    abandoned: watch::Sender<bool>,
}

impl ObjectStorage {
    /// The archive below a path of this store.
    ///
    /// # Errors
    /// When no thread can be started for its requests.
    pub fn new(store: Box<dyn ObjectStore>, url: &str, root: Path) -> std::io::Result<Self> {
        Ok(Self {
            store,
            url: url.trim_end_matches('/').to_owned(),
            root,
            runtime: IoRuntime::start("archive-io")?,
            abandoned: watch::Sender::new(false),
        })
    }

    fn path(&self, key: &str) -> Path {
        let parts = self.root.parts();
        parts.chain(Path::from(key).parts()).collect()
    }

    /// Waits for a request, unless it is abandoned.
    fn run<T>(&self, request: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        let mut abandoned = self.abandoned.subscribe();
        self.runtime.block_on(async {
            tokio::select! {
                biased;
                _ = abandoned.wait_for(|it| *it) => Err(failed("the service ends")),
                done = request => done,
            }
        })
    }

    fn error(&self, doing: &'static str, key: &str, error: &Error) -> StoreError {
        // The cause says more than the error, which begins with what is said here already.
        let mut reason = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            reason = error.to_string();
            cause = error.source();
        }
        if reason == "URL scheme is not allowed" {
            reason.push_str("; for a store at http://, set the variable AWS_ALLOW_HTTP=true");
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

    async fn read(&self, path: &Path, key: &str) -> Result<Vec<u8>, Error> {
        let object = self.store.get(path).await?;
        bounded(object, key).await
    }

    /// The outcome of a read: a missing object is no error.
    fn outcome(
        &self,
        key: &str,
        read: Result<Vec<u8>, Error>,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        match read {
            Ok(bytes) => Ok(Some(bytes)),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.error("read", key, &error)),
        }
    }

    fn put(&self, key: &str, bytes: &[u8], mode: PutMode) -> Result<(), Error> {
        let payload = PutPayload::from(bytes.to_vec());
        let options = PutOptions::from(mode);
        let path = self.path(key);
        self.run(self.store.put_opts(&path, payload, options))
            .map(drop)
    }
}

/// An error with this reason.
fn failed(reason: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::Generic {
        store: "archive",
        source: reason.into(),
    }
}

/// The bytes of an object, which are not more than it may have, whatever the store declares.
async fn bounded(answer: GetResult, key: &str) -> Result<Vec<u8>, Error> {
    let max = bytes_max(key);
    if answer.meta.size > max {
        return Err(failed(too_large(key, answer.meta.size)));
    }
    let mut bytes = Vec::new();
    let mut pieces = answer.into_stream();
    while let Some(piece) = pieces.try_next().await? {
        bytes.extend_from_slice(&piece);
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if length > max {
            return Err(failed(too_large(key, length)));
        }
    }
    Ok(bytes)
}

/// The objects of a list, unless these are more than `max`.
async fn collect_bounded(
    objects: impl Stream<Item = Result<ObjectMeta, Error>>,
    prefix: &str,
    max: usize,
) -> Result<Vec<ObjectMeta>, Error> {
    let mut list = Vec::new();
    let mut objects = std::pin::pin!(objects);
    while let Some(it) = objects.try_next().await? {
        if list.len() >= max {
            return Err(failed(too_many(prefix)));
        }
        list.push(it);
    }
    Ok(list)
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
        let path = self.path(key);
        self.outcome(key, self.run(self.read(&path, key)))
    }

    fn get_all(&self, keys: &[String]) -> Vec<Result<Option<Vec<u8>>, StoreError>> {
        let paths: Vec<Path> = keys.iter().map(|key| self.path(key)).collect();
        let reads = paths
            .iter()
            .zip(keys)
            .map(|(path, key)| self.read(path, key));
        let all = async { Ok(join_all(reads).await) };
        match self.run(all) {
            Ok(outcomes) => {
                let outcomes = keys.iter().zip(outcomes);
                outcomes
                    .map(|(key, read)| self.outcome(key, read))
                    .collect()
            }
            Err(error) => {
                let failed = |key: &String| Err(self.error("read", key, &error));
                keys.iter().map(failed).collect()
            }
        }
    }

    fn span(&self, prefix: &str, after: &str) -> Result<Option<(String, String)>, StoreError> {
        let (below, offset) = (self.path(prefix), self.path(after));
        let objects = self.store.list_with_offset(Some(&below), &offset);
        let max = objects_max(prefix);
        // Not every store lists in the order of the keys.
        let search = async {
            let mut ends: Option<(Path, Path)> = None;
            let mut count = 0_usize;
            let mut objects = std::pin::pin!(objects);
            while let Some(object) = objects.try_next().await? {
                count = count.saturating_add(1);
                if count > max {
                    return Err(failed(too_many(prefix)));
                }
                let key = object.location;
                ends = Some(match ends {
                    None => (key.clone(), key),
                    Some((first, last)) => (first.min(key.clone()), last.max(key)),
                });
            }
            Ok(ends)
        };
        let ends = self
            .run(search)
            .map_err(|error| self.error("list", prefix, &error))?;
        Ok(ends.and_then(|(first, last)| self.key(&first).zip(self.key(&last))))
    }

    fn list(&self, prefix: &str) -> Result<Vec<Listed>, StoreError> {
        let path = self.path(prefix);
        let stream = self.store.list(Some(&path));
        let metas = self
            .run(collect_bounded(stream, prefix, objects_max(prefix)))
            .map_err(|error| self.error("list", prefix, &error))?;
        let own = |it: object_store::ObjectMeta| {
            let key = self.key(&it.location)?;
            let bytes = it.size;
            Some(Listed { key, bytes })
        };
        let mut objects: Vec<_> = metas.into_iter().filter_map(own).collect();
        objects.sort_by(|one, other| one.key.cmp(&other.key));
        Ok(objects)
    }

    fn remove(&self, key: &str) -> Result<(), StoreError> {
        match self.run(self.store.delete(&self.path(key))) {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(self.error("remove", key, &error)),
        }
    }

    fn abandon(&self) {
        self.abandoned.send_replace(true);
    }

    fn describe(&self, key: &str) -> String {
        format!("{}/{key}", self.url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::stream;

    #[tokio::test]
    async fn a_list_that_never_ends_is_given_up() {
        let one = ObjectMeta {
            location: Path::from("entries/1"),
            last_modified: Default::default(),
            size: 1,
            e_tag: None,
            version: None,
        };
        let endless = stream::repeat_with(|| Ok(one.clone()));
        let error = collect_bounded(endless, "entries", 3).await.unwrap_err();
        let reason = error.source().unwrap().to_string();
        assert_eq!(reason, "it has more than 1000000 objects");
        let three = stream::iter([(); 3].map(|()| Ok(one.clone())));
        assert_eq!(collect_bounded(three, "entries", 3).await.unwrap().len(), 3);
    }
}
