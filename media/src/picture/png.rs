//! PNG, row by row: the memory does not depend on the height, and colour profiles and texts are not unpacked.

use std::io::{BufRead, Seek};

use image::DynamicImage;
use image::metadata::Orientation;
use png::{Decoder, Limits, Transformations};

use super::decode::{Small, check, damaged};
use super::shrink::{RowPlace, Shrinker};
use super::{MEMORY_MAX, PictureError};

/// The most memory of the decoder beside one row: chunks such as that of the camera's notes.
const CHUNKS_MAX: u64 = MEMORY_MAX / 8;

/// The first column, the distance of columns, the first row and the distance of rows of each pass of an interlaced picture.
const PASSES: [[u32; 4]; 7] = [
    [0, 8, 0, 8],
    [4, 8, 0, 8],
    [0, 4, 4, 8],
    [2, 4, 0, 4],
    [0, 2, 2, 4],
    [1, 2, 0, 2],
    [0, 1, 1, 2],
];

pub(super) fn decode(file: impl BufRead + Seek) -> Result<Small, PictureError> {
    let bytes = usize::try_from(CHUNKS_MAX).unwrap_or(usize::MAX);
    let mut decoder = Decoder::new_with_limits(file, Limits { bytes });
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_ignore_text_chunk(true);
    decoder.set_transformations(Transformations::normalize_to_color8());
    let head = decoder.read_header_info().map_err(damaged)?;
    let (width, height, is_interlaced) = (head.width, head.height, head.interlaced);
    check(width, height)?;
    let mut reader = decoder.read_info().map_err(damaged)?;
    let samples = reader.output_color_type().0.samples();
    let exif = reader.info().exif_metadata.as_deref();
    let orientation = exif.and_then(Orientation::from_exif_chunk);
    let mut shrinker = Shrinker::new(width, height);
    let mut places = places(width, height, is_interlaced);
    while let Some(row) = reader.next_row().map_err(damaged)? {
        if let Some(place) = places.next() {
            shrinker.add(place, row.data(), samples);
        }
    }
    let image = shrinker.finish(samples % 2 == 0);
    Ok(Small {
        width,
        height,
        image: image.unwrap_or_else(|| DynamicImage::new_rgb8(1, 1)),
        orientation: orientation.unwrap_or(Orientation::NoTransforms),
    })
}

/// Returns the places of a picture's rows, in the order in which they come.
fn places(width: u32, height: u32, is_interlaced: bool) -> Box<dyn Iterator<Item = RowPlace>> {
    let whole = |y| RowPlace { y, x: 0, step: 1 };
    if !is_interlaced {
        return Box::new((0..height).map(whole));
    }
    let of_pass = move |[x, step, first, distance]: [u32; 4]| {
        let rows = if x < width { height } else { 0 };
        let distance = usize::try_from(distance).unwrap_or(1);
        (first..rows.max(first))
            .step_by(distance)
            .map(move |y| RowPlace { y, x, step })
    };
    Box::new(PASSES.into_iter().flat_map(of_pass))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_passes_of_an_interlaced_picture_meet_each_pixel_once() {
        for (width, height) in [(1, 1), (3, 2), (5, 9), (8, 8), (17, 33)] {
            let mut pixels = std::collections::BTreeSet::new();
            for place in places(width, height, true) {
                let mut x = place.x;
                while x < width {
                    assert!(place.y < height && pixels.insert((x, place.y)));
                    x += place.step;
                }
            }
            assert_eq!(pixels.len(), usize::try_from(width * height).unwrap());
        }
    }
}
