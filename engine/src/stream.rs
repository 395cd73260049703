//! Streams: the records of one state, in their order, under one name.

use std::fmt;
use std::hash::{Hash, Hasher};

use smallvec::SmallVec;

use crate::changes::Changes;
use crate::entries::Key;

/// A kind of streams, one for each kind of state. Declared with [`kinds!`](crate::kinds).
#[derive(Clone, Copy)]
pub struct StreamKind {
    code: u8,
    name: &'static str,
    changes: Changes,
}

impl StreamKind {
    /// The kind with this number and name. The number is stored, so it never changes; it is not 0.
    #[must_use]
    pub const fn new(code: u8, name: &'static str, changes: Changes) -> Self {
        Self {
            code,
            name,
            changes,
        }
    }

    /// The stored number of the kind.
    #[must_use]
    pub const fn code(self) -> u8 {
        self.code
    }

    /// The name that people are shown.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// Returns the frequency at which such states change.
    #[must_use]
    pub const fn changes(self) -> Changes {
        self.changes
    }
}

impl PartialEq for StreamKind {
    fn eq(&self, other: &Self) -> bool {
        self.code == other.code
    }
}

impl Eq for StreamKind {}

impl fmt::Debug for StreamKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Declares kinds of streams: a constant for each, and `ALL` of them. Two with the same number do not compile.
///
/// ```
/// mod kinds {
///     switchboard_engine::kinds! { pub const;
///         /// A counter.
///         COUNTER: 1, "Counter", Often;
///     }
/// }
/// assert_eq!(kinds::ALL, [kinds::COUNTER]);
/// ```
#[macro_export]
macro_rules! kinds {
    ($visibility:vis const; $($(#[$doc:meta])* $constant:ident: $code:literal, $name:literal, $changes:ident;)+) => {
        $(
            $(#[$doc])*
            $visibility const $constant: $crate::stream::StreamKind =
                $crate::stream::StreamKind::new($code, $name, $crate::changes::Changes::$changes);
        )+
        /// All kinds.
        $visibility const ALL: &[$crate::stream::StreamKind] = &[$($constant),+];
        const _: () = assert!($crate::changes::are_codes_of_their_own(&[$($code),+]));
    };
}

/// The bytes of a stream's id. Those of most streams are a UUID's and need no memory of their own.
pub type StreamIdBytes = SmallVec<[u8; 16]>;

/// An id of a state: its form in the name of the stream.
pub trait StreamId: Clone + Send + Sync + Unpin + Sized + 'static {
    /// Returns the bytes of the id, at most 255; two ids of one kind never have the same bytes.
    fn to_stream_id(&self) -> StreamIdBytes;

    /// Reads the bytes of [`Self::to_stream_id`]. `None` for all other bytes.
    fn from_stream_id(bytes: &[u8]) -> Option<Self>;
}

/// The id of a state of which there is one.
impl StreamId for () {
    fn to_stream_id(&self) -> StreamIdBytes {
        StreamIdBytes::new()
    }

    fn from_stream_id(bytes: &[u8]) -> Option<Self> {
        bytes.is_empty().then_some(())
    }
}

impl StreamId for String {
    fn to_stream_id(&self) -> StreamIdBytes {
        StreamIdBytes::from_slice(self.as_bytes())
    }

    fn from_stream_id(bytes: &[u8]) -> Option<Self> {
        std::str::from_utf8(bytes).ok().map(str::to_owned)
    }
}

impl StreamId for u8 {
    fn to_stream_id(&self) -> StreamIdBytes {
        StreamIdBytes::from_slice(&self.to_be_bytes())
    }

    fn from_stream_id(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self::from_be_bytes)
    }
}

impl StreamId for u32 {
    fn to_stream_id(&self) -> StreamIdBytes {
        StreamIdBytes::from_slice(&self.to_be_bytes())
    }

    fn from_stream_id(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self::from_be_bytes)
    }
}

/// The name of a stream: the number of its kind and the bytes of its id (at most 255).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StreamKey {
    code: u8,
    id: StreamIdBytes,
    /// Kept, because each record asks for it several times.
    key: Key,
}

impl StreamKey {
    /// The stream of this kind with this id.
    #[must_use]
    pub fn new(kind: StreamKind, id: &[u8]) -> Self {
        Self::read(kind.code, id)
    }

    /// The name as it was stored; its kind need not be known.
    #[must_use]
    pub fn read(code: u8, id: &[u8]) -> Self {
        Self {
            code,
            id: StreamIdBytes::from_slice(id),
            key: Key::new("stream", &(code, id)),
        }
    }

    /// The stored number of the stream's kind.
    #[must_use]
    pub fn code(&self) -> u8 {
        self.code
    }

    /// Returns whether it is a stream of this kind.
    #[must_use]
    pub fn is(&self, kind: StreamKind) -> bool {
        self.code == kind.code
    }

    /// The bytes of the id; empty for a stream of which there is one.
    #[must_use]
    pub fn id(&self) -> &[u8] {
        &self.id
    }

    /// The fingerprint under which the stream's first record is found: distinguishes new streams from old ones.
    #[must_use]
    pub fn key(&self) -> Key {
        self.key
    }

    /// The name for people, given that of its kind.
    #[must_use]
    pub fn named(&self, kind: &str) -> String {
        format!("{kind}:{}", hex::encode(&self.id))
    }
}

impl Hash for StreamKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl fmt::Debug for StreamKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.code, hex::encode(&self.id))
    }
}

#[cfg(test)]
mod tests {
    use super::StreamId;

    /// Checks that the bytes of an id give the id again, and that of all their beginnings and extensions none gives
    /// this id.
    fn round_trip<I: StreamId + PartialEq + std::fmt::Debug>(id: &I, bytes: &[u8]) {
        assert_eq!(id.to_stream_id().as_slice(), bytes);
        assert_eq!(I::from_stream_id(bytes).as_ref(), Some(id));
        let longer = [bytes, &[0]].concat();
        assert_ne!(I::from_stream_id(&longer).as_ref(), Some(id));
        for length in 0..bytes.len() {
            assert_ne!(I::from_stream_id(&bytes[..length]).as_ref(), Some(id));
        }
    }

    #[test]
    fn the_bytes_of_an_id_give_only_this_id() {
        round_trip(&7_u8, &[7]);
        round_trip(&0x0102_0304_u32, &[1, 2, 3, 4]);
        round_trip(&"apples".to_owned(), b"apples");
        round_trip(&(), &[]);
        assert_eq!(String::from_stream_id(&[0xff]), None);
    }
}
