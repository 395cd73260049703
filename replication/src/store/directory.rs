//! A directory, on another disk or a mounted share.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use switchboard_engine::store::disk::private;
use tempfile::{NamedTempFile, PersistError};

use super::bounds::{bytes_max, objects_max, too_large, too_many};
use super::keys::{IDENTITY, LOG};
use super::objects::{Created, Listed, Store, StoreError};
use crate::position::Position;

/// The ending of files that are being written.
const UNFINISHED: &str = ".part";

/// Objects as files below a directory.
#[derive(Debug)]
pub struct Directory {
    root: PathBuf,
}

impl Directory {
    /// The archive in this directory, which the first object makes; the directory above has to be there.
    pub fn at(root: PathBuf) -> Self {
        Self { root }
    }

    fn path(&self, key: &str) -> PathBuf {
        self.root.join(key)
    }

    fn error(&self, doing: &'static str, key: &str, error: &io::Error) -> StoreError {
        StoreError {
            doing,
            object: self.describe(key),
            reason: error.to_string(),
        }
    }

    /// Writes a file beside its position, durable, and moves it there by `publish`.
    fn write(
        &self,
        key: &str,
        bytes: &[u8],
        publish: impl FnOnce(NamedTempFile, &Path) -> Result<File, PersistError>,
    ) -> io::Result<()> {
        let path = self.path(key);
        let directory = path.parent().unwrap_or(&self.root);
        // A share that is not mounted leaves an empty directory, and what would be written there.
        let first = first_keys();
        let is_first = first.iter().any(|first| first == key);
        if !is_first && !first.iter().any(|first| self.path(first).exists()) {
            return Err(io::Error::other(
                "there is no archive; is its disk mounted?",
            ));
        }
        self.make_root()?;
        self.make(directory)?;
        let mut file = tempfile::Builder::new()
            .suffix(UNFINISHED)
            .tempfile_in(directory)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        publish(file, &path)?;
        sync(directory)
    }

    /// Makes the directory of the store. What is above it may be a share that is not mounted, and is not made.
    fn make_root(&self) -> io::Result<()> {
        let above = self.root.parent().filter(|it| !it.as_os_str().is_empty());
        match above {
            Some(above) if !above.is_dir() => Err(io::Error::other(format!(
                "there is no directory {}; is its disk mounted? Make it if it is to be new",
                above.display()
            ))),
            _ => self.make(&self.root),
        }
    }

