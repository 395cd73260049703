//! A message in either direction.

use switchboard_actors::domain::chat::delivery::DeliveryStatus;
use switchboard_actors::domain::chat::message::{Content, Coordinates};
use switchboard_actors::domain::chat::reaction;
use switchboard_actors::domain::conversation::{Received, Replied};
use switchboard_actors::domain::dispatch::reason::{Reason, ReasonFields};
use switchboard_actors::domain::id::{ClientMessageId, MessageId, PersonId};
use switchboard_actors::domain::oauth::acting_client::ActingClient;
use switchboard_actors::domain::text::url::HttpUrl;
use switchboard_actors::domain::text::{CallbackData, Emoji, ErrorText, Name};
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::system::callbacks::CallbackView;
use switchboard_actors::system::inbox::{Afterwards, MessageView};
use switchboard_actors::wire::chat_body::stored;

use crate::base::Base;
use crate::inbox::view::FileCheck;
use crate::inbox::view::markup::{ListRef, Pressed, TemplateRef};
use crate::inbox::view::quote::{Post, QuotedMessage};
use crate::oauth::view::ActingClientView;
use crate::openapi::{Kind, Millis, Nullable, Seconds, Url};

/// The states of callbacks.
pub(crate) const CALLBACK_STATES: [&str; 7] = [
    "queued",
    "sending",
    "waiting",
    "held",
    "delivered",
    "dead",
    "cancelled",
];

fields! {
    /// A message in either direction.
    pub(crate) struct Message<'m> {
        /// Our id.
        id: MessageId,
        /// The integration's msgid; not of messages that were written here.
        client_id ?: &'m ClientMessageId,
        #[schemars(extend("enum" = ["in", "out"]))]
        direction: &'static str,
        timestamp: Seconds,
        msec_timestamp: Millis,
        silent ?: bool,
        /// Of a message that was written elsewhere.
        #[schemars(extend("const" = true))]
        imported ?: bool,
        sender ?: Sender,
        delivery ?: Delivery<'m>,
        callback ?: CallbackState,
        edited_at ?: Seconds,
        reactions ?: Vec<Reaction<'m>>,
        reply_to ?: QuotedMessage,
        forwards ?: Vec<QuotedMessage>,
        post ?: Post,
        media_check ?: FileCheck<'m>,
        /// The template that it was made of.
        template ?: TemplateRef<'m>,
        /// The list below its text.
        list_message ?: ListRef<'m>,
        /// The value of the row of a list that the customer chose.
        callback_data ?: CallbackData,
        /// The button that was pressed: of a customer's message, the one that it pressed; of an outgoing message, the one that
        /// the customer pressed last.
        pressed ?: Pressed<'m>,
        #[serde(flatten)]
        said: Said,
    }
}

fields! {
    // What a message says.
    #[derive(Default)]
    pub(crate) struct Said {
        r#type ?: Kind,
        text ?: String,
        media ?: Url<HttpUrl>,
        thumbnail ?: Nullable<Url<HttpUrl>>,
        file_name ?: String,
        /// In bytes.
        file_size ?: u64,
        sticker_id ?: String,
        contact ?: Card,
        location ?: Location,
    }
}

