//! A thumbnail that is made from rows as they come, in any order, so that the whole picture is never in memory.
//!
//! Each pixel of the thumbnail is the average of up to four columns and four rows of its part of the picture.

use image::{DynamicImage, RgbImage, RgbaImage};

use super::THUMBNAIL_SIDE;

/// The largest number of columns and of rows that make a pixel of the thumbnail.
const SAMPLES: u64 = 4;

/// The sums of the samples of a pixel: colours times opacity, opacity, and their number.
#[derive(Clone, Copy, Default)]
struct Sums {
    colours: [u32; 3],
    opacity: u32,
    count: u32,
}

/// The place of a row of pixels in the picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowPlace {
    /// The row of the picture.
    pub(super) y: u32,
    /// The column of its first pixel.
    pub(super) x: u32,
    /// The number of columns from each pixel to the next.
    pub(super) step: u32,
}

/// A thumbnail in the making.
pub(super) struct Shrinker {
    width: u32,
    height: u32,
    /// For each column of the picture, which one of the thumbnail it counts for.
    columns: Vec<Option<u32>>,
    rows: Vec<Option<u32>>,
    sums: Vec<Sums>,
}

impl Shrinker {
    pub(super) fn new(width: u32, height: u32) -> Self {
        let (small_width, small_height) = fit(width, height);
        let pixels = u64::from(small_width).saturating_mul(u64::from(small_height));
        Self {
            width: small_width,
            height: small_height,
            columns: sampled(width, small_width),
            rows: sampled(height, small_height),
            sums: vec![Sums::default(); usize::try_from(pixels).unwrap_or(0)],
        }
    }

    /// Takes in a row of pixels of one to four bytes each: grey or colours, and opacity where the number is even.
    pub(super) fn add(&mut self, place: RowPlace, row: &[u8], samples: usize) {
        let rows = usize::try_from(place.y).ok().and_then(|y| self.rows.get(y));
        let Some(small_y) = rows.copied().flatten() else {
            return;
        };
        let mut x = place.x;
        for pixel in row.chunks_exact(samples.max(1)) {
            let column = usize::try_from(x).ok().and_then(|x| self.columns.get(x));
            x = x.saturating_add(place.step);
            let Some(small_x) = column.copied().flatten() else {
                continue;
            };
            let index = u64::from(small_y)
                .saturating_mul(u64::from(self.width))
                .saturating_add(u64::from(small_x));
            let sums = usize::try_from(index)
                .ok()
                .and_then(|at| self.sums.get_mut(at));
            if let Some(sums) = sums {
                sums.add(pixel);
            }
        }
    }

    /// The thumbnail of what was taken in.
    pub(super) fn finish(self, has_opacity: bool) -> Option<DynamicImage> {
        let (width, height) = (self.width, self.height);
        if has_opacity {
            let bytes = self.sums.iter().flat_map(Sums::rgba).collect();
            RgbaImage::from_raw(width, height, bytes).map(DynamicImage::from)
        } else {
            let rgb = |sums: &Sums| {
                let [red, green, blue, _] = sums.rgba();
                [red, green, blue]
            };
            let bytes = self.sums.iter().flat_map(rgb).collect();
            RgbImage::from_raw(width, height, bytes).map(DynamicImage::from)
        }
    }
}

impl Sums {
    fn add(&mut self, pixel: &[u8]) {
        let (colours, opacity) = match *pixel {
            [grey] => ([grey; 3], u8::MAX),
            [grey, opacity] => ([grey; 3], opacity),
            [red, green, blue] => ([red, green, blue], u8::MAX),
            [red, green, blue, opacity] => ([red, green, blue], opacity),
            _ => return,
        };
        for (sum, colour) in self.colours.iter_mut().zip(colours) {
            *sum = sum.saturating_add(u32::from(colour).saturating_mul(u32::from(opacity)));
        }
        self.opacity = self.opacity.saturating_add(u32::from(opacity));
        self.count = self.count.saturating_add(1);
    }

    fn rgba(&self) -> [u8; 4] {
        let mean = |sum: u32, count: u32| {
            let half = count / 2;
            let mean = sum.saturating_add(half).checked_div(count).unwrap_or(0);
            u8::try_from(mean).unwrap_or(u8::MAX)
        };
        let [red, green, blue] = self.colours.map(|sum| mean(sum, self.opacity));
        [red, green, blue, mean(self.opacity, self.count)]
    }
}

/// The dimensions of a thumbnail: in proportion, at least one pixel each, never larger than the picture.
fn fit(width: u32, height: u32) -> (u32, u32) {
    let longest = width.max(height);
    if longest <= THUMBNAIL_SIDE {
        return (width, height);
    }
    let scaled = |side: u32| {
        let scaled = u64::from(side)
            .saturating_mul(u64::from(THUMBNAIL_SIDE))
            .saturating_add(u64::from(longest / 2))
            / u64::from(longest);
        u32::try_from(scaled).unwrap_or(THUMBNAIL_SIDE).max(1)
    };
    (scaled(width), scaled(height))
}

/// For each line of `side`, which one of `small` it counts for; `None` for those that are passed over.
fn sampled(side: u32, small: u32) -> Vec<Option<u32>> {
    let mut lines = vec![None; usize::try_from(side).unwrap_or(0)];
    for target in 0..small {
        for sample in 0..SAMPLES {
            let share = u64::from(target)
                .saturating_mul(SAMPLES)
                .saturating_add(sample);
            let all = u64::from(small).saturating_mul(SAMPLES).max(1);
            let place = share.saturating_mul(u64::from(side)) / all;
            let line = usize::try_from(place)
                .ok()
                .and_then(|place| lines.get_mut(place));
            if let Some(line) = line {
                *line = Some(target);
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thumbnail_keeps_proportions_and_never_grows() {
        assert_eq!(fit(4, 4), (4, 4));
        assert_eq!(fit(640, 480), (320, 240));
        assert_eq!(fit(5_600, 5_600), (320, 320));
        assert_eq!(fit(16_000, 10), (320, 1));
    }

    #[test]
    fn every_pixel_of_a_thumbnail_has_samples_of_its_own_part() {
        for side in [1, 5, 319, 320, 321, 1_000, 16_384] {
            let small = side.min(THUMBNAIL_SIDE);
            let lines = sampled(side, small);
            for target in 0..small {
                let count = lines.iter().filter(|line| **line == Some(target)).count();
                assert!((1..=4).contains(&count), "{side}: {target} has {count}");
            }
            let order: Vec<_> = lines.iter().flatten().collect();
            assert!(order.is_sorted());
        }
    }

    #[test]
    fn transparent_pixels_lend_no_colour() {
        let mut shrinker = Shrinker::new(640, 1);
        let row = [255, 0, 0, 255, 0, 255, 0, 0].repeat(320);
        let place = RowPlace {
            y: 0,
            x: 0,
            step: 1,
        };
        shrinker.add(place, &row, 4);
        let small = shrinker.finish(true).unwrap().into_rgba8();
        assert_eq!(small.dimensions(), (320, 1));
        assert!(small.pixels().all(|pixel| pixel.0 == [255, 0, 0, 128]));
    }
}
