//! What people send: texts, files, places, contacts and albums.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde_json::{Map, Value, json};

use super::registry::check_name;
use super::shown;
use crate::bounds::{ALBUM, CAPTION_MAX, NAME_MAX, SENT_FILE_MAX, TEXT_MAX};
use crate::clock::Moment;
use crate::orders::{
    Album, AlbumSaid, Attachment, Contact, Item, OrderError, Problems, Said, Say, ShareContact,
};
use crate::state::Machine;
use crate::state::calls::album::fit_together;
use crate::state::desk::Desk;
use crate::state::files::Content;
use crate::state::format::listed;

use crate::state::calls::media::Facts;

/// Reads the content of a file.
fn content(file: &Attachment) -> Result<Content, String> {
    let texts = [
        &file.name,
        &file.mime_type,
        &file.performer,
        &file.title,
        &file.emoji,
    ];
    if texts
        .into_iter()
        .flatten()
        .any(|text| text.len() > NAME_MAX)
    {
        return Err(format!("its texts have at most {NAME_MAX} bytes"));
    }
    let content = match (&file.text, &file.base64, file.size) {
        (Some(text), None, None) => Content::Bytes(Bytes::from(text.clone())),
        (None, Some(code), None) => {
            let bytes = STANDARD.decode(code);
            Content::Bytes(
                bytes
                    .map_err(|error| format!("its base64: {error}"))?
                    .into(),
            )
        }
        (None, None, Some(size)) => Content::Size(size),
        _ => return Err("it needs one of «text», «base64» and «size»".to_owned()),
    };
    if (1..=SENT_FILE_MAX).contains(&content.len()) {
        Ok(content)
    } else {
        Err(format!("1 to {SENT_FILE_MAX} bytes are possible"))
    }
}

fn check_length(problems: &mut Problems, path: &str, text: Option<&str>, most: usize) {
    let units = text.map_or(1, |it| it.encode_utf16().count());
    if !(1..=most).contains(&units) {
        problems.add(
            path,
            format!("it has {units} UTF-16 units: 1 to {most} are possible"),
        );
    }
}

/// The files of a message, by kind.
fn files(say: &Say) -> Vec<(&'static str, &Attachment)> {
    let fields = [
        ("photo", &say.photo),
        ("document", &say.document),
        ("video", &say.video),
        ("audio", &say.audio),
        ("voice", &say.voice),
        ("video_note", &say.video_note),
        ("sticker", &say.sticker),
        ("animation", &say.animation),
    ];
    fields
        .into_iter()
        .filter_map(|(kind, file)| Some((kind, file.as_ref()?)))
        .collect()
}

fn checked(say: &Say) -> Result<(), OrderError> {
    let mut problems = Problems { errors: Vec::new() };
    let files = files(say);
    let others = [
        say.text.is_some(),
        say.location.is_some(),
        say.venue.is_some(),
        say.contact.is_some(),
    ];
    let count = files.len() + others.into_iter().filter(|it| *it).count();
    if count != 1 {
        problems.add("", format!("a message has one content, and this one {count}: text, a kind of file, location, venue or contact"));
    }
    for (kind, file) in &files {
        if let Err(why) = content(file) {
            problems.add(kind, why);
        }
    }
    check_length(&mut problems, "text", say.text.as_deref(), TEXT_MAX);
    check_length(
        &mut problems,
        "caption",
        say.caption.as_deref(),
        CAPTION_MAX,
    );
    if say.caption.is_some() && files.is_empty() {
        problems.add("caption", "only a file has a caption");
    }
    if let Some(entities) = &say.entities {
        let text = say.text.as_deref().or(say.caption.as_deref());
        if let Err(error) = listed(text.unwrap_or_default(), entities.clone()) {
            problems.add("entities", error.description);
        }
    }
    let places = [
        ("location", say.location),
        ("venue/location", say.venue.as_ref().map(|it| it.location)),
    ];
    for (path, place) in places {
        let is_wrong =
            |it: &crate::orders::Place| it.latitude.abs() > 90.0 || it.longitude.abs() > 180.0;
        if place.as_ref().is_some_and(is_wrong) {
            problems.add(path, "latitude -90 to 90, longitude -180 to 180");
        }
    }
    check_names(&mut problems, say);
    if say.business.is_some() && say.chat.is_some() {
        problems.add("business", "a chat is a group or one of a business account");
    }
    if say.quote.is_some() && say.reply_to.is_none() {
        problems.add("quote", "it needs «reply_to», the message that it quotes");
    }
    problems.none(())
}

/// Checks the names in a contact and in a venue.
fn check_names(problems: &mut Problems, say: &Say) {
    if let Some(contact) = &say.contact {
        check_name(
            problems,
            "contact/phone_number",
            Some(&contact.phone_number),
        );
        check_name(problems, "contact/first_name", Some(&contact.first_name));
        check_name(problems, "contact/last_name", contact.last_name.as_deref());
    }
    if let Some(venue) = &say.venue {
        check_name(problems, "venue/title", Some(&venue.title));
        check_name(problems, "venue/address", Some(&venue.address));
    }
}

