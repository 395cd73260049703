//! Events as the inbox shows them.

use serde::Serialize;
use switchboard_actors::Caller;
use switchboard_actors::domain::chat::fetch::FetchSubject;
use switchboard_actors::domain::conversation::fetch::Fetched;
use switchboard_actors::domain::conversation::{Mark, Marked, Read, Snooze, WakeCause, Woken};
use switchboard_actors::domain::drafts::draft::DraftKind;
use switchboard_actors::domain::hook_version::HookVersion;
use switchboard_actors::domain::id::{
    ChannelId, ConversationId, MessageId, NotificationId, SubscriptionId, UserId,
};
use switchboard_actors::domain::oauth::acting_client::ActingClient;
use switchboard_actors::domain::text::url::HttpUrl;
use switchboard_actors::system::live::{
    Audience, Health, LiveEvent, Notification, NotificationSubject, What,
};

use crate::base::Base;
use crate::inbox::team_notes::NoteView;
use crate::inbox::view::{
    CallbackState, Delivery, FileCheck, Lead, Message, Snooze as SnoozeView, Typist, Viewer,
};
use crate::oauth::view::ActingClientView;
use crate::openapi::{Schema, Url};

/// The event in the form of `text/event-stream`, for a listener who knows the service under this base.
pub(super) fn text(event: &LiveEvent, base: &Base) -> String {
    match &event.what {
        What::Message(conversation, message) => {
            let data = EventMessage::new(*conversation, Message::new(message, base));
            line(event, "message", &data)
        }
        What::Changed(conversation, message) => line(
            event,
            "changed",
            &EventChanged::new(*conversation, *message),
        ),
        What::Delivery(conversation, message, status) => {
            let delivery = Delivery::new(Some(status), "queued");
            let data = EventDelivery::new(*conversation, *message, delivery);
            line(event, "delivery", &data)
        }
        What::Callback(conversation, message, callback) => {
            let callback = CallbackState::new(callback);
            let data = EventCallback::new(*conversation, *message, callback);
            line(event, "callback", &data)
        }
        What::Lead(conversation, changed) => {
            let lead = Lead::new(&changed.lead);
            line(event, "lead", &EventLead::new(*conversation, lead))
        }
        What::Read(conversation, read) => line(event, "read", &EventRead::new(*conversation, read)),
        What::Marked(conversation, marked) => {
            line(event, "marked", &EventMarked::new(*conversation, marked))
        }
        What::Snoozed(conversation, snooze) => line(
            event,
            "snooze",
            &EventSnooze::new(*conversation, Some(snooze), None),
        ),
        What::Woken(conversation, woken) => line(
            event,
            "snooze",
            &EventSnooze::new(*conversation, None, Some(woken)),
        ),
        What::Fetched(conversation, fetched) => checked_file(event, *conversation, fetched, base),
        What::Typing(conversation, who) => {
            let data = EventTyping::new(*conversation, Some(TypingUser::new(who)), None);
            line(event, "typing", &data)
        }
        What::Viewing(conversation, viewer) => {
            let viewer = Viewer::new(viewer);
            line(event, "viewing", &EventViewing::new(*conversation, viewer))
        }
        What::Draft {
            conversation,
            kind,
            number,
            ..
        } => line(
            event,
            "draft",
            &EventDraft::new(*conversation, *kind, *number),
        ),
        What::TeamNote(conversation, note) => {
            let note = NoteView::new(note);
            line(event, "note", &EventNote::new(*conversation, note))
        }
        What::CustomerTyping(conversation, typing) => {
            let customer = Typist::new(typing.person, typing.until.into());
            let data = EventTyping::new(*conversation, None, Some(customer));
            line(event, "typing", &data)
        }
        What::Health(version, health) => health_of_channel(event, *version, *health),
        What::Webhook { id, is_on } => line(event, "webhook", &EventWebhook::new(*id, *is_on)),
        What::Notification(it) => line(event, "notification", &EventNotification::new(it)),
    }
}

impl Reader {
    /// The user who ended a snooze, if one did.
    fn ended(woken: &Woken) -> Option<Self> {
        let user = woken.by?;
        Some(Self::new(user, woken.client.as_ref()))
    }
}

/// The event of the health of a channel's address.
fn health_of_channel(event: &LiveEvent, version: HookVersion, health: Health) -> String {
    let channel = match &event.audience {
        Audience::Channel(channel) => Some(channel),
        Audience::Account(_) => None,
    };
    line(
        event,
        "channel",
        &EventChannel::new(channel, version, health),
    )
}

