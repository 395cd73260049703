//! The message that another one refers to.

use crate::chat_body::Rules;
use crate::chat_body::message_fields::either_missing;
use crate::chat_body::send::content::kinds;
use crate::domain::chat::quote::{Forwards, Post, Quote, QuotedPerson};
use crate::domain::violation::ViolationCode;
use crate::json::object::{JsonType, MISSING, ObjectReader};

/// The interface passes on one message at most.
const FORWARDED_MAX: usize = 1;

/// `reply_to`: the message that this one answers.
pub(super) fn reply_to(payload: &ObjectReader<'_, '_>) -> Option<Quote> {
    let reply = payload.optional_object("reply_to")?;
    let message = reply.required_object("message")?;
    Some(quote(&message))
}

/// `forwards`: the message that this one passes on.
pub(super) fn forwards(payload: &ObjectReader<'_, '_>) -> Option<Forwards> {
    let forwards = payload.optional_object("forwards")?;
    let conversation_id = forwards.optional_parsed("conversation_id");
    let conversation_ref_id = forwards.optional_parsed("conversation_ref_id");
    let list = forwards.required_list("messages")?;
    if list.is_empty() || list.len() > FORWARDED_MAX {
        let detail = "expected an array of one message".to_owned();
        forwards.reject("messages", ViolationCode::InvalidValue, detail);
        return None;
    }
    let messages = list.objects().map(|message| quote(&message)).collect();
    Some(Forwards {
        messages,
        conversation_id,
        conversation_ref_id,
    })
}

/// A message inside another one. An id of either side is enough; without one the message itself has to be there.
fn quote(message: &ObjectReader<'_, '_>) -> Quote {
    let quote = Quote {
        id: message.optional_parsed("id"),
        msgid: message.optional_parsed("msgid"),
        kind: message.optional_choice("type", kinds(Rules::Current)),
        text: message.optional_or_left_out("text"),
        media: message.optional_or_left_out("media"),
        sender: message
            .optional_object("sender")
            .map(|it| quoted_person(&it)),
    };
    message.check_shape("timestamp", JsonType::Integer);
    message.check_shape("msec_timestamp", JsonType::Integer);
    let has_id = message.has("id") || message.has("msgid");
    if !has_id {
        for name in ["type", "timestamp", "msec_timestamp", "sender"] {
            if !message.has(name) {
                let detail =
                    format!("{MISSING}: it is needed because neither id nor msgid is given");
                message.reject(name, ViolationCode::FieldMissing, detail);
            }
        }
    }
    quote
}

fn quoted_person(person: &ObjectReader<'_, '_>) -> QuotedPerson {
    let quoted = QuotedPerson {
        id: person.optional_parsed("id"),
        ref_id: person.optional_parsed("ref_id"),
        name: person.optional_or_left_out("name"),
    };
    if !person.has("id") && !person.has("ref_id") && quoted.name.is_none() {
        either_missing(person, "id", "ref_id or name");
    }
    quoted
}

/// `message.post`: the post that this message comments.
pub(super) fn post(message: &ObjectReader<'_, '_>) -> Option<Post> {
    let post = message.optional_object("post")?;
    let (id, url) = (post.required_parsed("id"), post.required_parsed("url"));
    let (preview_url, preview_permalink) = (
        post.optional_or_left_out("preview_url"),
        post.optional_or_left_out("preview_permalink"),
    );
    let username = post.optional_or_left_out("username");
    let caption = post.optional_or_left_out("caption");
    Some(Post {
        id: id?,
        url: url?,
        preview_url,
        preview_permalink,
        username,
        caption,
    })
}
