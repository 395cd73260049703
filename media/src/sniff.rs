//! The kind of a file by its first bytes. What its sender says counts only where they leave several types open: see
//! [`super::declared`].

mod brand;

use image::ImageFormat;

/// The number of first bytes that are compared.
pub(super) const HEAD_BYTES: usize = 64;

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileKind {
    pub(super) content_type: &'static str,
    /// The format by which it is decoded, when it is a picture that browsers show.
    pub(super) picture: Option<ImageFormat>,
    /// The family of types that it may be besides.
    pub(super) family: Family,
}

/// A family of types that begin alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// The first bytes show the type.
    Single,
    /// Recordings of sounds and films in one container.
    Recordings,
    /// Pictures in one container, such as those of cameras in TIFF.
    Pictures,
    /// The container of ISO with a brand that is not in the table: a picture or a recording.
    Media,
    /// Documents in an archive or another container of applications.
    Documents,
    /// The first bytes show nothing.
    Unknown,
}

const fn picture(content_type: &'static str, format: ImageFormat) -> FileKind {
    FileKind {
        content_type,
        picture: Some(format),
        family: Family::Single,
    }
}

const fn file(content_type: &'static str) -> FileKind {
    one_of(Family::Single, content_type)
}

const fn one_of(family: Family, content_type: &'static str) -> FileKind {
    FileKind {
        content_type,
        picture: None,
        family,
    }
}

/// The type of what is not in the table.
pub const UNKNOWN: &str = "application/octet-stream";

/// The kind of files that are not in the table. Pages and drawings with scripts (HTML, SVG) are not: they are bytes to
/// be saved.
const OTHER: FileKind = one_of(Family::Unknown, UNKNOWN);

/// The bytes at each offset, and the kind that they show; the first that fits counts.
const TABLE: [(&[(usize, &[u8])], FileKind); 21] = [
    (
        &[(0, b"\x89PNG\r\n\x1a\n")],
        picture("image/png", ImageFormat::Png),
    ),
    (
        &[(0, b"\xff\xd8\xff")],
        picture("image/jpeg", ImageFormat::Jpeg),
    ),
    (&[(0, b"GIF87a")], picture("image/gif", ImageFormat::Gif)),
    (&[(0, b"GIF89a")], picture("image/gif", ImageFormat::Gif)),
    (
        &[(0, b"RIFF"), (8, b"WEBP")],
        picture("image/webp", ImageFormat::WebP),
    ),
    (&[(0, b"RIFF"), (8, b"WAVE")], file("audio/wav")),
    (&[(0, b"RIFF"), (8, b"AVI ")], file("video/x-msvideo")),
    (&[(0, b"%PDF-")], file("application/pdf")),
    (&[(0, b"BM"), (6, b"\0\0\0\0")], file("image/bmp")),
    (&[(0, b"\0\0\0\x0cJXL \r\n\x87\n")], file("image/jxl")),
    (&[(0, b"\0\0\0\x0cjP  \r\n\x87\n")], file("image/jp2")),
    (&[(0, b"II*\0")], one_of(Family::Pictures, "image/tiff")),
    (&[(0, b"MM\0*")], one_of(Family::Pictures, "image/tiff")),
    (
        &[(0, b"PK\x03\x04")],
        one_of(Family::Documents, "application/zip"),
    ),
    (
        &[(0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")],
        one_of(Family::Documents, "application/x-ole-storage"),
    ),
    (
        &[(0, b"\x1f\x8b")],
        one_of(Family::Documents, "application/gzip"),
    ),
    (
        &[(0, b"\x1a\x45\xdf\xa3")],
        one_of(Family::Recordings, "video/x-matroska"),
    ),
    (&[(4, b"moov")], file("video/quicktime")),
    (&[(0, b"OggS")], one_of(Family::Recordings, "audio/ogg")),
    (&[(0, b"ID3")], file("audio/mpeg")),
    (&[(0, b"fLaC")], file("audio/flac")),
];

/// Returns the kind of a file that begins like this.
pub(super) fn sniff(head: &[u8]) -> FileKind {
    if let Some(kind) = brand::kind_of(head) {
        return kind;
    }
    let stands =
        |(at, bytes): &(usize, &[u8])| head.get(*at..).is_some_and(|rest| rest.starts_with(bytes));
    let row = TABLE.iter().find(|(marks, _)| marks.iter().all(stands));
    row.map_or(OTHER, |(_, kind)| *kind)
}

/// Returns whether each file of this type begins with bytes that show it: a file that begins otherwise is not of the
/// type.
pub(super) fn shows_itself(content_type: &str) -> bool {
    in_table(content_type) || brand::is_certain(content_type)
}

/// The same without the types that only a brand shows. Sounds and films of a type may begin in several ways.
pub(super) fn in_table(content_type: &str) -> bool {
    let may_vary = ["audio/", "video/"];
    !may_vary.iter().any(|main| content_type.starts_with(main))
        && TABLE
            .iter()
            .any(|(_, kind)| kind.content_type == content_type)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_with_scripts_are_served_as_plain_bytes() {
        for head in [
            "<svg onload=",
            "<?xml versio",
            "<!DOCTYPE html",
            "<html><scrip",
            "",
            "GIF8",
            "RIFF",
        ] {
            assert_eq!(sniff(head.as_bytes()), OTHER, "{head}");
        }
        assert_eq!(sniff(b"%PDF-1.7").content_type, "application/pdf");
        assert_eq!(
            sniff(b"RIFF\0\0\0\0WEBPVP8 ").picture,
            Some(ImageFormat::WebP)
        );
        assert_eq!(sniff(b"RIFF\0\0\0\0WAVEfmt ").picture, None);
        let longest = TABLE.iter().flat_map(|(marks, _)| marks.iter());
        assert!(longest.map(|(at, bytes)| at + bytes.len()).max().unwrap() <= HEAD_BYTES);
    }
}
