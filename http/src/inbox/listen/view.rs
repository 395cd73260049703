//! Events as the inbox shows them.

use serde::Serialize;
use switchboard_actors::domain::chat::delivery::DeliveryStatus;
use switchboard_actors::domain::chat::fetch::FetchSubject;
use switchboard_actors::domain::conversation::fetch::Fetched;
use switchboard_actors::domain::conversation::{
    GroupAssigned, Mark, Marked, Read, Snooze, WakeCause, Woken,
};
use switchboard_actors::domain::crm::LeadChanged;
use switchboard_actors::domain::crm::assignment::AssignmentReason;
use switchboard_actors::domain::hook_version::HookVersion;
use switchboard_actors::domain::id::{
    ChannelId, ConversationId, GroupId, MessageId, NotificationId, SubscriptionId, UserId,
};
use switchboard_actors::domain::oauth::acting_client::ActingClient;
use switchboard_actors::domain::scheduled::ScheduledChange;
use switchboard_actors::domain::scheduled_replies::scheduled_reply::ScheduledReply;
use switchboard_actors::domain::team_notes::note::TeamNote;
use switchboard_actors::domain::text::url::HttpUrl;
use switchboard_actors::system::callbacks::CallbackView;
use switchboard_actors::system::inbox::MessageView;
use switchboard_actors::system::live::{Audience, Health, LiveEvent, Notification, What};
use switchboard_actors::{Caller, Typing};

use crate::base::Base;
use crate::inbox::listen::team::{
    EventCannedReply, EventDraft, EventMention, EventNote, EventPresence, EventScheduledReply,
    EventView,
};
use crate::inbox::scheduled_replies::ScheduledReplyView;
use crate::inbox::team_notes::NoteView;
use crate::inbox::view::{
    CallbackState, Delivery, FileCheck, Lead, Message, Snooze as SnoozeView, Typist, Viewer,
};
use crate::oauth::view::ActingClientView;
use crate::openapi::{Schema, Url};

