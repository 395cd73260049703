//! `GET /api/v4/talks/{id}/messages`: what was said in a talk, newest first.

use actix_web::HttpResponse;
use switchboard_actors::domain::chat::delivery::DeliveryStatus;
use switchboard_actors::domain::conversation::{Author, Customer, Received};
use switchboard_actors::domain::id::{
    ChannelId, ConversationId, LeadId, MessageId, PersonId, UserId,
};
use switchboard_actors::domain::oauth::scope::OauthScope;
use switchboard_actors::domain::text::Name;
use switchboard_actors::domain::text::url::HttpUrl;
use switchboard_actors::system::inbox::MessageView;
use switchboard_actors::system::user_access::{TalkMessages, UserAccess};
use switchboard_actors::wire::webhook_form::MessageWriter;

use crate::account::filters::{Filter, span};
use crate::base::Base;
use crate::extract::access::Access;
use crate::extract::numbered::Numbered;
use crate::inbox::view::Message;
use crate::openapi::{Kind, Millis, Operation, Schema, Seconds, Url};
use crate::reply::problem::Problem;

/// The filters of the list.
const FILTERS: [Filter; 1] = [Filter::Created];

pub(crate) async fn list(
    access: Access,
    Numbered(id): Numbered<LeadId>,
) -> Result<HttpResponse, Problem> {
    access.needs(OauthScope::ListExternalMessages)?;
    let page = access.page(&FILTERS)?;
    let written = span(&page.query, Filter::Created)?;
    let user = access.open().await?;
    let talk = user
        .talk_messages(id, written, page.start, page.limit())
        .await?
        .ok_or_else(unknown)?;
    let messages = talk.page.entries.iter();
    let views = messages.map(|message| TalkMessage::of_view(message, &talk, &user, &access.base));
    let address = access.address(&format!("/api/v4/talks/{id}/messages"));
    Ok(page.page_or_nothing(&address, "messages", views, talk.page.next))
}

/// There is no such talk that the caller may see.
pub(super) fn unknown() -> Problem {
    Problem::NotFound("Requested entity not found".to_owned())
}

view! {
    struct TalkMessage<'m>(view: &'m MessageView, shown: &Message<'m>, talk: &'m TalkMessages, people: People<'m>) [
        let is_outgoing = people.is_outgoing;
    ] {
        /// Our id.
        id: MessageId = view.id(),
        chat_id: ConversationId = talk.chat.conversation,
        #[schemars(extend("enum" = ["incoming", "outgoing"]))]
        r#type: &'static str = if is_outgoing { "outgoing" } else { "incoming" },
        /// Null when the stored message is not readable.
        message_type: Option<Kind> = shown.kind(),
        author: Person<'m> = people.author,
        /// The customer to whom an outgoing message was written; null of an incoming one.
        recipient: Option<Person<'m>> = people.recipient,
        text: String = shown.text().unwrap_or_default().to_owned(),
        created_at: Seconds = view.written_at().into(),
        msec_created_at: Millis = view.written_at().into(),
        /// The channel's id.
        origin: &'m ChannelId = talk.chat.scope.channel(),
        /// Of an outgoing message: 0 sent, 1 delivered, 2 read, -1 failed; null while it waits to be sent, and of an incoming one.
        #[schemars(range(min = -1, max = 2))]
        delivery_status: Option<i8> = delivery_status(view, is_outgoing),
        attachment: Option<Attachment> = shown.media().map(|link| Attachment::new(shown, link)),
    }

    #[schemars(inline)]
    struct Attachment(message: &Message<'_>, link: &Url<HttpUrl>) {
        r#type: Option<Kind> = message.kind(),
        link: Url<HttpUrl> = link.clone(),
        file_name: Option<String> = message.file_name().map(str::to_owned),
    }

    #[schemars(inline)]
    struct Person<'p>(id: PersonId, kind: PersonKind, name: Option<Name>, avatar: Option<&'p HttpUrl>) {
        id: PersonId = id,
        /// A customer, an account user, or a bot.
        #[schemars(extend("enum" = ["external", "internal", "bot"]))]
        r#type: &'static str = kind.word(),
        name: Option<Name> = name,
        avatar_url: Option<Url<&'p HttpUrl>> = avatar.map(Url),
        /// The number of an account user who is still there.
        user_id ?: UserId = kind.user(),
    }
}

