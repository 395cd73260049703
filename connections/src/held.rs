//! Bytes of an answer that are held back until the connection may have them.

use std::io;
use std::task::{Poll, ready};

/// Writes all of these bytes, and removes those that are written.
pub fn release(
    held: &mut Vec<u8>,
    mut write: impl FnMut(&[u8]) -> Poll<io::Result<usize>>,
) -> Poll<io::Result<()>> {
    while !held.is_empty() {
        let length = ready!(write(held))?;
        if length == 0 {
            return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
        }
        held.drain(..length.min(held.len()));
    }
    Poll::Ready(Ok(()))
}
