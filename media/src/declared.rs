//! The type of a file, by its first bytes and by what its sender says. The bytes come first. Where several types begin alike,
//! the type that was declared decides, or else the ending of the name.

use super::sniff::{Family, FileKind, UNKNOWN, in_table, shows_itself, sniff};

/// The longest type that is believed.
const TYPE_MAX: usize = 128;

/// The types declared by programs that know none, and by browsers for an archive.
const MEANINGLESS: [&str; 6] = [
    UNKNOWN,
    "binary/octet-stream",
    "application/force-download",
    "application/x-download",
    "application/x-compressed",
    "application/x-zip-compressed",
];

/// The types of usual endings, for senders that declare none.
const ENDINGS: [(&[&str], &str); 34] = [
    (&["txt", "log"], "text/plain"),
    (&["csv"], "text/csv"),
    (&["md"], "text/markdown"),
    (&["ics"], "text/calendar"),
    (&["vcf"], "text/vcard"),
    (&["json"], "application/json"),
    (&["rtf"], "application/rtf"),
    (
        &["docx"],
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ),
    (
        &["xlsx"],
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ),
    (
        &["pptx"],
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ),
    (&["odt"], "application/vnd.oasis.opendocument.text"),
    (&["ods"], "application/vnd.oasis.opendocument.spreadsheet"),
    (&["odp"], "application/vnd.oasis.opendocument.presentation"),
    (&["epub"], "application/epub+zip"),
    (&["apk"], "application/vnd.android.package-archive"),
    (&["jar"], "application/java-archive"),
    (&["doc"], "application/msword"),
    (&["xls"], "application/vnd.ms-excel"),
    (&["ppt"], "application/vnd.ms-powerpoint"),
    (&["msg"], "application/vnd.ms-outlook"),
    (&["rar"], "application/vnd.rar"),
    (&["7z"], "application/x-7z-compressed"),
    (&["mp3"], "audio/mpeg"),
    (&["m4a", "m4b"], "audio/mp4"),
    (&["aac"], "audio/aac"),
    (&["amr"], "audio/amr"),
    (&["opus", "oga"], "audio/ogg"),
    (&["weba"], "audio/webm"),
    (&["ogv"], "video/ogg"),
    (&["webm"], "video/webm"),
    (&["mov"], "video/quicktime"),
    (&["3gp"], "video/3gpp"),
    (&["3g2"], "video/3gpp2"),
    (&["dng"], "image/x-adobe-dng"),
];

/// The media type of a file that begins like this, has this name, and was declared as this.
pub(crate) fn type_of(head: &[u8], declared: Option<&str>, name: &str) -> String {
    refined(sniff(head), declared, name)
}

/// The type of a file of this kind.
pub(super) fn refined(kind: FileKind, declared: Option<&str>, name: &str) -> String {
    let declared = declared
        .and_then(essence)
        .filter(|declared| is_of(kind, declared));
    let by_name = || {
        let content_type = by_ending(name).filter(|named| is_of(kind, named));
        content_type.map(str::to_owned)
    };
    declared
        .or_else(by_name)
        .unwrap_or_else(|| kind.content_type.to_owned())
}

/// The type without its parameters, in lower case; `None` when it is none.
fn essence(declared: &str) -> Option<String> {
    let essence = declared.split(';').next()?.trim().to_ascii_lowercase();
    let is_token = |part: &str| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte);
        !part.is_empty() && part.bytes().all(plain)
    };
    let (main, sub) = essence.split_once('/')?;
    let is_type = essence.len() <= TYPE_MAX && is_token(main) && is_token(sub);
    is_type.then_some(essence)
}

fn by_ending(name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    let ending = ending.to_ascii_lowercase();
    let row = ENDINGS
        .iter()
        .find(|(endings, _)| endings.contains(&&*ending));
    row.map(|(_, content_type)| *content_type)
}

/// Returns whether a file of this kind may be of this type. A page or a drawing with scripts is never believed, and
/// neither is a type that the first bytes would have shown.
fn is_of(kind: FileKind, content_type: &str) -> bool {
    let is = |main: &[&str]| main.iter().any(|main| content_type.starts_with(main));
    if MEANINGLESS.contains(&content_type) || is_active(content_type) {
        return false;
    }
    match kind.family {
        Family::Single => false,
        Family::Recordings => is(&["audio/", "video/"]) && content_type != "audio/mpeg",
        Family::Pictures => is(&["image/"]) && !shows_itself(content_type),
        // Its container is that of the pictures with brands.
        Family::Media => is(&["audio/", "video/", "image/"]) && !in_table(content_type),
        Family::Documents => is(&["application/"]) && !shows_itself(content_type),
        Family::Unknown => !is(&["multipart/", "message/"]) && !shows_itself(content_type),
    }
}

