//! The kind of a file, determined by its first bytes. The claim of its sender is not trusted.

use image::ImageFormat;

/// How many of the first bytes are compared.
pub(super) const HEAD_BYTES: usize = 16;

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileKind {
    pub(super) content_type: &'static str,
    /// How it is decoded, when it is a picture that browsers show.
    pub(super) picture: Option<ImageFormat>,
}

const fn picture(content_type: &'static str, format: ImageFormat) -> FileKind {
    FileKind {
        content_type,
        picture: Some(format),
    }
}

const fn file(content_type: &'static str) -> FileKind {
    FileKind {
        content_type,
        picture: None,
    }
}

/// The type of what is not in the table.
pub(crate) const UNKNOWN: &str = "application/octet-stream";

/// What is not in the table. Pages and drawings with scripts (HTML, SVG) are not: they are bytes to be saved.
const OTHER: FileKind = file(UNKNOWN);

/// Where which bytes stand, and what that means; the first that fits counts.
const TABLE: [(&[(usize, &[u8])], FileKind); 11] = [
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
    (&[(0, b"%PDF-")], file("application/pdf")),
    (&[(0, b"PK\x03\x04")], file("application/zip")),
    (&[(4, b"ftyp")], file("video/mp4")),
    (&[(0, b"OggS")], file("audio/ogg")),
    (&[(0, b"ID3")], file("audio/mpeg")),
];

/// The media type of a file that begins like this.
pub(crate) fn kind_of(head: &[u8]) -> &'static str {
    sniff(head).content_type
}

/// What a file is that begins like this.
pub(super) fn sniff(head: &[u8]) -> FileKind {
    let stands =
        |(at, bytes): &(usize, &[u8])| head.get(*at..).is_some_and(|rest| rest.starts_with(bytes));
    let known = TABLE.iter().find(|(marks, _)| marks.iter().all(stands));
    known.map_or(OTHER, |(_, kind)| *kind)
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
