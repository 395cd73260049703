//! Files in messages: uploads, addresses, and files that the bot knows.

use bytes::Bytes;
use serde_json::{Map, Value, json};

use super::send::caption_body;
use crate::bounds::{FILE_BY_URL_MAX, PHOTO_BY_URL_MAX, PHOTO_MAX, UPLOAD_MAX};
use crate::params::{Params, Upload};
use crate::reply::{ApiError, Reply};
use crate::state::desk::Desk;
use crate::state::files::{Content, File};

/// The facts about a file besides its content.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Facts {
    pub(crate) name: Option<String>,
    pub(crate) mime_type: Option<String>,
    pub(crate) width: i64,
    pub(crate) height: i64,
    pub(crate) duration: i64,
    pub(crate) performer: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) emoji: Option<String>,
}

/// The names of the methods, as Telegram spells them.
fn spelling(method: &str) -> &'static str {
    match method {
        "sendphoto" => "sendPhoto",
        "senddocument" => "sendDocument",
        "sendvideo" => "sendVideo",
        "sendaudio" => "sendAudio",
        "sendvoice" => "sendVoice",
        "sendvideonote" => "sendVideoNote",
        "sendsticker" => "sendSticker",
        _ => "sendAnimation",
    }
}

/// Returns whether Telegram plays it as a voice: OGG with Opus, MP3 or M4A.
fn is_voice(upload: &Upload) -> bool {
    let kind = upload.mime_type.as_deref().unwrap_or_default();
    let name = upload.name.to_ascii_lowercase();
    let endings = [".ogg", ".oga", ".opus", ".mp3", ".m4a"];
    let types = [
        "audio/ogg",
        "audio/mpeg",
        "audio/mp4",
        "audio/x-m4a",
        "audio/opus",
    ];
    types.contains(&kind) || endings.iter().any(|ending| name.ends_with(ending))
}

impl Desk<'_> {
    pub(crate) fn send_media(
        &mut self,
        method: &str,
        kind: &'static str,
        params: &Params,
    ) -> Reply {
        let chat = self.open_chat(params)?;
        let caption = match kind {
            "sticker" | "video_note" => Map::new(),
            _ => caption_body(params)?,
        };
        let facts = facts(params)?;
        let source = params.text(kind);
        let (kind, file) = self.file_from(params, kind, kind, source.as_deref())?;
        let mut body = self.media_body(kind, &file, facts)?;
        body.extend(caption);
        self.send(spelling(method), chat, body, params)
    }

    /// Finds or keeps the file of a field. Returns its kind, which a voice of another type changes, and its id.
    pub(crate) fn file_from(
        &mut self,
        params: &Params,
        field: &str,
        kind: &'static str,
        source: Option<&str>,
    ) -> Result<(&'static str, String), ApiError> {
        let source = source.unwrap_or_default();
        let part = source.strip_prefix("attach://").unwrap_or(field);
        if let Some(upload) = params.uploads.get(part) {
            let is_other = kind == "voice" && !is_voice(upload);
            let kind = if is_other { "document" } else { kind };
            let most = if kind == "photo" {
                PHOTO_MAX
            } else {
                UPLOAD_MAX
            };
            check_size(upload, kind, most, UPLOAD_MAX)?;
            return Ok((kind, self.keep(kind, upload)?));
        }
        if source.is_empty() || source.starts_with("attach://") {
            return Err(ApiError::bad(format!("there is no {kind} in the request")));
        }
        if source.starts_with("http://") || source.starts_with("https://") {
            let missing = || ApiError::bad("failed to get HTTP URL content");
            let upload = params.fetched.get(source).ok_or_else(missing)?.clone()?;
            let most = if kind == "photo" {
                PHOTO_BY_URL_MAX
            } else {
                FILE_BY_URL_MAX
            };
            check_size(&upload, kind, most, FILE_BY_URL_MAX)?;
            return Ok((kind, self.keep(kind, &upload)?));
        }
        let file = self.bot.files.get(source)?;
        if file.kind != kind {
            let text = format!("can't use file of type {} as {kind}", file.kind);
            return Err(ApiError::bad(text));
        }
        Ok((kind, source.to_owned()))
    }

    fn keep(&mut self, kind: &'static str, upload: &Upload) -> Result<String, ApiError> {
        let name = Some(upload.name.clone()).filter(|name| !name.is_empty());
        let content = Content::Bytes(Bytes::clone(&upload.bytes));
        self.bot
            .files
            .add(kind, name, upload.mime_type.clone(), content)
    }

    /// Returns the fields of a message with a file.
    pub(crate) fn media_body(
        &mut self,
        kind: &'static str,
        id: &str,
        facts: Facts,
    ) -> Result<Map<String, Value>, ApiError> {
        let file = self.bot.files.get(id)?.clone();
        let width = if facts.width > 0 { facts.width } else { 640 };
        let height = if facts.height > 0 { facts.height } else { 480 };
        let mut json = file.json(id);
        if let Some(fields) = json.as_object_mut() {
            if matches!(kind, "photo" | "video" | "animation") {
                fields.insert("width".to_owned(), width.into());
                fields.insert("height".to_owned(), height.into());
            }
            fields.extend(details(kind, &file, facts));
        }
        let mut body = Map::new();
        match kind {
            "photo" => {
                let small = Content::Size(file.content.len().min(1_500));
                let id = self.bot.files.add("photo", None, None, small)?;
                let mut thumbnail = self.bot.files.get(&id)?.json(&id);
                if let Some(fields) = thumbnail.as_object_mut() {
                    fields.insert("width".to_owned(), (width / 7).max(1).into());
                    fields.insert("height".to_owned(), (height / 7).max(1).into());
                }
                body.insert(kind.to_owned(), json!([thumbnail, json]));
            }
            "animation" => {
                body.insert("document".to_owned(), json.clone());
                body.insert(kind.to_owned(), json);
            }
            _ => {
                body.insert(kind.to_owned(), json);
            }
        }
        Ok(body)
    }
}