view! {
    #[schemars(inline)]
    pub(crate) struct Sender(id: PersonId, name: Option<Name>, client: Option<&ActingClient>, is_bot: bool) {
        id: PersonId = id,
        name: Option<Name> = name,
        /// The OAuth client that acted for the account user; not there when the sender wrote the message.
        client ?: ActingClientView = client.map(ActingClientView::new),
        /// True of a bot: a program wrote the message in its own name.
        #[schemars(extend("const" = true))]
        is_bot ?: bool = is_bot.then_some(true),
    }

    #[schemars(inline)]
    pub(crate) struct Reaction<'m>(reaction: &'m reaction::Reaction) {
        sender_id: PersonId = reaction.by,
        emoji: Option<&'m Emoji> = reaction.emoji.as_ref(),
        /// The OAuth client that acted for the account user; not there when the sender reacted.
        client ?: ActingClientView = reaction.client.as_ref().map(ActingClientView::new),
    }

    #[schemars(inline)]
    pub(crate) struct Card(name: String, phone: Option<String>) {
        name: String = name,
        phone ?: String = phone,
    }

    #[schemars(inline)]
    pub(crate) struct Location(place: &Coordinates) {
        #[schemars(range(min = -180.0, max = 180.0))]
        lon: f64 = place.longitude(),
        #[schemars(range(min = -90.0, max = 90.0))]
        lat: f64 = place.latitude(),
    }

    /// The state of a message at the customer: as the integration reported, else by its callback.
    pub(crate) struct Delivery<'m>(reported: Option<&'m DeliveryStatus>, before: &'static str) [
        let (status, error) = match reported {
            None => (before, None),
            Some(DeliveryStatus::Delivered) => ("delivered", None),
            Some(DeliveryStatus::Read) => ("read", None),
            Some(DeliveryStatus::Error(error)) => ("error", Some(error)),
        };
    ] {
        #[schemars(extend("enum" = ["queued", "sent", "delivered", "read", "error"]))]
        status: &'static str = status,
        #[schemars(range(min = 901, max = 905))]
        error_code ?: i64 = error.map(|error| error.code().number()),
        error ?: Nullable<&'m ErrorText> = error.map(|error| Nullable(error.text())),
    }

    /// The state of the callback of a message.
    pub(crate) struct CallbackState(callback: &CallbackView) {
        #[schemars(extend("enum" = CALLBACK_STATES))]
        state: &'static str = callback.state,
        attempts: u32 = callback.attempts,
        next_attempt_at: Option<Seconds> = callback.next_attempt_at.map(Seconds),
        #[serde(flatten)]
        reason: ReasonFields = Reason::fields(callback.reason.as_ref()),
    }
}

impl<'m> Message<'m> {
    /// The message.
    pub(crate) fn new(view: &'m MessageView, base: &Base) -> Self {
        let (mut message, afterwards) = match view {
            MessageView::In {
                received,
                raw,
                afterwards,
            } => (Self::posted(received, raw, afterwards), afterwards),
            MessageView::Out {
                replied,
                afterwards,
                callback,
            } => (
                Self::written(replied, afterwards, callback, base),
                afterwards,
            ),
        };
        message.follow(afterwards);
        if let MessageView::In { received, .. } = view {
            message.media_check = message.check(received, afterwards, base);
        }
        message
    }

    /// The text of its content.
    pub(crate) fn text(&self) -> Option<&str> {
        self.said.text.as_deref()
    }

    /// The kind of its content.
    pub(crate) fn kind(&self) -> Option<Kind> {
        self.said.r#type
    }

    /// The address of its file.
    pub(crate) fn media(&self) -> Option<&Url<HttpUrl>> {
        self.said.media.as_ref()
    }

    /// The name of its file.
    pub(crate) fn file_name(&self) -> Option<&str> {
        self.said.file_name.as_deref()
    }

    /// The name of its sender.
    pub(crate) fn sender_name(&self) -> Option<&Name> {
        self.sender.as_ref()?.name.as_ref()
    }

    fn empty(id: MessageId, direction: &'static str, at: UnixMillis) -> Self {
        Self {
            id,
            client_id: None,
            direction,
            timestamp: at.into(),
            msec_timestamp: at.into(),
            silent: None,
            imported: None,
            sender: None,
            delivery: None,
            callback: None,
            edited_at: None,
            reactions: None,
            reply_to: None,
            forwards: None,
            post: None,
            media_check: None,
            template: None,
            list_message: None,
            callback_data: None,
            pressed: None,
            said: Said::default(),
        }
    }

    fn posted(received: &'m Received, raw: &[u8], afterwards: &'m Afterwards) -> Self {
        let imported = received.is_imported();
        let direction = if imported { "out" } else { "in" };
        let delivery = || Delivery::new(afterwards.status.as_ref(), "sent");
        let mut message = Self {
            client_id: Some(&received.msgid),
            silent: Some(!received.loud),
            pressed: received
                .pressed
                .as_deref()
                .map(|it| Pressed::new(it.message, &it.text)),
            imported: imported.then_some(true),
            delivery: imported.then(delivery),
            ..Self::empty(received.id, direction, received.written_at)
        };
        if let Some(original) = stored::message(received, raw) {
            let name = received.name.clone().or(original.sender.name);
            message.sender = Some(Sender::new(received.from, name, None, false));
            message.said = Said::from_content(&original.content);
            message.reply_to = original.reply_to.map(QuotedMessage::from);
            let forwards = original
                .forwards
                .map(|forwards| forwards.messages.into_iter());
            message.forwards = forwards.map(|quotes| quotes.map(QuotedMessage::from).collect());
            message.post = original.post.map(Post::from);
            message.callback_data = original.callback_data;
        }
        message
    }