/// The event of a file that was checked.
fn checked_file(
    event: &LiveEvent,
    conversation: ConversationId,
    fetched: &Fetched,
    base: &Base,
) -> String {
    let url = fetched.seen.as_ref().map(|seen| &seen.url);
    let check = FileCheck::at(fetched, url, base);
    match fetched.place.subject {
        FetchSubject::Message(message) => {
            let data = EventMedia::new(conversation, message, url, check);
            line(event, "media", &data)
        }
        FetchSubject::Avatar(_) => {
            let data = EventAvatar::new(conversation, url, check);
            line(event, "avatar", &data)
        }
    }
}

fn line(event: &LiveEvent, name: &str, data: &impl Serialize) -> String {
    let id = event
        .number
        .map_or(String::new(), |number| format!("id: {number}\n"));
    // JSON has no line breaks: it is one line of data.
    let data = serde_json::to_string(data).unwrap_or_default();
    format!("{id}event: {name}\ndata: {data}\n\n")
}

view! {
    struct EventMessage<'e>(conversation: ConversationId, message: Message<'e>) {
        conversation_id: ConversationId = conversation,
        message: Message<'e> = message,
    }

    struct EventChanged(conversation: ConversationId, message: MessageId) {
        conversation_id: ConversationId = conversation,
        message_id: MessageId = message,
    }

    struct EventDelivery<'e>(conversation: ConversationId, message: MessageId, delivery: Delivery<'e>) {
        conversation_id: ConversationId = conversation,
        message_id: MessageId = message,
        delivery: Delivery<'e> = delivery,
    }

    struct EventCallback(conversation: ConversationId, message: MessageId, callback: CallbackState) {
        conversation_id: ConversationId = conversation,
        message_id: MessageId = message,
        callback: CallbackState = callback,
    }

    struct EventLead<'e>(conversation: Option<ConversationId>, lead: Lead<'e>) {
        /// Null of a lead without a chat, such as one of a form or of a call.
        conversation_id: Option<ConversationId> = conversation,
        lead: Lead<'e> = lead,
    }

    struct EventRead(conversation: ConversationId, read: &Read) {
        conversation_id: ConversationId = conversation,
        #[schemars(extend("const" = 0))]
        unread: u8 = 0,
        user: Reader = Reader::new(read.by, read.client.as_ref()),
    }

    struct EventMarked(conversation: ConversationId, marked: &Marked) {
        conversation_id: ConversationId = conversation,
        #[schemars(extend("enum" = ["unread", "failures_dismissed"]))]
        mark: &'static str = match marked.mark {
            Mark::Unread => "unread",
            Mark::FailuresDismissed(_) => "failures_dismissed",
        },
        user: Reader = Reader::new(marked.by, marked.client.as_ref()),
    }

    /// A conversation was snoozed, or its snooze ended. A message of the customer that ends one is a `message` only.
    struct EventSnooze(conversation: ConversationId, snooze: Option<&Snooze>, woken: Option<&Woken>) {
        conversation_id: ConversationId = conversation,
        /// Null when the snooze has ended.
        snooze: Option<SnoozeView> = snooze.map(SnoozeView::new),
        /// The cause of the end; null of a new snooze.
        ended_by: Option<WakeCause> = woken.map(|woken| woken.cause),
        /// The user who ended it; null when no user did.
        user: Option<Reader> = woken.and_then(Reader::ended),
    }

    #[schemars(inline)]
    struct Reader(user: UserId, client: Option<&ActingClient>) {
        id: UserId = user,
        /// The OAuth client that acted for the user; not there when the user did it.
        client ?: ActingClientView = client.map(ActingClientView::new),
    }

    struct EventMedia<'e>(
        conversation: ConversationId,
        message: MessageId,
        url: Option<&'e HttpUrl>,
        check: Option<FileCheck<'e>>
    ) {
        conversation_id: ConversationId = conversation,
        message_id: MessageId = message,
        url: Option<Url<&'e HttpUrl>> = url.map(Url),
        check: Option<FileCheck<'e>> = check,
    }

    struct EventAvatar<'e>(
        conversation: ConversationId,
        url: Option<&'e HttpUrl>,
        check: Option<FileCheck<'e>>
    ) {
        conversation_id: ConversationId = conversation,
        message_id: () = (),
        url: Option<Url<&'e HttpUrl>> = url.map(Url),
        check: Option<FileCheck<'e>> = check,
    }

    struct EventTyping<'e>(
        conversation: ConversationId,
        user: Option<TypingUser<'e>>,
        customer: Option<Typist>
    ) {
        conversation_id: ConversationId = conversation,
        user ?: TypingUser<'e> = user,
        customer ?: Typist = customer,
    }

    #[schemars(inline)]
    struct TypingUser<'e>(who: &'e Caller) {
        id: UserId = who.user,
        name: &'e str = who.name.as_str(),
        /// The OAuth client that acts for the user; not there when the user is typing.
        client ?: ActingClientView = who.client.as_ref().map(ActingClientView::new),
    }

    struct EventViewing<'e>(conversation: ConversationId, viewer: Viewer<'e>) {
        conversation_id: ConversationId = conversation,
        user: Viewer<'e> = viewer,
    }

    struct EventNote<'e>(conversation: ConversationId, note: NoteView<'e>) {
        conversation_id: ConversationId = conversation,
        note: NoteView<'e> = note,
    }

    struct EventDraft(conversation: ConversationId, kind: DraftKind, number: u64) {
        conversation_id: ConversationId = conversation,
        #[schemars(with = "&str", extend("enum" = ["reply", "note"]))]
        kind: DraftKind = kind,
        /// The number of the version that is stored.
        number: u64 = number,
    }

    struct EventChannel<'e>(channel: Option<&'e ChannelId>, version: HookVersion, health: Health) {
        channel_id: Option<&'e ChannelId> = channel,
        hook_api_version: HookVersion = version,
        #[schemars(extend("enum" = ["failing", "recovered", "disabled"]))]
        state: &'static str = match health {
            Health::Failing => "failing",
            Health::Recovered => "recovered",
            Health::Disabled => "disabled",
        },
    }

    struct EventWebhook(id: SubscriptionId, is_on: bool) {
        webhook_id: SubscriptionId = id,
        /// True while it gets no hooks.
        disabled: bool = !is_on,
    }

    /// The caller is notified. Each page of the caller receives the same one.
    struct EventNotification<'e>(notification: &'e Notification) [
        let summary = Summary::new(&notification.subject);
    ] {
        id: NotificationId = notification.id,
        #[schemars(extend("enum" = ["new_conversation", "new_message", "assigned", "send_failed", "summary"]))]
        kind: &'static str = summary.kind,
        /// Null of a summary.
        conversation_id: Option<ConversationId> = summary.conversation,
        /// A later notification with the same tag takes its place.
        tag: String = summary.tag,
        /// The title of the channel; null of a summary.
        channel: Option<&'e str> = summary.channel,
        /// The number of things that happened; 1 unless it is a summary.
        count: u64 = summary.count,
        /// The number of their conversations, at most 250.
        conversations: usize = summary.conversations,
        /// True when it makes a sound.
        sound: bool = notification.sound,
    }
}

