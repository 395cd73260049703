//! JPEG, read from the file as it is decoded: neither the file nor its colour profile is in memory beside the pixels.

use std::io::{BufRead, Seek, SeekFrom};

use image::metadata::Orientation;
use image::{DynamicImage, GrayImage, RgbImage};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::decode::{Small, check, damaged};
use super::{PictureError, cannot_be_decoded};

pub(super) fn decode(mut file: impl BufRead + Seek) -> Result<Small, PictureError> {
    // Its dimensions are compared below; damage that people do not see is no damage.
    let options = DecoderOptions::default()
        .set_strict_mode(false)
        .set_max_width(usize::MAX)
        .set_max_height(usize::MAX);
    let mut head = JpegDecoder::new_with_options(&mut file, options);
    head.decode_headers().map_err(damaged)?;
    let (width, height) = head.dimensions().ok_or_else(cannot_be_decoded)?;
    let side = |side: usize| u32::try_from(side).unwrap_or(u32::MAX);
    let (width, height) = (side(width), side(height));
    check(width, height)?;
    let is_grey = matches!(
        head.input_colorspace(),
        Some(ColorSpace::Luma | ColorSpace::LumaA)
    );
    let exif = head
        .exif()
        .and_then(|exif| Orientation::from_exif_chunk(exif));
    drop(head);
    file.seek(SeekFrom::Start(0)).map_err(damaged)?;
    let colours = if is_grey {
        ColorSpace::Luma
    } else {
        ColorSpace::RGB
    };
    let options = options.jpeg_set_out_colorspace(colours);
    let pixels = JpegDecoder::new_with_options(file, options)
        .decode()
        .map_err(damaged)?;
    let image = if is_grey {
        GrayImage::from_raw(width, height, pixels).map(DynamicImage::from)
    } else {
        RgbImage::from_raw(width, height, pixels).map(DynamicImage::from)
    };
    Ok(Small {
        width,
        height,
        image: image.ok_or_else(cannot_be_decoded)?,
        orientation: exif.unwrap_or(Orientation::NoTransforms),
    }
    .shrunk())
}