/// Returns the fields of a file that depend on its kind, besides its sides.
fn details(kind: &str, file: &File, facts: Facts) -> Map<String, Value> {
    let mut fields = Map::new();
    let mut add = |name: &str, value: Value| fields.insert(name.to_owned(), value);
    if kind == "sticker" {
        add("width", 512.into());
        add("height", 512.into());
        add("type", "regular".into());
        add("is_animated", false.into());
        add("is_video", false.into());
    }
    if kind == "video_note" {
        add("length", 240.into());
    }
    if matches!(
        kind,
        "video" | "animation" | "audio" | "voice" | "video_note"
    ) {
        add("duration", facts.duration.max(1).into());
    }
    if matches!(kind, "document" | "video" | "audio" | "animation") {
        let name = file.name.clone().or(facts.name);
        add(
            "file_name",
            name.unwrap_or_else(|| format!("{kind}.bin")).into(),
        );
    }
    let usual = match kind {
        "voice" => Some("audio/ogg"),
        "audio" => Some("audio/mpeg"),
        "video" | "animation" => Some("video/mp4"),
        "document" => Some("application/octet-stream"),
        _ => None,
    };
    if let Some(usual) = usual {
        let mime_type = file.mime_type.clone().or(facts.mime_type);
        add(
            "mime_type",
            mime_type.unwrap_or_else(|| usual.to_owned()).into(),
        );
    }
    let texts = [
        ("performer", facts.performer, "audio"),
        ("title", facts.title, "audio"),
        ("emoji", facts.emoji, "sticker"),
    ];
    for (name, text, of_kind) in texts {
        if let Some(text) = text.filter(|_| kind == of_kind) {
            add(name, text.into());
        }
    }
    fields
}

fn check_size(upload: &Upload, kind: &str, most: usize, hard: usize) -> Result<(), ApiError> {
    let size = upload.bytes.len();
    if size == 0 {
        return Err(ApiError::bad("file must be non-empty"));
    }
    if size > hard {
        return Err(ApiError::too_large());
    }
    if size > most {
        let text = format!(
            "file of size {size} bytes is too big for a {kind}; the maximum size is {most} bytes"
        );
        return Err(ApiError::bad(text));
    }
    Ok(())
}

fn facts(params: &Params) -> Result<Facts, ApiError> {
    let number = |name: &str| params.integer(name).map(Option::unwrap_or_default);
    Ok(Facts {
        name: None,
        mime_type: None,
        width: number("width")?,
        height: number("height")?,
        duration: number("duration")?,
        performer: params.text("performer"),
        title: params.text("title"),
        emoji: params.text("emoji"),
    })
}
