//! Pictures are decoded once, to know that they are whole and to make a thumbnail; one at a time, off the threads that
//! serve requests, and never when their dimensions say that it would take too much memory.

use std::fs::File;
use std::io::{BufReader, Cursor};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// The longest side, in pixels.
const SIDE_MAX: u32 = 16_384;
/// The most pixels: those of the cameras that people have, and 160 MiB of memory.
const PIXELS_MAX: u64 = 40_000_000;
/// The most memory that a decoder may take.
const MEMORY_MAX: u64 = 256 << 20;
/// The longest side of a thumbnail, in pixels.
const THUMBNAIL_SIDE: u32 = 320;
/// How many pictures wait for their turn; further ones are refused, to be tried again later.
const WAITING_MAX: usize = 32;

/// A picture that was decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decoded {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) thumbnail: Vec<u8>,
    pub(super) thumbnail_type: &'static str,
}

/// Why a picture is not taken.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PictureError {
    /// It has too many pixels; it was not decoded.
    #[error(
        "the picture has {width} × {height} pixels; the limits are {SIDE_MAX} on a side and {PIXELS_MAX} in all"
    )]
    TooManyPixels {
        /// Its width.
        width: u32,
        /// Its height.
        height: u32,
    },
    /// It is broken, or none.
    #[error("the picture is damaged or incomplete: {0}")]
    Damaged(String),
    /// Too many others wait.
    #[error("too many pictures are being processed")]
    Busy,
}

/// Decodes pictures, one after the other.
pub(super) struct Pictures {
    turns: Arc<Semaphore>,
    waiting: AtomicUsize,
}

impl Default for Pictures {
    fn default() -> Self {
        Self {
            turns: Arc::new(Semaphore::new(1)),
            waiting: AtomicUsize::new(0),
        }
    }
}

/// One who waits, until dropped.
struct Waiting<'p>(&'p AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Pictures {
    /// The number of pictures that are decoded, or wait for their turn.
    pub(super) fn in_use(&self) -> usize {
        let decoded = usize::from(self.turns.available_permits() == 0);
        decoded.saturating_add(self.waiting.load(Ordering::Relaxed))
    }

    /// Decodes the picture in this file.
    pub(super) async fn decode(
        &self,
        path: PathBuf,
        format: ImageFormat,
    ) -> Result<Decoded, PictureError> {
        let waiting = Waiting(&self.waiting);
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= WAITING_MAX {
            return Err(PictureError::Busy);
        }
        let turn = Arc::clone(&self.turns).acquire_owned().await;
        drop(waiting);
        // The work keeps its turn to its end, even when the caller no longer waits for it.
        let decoded = spawn_blocking(move || {
            let decoded = decode(&path, format);
            drop(turn);
            decoded
        });
        // A decoder that panics has met a picture that it cannot take.
        decoded
            .await
            .map_err(|_panic| PictureError::Damaged("it cannot be decoded".to_owned()))?
    }
}

fn decode(path: &std::path::Path, format: ImageFormat) -> Result<Decoded, PictureError> {
    let damaged = |error: &dyn std::fmt::Display| PictureError::Damaged(error.to_string());
    let file = File::open(path).map_err(|error| damaged(&error))?;
    let mut reader = ImageReader::with_format(BufReader::new(file), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MEMORY_MAX);
    reader.limits(limits);
    // So far only the head was read.
    let mut decoder = reader.into_decoder().map_err(|error| damaged(&error))?;
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width).saturating_mul(u64::from(height));
    if width.max(height) > SIDE_MAX || pixels > PIXELS_MAX || decoder.total_bytes() > MEMORY_MAX {
        return Err(PictureError::TooManyPixels { width, height });
    }
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let decoded = DynamicImage::from_decoder(decoder).map_err(|error| damaged(&error))?;
    let mut small = if width.max(height) > THUMBNAIL_SIDE {
        decoded.thumbnail(THUMBNAIL_SIDE, THUMBNAIL_SIDE)
    } else {
        decoded
    };
    small.apply_orientation(orientation);
    let (small, format, thumbnail_type) = if small.color().has_alpha() {
        (
            DynamicImage::from(small.to_rgba8()),
            ImageFormat::Png,
            "image/png",
        )
    } else {
        (
            DynamicImage::from(small.to_rgb8()),
            ImageFormat::Jpeg,
            "image/jpeg",
        )
    };
    let mut thumbnail = Cursor::new(Vec::new());
    small
        .write_to(&mut thumbnail, format)
        .map_err(|error| damaged(&error))?;
    Ok(Decoded {
        width,
        height,
        thumbnail: thumbnail.into_inner(),
        thumbnail_type,
    })
}
