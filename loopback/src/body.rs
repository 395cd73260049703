//! Bodies of requests, bounded in length, in time and in all that waits in memory.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt as _;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};

use super::place::Place;

/// The longest time that a body takes to arrive, or the next bytes of one that may take longer.
pub const DEADLINE: Duration = Duration::from_secs(15);

impl BodyLimits {
    /// Those of a body with so many bytes at most.
    pub fn up_to(bytes_max: usize) -> Self {
        Self {
            bytes_max,
            whole_within: DEADLINE,
            silence_max: DEADLINE,
        }
    }
}

/// The limits of a body.
#[derive(Clone, Copy, Debug)]
pub struct BodyLimits {
    /// More bytes than these are not read.
    pub bytes_max: usize,
    /// The longest time that it takes.
    pub whole_within: Duration,
    /// The longest time without a byte.
    pub silence_max: Duration,
}

/// The reason why a body was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BodyReadError {
    /// It did not arrive in time, or others need its memory.
    TooSlow,
    /// It ended before it was complete.
    BrokenOff(String),
}

/// A body that was read, with its share of the memory for bodies.
#[derive(Debug)]
pub struct Whole {
    pub bytes: Bytes,
    /// There is more of it than may be read.
    pub is_too_large: bool,
    _share: Share,
}

/// The memory for bodies that arrive or are worked on. When it is full, the body that has waited longest for its next
/// bytes is given up. Clones are the same memory.
#[derive(Clone, Debug)]
pub struct BodyMemory(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    bytes_max: usize,
    bodies: Mutex<Bodies>,
}

#[derive(Debug, Default)]
struct Bodies {
    bytes: usize,
    /// Counts bodies and their pieces.
    last: u64,
    by_number: BTreeMap<u64, Arriving>,
}

#[derive(Debug)]
struct Arriving {
    bytes: usize,
    /// The number of its last piece, in the order of all pieces.
    piece: u64,
    is_whole: bool,
    given_up: Arc<Notify>,
}

/// The part of the memory that one body has, until this is dropped.
#[derive(Debug)]
struct Share {
    memory: BodyMemory,
    number: u64,
    given_up: Arc<Notify>,
}

/// Reads a body. Of one that is too large, only what may be read.
///
/// # Errors
/// When it does not arrive in time or ends too early.
pub async fn read(
    mut body: Incoming,
    limits: BodyLimits,
    memory: &BodyMemory,
) -> Result<Whole, BodyReadError> {
    let share = memory.begin();
    let deadline = Instant::now() + limits.whole_within;
    let declared = body.size_hint().exact();
    let largest = u64::try_from(limits.bytes_max).unwrap_or(u64::MAX);
    let mut bytes = BytesMut::new();
    let mut is_too_large = declared.is_some_and(|declared| declared > largest);
    while !is_too_large {
        let next_within = deadline.min(Instant::now() + limits.silence_max);
        let frame = tokio::select! {
            frame = timeout_at(next_within, body.frame()) => frame,
            () = share.given_up.notified() => return Err(BodyReadError::TooSlow),
        };
        let piece = match frame {
            Err(_elapsed) => return Err(BodyReadError::TooSlow),
            Ok(None) => break,
            Ok(Some(Err(error))) => return Err(BodyReadError::BrokenOff(error.to_string())),
            Ok(Some(Ok(piece))) => piece,
        };
        let Ok(data) = piece.into_data() else {
            continue;
        };
        is_too_large = bytes.len().saturating_add(data.len()) > limits.bytes_max;
        if !is_too_large {
            share.grow(data.len())?;
            bytes.extend_from_slice(&data);
        }
    }
    share.complete();
    Ok(Whole {
        bytes: bytes.freeze(),
        is_too_large,
        _share: share,
    })
}

impl BodyMemory {
    /// Memory for so many bytes.
    pub fn new(bytes_max: usize) -> Self {
        Self(Arc::new(Shared {
            bytes_max,
            bodies: Mutex::default(),
        }))
    }

    fn begin(&self) -> Share {
        let mut bodies = self.lock();
        let (number, given_up) = (bodies.next(), Arc::new(Notify::new()));
        let arriving = Arriving {
            bytes: 0,
            piece: number,
            is_whole: false,
            given_up: Arc::clone(&given_up),
        };
        bodies.by_number.insert(number, arriving);
        Share {
            memory: self.clone(),
            number,
            given_up,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Bodies> {
        self.0.bodies.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Bodies {
    fn next(&mut self) -> u64 {
        self.last = self.last.saturating_add(1);
        self.last
    }

    fn remove(&mut self, number: u64) {
        if let Some(body) = self.by_number.remove(&number) {
            self.bytes = self.bytes.saturating_sub(body.bytes);
            body.given_up.notify_one();
        }
    }

    /// The body that is given up for others, unless all but this one are whole.
    fn slowest(&self, but: u64) -> Option<u64> {
        let others = self
            .by_number
            .iter()
            .filter(|(number, it)| **number != but && !it.is_whole && it.bytes > 0);
        others
            .min_by_key(|(_, it)| it.piece)
            .map(|(number, _)| *number)
    }
}

impl Share {
    /// So many more bytes have come.
    fn grow(&self, by: usize) -> Result<(), BodyReadError> {
        let mut bodies = self.memory.lock();
        // One that was given up takes nothing from the others.
        if !bodies.by_number.contains_key(&self.number) {
            return Err(BodyReadError::TooSlow);
        }
        while bodies.bytes.saturating_add(by) > self.memory.0.bytes_max {
            let slowest = bodies.slowest(self.number).ok_or(BodyReadError::TooSlow)?;
            bodies.remove(slowest);
        }
        let piece = bodies.next();
        let body = bodies
            .by_number
            .get_mut(&self.number)
            .ok_or(BodyReadError::TooSlow)?;
        body.bytes = body.bytes.saturating_add(by);
        body.piece = piece;
        bodies.bytes = bodies.bytes.saturating_add(by);
        Ok(())
    }

    fn complete(&self) {
        if let Some(arriving) = self.memory.lock().by_number.get_mut(&self.number) {
            arriving.is_whole = true;
        }
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.memory.lock().remove(self.number);
    }
}

/// A body that is passed on as it comes. Its connection works on the request from the end of the body on.
pub struct PassedOn {
    body: Incoming,
    place: Arc<Place>,
}

impl PassedOn {
    pub fn new(body: Incoming, place: &Arc<Place>) -> Self {
        let place = Arc::clone(place);
        if body.is_end_stream() {
            place.work_on_whole();
        }
        Self { body, place }
    }
}

impl Body for PassedOn {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        if matches!(frame, Poll::Ready(None)) || self.body.is_end_stream() {
            self.place.work_on_whole();
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_body_that_waits_longest_for_its_next_bytes_is_given_up() {
        let memory = BodyMemory::new(100);
        let (first, second) = (memory.begin(), memory.begin());
        first.grow(40).unwrap();
        second.grow(40).unwrap();
        first.grow(10).unwrap();
        let third = memory.begin();
        third.grow(50).unwrap();
        assert_eq!(
            second.grow(1),
            Err(BodyReadError::TooSlow),
            "it came last before"
        );
        first.complete();
        third.complete();
        let fourth = memory.begin();
        assert_eq!(
            fourth.grow(1),
            Err(BodyReadError::TooSlow),
            "all others are whole"
        );
        drop(first);
        fourth.grow(50).unwrap();
        drop((second, third, fourth));
        assert_eq!(memory.lock().bytes, 0);
    }
}