    /// Makes a directory of the store, and those between that are missing; their names are durable.
    fn make(&self, directory: &Path) -> io::Result<()> {
        if directory.is_dir() {
            return Ok(());
        }
        let parent = directory.parent().filter(|it| !it.as_os_str().is_empty());
        if let Some(parent) = parent.filter(|_| directory != self.root) {
            self.make(parent)?;
        }
        match private::directories().create(directory) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
            Ok(()) | Err(_) => {}
        }
        parent.map_or(Ok(()), sync)
    }

    /// Adds the files that interrupted writes have left.
    fn unfinished(&self, directory: &Path, leftovers: &mut Vec<PathBuf>) -> io::Result<()> {
        for entry in fs::read_dir(directory)? {
            let path = entry?.path();
            if path.is_dir() {
                self.unfinished(&path, leftovers)?;
            } else if path.to_str().is_some_and(|it| it.ends_with(UNFINISHED)) {
                leftovers.push(path);
            }
        }
        Ok(())
    }

    /// Adds what is below a directory; false when that is more than `max` objects.
    fn collect(&self, directory: &Path, max: usize, objects: &mut Vec<Listed>) -> io::Result<bool> {
        let entries = match fs::read_dir(directory) {
            Ok(entries) => entries,
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
            {
                return Ok(true);
            }
            Err(error) => return Err(error),
        };
        for entry in entries {
            let entry = entry?;
            if objects.len() > max {
                return Ok(false);
            }
            let path = entry.path();
            let about = match entry.metadata() {
                Ok(about) => about,
                // It was removed or finished meanwhile.
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            if about.is_dir() {
                if !self.collect(&path, max, objects)? {
                    return Ok(false);
                }
                continue;
            }
            let key = path
                .strip_prefix(&self.root)
                .ok()
                .and_then(Path::to_str)
                .filter(|key| !key.ends_with(UNFINISHED));
            objects.extend(key.map(|key| Listed {
                key: key.to_owned(),
                bytes: about.len(),
            }));
        }
        Ok(objects.len() <= max)
    }

    /// The bytes of a file that may have so many.
    fn read(&self, key: &str) -> io::Result<Vec<u8>> {
        let file = File::open(self.path(key))?;
        let (length, max) = (file.metadata()?.len(), bytes_max(key));
        let mut bytes = Vec::new();
        if length <= max {
            file.take(max.saturating_add(1)).read_to_end(&mut bytes)?;
        }
        let length = length.max(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        if length > max {
            return Err(io::Error::other(too_large(key, length)));
        }
        Ok(bytes)
    }
}

fn sync(directory: &Path) -> io::Result<()> {
    File::open(directory)?.sync_all()
}

/// The objects of which one is the first of a store: the identity of an archive, or the order to begin a shared log.
fn first_keys() -> [String; 2] {
    [IDENTITY.to_owned(), Position(1).key(LOG)]
}

impl Store for Directory {
    fn create(&self, key: &str, bytes: &[u8]) -> Result<Created, StoreError> {
        let sync_existing = || {
            // An earlier attempt may have failed behind the name and before it was durable.
            let path = self.path(key);
            sync(path.parent().unwrap_or(&self.root))
                .map(|()| Created::Taken)
                .map_err(|error| self.error("create", key, &error))
        };
        if self.path(key).exists() {
            return sync_existing();
        }
        match self.write(key, bytes, |file, path| file.persist_noclobber(path)) {
            Ok(()) => Ok(Created::Stored),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => sync_existing(),
            Err(error) => Err(self.error("create", key, &error)),
        }
    }

    fn replace(&self, key: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.write(key, bytes, |file, path| file.persist(path))
            .map_err(|error| self.error("write", key, &error))
    }

    fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        match self.read(key) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.error("read", key, &error)),
        }
    }

    fn list(&self, prefix: &str) -> Result<Vec<Listed>, StoreError> {
        let mut objects = Vec::new();
        let is_whole = self
            .collect(&self.path(prefix), objects_max(prefix), &mut objects)
            .map_err(|error| self.error("list", prefix, &error))?;
        if !is_whole {
            let error = io::Error::other(too_many(prefix));
            return Err(self.error("list", prefix, &error));
        }
        objects.sort_by(|one, other| one.key.cmp(&other.key));
        Ok(objects)
    }

    fn remove(&self, key: &str) -> Result<(), StoreError> {
        match fs::remove_file(self.path(key)) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(self.error("remove", key, &error))
            }
            Ok(()) | Err(_) => Ok(()),
        }
    }

    fn tidy(&self) -> Result<(), StoreError> {
        let mut leftovers = Vec::new();
        self.unfinished(&self.root, &mut leftovers)
            .and_then(|()| leftovers.iter().try_for_each(fs::remove_file))
            .map_err(|error| self.error("tidy", "", &error))
    }

    fn describe(&self, key: &str) -> String {
        self.path(key).display().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_created_once_and_replaced_by_order() {
        let position = tempfile::tempdir().unwrap();
        let store = Directory::at(position.path().join("a/b"));
        let error = store.create(IDENTITY, b"").unwrap_err().to_string();
        assert!(error.contains("is its disk mounted"), "{error}");
        assert!(!position.path().join("a").exists());
        fs::create_dir(position.path().join("a")).unwrap();
        assert_eq!(store.list("entries").unwrap(), []);
        assert_eq!(store.get("entries/1").unwrap(), None);
        let error = store.create("entries/1", b"one").unwrap_err().to_string();
        assert!(
            error.ends_with("there is no archive; is its disk mounted?"),
            "{error}"
        );
        assert_eq!(store.create(IDENTITY, b"").unwrap(), Created::Stored);
        fs::create_dir_all(position.path().join("a/b/entries")).unwrap();
        fs::write(position.path().join("a/b/entries/x.part"), "").unwrap();
        assert_eq!(store.list("entries").unwrap(), []);
        store.tidy().unwrap();
        assert!(!position.path().join("a/b/entries/x.part").exists());
        assert_eq!(store.create("entries/1", b"one").unwrap(), Created::Stored);
        assert_eq!(store.create("entries/1", b"two").unwrap(), Created::Taken);
        assert_eq!(store.get("entries/1").unwrap().unwrap(), b"one");
        store.replace("entries/1", b"three").unwrap();
        store.replace("entries/0", b"").unwrap();
        let objects = store.list("entries").unwrap();
        let sizes: Vec<_> = objects.iter().map(|it| (&*it.key, it.bytes)).collect();
        assert_eq!(sizes, [("entries/0", 0), ("entries/1", 5)]);
        store.remove("entries/0").unwrap();
        store.remove("entries/0").unwrap();
        assert_eq!(store.list("entries").unwrap().len(), 1);
    }

    #[test]
    fn an_object_that_is_too_large_is_not_read() {
        let position = tempfile::tempdir().unwrap();
        let store = Directory::at(position.path().to_owned());
        store.create(IDENTITY, b"").unwrap();
        // It has no blocks on the disk, and its declared size is that of all memory.
        let file = File::create(position.path().join(IDENTITY)).unwrap();
        file.set_len(1 << 40).unwrap();
        let error = store.get(IDENTITY).unwrap_err().to_string();
        let says = "identity: it has 1099511627776 bytes, and an object under such a key has 65536 at most";
        assert!(error.ends_with(says), "{error}");
    }

    #[test]
    fn of_many_writers_of_one_key_one_wins() {
        let position = tempfile::tempdir().unwrap();
        let store = Directory::at(position.path().to_owned());
        store.create(IDENTITY, b"").unwrap();
        for round in 0..20 {
            let key = format!("entries/{round}");
            let won: usize = std::thread::scope(|scope| {
                let writers: Vec<_> = (0..4_u8)
                    .map(|writer| {
                        scope.spawn({
                            let (store, key) = (&store, &key);
                            move || store.create(key, &[writer]).unwrap()
                        })
                    })
                    .collect();
                let outcomes = writers.into_iter().map(|writer| writer.join().unwrap());
                outcomes.filter(|it| *it == Created::Stored).count()
            });
            assert_eq!(won, 1);
            assert_eq!(
                store.list(&key).unwrap().len(),
                0,
                "a key is no prefix of itself"
            );
        }
    }
}
