//! Ids of states, as the bytes in the names of their streams.

use switchboard_engine::stream::{StreamId, StreamIdBytes};

use crate::id::{AccountId, ChannelId, ConversationId, ScopeId};

/// Declares that the 16 bytes of a UUID name the stream.
macro_rules! uuid_streams {
    ($($name:ident),+) => {$(
        impl StreamId for $name {
            fn to_stream_id(&self) -> StreamIdBytes {
                StreamIdBytes::from(self.bytes())
            }

            fn from_stream_id(bytes: &[u8]) -> Option<Self> {
                bytes.try_into().ok().map(Self::from_bytes)
            }
        }
    )+};
}
uuid_streams!(AccountId, ConversationId);

impl StreamId for ChannelId {
    fn to_stream_id(&self) -> StreamIdBytes {
        StreamIdBytes::from_slice(self.as_str().as_bytes())
    }

    fn from_stream_id(bytes: &[u8]) -> Option<Self> {
        std::str::from_utf8(bytes).ok()?.parse().ok()
    }
}

impl StreamId for ScopeId {
    fn to_stream_id(&self) -> StreamIdBytes {
        StreamIdBytes::from_slice(self.to_string().as_bytes())
    }

    fn from_stream_id(bytes: &[u8]) -> Option<Self> {
        std::str::from_utf8(bytes).ok()?.parse().ok()
    }
}
