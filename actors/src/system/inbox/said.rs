//! What a message says, in words: what it is found by.

use crate::domain::chat::message::Content;
use crate::system::inbox::MessageView;
use crate::wire::chat_body::stored;

impl MessageView {
    /// What the message says as it is shown now: its text, and what the file or the person in it is called.
    pub(in crate::system) fn said(&self) -> Vec<String> {
        let (Self::In { afterwards, .. } | Self::Out { afterwards, .. }) = self;
        if let Some((edited, raw)) = &afterwards.edit
            && let Some(content) = stored::edited(edited, raw)
        {
            return words(&content);
        }
        match self {
            Self::In { received, raw, .. } => {
                let parsed = stored::message(received, raw);
                parsed.map_or_else(Vec::new, |parsed| words(&parsed.content))
            }
            Self::Out { replied, .. } => {
                let text = replied.content.text().to_owned();
                let file = replied.content.file();
                let name = file.map(|file| file.name.as_str().to_owned());
                [text].into_iter().chain(name).collect()
            }
        }
    }
}

fn words(content: &Content) -> Vec<String> {
    let text = content.text().map(|text| text.as_str().to_owned());
    let mut words: Vec<String> = text.into_iter().collect();
    match content {
        Content::Picture { file, .. }
        | Content::Video { file, .. }
        | Content::File { file, .. } => words.push(file.name.as_str().to_owned()),
        Content::Contact { name, phone, .. } => {
            words.push(name.as_str().to_owned());
            words.push(phone.as_str().to_owned());
        }
        Content::Text { .. }
        | Content::Voice { .. }
        | Content::Audio { .. }
        | Content::Sticker { .. }
        | Content::Location { .. } => {}
    }
    words
}
