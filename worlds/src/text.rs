//! The text of a message, in whatever form the message comes.

use serde_json::Value;
use switchboard_actors::system::inbox::MessageView;

/// The text of a message as it was first written; empty when it has none.
#[must_use]
pub fn text_of(message: &MessageView) -> String {
    match message {
        MessageView::In { raw, .. } => text_in(raw, &["/payload/message/text"]),
        MessageView::Out { replied, .. } => replied.content.text().to_owned(),
    }
}

/// The text at the first of these places of a body where there is one.
pub(super) fn text_in(body: &[u8], places: &[&str]) -> String {
    let body = serde_json::from_slice(body).unwrap_or(Value::Null);
    let mut texts = places.iter().filter_map(|place| body.pointer(place));
    let text = texts.find_map(Value::as_str);
    text.unwrap_or_default().to_owned()
}