/// The kind of the author, or the recipient, of a message.
#[derive(Clone, Copy)]
enum PersonKind {
    Customer,
    Writer(MessageWriter),
}

impl PersonKind {
    fn word(self) -> &'static str {
        match self {
            Self::Customer => "external",
            Self::Writer(MessageWriter::User(_)) => "internal",
            Self::Writer(MessageWriter::Bot) => "bot",
        }
    }

    fn user(self) -> Option<UserId> {
        match self {
            Self::Writer(MessageWriter::User(user)) => user,
            Self::Writer(MessageWriter::Bot) | Self::Customer => None,
        }
    }
}

/// The people of a message.
struct People<'m> {
    author: Person<'m>,
    recipient: Option<Person<'m>>,
    is_outgoing: bool,
}

impl<'m> People<'m> {
    fn new(
        view: &'m MessageView,
        shown: &Message<'_>,
        talk: &'m TalkMessages,
        user: &UserAccess,
    ) -> Self {
        match view {
            MessageView::Out { replied, .. } => Self {
                author: Person::author(&replied.by),
                recipient: Some(Person::customer(&replied.to)),
                is_outgoing: true,
            },
            MessageView::In { received, .. } => match &received.to {
                Some(to) => {
                    let writer = user.writer(talk.chat.scope.channel(), received.from);
                    let kind = PersonKind::Writer(writer);
                    Self {
                        author: Person::new(
                            received.from,
                            kind,
                            shown.sender_name().cloned(),
                            None,
                        ),
                        recipient: Some(Person::customer(to)),
                        is_outgoing: true,
                    }
                }
                None => Self {
                    author: Person::sender(received, shown, talk),
                    recipient: None,
                    is_outgoing: false,
                },
            },
        }
    }
}

impl<'p> Person<'p> {
    fn author(by: &Author) -> Self {
        let writer = match by.is_bot {
            true => MessageWriter::Bot,
            false => MessageWriter::User(Some(by.user)),
        };
        Self::new(
            by.person,
            PersonKind::Writer(writer),
            Some(by.name.clone()),
            None,
        )
    }

    fn customer(customer: &'p Customer) -> Self {
        let name = Some(customer.name.clone());
        let avatar = customer.avatar.as_ref();
        Self::new(customer.person, PersonKind::Customer, name, avatar)
    }

    /// The sender of a customer's message. The picture is that which the chat has now, if it is theirs.
    fn sender(received: &Received, shown: &Message<'_>, talk: &'p TalkMessages) -> Self {
        let of_chat = talk.customer.as_ref();
        let customer = of_chat.filter(|customer| customer.person == received.from);
        let name = shown
            .sender_name()
            .or_else(|| customer.map(|customer| &customer.name));
        let avatar = customer.and_then(|customer| customer.avatar.as_ref());
        Self::new(received.from, PersonKind::Customer, name.cloned(), avatar)
    }
}

impl<'m> TalkMessage<'m> {
    fn of_view(
        view: &'m MessageView,
        talk: &'m TalkMessages,
        user: &UserAccess,
        base: &Base,
    ) -> Self {
        let shown = Message::new(view, base);
        let people = People::new(view, &shown, talk, user);
        Self::new(view, &shown, talk, people)
    }
}

fn delivery_status(view: &MessageView, is_outgoing: bool) -> Option<i8> {
    let (afterwards, is_sent) = match view {
        MessageView::In { afterwards, .. } => (afterwards, is_outgoing),
        MessageView::Out {
            afterwards,
            callback,
            ..
        } => (afterwards, callback.is_delivered()),
    };
    match afterwards.status.as_ref().filter(|_| is_outgoing) {
        None => is_sent.then_some(0),
        Some(DeliveryStatus::Delivered) => Some(1),
        Some(DeliveryStatus::Read) => Some(2),
        Some(DeliveryStatus::Error(_)) => Some(-1),
    }
}

pub(crate) fn describe() -> Operation {
    Operation::leads("listTalkMessages", "List the messages of a talk.")
        .says("The newest first: those from the message that opened the lead to the one before the next lead of the chat. The first talk begins with the chat.")
        .path("id", Schema::number())
        .filtered(&FILTERS)
        .answers_page::<TalkMessage<'_>>("messages")
        .or_nothing()
        .refuses(403, "Invalid scope: the OAuth client was not granted `list_external_messages`.")
        .refuses(404, "There is no such talk that the caller may see.")
}
