//! The text of a push, which the worker of the console (`ui/src/worker.ts`) shows in the words of the user's language.

use serde::Serialize;
use switchboard_actors::domain::id::ConversationId;
use switchboard_actors::domain::installation::accounts::Lang;
use switchboard_actors::system::live::Notification;
use switchboard_push::message::TEXT_MAX;

#[derive(Serialize)]
struct Payload<'n> {
    kind: &'n str,
    tag: String,
    conversation_id: Option<ConversationId>,
    channel: Option<&'n str>,
    count: u64,
    conversations: usize,
    lang: Lang,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'n str>,
}

/// The text of a push. The customer's words go first if it is too long.
pub(super) fn payload(notification: &Notification, lang: Lang, text: Option<&str>) -> String {
    let subject = &notification.subject;
    let with = |channel, text| {
        let payload = Payload {
            kind: subject.kind(),
            tag: subject.tag(),
            conversation_id: subject.conversation(),
            channel,
            count: subject.count(),
            conversations: subject.conversations(),
            lang,
            text,
        };
        // A struct of text and numbers always has a JSON form.
        serde_json::to_string(&payload).unwrap_or_default()
    };
    let channel = subject.channel();
    let attempts = [(channel, text), (channel, None)].into_iter();
    attempts
        .map(|(channel, text)| with(channel, text))
        .find(|payload| payload.len() <= TEXT_MAX)
        .unwrap_or_else(|| with(None, None))
}

/// The `Urgency` of a push: what waits for this user alone may wake a telephone that saves its battery.
pub(super) fn urgency(notification: &Notification) -> &'static str {
    match notification.subject.kind() {
        "new_conversation" | "summary" => "normal",
        _ => "high",
    }
}

#[cfg(test)]
mod tests {
    use switchboard_actors::domain::id::{NotificationId, UserId};
    use switchboard_actors::domain::notifications::NotificationKind;
    use switchboard_actors::system::live::NotificationSubject;

    use super::*;

    fn notification(channel: &str) -> Notification {
        Notification {
            id: NotificationId::from_random([1; 16]),
            user: UserId(7),
            subject: NotificationSubject::One {
                kind: NotificationKind::NewMessage,
                conversation: ConversationId::from_random([2; 16]),
                channel: channel.to_owned(),
            },
            sound: false,
        }
    }

    #[test]
    fn a_push_has_the_customers_text_only_if_it_is_given() {
        let lang = Lang::En;
        let plain = payload(&notification("Telegram"), lang, None);
        assert!(
            !plain.contains("\"text\"") && plain.contains("Telegram"),
            "{plain}"
        );
        let with_text = payload(&notification("Telegram"), lang, Some("Hello"));
        assert!(with_text.contains("\"text\":\"Hello\""), "{with_text}");
    }

    #[test]
    fn no_push_is_too_long_to_be_encrypted() {
        let lang = Lang::En;
        let signs = "\u{1}".repeat(1_000);
        let without_text = payload(&notification("Telegram"), lang, Some(&signs));
        assert!(!without_text.contains("\"text\""), "{without_text}");
        let without_channel = payload(&notification(&signs), lang, None);
        assert!(
            without_channel.contains("\"channel\":null"),
            "{without_channel}"
        );
        assert!(without_channel.len() <= TEXT_MAX);
    }
}
