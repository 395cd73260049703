use std::io::{Cursor, Seek, SeekFrom, Write};

use image::{DynamicImage, Rgb, RgbImage, Rgba, RgbaImage};

use super::*;

/// A file with these bytes.
fn file(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file.seek(SeekFrom::Start(0)).unwrap();
    file
}

fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

fn decoded(bytes: &[u8], format: ImageFormat) -> (Decoded, DynamicImage) {
    let decoded = decode::decode(file(bytes), format).unwrap();
    let thumbnail = image::load_from_memory(&decoded.thumbnail).unwrap();
    (decoded, thumbnail)
}

/// A picture whose upper half is red, and whose lower half is blue.
fn two_colours(width: u32, height: u32) -> DynamicImage {
    let colour = |_, y| {
        if y < height / 2 {
            Rgb([220, 30, 30])
        } else {
            Rgb([30, 30, 220])
        }
    };
    RgbImage::from_fn(width, height, colour).into()
}

fn is_near(colour: Rgba<u8>, expected: [u8; 3]) -> bool {
    let differs = |(one, other): (&u8, &u8)| one.abs_diff(*other) > 12;
    !colour.0.iter().zip(expected.iter()).any(differs)
}

#[test]
fn every_format_gets_a_thumbnail_of_its_colours() {
    let picture = two_colours(700, 350);
    for format in [
        ImageFormat::Png,
        ImageFormat::Jpeg,
        ImageFormat::Gif,
        ImageFormat::WebP,
    ] {
        let source = if format == ImageFormat::Gif {
            DynamicImage::from(picture.to_rgba8())
        } else {
            picture.clone()
        };
        let (decoded, thumbnail) = decoded(&encoded(&source, format), format);
        assert_eq!((decoded.width, decoded.height), (700, 350), "{format:?}");
        let thumbnail = thumbnail.to_rgba8();
        assert_eq!(thumbnail.dimensions(), (320, 160), "{format:?}");
        assert!(
            is_near(*thumbnail.get_pixel(160, 20), [220, 30, 30]),
            "{format:?}"
        );
        assert!(
            is_near(*thumbnail.get_pixel(160, 140), [30, 30, 220]),
            "{format:?}"
        );
    }
}

#[test]
fn each_kind_of_png_is_decoded_row_by_row() {
    let picture = two_colours(40, 20);
    let clear = RgbaImage::from_pixel(40, 20, Rgba([10, 200, 10, 100]));
    for (source, expected, kind) in [
        (picture.clone(), [220, 30, 30], ThumbnailKind::Jpeg),
        (
            picture.to_rgb16().into(),
            [220, 30, 30],
            ThumbnailKind::Jpeg,
        ),
        (
            DynamicImage::from(clear.clone()),
            [10, 200, 10],
            ThumbnailKind::Png,
        ),
        (
            DynamicImage::from(clear).to_rgba16().into(),
            [10, 200, 10],
            ThumbnailKind::Png,
        ),
        (picture.to_luma8().into(), [77, 77, 77], ThumbnailKind::Jpeg),
        (
            picture.to_luma_alpha16().into(),
            [77, 77, 77],
            ThumbnailKind::Png,
        ),
    ] {
        let (decoded, thumbnail) = decoded(&encoded(&source, ImageFormat::Png), ImageFormat::Png);
        assert_eq!(decoded.thumbnail_kind, kind, "{:?}", source.color());
        let pixel = *thumbnail.to_rgba8().get_pixel(20, 4);
        assert!(is_near(pixel, expected), "{:?}: {pixel:?}", source.color());
    }
}

#[test]
fn a_cut_off_or_oversized_picture_is_refused() {
    for format in [ImageFormat::Png, ImageFormat::Gif, ImageFormat::WebP] {
        let source = DynamicImage::from(two_colours(300, 300).to_rgba8());
        let mut bytes = encoded(&source, format);
        bytes.truncate(bytes.len() / 2);
        let result = decode::decode(file(&bytes), format);
        assert!(
            matches!(result, Err(PictureError::Damaged(_))),
            "{format:?}"
        );
    }
    assert!(matches!(
        decode::check(20_000, 1),
        Err(PictureError::TooManyPixels { .. })
    ));
    assert!(matches!(
        decode::check(8_000, 8_000),
        Err(PictureError::TooManyPixels { .. })
    ));
    assert_eq!(decode::check(7_000, 5_000), Ok(()));
}
