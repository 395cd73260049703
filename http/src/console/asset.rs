//! A file of the console, ready to be sent.

use bytes::Bytes;
use sha2::{Digest, Sha256};

use crate::outgoing::packing;

/// A file as it is sent.
#[derive(Clone, Debug)]
pub(crate) struct Asset {
    pub(super) media_type: &'static str,
    /// The file.
    pub(super) bytes: Bytes,
    /// The same, packed with gzip.
    pub(super) packed: Bytes,
    /// The entity tag of this content, with its quotation marks.
    pub(super) tag: String,
}

impl Asset {
    /// The file with this content.
    pub(super) fn new(media_type: &'static str, bytes: Bytes) -> Self {
        let digest = hex::encode(Sha256::digest(&bytes));
        let tag = digest.get(..32).unwrap_or(&digest);
        Self {
            media_type,
            packed: packing::best(&bytes),
            tag: format!("\"{tag}\""),
            bytes,
        }
    }
}