    fn written(
        replied: &'m Replied,
        afterwards: &'m Afterwards,
        callback: &'m CallbackView,
        base: &Base,
    ) -> Self {
        let before = if callback.is_delivered() {
            "sent"
        } else {
            "queued"
        };
        let (author, content) = (&replied.by, &replied.content);
        let file = content.file();
        let thumbnail = content.thumbnail().map(|url| Url(base.of_file(url)));
        Self {
            sender: Some(Sender::new(
                author.person,
                Some(author.name.clone()),
                author.client.as_ref(),
                author.is_bot,
            )),
            delivery: Some(Delivery::new(afterwards.status.as_ref(), before)),
            callback: Some(CallbackState::new(callback)),
            reply_to: replied
                .reply_to
                .as_deref()
                .map(|answered| QuotedMessage::answered(answered.clone(), base)),
            post: replied.post.clone().map(Post::from),
            template: replied.template.as_deref().map(TemplateRef::new),
            list_message: replied.shown_list().map(ListRef::new),
            said: Said {
                r#type: Some(Kind(content.kind())),
                text: Some(content.text().to_owned()),
                media: file.map(|file| Url(base.of_file(&file.media))),
                file_name: file.map(|file| file.name.as_str().to_owned()),
                file_size: file.map(|file| file.size.bytes()),
                thumbnail: file.map(|_| Nullable(thumbnail)),
                ..Said::default()
            },
            ..Self::empty(replied.id, "out", replied.at)
        }
    }

    /// The newest version takes the place of what was said, and reactions are listed when there are any.
    fn follow(&mut self, afterwards: &'m Afterwards) {
        if let Some(msgid) = &afterwards.msgid {
            self.client_id = Some(msgid);
        }
        if let Some((edited, raw)) = &afterwards.edit {
            self.edited_at = Some(edited.written_at.into());
            if let Some(now) = stored::edited(edited, raw) {
                self.said = Said::from_content(&now);
            }
        }
        if let Some((message, text)) = &afterwards.pressed {
            self.pressed = Some(Pressed::new(*message, text));
        }
        if !afterwards.reactions.is_empty() {
            self.reactions = Some(afterwards.reactions.iter().map(Reaction::new).collect());
        }
    }

    /// The check of the file that the message names now: no result yet, or none ever when the service does not check
    /// it.
    fn check(
        &self,
        received: &Received,
        afterwards: &'m Afterwards,
        base: &Base,
    ) -> Option<FileCheck<'m>> {
        let Url(media) = self.said.media.as_ref()?;
        let newest = afterwards.fetched.as_deref();
        let check = newest.and_then(|fetched| FileCheck::at(fetched, Some(media), base));
        let is_listed = match &afterwards.edit {
            Some((edited, _)) if edited.content => edited.media_from.is_some(),
            Some(_) | None => received.media_from.is_some(),
        };
        Some(check.unwrap_or_else(|| FileCheck::none(is_listed, base)))
    }
}

impl Said {
    fn from_content(content: &Content) -> Self {
        let plain = Self {
            r#type: Some(content.kind().into()),
            text: Some(content.text().map_or("", |text| text.as_str()).to_owned()),
            ..Self::default()
        };
        match content {
            Content::Text { .. } => plain,
            Content::Picture { file, .. }
            | Content::Video { file, .. }
            | Content::File { file, .. } => Self {
                media: Some(file.media.clone().into()),
                file_name: Some(file.name.as_str().to_owned()),
                file_size: Some(file.size.bytes()),
                ..plain
            },
            Content::Voice { media, .. } | Content::Audio { media, .. } => Self {
                media: Some(media.clone().into()),
                ..plain
            },
            Content::Sticker { sticker, .. } => Self {
                media: sticker.media.clone().map(Url),
                sticker_id: sticker.id.as_ref().map(|id| id.as_str().to_owned()),
                ..plain
            },
            Content::Contact { name, phone, .. } => Self {
                contact: Some(Card::new(
                    name.as_str().to_owned(),
                    phone.as_ref().map(|phone| phone.as_str().to_owned()),
                )),
                ..plain
            },
            Content::Location { place, .. } => Self {
                location: Some(Location::new(place)),
                ..plain
            },
        }
    }
}
