//! A file of the console, ready to be sent.

use std::io::Write;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

/// A file as it is sent.
#[derive(Clone, Debug)]
pub(crate) struct Asset {
    pub(super) media_type: &'static str,
    /// The file.
    pub(super) bytes: Bytes,
    /// The same, packed with gzip.
    pub(super) packed: Bytes,
    /// What tells this content from another, with its quotation marks.
    pub(super) tag: String,
}

impl Asset {
    /// The file with this content.
    pub(super) fn new(media_type: &'static str, bytes: Bytes) -> Self {
        let digest = hex::encode(Sha256::digest(&bytes));
        let tag = digest.get(..32).unwrap_or(&digest);
        Self {
            media_type,
            packed: packed(&bytes).into(),
            tag: format!("\"{tag}\""),
            bytes,
        }
    }
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    // Writing to memory does not fail.
    let written = packer.write_all(bytes);
    written.and_then(|()| packer.finish()).unwrap_or_default()
}
