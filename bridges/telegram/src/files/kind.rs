//! The type under which a file of a customer leaves the bridge. A browser runs nothing of it.

/// The types that a browser shows in place. None of them runs scripts; SVG, HTML and XML do, and a PDF is shown in a sandbox.
const SHOWN: [&str; 17] = [
    "image/jpeg",
    "image/png",
    "image/gif",
    "image/webp",
    "image/bmp",
    "video/mp4",
    "video/webm",
    "video/quicktime",
    "video/ogg",
    "audio/mpeg",
    "audio/mp4",
    "audio/ogg",
    "audio/aac",
    "audio/wav",
    "audio/webm",
    "audio/flac",
    "text/plain",
];
/// The types that are named and saved. Any other type is `application/octet-stream`.
const SAVED: [&str; 12] = [
    "application/pdf",
    "application/zip",
    "application/json",
    "application/msword",
    "application/vnd.ms-excel",
    "application/vnd.ms-powerpoint",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "application/x-tgsticker",
    "text/csv",
    "text/vcard",
];
const UNKNOWN: &str = "application/octet-stream";

/// A type, and whether a browser may show it in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ServedKind {
    pub(crate) media_type: &'static str,
    pub(crate) is_shown: bool,
}

impl ServedKind {
    /// Chooses by what the message says. The file itself may be anything.
    pub(crate) fn from_media_type(text: &str) -> Self {
        let essence = text.split(';').next().unwrap_or_default().trim();
        let same = |it: &&&str| it.eq_ignore_ascii_case(essence);
        if let Some(media_type) = SHOWN.iter().find(same) {
            return Self {
                media_type,
                is_shown: true,
            };
        }
        Self {
            media_type: SAVED.iter().find(same).copied().unwrap_or(UNKNOWN),
            is_shown: false,
        }
    }

    /// The header that says whether to show or to save, with the name in the form that all browsers read.
    pub(crate) fn disposition(self, name: &str) -> String {
        let word = if self.is_shown {
            "inline"
        } else {
            "attachment"
        };
        let simple: String = name
            .chars()
            .map(|it| {
                let is_simple = it.is_ascii_alphanumeric() || " ._-()".contains(it);
                if is_simple { it } else { '_' }
            })
            .collect();
        let encoded =
            percent_encoding::utf8_percent_encode(name, percent_encoding::NON_ALPHANUMERIC);
        format!("{word}; filename=\"{simple}\"; filename*=UTF-8''{encoded}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_that_runs_scripts_is_never_shown() {
        for text in [
            "text/html",
            "TEXT/HTML; charset=utf-8",
            "image/svg+xml",
            "application/xhtml+xml",
            "text/xml",
            "application/javascript",
            "",
        ] {
            let kind = ServedKind::from_media_type(text);
            assert_eq!(kind.media_type, UNKNOWN, "{text}");
            assert!(!kind.is_shown, "{text}");
        }
        assert!(ServedKind::from_media_type("Image/JPEG").is_shown);
        assert!(!ServedKind::from_media_type("application/pdf").is_shown);
    }

    #[test]
    fn a_name_cannot_add_a_header() {
        let kind = ServedKind::from_media_type("image/png");
        assert_eq!(
            kind.disposition("a\"\r\nX: ü"),
            "inline; filename=\"a___X_ _\"; filename*=UTF-8''a%22%0D%0AX%3A%20%C3%BC"
        );
    }
}
