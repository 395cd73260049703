//! Updates, with only the fields that the bridge reads.
//!
//! Telegram adds fields and kinds with each version. An unknown field is ignored, and one that is missing or of another type
//! counts as not there: no update fails as a whole.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Reads a field; the default of its type when it is of another type.
pub(crate) fn lenient<'de, D, T>(from: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned + Default,
{
    let value = Value::deserialize(from)?;
    // A list would be read as the fields of an object, by their places.
    if value.is_array() {
        return Ok(T::default());
    }
    Ok(T::deserialize(value).unwrap_or_default())
}

/// Reads a text; empty when it is none.
pub(crate) fn lenient_text<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    lenient(from)
}

/// Reads a list, without the entries that cannot be read.
fn lenient_list<'de, D, T>(from: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let Value::Array(entries) = Value::deserialize(from)? else {
        return Ok(Vec::new());
    };
    let readable = entries.into_iter().filter_map(|it| T::deserialize(it).ok());
    Ok(readable.collect())
}

/// Declares types all of whose fields are lenient.
macro_rules! lenient {
    ($($(#[$attribute:meta])* $name:ident { $($(#[$field_attribute:meta])* $field:ident: $type:ty = $reader:literal,)* })*) => {$(
        $(#[$attribute])*
        #[derive(Clone, Debug, Default, Deserialize)]
        #[serde(default)]
        pub struct $name {
            $($(#[$field_attribute])* #[serde(deserialize_with = $reader)] pub $field: $type,)*
        }
    )*};
}

lenient! {
    /// A report of Telegram.
    Update {
        update_id: Option<i64> = "lenient",
        message: Option<Message> = "lenient",
        edited_message: Option<Message> = "lenient",
        business_message: Option<Message> = "lenient",
        edited_business_message: Option<Message> = "lenient",
        callback_query: Option<CallbackQuery> = "lenient",
        message_reaction: Option<MessageReaction> = "lenient",
        my_chat_member: Option<ChatMemberUpdated> = "lenient",
    }

    /// A person or a bot.
    User {
        id: i64 = "lenient",
        is_bot: bool = "lenient",
        first_name: String = "lenient_text",
        last_name: String = "lenient_text",
        username: String = "lenient_text",
    }

    /// A chat with a person, a group or a channel.
    Chat {
        id: i64 = "lenient",
        title: String = "lenient_text",
        username: String = "lenient_text",
    }

    /// A message.
    Message {
        message_id: i64 = "lenient",
        /// The connection of a business account with the bot; empty for other chats.
        business_connection_id: String = "lenient_text",
        /// Unix time, in seconds.
        date: i64 = "lenient",
        edit_date: i64 = "lenient",
        chat: Option<Chat> = "lenient",
        from: Option<User> = "lenient",
        /// The chat in whose name it was written: that of an anonymous administrator is the group.
        sender_chat: Option<Chat> = "lenient",
        text: String = "lenient_text",
        entities: Vec<Entity> = "lenient_list",
        caption: String = "lenient_text",
        caption_entities: Vec<Entity> = "lenient_list",
        /// One picture in several sizes.
        photo: Vec<File> = "lenient_list",
        document: Option<File> = "lenient",
        video: Option<File> = "lenient",
        audio: Option<File> = "lenient",
        voice: Option<File> = "lenient",
        video_note: Option<File> = "lenient",
        animation: Option<File> = "lenient",
        sticker: Option<File> = "lenient",
        location: Option<Location> = "lenient",
        venue: Option<Venue> = "lenient",
        contact: Option<Contact> = "lenient",
        dice: Option<Dice> = "lenient",
        media_group_id: String = "lenient_text",
        reply_to_message: Option<Box<Message>> = "lenient",
        quote: Option<TextQuote> = "lenient",
        reply_markup: Option<Keyboard> = "lenient",
        migrate_to_chat_id: Option<i64> = "lenient",
        migrate_from_chat_id: Option<i64> = "lenient",
    }

    /// A part of a text with a meaning. Its place is in UTF-16 units.
    Entity {
        #[serde(rename = "type")]
        kind: String = "lenient_text",
        offset: usize = "lenient",
        length: usize = "lenient",
        url: String = "lenient_text",
    }

    /// A file of any kind.
    File {
        file_id: String = "lenient_text",
        /// The id that a picture has for every bot.
        file_unique_id: String = "lenient_text",
        file_size: Option<u64> = "lenient",
        file_name: String = "lenient_text",
        mime_type: String = "lenient_text",
        width: u64 = "lenient",
        height: u64 = "lenient",
        /// The emoji that a sticker stands for.
        emoji: String = "lenient_text",
        is_animated: bool = "lenient",
        is_video: bool = "lenient",
        thumbnail: Option<Box<File>> = "lenient",
    }

    /// The pictures of a person, the present one first.
    ProfilePhotos {
        photos: Vec<Vec<File>> = "lenient_list",
    }

    /// A place.
    Location {
        latitude: Option<f64> = "lenient",
        longitude: Option<f64> = "lenient",
    }

    /// A place with a name.
    Venue {
        location: Option<Location> = "lenient",
        title: String = "lenient_text",
        address: String = "lenient_text",
    }

    /// A card with a phone number.
    Contact {
        phone_number: String = "lenient_text",
        first_name: String = "lenient_text",
        last_name: String = "lenient_text",
        user_id: Option<i64> = "lenient",
    }

    /// A die, or another emoji with a random value.
    Dice {
        emoji: String = "lenient_text",
        value: i64 = "lenient",
    }

    /// The part of a message that its answer quotes.
    TextQuote {
        text: String = "lenient_text",
    }

    /// The buttons below a message.
    Keyboard {
        inline_keyboard: Vec<Vec<Button>> = "lenient_list",
    }

    /// A button.
    Button {
        text: String = "lenient_text",
        callback_data: String = "lenient_text",
    }

    /// The press of a button.
    CallbackQuery {
        id: String = "lenient_text",
        from: Option<User> = "lenient",
        message: Option<Message> = "lenient",
        data: String = "lenient_text",
    }

    /// A change of the reactions of one person to one message.
    MessageReaction {
        chat: Option<Chat> = "lenient",
        message_id: i64 = "lenient",
        user: Option<User> = "lenient",
        /// The chat in whose name the reaction was set.
        actor_chat: Option<Chat> = "lenient",
        old_reaction: Vec<Reaction> = "lenient_list",
        new_reaction: Vec<Reaction> = "lenient_list",
    }

    /// A reaction. Those of other types have no emoji.
    Reaction {
        emoji: String = "lenient_text",
    }

    /// A change of the bot's own place in a chat.
    ChatMemberUpdated {
        chat: Option<Chat> = "lenient",
        new_chat_member: Option<ChatMember> = "lenient",
    }

    /// The place of a person or a bot in a chat.
    ChatMember {
        status: String = "lenient_text",
        is_member: bool = "lenient",
    }
}

impl Update {
    /// Reads an update. What cannot be read is not there.
    #[must_use]
    pub fn read(value: &Value) -> Self {
        Self::deserialize(value).unwrap_or_default()
    }
}
