//! Albums: two to ten files in one call.

use serde_json::{Map, Value};

use super::media::Facts;
use super::send::caption_body;
use crate::bounds::ALBUM;
use crate::params::Params;
use crate::reply::{ApiError, Reply};
use crate::state::chat::{Author, Message};
use crate::state::desk::Desk;

/// Returns whether these kinds may stand in one album: documents and audios only among themselves.
pub(crate) fn fit_together(kinds: &[&'static str]) -> bool {
    let all = |kind: &str| kinds.iter().all(|it| *it == kind);
    let is_visual = |kind: &&str| matches!(*kind, "photo" | "video");
    all("document") || all("audio") || kinds.iter().all(is_visual)
}

/// Returns the kind of a part of an album.
pub(crate) fn kind(name: &str) -> Option<&'static str> {
    let kinds = ["photo", "video", "document", "audio"];
    kinds.into_iter().find(|kind| *kind == name)
}

/// A part of `media` as the parameters of a call of its own.
fn part(params: &Params, item: Value) -> Result<Params, ApiError> {
    let Value::Object(values) = item else {
        return Err(ApiError::bad(
            "can't parse media: expected an Array of InputMedia",
        ));
    };
    Ok(Params {
        values,
        uploads: params.uploads.clone(),
        fetched: params.fetched.clone(),
    })
}

impl Desk<'_> {
    pub(crate) fn send_album(&mut self, params: &Params) -> Reply {
        let chat = self.open_chat(params)?;
        let Some(Value::Array(items)) = params.structure("media")? else {
            return Err(ApiError::bad(
                "can't parse media: expected an Array of InputMedia",
            ));
        };
        if !ALBUM.contains(&items.len()) {
            let text = format!("an album has 2 to 10 parts, and this one {}", items.len());
            return Err(ApiError::bad(text));
        }
        if params.structure("reply_markup")?.is_some() {
            return Err(ApiError::bad("an album has no reply markup"));
        }
        let parts: Vec<Params> = items
            .into_iter()
            .map(|item| part(params, item))
            .collect::<Result<_, _>>()?;
        let kinds: Vec<&'static str> = parts
            .iter()
            .filter_map(|part| kind(&part.text("type").unwrap_or_default()))
            .collect();
        if kinds.len() < parts.len() || !fit_together(&kinds) {
            let text = "can't use the media of the specified type in the album";
            return Err(ApiError::bad(text));
        }
        let relation = self.reply(chat, params)?;
        let group = format!("{}", self.number);
        let mut bodies = Vec::new();
        for (part, kind) in parts.iter().zip(kinds) {
            let caption = caption_body(part)?;
            let source = part.text("media");
            let (kind, file) = self.file_from(part, "", kind, source.as_deref())?;
            let mut body = self.media_body(kind, &file, Facts::default())?;
            body.extend(caption);
            body.extend(relation.clone());
            body.insert("media_group_id".to_owned(), group.clone().into());
            bodies.push(body);
        }
        self.take_rate(chat, bodies.len())?;
        let mut messages = Vec::new();
        for body in bodies {
            messages.push(self.add_part(chat, body)?);
        }
        Ok(Value::Array(messages))
    }

    fn add_part(&mut self, chat: i64, body: Map<String, Value>) -> Reply {
        let message = Message::new(Author::Bot, "sendMediaGroup", self.now, body);
        let id = self.store(chat, message)?;
        Ok(self.message(chat, id))
    }
}
