//! Builds the event that an integration would post for a customer's message.

use clap::{Args, ValueEnum};
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use switchboard_actors::domain::id::{ClientConversationId, ClientMessageId};
use url::Url;

use super::super::output::CliError;

/// The content of the customer's message.
#[derive(Debug, Args)]
pub(super) struct MessageArgs {
    /// The text; words are joined with spaces
    #[arg(value_name = "TEXT")]
    text: Vec<String>,
    /// The customer's name
    #[arg(long, value_name = "NAME", default_value = "Clara")]
    from: String,
    /// The conversation, by the integration's id [default: one of the customer's name]
    #[arg(long, value_name = "ID")]
    conversation: Option<ClientConversationId>,
    /// The message, by the integration's id [default: a new one]
    #[arg(long, value_name = "ID")]
    msgid: Option<ClientMessageId>,
    /// Import it: no notification, no lead
    #[arg(long)]
    silent: bool,
    /// The type of the message
    #[arg(long = "type", value_enum, value_name = "TYPE", default_value_t = Kind::Text)]
    kind: Kind,
    /// The file's address, for picture, video, file and sticker
    #[arg(long, value_name = "URL")]
    media: Option<Url>,
    /// The file's name [default: the end of its address]
    #[arg(long, value_name = "NAME")]
    file_name: Option<String>,
    /// The file's size in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    file_size: u64,
    /// The place, for location
    #[arg(long, value_name = "LAT,LON", allow_hyphen_values = true)]
    location: Option<String>,
    /// The person, for contact
    #[arg(long, value_name = "NAME,PHONE")]
    contact: Option<String>,
    /// The address of the customer's picture
    #[arg(
        long,
        value_name = "URL",
        default_value = "https://example.com/avatar.png"
    )]
    avatar: Url,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    Text,
    Picture,
    Video,
    File,
    Sticker,
    Contact,
    Location,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Picture => "picture",
            Self::Video => "video",
            Self::File => "file",
            Self::Sticker => "sticker",
            Self::Contact => "contact",
            Self::Location => "location",
        }
    }
}

/// The whole body of the request, written now.
pub(super) fn new_message(args: &MessageArgs, now: Timestamp) -> Result<Value, CliError> {
    let name = slug(&args.from);
    let conversation = match &args.conversation {
        Some(id) => id.to_string(),
        None => format!("c-{name}"),
    };
    let msgid = match &args.msgid {
        Some(id) => id.to_string(),
        // The clock's nanoseconds and the process: two messages never share both.
        None => format!("m-{}-{}", now.as_nanosecond(), std::process::id()),
    };
    Ok(json!({
        "event_type": "new_message",
        "payload": {
            "timestamp": now.as_second(),
            "msgid": msgid,
            "conversation_id": conversation,
            "sender": { "id": format!("u-{name}"), "name": args.from, "avatar": args.avatar.as_str() },
            "message": message(args)?,
            "silent": args.silent,
        },
    }))
}

fn message(args: &MessageArgs) -> Result<Value, CliError> {
    let mut message = Map::new();
    message.insert("type".into(), args.kind.word().into());
    let text = args.text.join(" ");
    let needs = |flag: &str| {
        CliError::Usage(format!(
            "a message of type {} needs {flag}",
            args.kind.word()
        ))
    };
    if text.is_empty() && args.kind == Kind::Text {
        return Err(needs("a TEXT"));
    }
    if !text.is_empty() {
        message.insert("text".into(), text.into());
    }
    match args.kind {
        Kind::Text => {}
        Kind::Picture | Kind::Video | Kind::File | Kind::Sticker => {
            let media = args.media.as_ref().ok_or_else(|| needs("--media"))?;
            message.insert("media".into(), media.as_str().into());
            message.insert("file_name".into(), file_name(args, media).into());
            message.insert("file_size".into(), args.file_size.into());
        }
        Kind::Contact => {
            let pair = args
                .contact
                .as_deref()
                .and_then(|pair| pair.rsplit_once(','));
            let (name, phone) = pair.ok_or_else(|| needs("--contact NAME,PHONE"))?;
            let contact = json!({ "name": name.trim(), "phone": phone.trim() });
            message.insert("contact".into(), contact);
        }
        Kind::Location => {
            let pair = args
                .location
                .as_deref()
                .and_then(|pair| pair.split_once(','));
            let (lat, lon) = pair.ok_or_else(|| needs("--location LAT,LON"))?;
            let (Ok(lat), Ok(lon)) = (lat.trim().parse::<f64>(), lon.trim().parse::<f64>()) else {
                return Err(needs("--location LAT,LON"));
            };
            message.insert("location".into(), json!({ "lon": lon, "lat": lat }));
        }
    }
    Ok(Value::Object(message))
}

fn file_name(args: &MessageArgs, media: &Url) -> String {
    let last = || {
        media
            .path()
            .rsplit('/')
            .next()
            .filter(|name| !name.is_empty())
    };
    match (&args.file_name, last()) {
        (Some(name), _) => name.clone(),
        (None, Some(name)) => name.to_owned(),
        (None, None) => "file".to_owned(),
    }
}

/// A name as part of an id: the same customer comes back to the same conversation.
fn slug(name: &str) -> String {
    let plain = |letter: char| {
        if letter.is_alphanumeric() {
            letter
        } else {
            '-'
        }
    };
    let slug: String = name.to_lowercase().chars().map(plain).take(100).collect();
    if slug.is_empty() {
        "customer".into()
    } else {
        slug
    }
}
