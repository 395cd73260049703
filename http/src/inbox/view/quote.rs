//! Messages and posts that a message refers to.

use switchboard_actors::domain::chat::quote::{self, Answered, Quote, QuotedPerson};
use switchboard_actors::domain::id::{ClientMessageId, ClientPersonId, MessageId, PersonId};
use switchboard_actors::domain::text::url::HttpUrl;
use switchboard_actors::domain::text::{MessageText, Name, PostId};

use crate::base::Base;
use crate::oauth::view::ActingClientView;
use crate::openapi::{Kind, Nullable, Url};

fields! {
    pub(crate) struct QuotedMessage {
        id: Option<MessageId>,
        client_id: Option<ClientMessageId>,
        r#type: Option<Kind>,
        text: Option<MessageText>,
        media: Option<Url<HttpUrl>>,
        sender: Option<QuotedSender>,
    }
}

fields! {
    #[schemars(inline)]
    pub(crate) struct QuotedSender {
        id: Option<PersonId>,
        client_id: Option<ClientPersonId>,
        name: Option<Name>,
        /// The OAuth client that acted for the account user; not there when the sender wrote the message.
        client ?: ActingClientView,
    }
}

fields! {
    #[schemars(inline)]
    pub(crate) struct Post {
        id: PostId,
        url ?: Url<HttpUrl>,
        preview_url ?: Nullable<Url<HttpUrl>>,
        username ?: Nullable<Name>,
        caption ?: Nullable<MessageText>,
    }
}

impl From<Quote> for QuotedMessage {
    fn from(quote: Quote) -> Self {
        Self {
            id: quote.id,
            client_id: quote.msgid,
            r#type: quote.kind.map(Kind::from),
            text: quote.text,
            media: quote.media.map(Url),
            sender: quote.sender.map(QuotedSender::from),
        }
    }
}

impl From<QuotedPerson> for QuotedSender {
    fn from(person: QuotedPerson) -> Self {
        Self {
            id: person.ref_id,
            client_id: person.id,
            name: person.name,
            client: None,
        }
    }
}

impl QuotedMessage {
    /// The message that an account user answered: the file of another account user is kept here.
    pub(super) fn answered(answered: Answered, base: &Base) -> Self {
        let is_ours = answered.sender_client_id.is_none();
        let media = answered
            .media
            .map(|media| if is_ours { base.of_file(&media) } else { media });
        Self {
            id: Some(answered.id),
            client_id: answered.msgid,
            r#type: Some(answered.kind.into()),
            text: answered.text,
            media: media.map(Url),
            sender: Some(QuotedSender {
                id: Some(answered.sender),
                client_id: answered.sender_client_id,
                name: answered.sender_name,
                client: answered.acting_client.as_ref().map(ActingClientView::new),
            }),
        }
    }
}

impl From<quote::Post> for Post {
    fn from(post: quote::Post) -> Self {
        Self {
            id: post.id,
            url: Some(Url(post.url)),
            preview_url: Some(Nullable(post.preview_url.map(Url))),
            username: Some(Nullable(post.username)),
            caption: Some(Nullable(post.caption)),
        }
    }
}

impl From<PostId> for Post {
    fn from(id: PostId) -> Self {
        Self {
            id,
            url: None,
            preview_url: None,
            username: None,
            caption: None,
        }
    }
}
