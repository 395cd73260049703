//! Pictures are decoded once, to know that they are whole and to make a thumbnail; one at a time, in a process of its own
//! with little memory, so that no picture costs more than that process and none ends the service.
//!
//! Dimensions are compared with the limits before anything is decoded. Accounts take turns.

mod decode;
mod jpeg;
mod png;
mod process;
mod shrink;
mod turns;

use std::fs::File;
use std::path::PathBuf;

use image::ImageFormat;
use serde::{Deserialize, Serialize};
use switchboard_actors::domain::id::AccountId;
use tokio::task::spawn_blocking;

pub use self::process::run_if_asked;
use self::turns::Turns;

/// The longest side, in pixels.
const SIDE_MAX: u32 = 16_384;
/// The most pixels: those of the cameras that people have.
const PIXELS_MAX: u64 = 40_000_000;
/// The most memory for a picture, whatever is in it: the decoder's own, its buffers and the thumbnail.
const MEMORY_MAX: u64 = 84 << 20;
/// The longest side of a thumbnail, in pixels.
const THUMBNAIL_SIDE: u32 = 320;

/// The place where pictures are decoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DecoderPlace {
    /// In a process of this program for each picture, whose memory and time are limited.
    Process,
    /// In this process: for a service inside another program, such as a test.
    #[default]
    Here,
}

impl DecoderPlace {
    /// A process of this program, if it may start itself.
    pub const fn for_program(can_start_itself: bool) -> Self {
        if can_start_itself {
            Self::Process
        } else {
            Self::Here
        }
    }
}

/// A picture that was decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decoded {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) thumbnail: Vec<u8>,
    pub(super) thumbnail_kind: ThumbnailKind,
}

/// The format of a thumbnail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum ThumbnailKind {
    /// Without transparency.
    Jpeg,
    /// With transparency.
    Png,
}

impl ThumbnailKind {
    /// The media type.
    pub(super) const fn content_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
        }
    }
}

/// The reason why a picture is not taken.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum PictureError {
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
    /// Its decoder reached the limit of memory or of time.
    #[error("decoding the picture takes more than {} MiB of memory or {} s", MEMORY_MAX >> 20, process::CPU_SECONDS)]
    TooCostly,
    /// It is broken, or none.
    #[error("the picture is damaged or incomplete: {0}")]
    Damaged(String),
    /// Too many others wait.
    #[error("too many pictures are being processed")]
    Busy,
    /// The decoder cannot be run.
    #[error("the picture decoder cannot be run: {0}")]
    NoDecoder(String),
}

/// Decodes pictures, one after the other.
pub(super) struct Pictures {
    place: DecoderPlace,
    turns: Turns,
}

impl Pictures {
    pub(super) fn new(place: DecoderPlace) -> Self {
        Self {
            place,
            turns: Turns::default(),
        }
    }

    /// The number of pictures that are decoded, or wait for their turn.
    pub(super) fn in_use(&self) -> usize {
        self.turns.in_use()
    }

    /// Decodes the picture in this file, when it is the account's turn.
    pub(super) async fn decode(
        &self,
        account: AccountId,
        path: PathBuf,
        format: ImageFormat,
    ) -> Result<Decoded, PictureError> {
        let turn = self.turns.take(account).await.ok_or(PictureError::Busy)?;
        match self.place {
            DecoderPlace::Process => process::decode(&path, format).await,
            DecoderPlace::Here => {
                // The work keeps its turn to its end, even when the caller no longer waits for it.
                let decoded = spawn_blocking(move || {
                    let decoded = open(&path).and_then(|file| decode::decode(file, format));
                    drop(turn);
                    decoded
                });
                decoded.await.map_err(|_panic| cannot_be_decoded())?
            }
        }
    }
}

fn open(path: &std::path::Path) -> Result<File, PictureError> {
    File::open(path).map_err(|error| PictureError::NoDecoder(error.to_string()))
}

/// A decoder that panics has met a picture that it cannot take.
fn cannot_be_decoded() -> PictureError {
    PictureError::Damaged("it cannot be decoded".to_owned())
}

#[cfg(test)]
mod tests;