/// The event in the form of `text/event-stream`, for a listener who knows the service under this base.
pub(super) fn text(event: &LiveEvent, base: &Base) -> String {
    match &event.what {
        What::Message(conversation, view) => message(event, *conversation, view, base),
        What::Changed(chat, message) => line(event, "changed", &EventChanged::new(*chat, *message)),
        What::Delivery(conversation, message, status) => {
            delivery(event, *conversation, *message, status)
        }
        What::Callback(conversation, message, state) => {
            callback(event, *conversation, *message, state)
        }
        What::Lead(conversation, changed) => lead(event, *conversation, changed),
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
        What::GroupAssigned(conversation, assigned) => {
            line(event, "group", &EventGroup::new(*conversation, assigned))
        }
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
        What::CannedReply { id, .. } => line(event, "canned_reply", &EventCannedReply::new(*id)),
        What::SavedView { id, .. } => line(event, "view", &EventView::new(*id)),
        What::TeamNote(conversation, note) => team_note(event, *conversation, note),
        What::ScheduledReply(conversation, change, reply) => {
            scheduled(event, *conversation, *change, reply)
        }
        What::Mentioned(conversation, mentioned) => line(
            event,
            "mention",
            &EventMention::new(*conversation, mentioned),
        ),
        What::CustomerTyping(conversation, typing) => customer_typing(event, *conversation, typing),
        What::Health(version, health) => health_of_channel(event, *version, *health),
        What::Webhook { id, is_on } => line(event, "webhook", &EventWebhook::new(*id, *is_on)),
        What::Presence(user, it) => line(event, "presence", &EventPresence::new(*user, *it)),
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

/// The event of a new message.
fn message(
    event: &LiveEvent,
    conversation: ConversationId,
    view: &MessageView,
    base: &Base,
) -> String {
    let data = EventMessage::new(conversation, Message::new(view, base));
    line(event, "message", &data)
}

/// The event of a lead that changed.
fn lead(event: &LiveEvent, conversation: Option<ConversationId>, changed: &LeadChanged) -> String {
    let lead = Lead::new(&changed.lead);
    let data = EventLead::new(conversation, lead, changed.reason);
    line(event, "lead", &data)
}

/// The event of a delivery status.
fn delivery(
    event: &LiveEvent,
    conversation: ConversationId,
    message: MessageId,
    status: &DeliveryStatus,
) -> String {
    let delivery = Delivery::new(Some(status), "queued");
    let data = EventDelivery::new(conversation, message, delivery);
    line(event, "delivery", &data)
}

/// The event of the state of a callback.
fn callback(
    event: &LiveEvent,
    conversation: ConversationId,
    message: MessageId,
    state: &CallbackView,
) -> String {
    let data = EventCallback::new(conversation, message, CallbackState::new(state));
    line(event, "callback", &data)
}

/// The event of a note of the team.
fn team_note(event: &LiveEvent, conversation: ConversationId, note: &TeamNote) -> String {
    line(
        event,
        "note",
        &EventNote::new(conversation, NoteView::new(note)),
    )
}

/// The event of a scheduled reply.
fn scheduled(
    event: &LiveEvent,
    conversation: ConversationId,
    change: ScheduledChange,
    reply: &ScheduledReply,
) -> String {
    let data = EventScheduledReply::new(conversation, change, ScheduledReplyView::new(reply));
    line(event, "scheduled_reply", &data)
}

/// The event of a person on the customer's side who writes.
fn customer_typing(event: &LiveEvent, conversation: ConversationId, typing: &Typing) -> String {
    let customer = Typist::new(typing.person, typing.until.into());
    let data = EventTyping::new(conversation, None, Some(customer));
    line(event, "typing", &data)
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

    struct EventLead<'e>(conversation: Option<ConversationId>, lead: Lead<'e>, reason: Option<AssignmentReason>) {
        /// Null of a lead without a chat, such as one of a form or of a call.
        conversation_id: Option<ConversationId> = conversation,
        lead: Lead<'e> = lead,
        /// The reason of another responsible user: a user chose it, the user answered first where the channel has
        /// `assign_first_answer`, or the service did it where the channel has `auto_assign`: by the rule, or since the user before
        /// gave it back or is gone. Not there when it has not changed.
        reason ?: AssignmentReason = reason,
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

    /// A conversation has another group, or none.
    struct EventGroup(conversation: ConversationId, assigned: &GroupAssigned) {
        conversation_id: ConversationId = conversation,
        group_id: Option<GroupId> = assigned.group,
        reason: AssignmentReason = assigned.reason,
        user: Reader = Reader::new(assigned.by, assigned.client.as_ref()),
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
        let subject = &notification.subject;
    ] {
        id: NotificationId = notification.id,
        #[schemars(extend("enum" = ["new_conversation", "new_message", "assigned", "mention", "send_failed", "scheduled_held", "summary"]))]
        kind: &'static str = subject.kind(),
        /// Null of a summary.
        conversation_id: Option<ConversationId> = subject.conversation(),
        /// A later notification with the same tag takes its place.
        tag: String = subject.tag(),
        /// The title of the channel; null of a summary.
        channel: Option<&'e str> = subject.channel(),
        /// The number of things that happened; 1 unless it is a summary.
        count: u64 = subject.count(),
        /// The number of their conversations, at most 250.
        conversations: usize = subject.conversations(),
        /// True when it makes a sound.
        sound: bool = notification.sound,
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
        Schema::for_type::<EventGroup>(),
        Schema::for_type::<EventMedia<'_>>(),
        Schema::for_type::<EventAvatar<'_>>(),
        Schema::for_type::<EventTyping<'_>>(),
        Schema::for_type::<EventViewing<'_>>(),
        Schema::for_type::<EventNote<'_>>(),
        Schema::for_type::<EventScheduledReply<'_>>(),
        Schema::for_type::<EventMention>(),
        Schema::for_type::<EventDraft>(),
        Schema::for_type::<EventCannedReply>(),
        Schema::for_type::<EventView>(),
        Schema::for_type::<EventChannel<'_>>(),
        Schema::for_type::<EventWebhook>(),
        Schema::for_type::<EventPresence>(),
        Schema::for_type::<EventNotification<'_>>(),
    ])
}
