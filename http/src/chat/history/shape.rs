//! Messages as a history shows them, in the keys and the order that the known counterpart has.

use switchboard_actors::domain::chat::message::ContentKind;
use switchboard_actors::domain::chat::message::{Attachment, Content, PostedMessage};
use switchboard_actors::domain::chat::outgoing::OutgoingContent;
use switchboard_actors::domain::conversation::{Customer, Received, Replied};
use switchboard_actors::domain::id::{MessageId, PersonId};
use switchboard_actors::domain::text::CallbackData;
use switchboard_actors::system::inbox::{Afterwards, MessageView};
use switchboard_actors::wire::chat_body::stored;

use crate::base::Base;
use crate::inbox::view::{Card, Location};
use crate::openapi::{Millis, Seconds, Url};

fields! {
    pub(super) struct HistoryEntry {
        timestamp: Seconds,
        msec_timestamp: Millis,
        sender: Person,
        receiver ?: Person,
        message: Message,
    }
}

fields! {
    // The keys behind `id` are only there for people of the messenger, and when they are known.
    #[derive(Default)]
    #[schemars(inline)]
    struct Person {
        id: Option<PersonId>,
        client_id ?: String,
        avatar ?: Url<String>,
        name ?: String,
        phone ?: String,
        email ?: String,
    }
}

fields! {
    #[schemars(inline)]
    struct Message {
        /// Our id of the message.
        id: MessageId,
        /// The integration's msgid.
        client_id ?: String,
        #[serde(flatten)]
        said: Said,
        /// The value of the row of a list that the customer chose.
        callback_data ?: CallbackData,
    }
}

fields! {
    // The keys of files are always there, empty where they do not apply.
    #[derive(Default)]
    #[schemars(inline)]
    struct Said {
        /// Empty when the stored message is not readable.
        #[serde(rename = "type")]
        #[schemars(extend("enum" = kinds()))]
        kind: &'static str,
        text: String,
        #[schemars(length(max = 2048))]
        media: String,
        #[schemars(length(max = 2048))]
        thumbnail: String,
        file_name: String,
        /// In bytes.
        file_size: u64,
        location ?: Location,
        contact ?: Card,
    }
}

fn kinds() -> Vec<&'static str> {
    let kinds = ContentKind::NAMES.iter().map(|(word, _)| *word);
    kinds.chain([""]).collect()
}

impl HistoryEntry {
    pub(super) fn new(view: &MessageView, base: &Base) -> Self {
        match view {
            MessageView::In {
                received,
                raw,
                afterwards,
            } => Self::posted(received, raw, afterwards),
            MessageView::Out {
                replied,
                afterwards,
                ..
            } => Self::replied(replied, afterwards, base),
        }
    }

    fn posted(received: &Received, raw: &[u8], afterwards: &Afterwards) -> Self {
        let message = stored::message(received, raw);
        let content = edited(afterwards).or_else(|| message.as_ref().map(|it| it.content.clone()));
        Self {
            timestamp: received.written_at.into(),
            msec_timestamp: received.written_at.into(),
            sender: Person::writer(received, message.as_ref()),
            receiver: received.to.as_ref().map(|to| Person::customer(to)),
            message: Message {
                id: received.id,
                client_id: Some(
                    afterwards
                        .msgid
                        .as_ref()
                        .unwrap_or(&received.msgid)
                        .to_string(),
                ),
                said: content.as_ref().map(Said::posted).unwrap_or_default(),
                callback_data: message.and_then(|it| it.callback_data),
            },
        }
    }

    fn replied(replied: &Replied, afterwards: &Afterwards, base: &Base) -> Self {
        let edited = edited(afterwards);
        Self {
            timestamp: replied.at.into(),
            msec_timestamp: replied.at.into(),
            sender: Person {
                id: Some(replied.by.person),
                name: Some(replied.by.name.to_string()),
                ..Person::default()
            },
            receiver: Some(Person::customer(&replied.to)),
            message: Message {
                id: replied.id,
                client_id: afterwards.msgid.as_ref().map(ToString::to_string),
                said: edited
                    .as_ref()
                    .map_or_else(|| Said::replied(&replied.content, base), Said::posted),
                callback_data: None,
            },
        }
    }
}

fn edited(afterwards: &Afterwards) -> Option<Content> {
    let (edited, raw) = afterwards.edit.as_ref()?;
    stored::edited(edited, raw)
}

impl Person {
    fn writer(received: &Received, message: Option<&PostedMessage>) -> Self {
        let sender = message.map(|message| &message.sender);
        let stored_name = received.name.as_ref();
        let name = stored_name
            .or_else(|| sender?.name.as_ref())
            .map(ToString::to_string);
        let id = Some(received.from);
        match sender.filter(|_| !received.is_imported()) {
            None => Self {
                id,
                name,
                ..Self::default()
            },
            Some(sender) => Self {
                id,
                client_id: sender.id.as_ref().map(ToString::to_string),
                avatar: sender.avatar.as_ref().map(|url| Url(url.to_string())),
                name,
                phone: sender.profile.phone.as_ref().map(ToString::to_string),
                email: sender.profile.email.as_ref().map(ToString::to_string),
            },
        }
    }

    fn customer(customer: &Customer) -> Self {
        Self {
            id: Some(customer.person),
            client_id: customer.client_id.as_ref().map(ToString::to_string),
            avatar: customer.avatar.as_ref().map(|url| Url(url.to_string())),
            name: Some(customer.name.to_string()),
            phone: customer.phone.as_ref().map(ToString::to_string),
            email: customer.email.as_ref().map(ToString::to_string),
        }
    }
}

impl Said {
    fn file(mut self, file: &Attachment) -> Self {
        self.media = file.media.to_string();
        self.file_name = file.name.to_string();
        self.file_size = file.size.bytes();
        self
    }

    fn posted(content: &Content) -> Self {
        let plain = Self {
            kind: content.kind().as_str(),
            text: content.text().map(ToString::to_string).unwrap_or_default(),
            ..Self::default()
        };
        match content {
            Content::Text { .. } => plain,
            Content::Picture { file, .. }
            | Content::Video { file, .. }
            | Content::File { file, .. } => plain.file(file),
            Content::Voice { media, .. } | Content::Audio { media, .. } => Self {
                media: media.to_string(),
                ..plain
            },
            Content::Sticker { sticker, .. } => Self {
                media: sticker
                    .media
                    .as_ref()
                    .map(ToString::to_string)
                    .unwrap_or_default(),
                ..plain
            },
            Content::Contact { name, phone, .. } => Self {
                contact: Some(Card::new(
                    name.to_string(),
                    phone.as_ref().map(ToString::to_string),
                )),
                ..plain
            },
            Content::Location { place, .. } => Self {
                location: Some(Location::new(place)),
                ..plain
            },
        }
    }

    fn replied(content: &OutgoingContent, base: &Base) -> Self {
        let plain = Self {
            kind: content.kind(),
            text: content.text().to_owned(),
            thumbnail: content
                .thumbnail()
                .map(|url| base.of_file(url).to_string())
                .unwrap_or_default(),
            ..Self::default()
        };
        match content.file() {
            Some(file) => Self {
                media: base.of_file(&file.media).to_string(),
                ..plain.file(file)
            },
            None => plain,
        }
    }
}
