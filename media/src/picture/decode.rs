//! From the bytes of a picture to its thumbnail.

use std::fmt::Display;
use std::fs::File;
use std::io::{BufReader, Cursor};

use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};

use super::{
    Decoded, MEMORY_MAX, PIXELS_MAX, PictureError, SIDE_MAX, THUMBNAIL_SIDE, ThumbnailKind, jpeg,
    png,
};

/// A picture, and what its thumbnail is made of.
pub(super) struct Small {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) image: DynamicImage,
    pub(super) orientation: Orientation,
}

impl Small {
    /// The picture in the size of a thumbnail.
    pub(super) fn shrunk(mut self) -> Self {
        if self.width.max(self.height) > THUMBNAIL_SIDE {
            self.image = self.image.thumbnail(THUMBNAIL_SIDE, THUMBNAIL_SIDE);
        }
        self
    }
}

/// Decodes a picture and makes its thumbnail.
pub(super) fn decode(file: File, format: ImageFormat) -> Result<Decoded, PictureError> {
    let file = BufReader::new(file);
    let small = if format == ImageFormat::Png {
        png::decode(file)?
    } else if format == ImageFormat::Jpeg {
        jpeg::decode(file)?
    } else {
        whole(file, format)?
    };
    thumbnail(small)
}

/// Checks that a picture of these dimensions is decoded at all.
pub(super) fn check(width: u32, height: u32) -> Result<(), PictureError> {
    let pixels = u64::from(width).saturating_mul(u64::from(height));
    if width.max(height) > SIDE_MAX || pixels > PIXELS_MAX {
        return Err(PictureError::TooManyPixels { width, height });
    }
    Ok(())
}

pub(super) fn damaged(error: impl Display) -> PictureError {
    PictureError::Damaged(error.to_string())
}

/// Decodes a picture all at once.
fn whole(file: BufReader<File>, format: ImageFormat) -> Result<Small, PictureError> {
    let mut reader = ImageReader::with_format(file, format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MEMORY_MAX);
    reader.limits(limits);
    // So far only the head was read.
    let mut decoder = reader.into_decoder().map_err(damaged)?;
    let (width, height) = decoder.dimensions();
    check(width, height)?;
    if decoder.total_bytes() > MEMORY_MAX {
        return Err(PictureError::TooCostly);
    }
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let image = DynamicImage::from_decoder(decoder).map_err(damaged)?;
    Ok(Small {
        width,
        height,
        image,
        orientation,
    }
    .shrunk())
}

fn thumbnail(small: Small) -> Result<Decoded, PictureError> {
    let Small {
        width,
        height,
        mut image,
        orientation,
    } = small;
    image.apply_orientation(orientation);
    let (image, format, kind) = if image.color().has_alpha() {
        (
            DynamicImage::from(image.to_rgba8()),
            ImageFormat::Png,
            ThumbnailKind::Png,
        )
    } else {
        (
            DynamicImage::from(image.to_rgb8()),
            ImageFormat::Jpeg,
            ThumbnailKind::Jpeg,
        )
    };
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).map_err(damaged)?;
    Ok(Decoded {
        width,
        height,
        thumbnail: bytes.into_inner(),
        thumbnail_kind: kind,
    })
}