impl Desk<'_> {
    /// Keeps a file of a person. Returns the fields of its message.
    fn attach(
        &mut self,
        kind: &'static str,
        path: &str,
        file: Attachment,
    ) -> Result<Map<String, Value>, OrderError> {
        let content = content(&file).map_err(|why| OrderError::one(path, why))?;
        let outcome = self
            .bot
            .files
            .add(kind, file.name.clone(), file.mime_type.clone(), content);
        let facts = Facts {
            name: file.name,
            mime_type: file.mime_type,
            width: file.width.unwrap_or_default(),
            height: file.height.unwrap_or_default(),
            duration: file.duration.unwrap_or_default(),
            performer: file.performer,
            title: file.title,
            emoji: file.emoji,
        };
        outcome
            .and_then(|id| self.media_body(kind, &id, facts))
            .map_err(|error| OrderError::one(path, error.description))
    }

    fn content(&mut self, say: &Say) -> Result<Map<String, Value>, OrderError> {
        let mut body = Map::new();
        let mut add = |name: &str, value: Value| body.insert(name.to_owned(), value);
        if let Some(text) = &say.text {
            add("text", text.clone().into());
        }
        if let Some(place) = &say.location {
            add("location", shown(place)?);
        }
        if let Some(venue) = &say.venue {
            add("location", shown(venue.location)?);
            add("venue", shown(venue)?);
        }
        if let Some(contact) = &say.contact {
            add("contact", shown(contact)?);
        }
        for (kind, file) in files(say) {
            body.extend(self.attach(kind, kind, file.clone())?);
        }
        let list = if say.text.is_some() {
            "entities"
        } else {
            "caption_entities"
        };
        if let Some(caption) = &say.caption {
            body.insert("caption".to_owned(), caption.clone().into());
        }
        if let Some(entities) = &say.entities {
            body.insert(list.to_owned(), entities.clone());
        }
        Ok(body)
    }
}

impl Machine {
    pub(super) fn say(&mut self, say: Say, now: Moment) -> Result<Value, OrderError> {
        checked(&say)?;
        let mut desk = self.desk_for(say.bot, now)?;
        let chat = match say.business {
            Some(account) => desk.business_place(say.from, account)?,
            None => desk.place_of(say.from, say.chat)?,
        };
        let relation = match say.reply_to {
            Some(target) => desk
                .relation(chat, target, say.quote.as_deref())
                .map_err(|error| OrderError::one("reply_to", error.description))?,
            None => Map::new(),
        };
        let mut body = desk.content(&say)?;
        body.extend(relation);
        shown(desk.write(say.from, chat, "say", body)?)
    }

    pub(super) fn share_contact(
        &mut self,
        order: ShareContact,
        now: Moment,
    ) -> Result<Value, OrderError> {
        let person = self.people.get(order.from).map(|it| it.person.clone());
        let names = person.unwrap_or_default();
        let say = Say {
            bot: order.bot,
            from: order.from,
            contact: Some(Contact {
                phone_number: order.phone_number,
                first_name: names.first_name,
                last_name: names.last_name,
                user_id: Some(order.from),
            }),
            ..Say::default()
        };
        self.say(say, now)
    }

    pub(super) fn album(&mut self, order: Album, now: Moment) -> Result<Value, OrderError> {
        let parts = album_parts(&order.items)?;
        let mut desk = self.desk_for(order.bot, now)?;
        let chat = desk.place_of(order.from, order.chat)?;
        let media_group_id = format!("{}", desk.number);
        let mut ids = Vec::new();
        for (at, (kind, file, caption)) in parts.into_iter().enumerate() {
            let mut body = desk.attach(kind, &format!("items/{at}/{kind}"), file)?;
            if let Some(caption) = caption {
                body.insert("caption".to_owned(), caption.into());
            }
            body.insert("media_group_id".to_owned(), json!(media_group_id));
            ids.push(desk.put(order.from, chat, "album", body)?);
        }
        let mut turns = ids.clone();
        if order.shuffled {
            desk.chance.shuffle(&mut turns);
        }
        let mut messages: Vec<Said> = turns
            .into_iter()
            .map(|id| Said {
                chat,
                message_id: id,
                update_id: desk.announce("message", chat, id),
            })
            .collect();
        messages.sort_by_key(|it| it.message_id);
        shown(AlbumSaid {
            media_group_id,
            messages,
        })
    }
}

type Part = (&'static str, Attachment, Option<String>);

fn album_parts(items: &[Item]) -> Result<Vec<Part>, OrderError> {
    let mut problems = Problems { errors: Vec::new() };
    if !ALBUM.contains(&items.len()) {
        problems.add(
            "items",
            format!("an album has 2 to 10 files, and this one {}", items.len()),
        );
    }
    let mut parts: Vec<Part> = Vec::new();
    for (at, item) in items.iter().enumerate() {
        let fields = [
            ("photo", &item.photo),
            ("video", &item.video),
            ("document", &item.document),
            ("audio", &item.audio),
        ];
        let files: Vec<_> = fields
            .into_iter()
            .filter_map(|(kind, file)| Some((kind, file.as_ref()?)))
            .collect();
        let [(kind, file)] = files.as_slice() else {
            problems.add(
                &format!("items/{at}"),
                "it needs one of photo, video, document and audio",
            );
            continue;
        };
        if let Err(why) = content(file) {
            problems.add(&format!("items/{at}/{kind}"), why);
        }
        let path = format!("items/{at}/caption");
        check_length(&mut problems, &path, item.caption.as_deref(), CAPTION_MAX);
        parts.push((kind, (*file).clone(), item.caption.clone()));
    }
    let kinds: Vec<&'static str> = parts.iter().map(|(kind, _, _)| *kind).collect();
    if !fit_together(&kinds) {
        problems.add("items", "documents and audios stand only among themselves");
    }
    problems.none(parts)
}
