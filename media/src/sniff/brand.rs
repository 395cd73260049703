//! The container of ISO (`ftyp`), which has pictures of phones, sounds and films: each has a brand of its own.

use super::{Family, FileKind, file, one_of};

/// The types of major brands. What is not here begins a file of an unknown kind.
const BRANDS: [(&[&[u8; 4]], FileKind); 12] = [
    (&[b"heic", b"heix", b"heim", b"heis"], file("image/heic")),
    (
        &[b"hevc", b"hevx", b"hevm", b"hevs"],
        file("image/heic-sequence"),
    ),
    (&[b"avif", b"avis"], file("image/avif")),
    (&[b"mif1", b"mif2"], file("image/heif")),
    (&[b"msf1"], file("image/heif-sequence")),
    (&[b"crx "], file("image/x-canon-cr3")),
    (
        &[b"M4A ", b"M4B ", b"M4P ", b"F4A ", b"F4B "],
        file("audio/mp4"),
    ),
    (&[b"qt  "], file("video/quicktime")),
    (
        &[
            b"3gp1", b"3gp2", b"3gp3", b"3gp4", b"3gp5", b"3gp6", b"3gp7", b"3gp8", b"3gp9",
            b"3ge6", b"3ge7", b"3ge9", b"3gg6", b"3gg9", b"3gr6", b"3gr9", b"3gs6", b"3gs7",
            b"3gs9", b"3gh9", b"3gm9", b"3gt9",
        ],
        one_of(Family::Recordings, "video/3gpp"),
    ),
    (
        &[b"3g2a", b"3g2b", b"3g2c", b"KDDI"],
        one_of(Family::Recordings, "video/3gpp2"),
    ),
    (&[b"jp2 ", b"jpm ", b"jpx "], file("image/jp2")),
    (
        &[
            b"isom", b"iso2", b"iso3", b"iso4", b"iso5", b"iso6", b"iso7", b"iso8", b"iso9",
            b"mp41", b"mp42", b"mp71", b"avc1", b"av01", b"hvc1", b"dash", b"MSNV", b"M4V ",
            b"M4VH", b"M4VP", b"F4V ", b"mmp4", b"XAVC",
        ],
        one_of(Family::Recordings, "video/mp4"),
    ),
];

/// A brand that is not in the table; most of them are films.
const OTHER: FileKind = one_of(Family::Media, "video/mp4");

/// Returns the kind of a file of this container; `None` for other files.
pub(super) fn kind_of(head: &[u8]) -> Option<FileKind> {
    let (length, rest) = head.split_first_chunk::<4>()?;
    let brands = rest.strip_prefix(b"ftyp")?;
    let (major, others) = brands.split_first_chunk::<4>()?;
    let of = |brand: &[u8; 4]| {
        let row = BRANDS.iter().find(|(names, _)| names.contains(&brand));
        row.map(|(_, kind)| *kind)
    };
    let kind = of(major).unwrap_or(OTHER);
    // A brand of pictures in general, or of nothing that is known: the compatible ones say more.
    let is_better = |other: &FileKind| match kind.content_type {
        _ if kind == OTHER => other.content_type != OTHER.content_type,
        "image/heif" | "image/heif-sequence" => {
            matches!(
                other.content_type,
                "image/heic" | "image/heic-sequence" | "image/avif"
            )
        }
        _ => false,
    };
    let end = usize::try_from(u32::from_be_bytes(*length)).unwrap_or(usize::MAX);
    let compatible = others.get(4..).unwrap_or_default();
    let within = compatible.get(..end.saturating_sub(16));
    let (compatible, _) = within.unwrap_or(compatible).as_chunks::<4>();
    let better = compatible.iter().filter_map(of).find(is_better);
    Some(better.unwrap_or(kind))
}

/// Returns whether each picture of this type has a brand that shows it.
pub(super) fn is_certain(content_type: &str) -> bool {
    content_type.starts_with("image/")
        && BRANDS
            .iter()
            .any(|(_, kind)| kind.content_type == content_type)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content_type(brands: &[&[u8; 4]]) -> &'static str {
        let (major, compatible) = brands.split_first().unwrap();
        let mut head = u32::try_from(16 + 4 * compatible.len())
            .unwrap()
            .to_be_bytes()
            .to_vec();
        head.extend_from_slice(b"ftyp");
        head.extend_from_slice(*major);
        head.extend_from_slice(&[0; 4]);
        for brand in compatible {
            head.extend_from_slice(*brand);
        }
        // Behind the box something else begins.
        head.extend_from_slice(b"avifheic");
        kind_of(&head).unwrap().content_type
    }

    #[test]
    fn the_brand_of_a_container_decides() {
        let cases: [(&[&[u8; 4]], &str); 18] = [
            (&[b"heic", b"mif1", b"heic"], "image/heic"),
            (&[b"heix"], "image/heic"),
            (&[b"hevc", b"msf1"], "image/heic-sequence"),
            (&[b"mif1"], "image/heif"),
            (&[b"mif1", b"heic"], "image/heic"),
            (&[b"mif1", b"miaf", b"avif"], "image/avif"),
            (&[b"avif", b"mif1"], "image/avif"),
            (&[b"avis"], "image/avif"),
            (&[b"M4A ", b"mp42", b"isom"], "audio/mp4"),
            (&[b"M4B "], "audio/mp4"),
            (&[b"qt  "], "video/quicktime"),
            (&[b"3gp4", b"isom"], "video/3gpp"),
            (&[b"3g2a"], "video/3gpp2"),
            (&[b"isom", b"heic"], "video/mp4"),
            (&[b"mp42", b"M4A "], "video/mp4"),
            (&[b"M4V "], "video/mp4"),
            (&[b"xxxx"], "video/mp4"),
            (&[b"xxxx", b"M4A "], "audio/mp4"),
        ];
        for (brands, expected) in cases {
            assert_eq!(content_type(brands), expected, "{brands:?}");
        }
    }

    #[test]
    fn a_head_that_ends_early_is_read_as_far_as_it_goes() {
        let whole = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic";
        assert_eq!(kind_of(whole).unwrap().content_type, "image/heic");
        for end in 0..12 {
            assert_eq!(kind_of(&whole[..end]), None, "{end}");
        }
        for end in 12..whole.len() {
            assert_eq!(kind_of(&whole[..end]).unwrap().content_type, "image/heic");
        }
        let endless = b"\xff\xff\xff\xffftypmif1\0\0\0\0avi";
        assert_eq!(kind_of(endless).unwrap().content_type, "image/heif");
    }
}