/// The parts of a notification that follow from its subject.
struct Summary<'e> {
    kind: &'static str,
    conversation: Option<ConversationId>,
    tag: String,
    channel: Option<&'e str>,
    count: u64,
    conversations: usize,
}

impl<'e> Summary<'e> {
    fn new(subject: &'e NotificationSubject) -> Self {
        match subject {
            NotificationSubject::One {
                kind,
                conversation,
                channel,
            } => Self {
                kind: kind.as_str(),
                conversation: Some(*conversation),
                tag: conversation.to_string(),
                channel: Some(channel),
                count: 1,
                conversations: 1,
            },
            NotificationSubject::Several {
                count,
                conversations,
            } => Self {
                kind: "summary",
                conversation: None,
                tag: "summary".to_owned(),
                channel: None,
                count: *count,
                conversations: *conversations,
            },
        }
    }
}

/// The stream, with the data of each event.
pub(super) fn schema() -> Schema {
    Schema::text().telling([
        Schema::named("EventReady", Schema::object([])),
        Schema::named("EventReset", Schema::object([])),
        Schema::for_type::<EventMessage<'_>>(),
        Schema::for_type::<EventChanged>(),
        Schema::for_type::<EventDelivery<'_>>(),
        Schema::for_type::<EventCallback>(),
        Schema::for_type::<EventLead<'_>>(),
        Schema::for_type::<EventRead>(),
        Schema::for_type::<EventMarked>(),
        Schema::for_type::<EventSnooze>(),
        Schema::for_type::<EventMedia<'_>>(),
        Schema::for_type::<EventAvatar<'_>>(),
        Schema::for_type::<EventTyping<'_>>(),
        Schema::for_type::<EventViewing<'_>>(),
        Schema::for_type::<EventNote<'_>>(),
        Schema::for_type::<EventDraft>(),
        Schema::for_type::<EventChannel<'_>>(),
        Schema::for_type::<EventWebhook>(),
        Schema::for_type::<EventNotification<'_>>(),
    ])
}
