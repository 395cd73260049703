//! Files of account users.

use serde_json::Value;
use switchboard_bridge_core::forms::text;

use super::status::{Report, refused};
use super::{Step, call};
use crate::api::{PHOTO_MAX, UPLOAD_MAX};
use crate::words::{file_name, line, megabytes};

/// A file that goes along with a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upload {
    /// The parameter that is the file.
    pub field: &'static str,
    /// The address at the service.
    pub url: String,
    pub name: String,
    /// The size that the callback names; 0 when it is unknown.
    pub size: u64,
    /// The beginnings of the types that its content may have; empty for any.
    pub types: &'static [&'static str],
}

impl Upload {
    /// Returns the report when the content is of another type than the message says: a page about an error, for example. A type
    /// that says nothing is taken.
    #[must_use]
    pub fn refusal(&self, media_type: &str) -> Option<Report> {
        let says_nothing = matches!(media_type, "" | "application/octet-stream");
        let mut types = self.types.iter();
        let is_right = self.types.is_empty() || types.any(|it| media_type.starts_with(it));
        (!says_nothing && !is_right).then(|| {
            let short_type = line(media_type, 80);
            refused(&format!(
                "The address of the file gives something of the type «{short_type}», which is not what the message says."
            ))
        })
    }
}

/// The methods that send a file, with their parameter and the endings that they show; any ending for a document.
const METHODS: [(&str, &str, &[&str]); 5] = [
    ("sendPhoto", "photo", &["jpg", "jpeg", "png", "webp"]),
    ("sendVideo", "video", &["mp4"]),
    ("sendAudio", "audio", &["mp3", "m4a"]),
    ("sendVoice", "voice", &["ogg", "oga", "opus"]),
    (DOCUMENT, "document", &[]),
];
const DOCUMENT: &str = "sendDocument";

/// Returns whether a call has a caption.
pub(super) fn has_caption(method: &str) -> bool {
    METHODS.iter().any(|(name, _, _)| *name == method)
}

/// The call that sends a file, by the type of the message and the ending of the name.
pub(super) fn step(kind: &str, content: &Value, chat: i64) -> Result<Step, Report> {
    let ending = ending(text(content, "file_name"));
    let by_ending = || {
        let mut methods = METHODS.iter().filter(|(_, field, _)| *field != "photo");
        methods
            .find(|(_, _, endings)| endings.contains(&ending.as_str()))
            .map_or(DOCUMENT, |(name, _, _)| *name)
    };
    let (method, fallback) = match kind {
        "picture" if is_shown("sendPhoto", &ending) => ("sendPhoto", "picture.jpg"),
        "picture" | "sticker" => (DOCUMENT, "picture"),
        "video" if is_shown("sendVideo", &ending) => ("sendVideo", "video.mp4"),
        "video" => (DOCUMENT, "video"),
        "voice" | "audio" | "file" => (by_ending(), "file"),
        _ => {
            return Err(refused(&format!(
                "Telegram has no messages of the type «{}».",
                crate::words::line(kind, 40)
            )));
        }
    };
    let url = text(content, "media");
    if !url.starts_with("https://") && !url.starts_with("http://") {
        return Err(refused("The file has no address of the web."));
    }
    let upload = Upload {
        field: field(method),
        url: url.to_owned(),
        name: file_name(text(content, "file_name"), fallback),
        size: content
            .get("file_size")
            .and_then(Value::as_u64)
            .unwrap_or_default(),
        types: types(kind),
    };
    let size = upload.size;
    let step = Step {
        upload: Some(upload),
        ..call(method, chat, &[])
    };
    fit(step, size)
}

/// The beginnings of the types that the file of a message may have.
fn types(kind: &str) -> &'static [&'static str] {
    match kind {
        "picture" => &["image/"],
        "sticker" => &["image/", "video/", "application/x-tgsticker"],
        "video" => &["video/"],
        "voice" | "audio" => &["audio/", "video/", "application/ogg"],
        _ => &[],
    }
}

/// Fits a call to the real size of its file: a large picture goes as a document.
///
/// # Errors
/// When Telegram takes no file of this size.
pub fn fit(step: Step, size: u64) -> Result<Step, Report> {
    if size > UPLOAD_MAX {
        let (real, limit) = (megabytes(size), megabytes(UPLOAD_MAX));
        return Err(refused(&format!(
            "The file has {real}, and Telegram takes files of at most {limit} from a bot. Send a smaller one, or a link."
        )));
    }
    if step.method == "sendPhoto" && size > PHOTO_MAX {
        return Ok(step.as_document().unwrap_or(step));
    }
    Ok(step)
}

impl Step {
    /// The same file as a document, which Telegram takes whatever it contains; `None` when it is one, or no file.
    #[must_use]
    pub fn as_document(&self) -> Option<Self> {
        let upload = self.upload.as_ref().filter(|_| self.method != DOCUMENT)?;
        Some(Self {
            method: DOCUMENT,
            params: self.params.clone(),
            upload: Some(Upload {
                field: field(DOCUMENT),
                ..upload.clone()
            }),
        })
    }
}

fn field(method: &str) -> &'static str {
    let row = METHODS.iter().find(|(name, _, _)| *name == method);
    row.map_or("document", |(_, field, _)| *field)
}

/// Returns whether a method shows files with this ending. A file without one is tried.
fn is_shown(method: &str, ending: &str) -> bool {
    let row = METHODS.iter().find(|(name, _, _)| *name == method);
    ending.is_empty() || row.is_some_and(|(_, _, endings)| endings.contains(&ending))
}

fn ending(name: &str) -> String {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    if ending.len() <= 8 {
        ending.to_ascii_lowercase()
    } else {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn upload(kind: &str) -> Upload {
        let content = serde_json::json!({ "media": "https://x.example/a" });
        step(kind, &content, 7).unwrap().upload.unwrap()
    }

    #[test]
    fn a_page_in_place_of_a_picture_is_refused() {
        let report = upload("picture").refusal("text/html").unwrap();
        assert_eq!(report.code, 905);
        assert!(report.text.contains("«text/html»"), "{}", report.text);
        for (kind, media_type) in [
            ("picture", "image/png"),
            ("picture", "application/octet-stream"),
            ("picture", ""),
            ("voice", "application/ogg"),
            ("file", "text/html"),
        ] {
            assert_eq!(
                upload(kind).refusal(media_type),
                None,
                "{kind} {media_type}"
            );
        }
    }
}
