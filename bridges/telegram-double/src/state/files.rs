//! The files of a bot: those that people sent, and those that it uploaded.

use std::collections::BTreeMap;

use bytes::Bytes;
use serde_json::{Value, json};

use crate::bounds::{DOWNLOAD_MAX, FILE_BYTES_MAX, FILES_MAX, LINK_KEPT};
use crate::clock::Moment;
use crate::reply::{ApiError, Reply};

/// The content of a file: its bytes, or only their number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Content {
    Bytes(Bytes),
    /// So many zeros.
    Size(u64),
}

impl Content {
    pub(crate) fn len(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => u64::try_from(bytes.len()).unwrap_or(u64::MAX),
            Self::Size(size) => *size,
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct File {
    /// The kind of message that it was sent with: `photo`, `document` and others.
    pub(crate) kind: &'static str,
    pub(crate) name: Option<String>,
    pub(crate) mime_type: Option<String>,
    pub(crate) content: Content,
    number: u64,
    link_until: Option<Moment>,
}

#[derive(Debug, Default)]
pub(crate) struct Files {
    files: BTreeMap<String, File>,
    paths: BTreeMap<String, String>,
    bytes: u64,
    count: u64,
}

/// A file that a download finds.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Download {
    pub(crate) content: Content,
    pub(crate) mime_type: Option<String>,
}

impl Files {
    /// Keeps a file. Returns its id.
    pub(crate) fn add(
        &mut self,
        kind: &'static str,
        name: Option<String>,
        mime_type: Option<String>,
        content: Content,
    ) -> Result<String, ApiError> {
        let size = match &content {
            Content::Bytes(_) => content.len(),
            Content::Size(_) => 0,
        };
        if self.files.len() >= FILES_MAX || self.bytes.saturating_add(size) > FILE_BYTES_MAX {
            return Err(ApiError::full(format!(
                "a bot has at most {FILES_MAX} files and {FILE_BYTES_MAX} bytes of them"
            )));
        }
        self.bytes += size;
        self.count += 1;
        let number = self.count;
        let id = format!("double-{kind}-{number}");
        let file = File {
            kind,
            name,
            mime_type,
            content,
            number,
            link_until: None,
        };
        self.files.insert(id.clone(), file);
        Ok(id)
    }

    pub(crate) fn get(&self, id: &str) -> Result<&File, ApiError> {
        let missing = || ApiError::bad("wrong file_id or the file is temporarily unavailable");
        self.files.get(id).ok_or_else(missing)
    }

    /// Answers `getFile`, and makes the link good for an hour.
    pub(crate) fn link(&mut self, id: &str, now: Moment) -> Reply {
        let json = self.get(id)?.json(id);
        let Some(file) = self.files.get_mut(id) else {
            return Err(ApiError::not_found());
        };
        if file.content.len() > DOWNLOAD_MAX {
            return Err(ApiError::bad("file is too big"));
        }
        let path = file.path();
        file.link_until = Some(now.saturating_add(LINK_KEPT));
        self.paths.insert(path.clone(), id.to_owned());
        let mut json = json;
        if let Some(fields) = json.as_object_mut() {
            fields.insert("file_path".to_owned(), path.into());
        }
        Ok(json)
    }

    /// Finds a picture that browsers show, with its type by its first bytes.
    pub(crate) fn picture(&self, id: &str) -> Option<(Bytes, &'static str)> {
        let Content::Bytes(bytes) = &self.get(id).ok()?.content else {
            return None;
        };
        let kind = match bytes.get(..12)? {
            [0x89, b'P', b'N', b'G', ..] => "image/png",
            [0xff, 0xd8, 0xff, ..] => "image/jpeg",
            [b'G', b'I', b'F', b'8', ..] => "image/gif",
            [b'R', b'I', b'F', b'F', .., b'W', b'E', b'B', b'P'] => "image/webp",
            _ => return None,
        };
        Some((Bytes::clone(bytes), kind))
    }

    /// Finds a file by the path of its link.
    pub(crate) fn download(&self, path: &str, now: Moment) -> Result<Download, ApiError> {
        let file = self.paths.get(path).and_then(|id| self.files.get(id));
        let is_good = |file: &&File| file.link_until.is_some_and(|until| now < until);
        let file = file.filter(is_good).ok_or_else(ApiError::not_found)?;
        Ok(Download {
            content: file.content.clone(),
            mime_type: file.mime_type.clone(),
        })
    }
}

impl File {
    /// The path of its link: the name that it had is lost, as with Telegram.
    fn path(&self) -> String {
        let name = self.name.as_deref().unwrap_or_default();
        let letters = |ending: &&str| {
            ending.len() <= 5 && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        let own = name
            .rsplit_once('.')
            .map(|(_, ending)| ending)
            .filter(letters);
        let usual = match self.kind {
            "photo" => "jpg",
            "video" | "video_note" | "animation" => "mp4",
            "audio" => "mp3",
            "voice" => "oga",
            "sticker" => "webp",
            _ => "bin",
        };
        let ending = own.unwrap_or(usual);
        format!("{}s/file_{}.{ending}", self.kind, self.number)
    }

    pub(crate) fn json(&self, id: &str) -> Value {
        json!({
            "file_id": id,
            "file_unique_id": format!("unique-{}", self.number),
            "file_size": self.content.len(),
        })
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::{Content, Files};
    use crate::bounds::{DOWNLOAD_MAX, HOUR};

    #[test]
    fn a_link_is_good_for_an_hour_of_the_clock() {
        let mut files = Files::default();
        let content = Content::Bytes(Bytes::from_static(b"abc"));
        let Ok(id) = files.add(
            "document",
            Some("../a.pdf".to_owned()),
            None,
            content.clone(),
        ) else {
            unreachable!("there is place")
        };
        assert!(files.download("documents/file_1.pdf", 0).is_err());
        let answer = files.link(&id, 0).unwrap_or_default();
        assert_eq!(answer["file_path"], "documents/file_1.pdf");
        assert_eq!(answer["file_size"], 3);
        let download = files.download("documents/file_1.pdf", HOUR - 1);
        assert_eq!(download.map(|it| it.content), Ok(content));
        assert!(files.download("documents/file_1.pdf", HOUR).is_err());
    }

    #[test]
    fn a_file_over_20_mb_is_too_big() {
        let mut files = Files::default();
        for (size, outcome) in [(DOWNLOAD_MAX, true), (DOWNLOAD_MAX + 1, false)] {
            let id = files.add("video", None, None, Content::Size(size));
            let answer = id.and_then(|id| files.link(&id, 0));
            assert_eq!(answer.is_ok(), outcome, "{size}");
        }
        let error = files.link("unknown", 0).err();
        assert!(error.is_some_and(|it| it.description.contains("wrong file_id")));
    }
}
