//! The duties of a store: it keeps objects under keys.

use std::fmt;

/// Objects under keys such as `entries/0000000000000007`. All functions block.
pub trait Store: fmt::Debug + Send + Sync {
    /// Stores an object under a key that has none. Its bytes are durable when this returns.
    ///
    /// # Errors
    /// When the store refuses, or its answer is lost: the object may be stored then.
    fn create(&self, key: &str, bytes: &[u8]) -> Result<Created, StoreError>;

    /// Stores an object, and replaces what the key has.
    ///
    /// # Errors
    /// When the store refuses, or its answer is lost.
    fn replace(&self, key: &str, bytes: &[u8]) -> Result<(), StoreError>;

    /// The bytes of an object; `None` when the key has none.
    ///
    /// # Errors
    /// When the store refuses, or declares more bytes than an object under such a key may have.
    fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// The bytes of several objects, as of [`Self::get`], which are asked for at once where the store is far away.
    fn get_all(&self, keys: &[String]) -> Vec<Result<Option<Vec<u8>>, StoreError>> {
        keys.iter().map(|key| self.get(key)).collect()
    }

    /// The first and the last of the keys below a prefix that come behind `after`, in their order; `None`: there are none.
    ///
    /// # Errors
    /// When the store refuses.
    fn span(&self, prefix: &str, after: &str) -> Result<Option<(String, String)>, StoreError> {
        let objects = self.list(prefix)?;
        let mut behind = objects
            .into_iter()
            .map(|object| object.key)
            .filter(|key| key.as_str() > after);
        let first = behind.next();
        Ok(first.map(|first| {
            let last = behind.next_back().unwrap_or_else(|| first.clone());
            (first, last)
        }))
    }

    /// All keys below a prefix such as `entries`, in their order, with the sizes of the objects.
    ///
    /// # Errors
    /// When the store refuses, or lists more objects than there may be.
    fn list(&self, prefix: &str) -> Result<Vec<Listed>, StoreError>;

    /// Removes an object; a key that has none is no error.
    ///
    /// # Errors
    /// When the store refuses.
    fn remove(&self, key: &str) -> Result<(), StoreError>;

    /// Removes what interrupted writes of other processes have left.
    ///
    /// # Errors
    /// When the store refuses.
    fn tidy(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Ends requests in progress with an error, as far as that is possible, and refuses later ones.
    fn abandon(&self) {}

    /// The address of an object, for people.
    fn describe(&self, key: &str) -> String;
}

/// The outcome for an object that is to be new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Created {
    /// It is stored.
    Stored,
    /// The key has an object, which stays as it is.
    Taken,
}

/// An object of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its key.
    pub key: String,
    /// Its size.
    pub bytes: u64,
}

/// The refusal of a store.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot {doing} {object}: {reason}")]
pub struct StoreError {
    /// As in `read`.
    pub doing: &'static str,
    /// The address of the object, for people.
    pub object: String,
    /// In the words of the store.
    pub reason: String,
}

/// Stores an object under a key that nothing else may have: a store whose answer was lost may have stored these bytes
/// before, and then they count as stored.
///
/// # Errors
/// When the store refuses.
pub(crate) fn create_once(
    store: &dyn Store,
    key: &str,
    bytes: &[u8],
) -> Result<Created, StoreError> {
    if store.create(key, bytes)? == Created::Stored {
        return Ok(Created::Stored);
    }
    match store.get(key)? {
        Some(object) if object == bytes => Ok(Created::Stored),
        Some(_) => Ok(Created::Taken),
        // Some stores say so of two writers at once of whom neither has won yet.
        None => Err(StoreError {
            doing: "create",
            object: store.describe(key),
            reason: "the store says that it exists, and then that it does not".to_owned(),
        }),
    }
}