/// Returns whether a browser might run the content of such a file.
fn is_active(content_type: &str) -> bool {
    const ACTIVE: [&str; 5] = ["html", "xml", "script", "flash", "css"];
    let (_, sub) = content_type.split_once('/').unwrap_or_default();
    // Documents of office programs have names of several words, one of which begins so.
    !sub.starts_with("vnd.openxmlformats-") && ACTIVE.iter().any(|word| sub.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ZIP: &[u8] = b"PK\x03\x04 and so on";
    const FILM: &[u8] = b"\0\0\0\x18ftypmp42\0\0\0\0isommp42";
    const PHOTO: &[u8] = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic";
    const DOCX: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

    #[test]
    fn a_declared_type_decides_within_the_family_of_the_first_bytes() {
        for (head, declared, expected) in [
            (PHOTO, "video/mp4", "image/heic"),
            (PHOTO, "image/jpeg", "image/heic"),
            (FILM, "audio/mp4", "audio/mp4"),
            (FILM, "Audio/X-M4A; codecs=mp4a", "audio/x-m4a"),
            (FILM, "video/quicktime", "video/quicktime"),
            (FILM, "image/heic", "video/mp4"),
            (FILM, "text/csv", "video/mp4"),
            (b"\0\0\0\x10ftypnew1", "image/heic", "image/heic"),
            (b"\0\0\0\x10ftypnew1", "image/png", "video/mp4"),
            (ZIP, DOCX, DOCX),
            (ZIP, "application/epub+zip", "application/epub+zip"),
            (ZIP, "application/x-zip-compressed", "application/zip"),
            (ZIP, "application/pdf", "application/zip"),
            (ZIP, "image/png", "application/zip"),
            (
                b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
                "application/msword",
                "application/msword",
            ),
            (b"\x1a\x45\xdf\xa3", "audio/webm", "audio/webm"),
            (b"OggS", "video/ogg", "video/ogg"),
            (b"II*\0", "image/x-adobe-dng", "image/x-adobe-dng"),
            (b"II*\0", "image/png", "image/tiff"),
            (b"a;b;c", "text/csv; charset=utf-8", "text/csv"),
            (b"\xff\xfb\x90", "audio/mpeg", "audio/mpeg"),
            (b"a;b;c", "image/png", UNKNOWN),
            (b"a;b;c", "application/pdf", UNKNOWN),
            (b"%PDF-1.7", "text/plain", "application/pdf"),
        ] {
            assert_eq!(
                type_of(head, Some(declared), "file"),
                expected,
                "{declared}"
            );
        }
    }

    #[test]
    fn pages_scripts_and_what_is_no_type_are_never_believed() {
        for declared in [
            "text/html",
            "application/xhtml+xml",
            "image/svg+xml",
            "text/xml",
            "application/xml",
            "text/javascript",
            "application/ecmascript",
            "text/css",
            "application/x-shockwave-flash",
            "multipart/form-data",
            "message/rfc822",
            "text",
            "text/",
            "/csv",
            "text/c sv",
            "text/csv/x",
            "text/csv\"",
            "*/*",
            "",
        ] {
            for head in [&b"<html>"[..], b"a;b;c"] {
                assert_eq!(
                    type_of(head, Some(declared), "x.html"),
                    UNKNOWN,
                    "{declared}"
                );
            }
        }
        let long = format!("text/{}", "x".repeat(TYPE_MAX));
        assert_eq!(type_of(b"a", Some(&long), "x"), UNKNOWN);
    }

    #[test]
    fn the_ending_of_the_name_counts_where_no_type_is_declared() {
        for (head, name, expected) in [
            (ZIP, "Отчёт.DOCX", DOCX),
            (ZIP, "a.zip", "application/zip"),
            (ZIP, "a.csv", "application/zip"),
            (FILM, "song.m4a", "audio/mp4"),
            (FILM, "clip.MOV", "video/quicktime"),
            (PHOTO, "photo.mov", "image/heic"),
            (b"a;b;c", "table.csv", "text/csv"),
            (b"a;b;c", "csv", UNKNOWN),
            (b"a;b;c", "page.html", UNKNOWN),
            (b"%PDF-1.7", "a.txt", "application/pdf"),
        ] {
            for declared in [None, Some(UNKNOWN), Some("text/html")] {
                assert_eq!(type_of(head, declared, name), expected, "{name}");
            }
        }
        assert_eq!(type_of(b"a;b;c", Some("text/plain"), "a.csv"), "text/plain");
        for (_, content_type) in ENDINGS {
            assert_eq!(essence(content_type).as_deref(), Some(content_type));
            assert!(!is_active(content_type), "{content_type}");
        }
    }
}
