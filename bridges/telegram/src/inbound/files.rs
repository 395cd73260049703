//! The files of messages.

use crate::api::types::{File, Message};
use crate::words::file_name;

/// The longest id of a file, in bytes.
const ID_MAX: usize = 512;

/// The kind of a file, as the service shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    Picture,
    Video,
    Audio,
    Voice,
    Sticker,
    File,
}

impl FileKind {
    /// The type of the message.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Picture => "picture",
            Self::Video => "video",
            Self::Audio => "audio",
            Self::Voice => "voice",
            Self::Sticker => "sticker",
            Self::File => "file",
        }
    }
}

/// A file at Telegram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRef {
    /// The id by which the bot fetches it.
    pub file_id: String,
    pub name: String,
    /// In bytes; `None` when Telegram does not say it.
    pub size: Option<u64>,
    pub kind: FileKind,
    /// The type that the sender's program gave it; empty when there is none.
    pub mime: String,
}

/// The file of a message; `None` when it has none.
///
/// An animation is also a document, so it comes first.
pub(super) fn file(message: &Message, file_max: u64) -> Option<FileRef> {
    if let Some(file) = &message.animation {
        let (kind, name) = if file.mime_type == "image/gif" {
            (FileKind::Picture, "animation.gif")
        } else {
            (FileKind::Video, "animation.mp4")
        };
        return reference(file, kind, name, "video/mp4");
    }
    if !message.photo.is_empty() {
        let picture = largest(&message.photo, file_max)?;
        return reference(picture, FileKind::Picture, "photo.jpg", "image/jpeg");
    }
    let kinds = [
        (&message.document, FileKind::File, "file", ""),
        (&message.video, FileKind::Video, "video.mp4", "video/mp4"),
        (&message.audio, FileKind::Audio, "audio.mp3", "audio/mpeg"),
        (&message.voice, FileKind::Voice, "voice.ogg", "audio/ogg"),
        (
            &message.video_note,
            FileKind::Video,
            "video-note.mp4",
            "video/mp4",
        ),
    ];
    for (file, kind, name, mime) in kinds {
        if let Some(file) = file {
            return reference(file, kind, name, mime);
        }
    }
    sticker(message.sticker.as_ref()?)
}

/// The largest size of a picture that can be fetched; the smallest when none can.
fn largest(sizes: &[File], file_max: u64) -> Option<&File> {
    let area = |it: &&File| (it.width.saturating_mul(it.height), it.file_size);
    let fitting = sizes
        .iter()
        .filter(|it| it.file_size.is_none_or(|size| size <= file_max));
    fitting
        .max_by_key(area)
        .or_else(|| sizes.iter().min_by_key(area))
}

/// The picture of a sticker. One that moves is no picture, but has one.
fn sticker(sticker: &File) -> Option<FileRef> {
    if sticker.is_animated || sticker.is_video {
        let thumbnail = sticker.thumbnail.as_ref()?;
        return reference(thumbnail, FileKind::Sticker, "sticker.webp", "");
    }
    reference(sticker, FileKind::Sticker, "sticker.webp", "image/webp")
}

fn reference(file: &File, kind: FileKind, fallback: &str, usual: &str) -> Option<FileRef> {
    let is_id = (1..=ID_MAX).contains(&file.file_id.len())
        && file.file_id.bytes().all(|it| it.is_ascii_graphic());
    is_id.then(|| FileRef {
        file_id: file.file_id.clone(),
        name: file_name(&file.file_name, fallback),
        size: file.file_size,
        kind,
        mime: media_type(&file.mime_type, usual),
    })
}

fn media_type(text: &str, usual: &str) -> String {
    let is_type =
        text.len() <= 100 && text.contains('/') && text.bytes().all(|it| it.is_ascii_graphic());
    if is_type { text } else { usual }.to_owned()
}
