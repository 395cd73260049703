//! The client of the Bot API.
//!
//! It has the methods that the bridge needs, and types with only the fields that it reads. The token is a part of each address,
//! so no address is in an error, and no text from outside leaves this module with the token in it.

mod body;
mod client;
mod download;
mod error;
mod token;
pub mod types;

pub use body::Attachment;
pub use client::{Api, ApiSettings, BotInfo, SettingsError, WebhookInfo};
pub use download::Download;
pub use error::{ApiError, Refusal};
pub use token::{Token, TokenError};

/// The kinds of updates that the bridge reads. Telegram leaves reactions out unless they are asked for by name.
pub const ALLOWED_UPDATES: [&str; 7] = [
    "message",
    "edited_message",
    "business_message",
    "edited_business_message",
    "callback_query",
    "message_reaction",
    "my_chat_member",
];
/// The largest file that a bot may fetch.
pub const DOWNLOAD_MAX: u64 = 20 << 20;
/// The largest file that a bot may send.
pub const UPLOAD_MAX: u64 = 50 << 20;
/// The largest file that a bot may send as a picture.
pub const PHOTO_MAX: u64 = 10 << 20;
