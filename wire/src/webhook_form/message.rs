//! The parts of a message in either direction.

use crate::domain::chat::message::{Attachment, Content, PostedMessage};
use crate::domain::conversation::{Author, Customer, Received, Replied};
use crate::domain::id::{MessageId, PersonId, UserId};
use crate::domain::text::Name;
use crate::domain::time::UnixMillis;
use crate::webhook_form::context::{ConversationContext, MessageWriter};
use crate::webhook_form::writer::FormWriter;

/// A message.
pub(super) struct Message<'m> {
    id: MessageId,
    written_at: UnixMillis,
    kind: Option<&'static str>,
    text: &'m str,
    file: Option<File<'m>>,
    pub(super) author: Person<'m>,
}

/// The file of a message.
struct File<'m> {
    link: &'m str,
    name: Option<&'m str>,
}

/// The author or the receiver of a message.
pub(super) struct Person<'m> {
    id: PersonId,
    kind: PersonKind,
    user: Option<UserId>,
    name: &'m str,
    avatar: Option<&'m str>,
}

#[derive(Clone, Copy)]
enum PersonKind {
    Customer,
    User,
    Bot,
}

impl PersonKind {
    fn word(self) -> &'static str {
        match self {
            Self::Customer => "external",
            Self::User => "internal",
            Self::Bot => "bot",
        }
    }
}

impl<'m> Message<'m> {
    /// A message that an integration posted; `posted` is its body, if that is readable.
    pub(super) fn received(
        received: &'m Received,
        posted: Option<&'m PostedMessage>,
        context: &ConversationContext<'m>,
    ) -> Self {
        let content = posted.map(|posted| &posted.content);
        let text = content.and_then(Content::text);
        let own_name = posted.and_then(|posted| posted.sender.name.as_ref());
        let name = received.name.as_ref().or(own_name);
        let author = match received.to {
            Some(_) => Person::writer(received.from, context.writer, name),
            None => Person::sender(received.from, name, context),
        };
        Self {
            id: received.id,
            written_at: received.written_at,
            kind: content.map(|content| content.kind().as_str()),
            text: text.map_or("", |text| text.as_str()),
            file: content.and_then(File::from_content),
            author,
        }
    }

    /// A message that a user or a bot wrote here.
    pub(super) fn replied(replied: &'m Replied) -> Self {
        Self {
            id: replied.id,
            written_at: replied.at,
            kind: Some(replied.content.kind()),
            text: replied.content.text(),
            file: replied.content.file().map(File::from_attachment),
            author: Person::author(&replied.by),
        }
    }

    /// Writes the fields that stand first in both directions.
    pub(super) fn write_head(&self, context: &ConversationContext<'_>, form: &mut FormWriter) {
        let talk = context.talk();
        let contact = talk.and_then(|lead| lead.contact).or(context.contact);
        form.put("id", self.id);
        form.put("chat_id", context.conversation);
        form.put_some("talk_id", talk.map(|lead| lead.id));
        form.put_some("contact_id", contact);
        form.put("text", self.text);
        form.put("created_at", self.written_at.secs());
        form.put_some("message_type", self.kind);
    }

    /// Writes the file, if there is one.
    pub(super) fn write_file(&self, form: &mut FormWriter) {
        let Some(file) = &self.file else { return };
        form.within("attachment", |form| {
            form.put_some("type", self.kind);
            form.put("link", file.link);
            form.put_some("file_name", file.name);
        });
    }
}

impl<'m> File<'m> {
    fn from_content(content: &'m Content) -> Option<Self> {
        match content {
            Content::Picture { file, .. }
            | Content::Video { file, .. }
            | Content::File { file, .. } => Some(Self::from_attachment(file)),
            Content::Text { .. }
            | Content::Voice { .. }
            | Content::Audio { .. }
            | Content::Sticker { .. }
            | Content::Contact { .. }
            | Content::Location { .. } => Some(Self {
                link: content.media()?.as_str(),
                name: None,
            }),
        }
    }

    fn from_attachment(file: &'m Attachment) -> Self {
        Self {
            link: file.media.as_str(),
            name: Some(file.name.as_str()),
        }
    }
}

impl<'m> Person<'m> {
    fn author(by: &'m Author) -> Self {
        Self {
            id: by.person,
            kind: match by.is_bot {
                true => PersonKind::Bot,
                false => PersonKind::User,
            },
            user: (!by.is_bot).then_some(by.user),
            name: by.name.as_str(),
            avatar: None,
        }
    }

    /// The writer of an imported message.
    fn writer(id: PersonId, writer: Option<MessageWriter>, name: Option<&'m Name>) -> Self {
        let (kind, user) = match writer {
            Some(MessageWriter::Bot) => (PersonKind::Bot, None),
            Some(MessageWriter::User(user)) => (PersonKind::User, user),
            None => (PersonKind::User, None),
        };
        Self {
            id,
            kind,
            user,
            name: name.map_or("", Name::as_str),
            avatar: None,
        }
    }

    /// The customer who wrote. The name is that of the message; the picture is the one that the chat has now.
    fn sender(id: PersonId, name: Option<&'m Name>, context: &ConversationContext<'m>) -> Self {
        let customer = context.customer(id);
        let known_name = || customer.map(|customer| &customer.name);
        Self {
            id,
            kind: PersonKind::Customer,
            user: None,
            name: name.or_else(known_name).map_or("", Name::as_str),
            avatar: customer
                .and_then(|it| it.avatar.as_ref())
                .map(|it| it.as_str()),
        }
    }

    /// The customer to whom a message was written.
    pub(super) fn recipient(customer: &'m Customer) -> Self {
        Self {
            id: customer.person,
            kind: PersonKind::Customer,
            user: None,
            name: customer.name.as_str(),
            avatar: None,
        }
    }

    /// Writes the person under this key.
    pub(super) fn write(&self, key: &str, form: &mut FormWriter) {
        form.within(key, |form| {
            form.put("id", self.id);
            form.put("type", self.kind.word());
            form.put_some("user_id", self.user);
            form.put("name", self.name);
            form.put_some("avatar_url", self.avatar);
        });
    }
}
