//! The methods of the Bot API.

pub(crate) mod album;
mod changes;
pub(crate) mod media;
mod polls;
mod reads;
mod send;

pub(crate) use polls::Step;

use super::Machine;
use crate::clock::Moment;
use crate::params::Params;
use crate::reply::{ApiError, Reply};

/// The methods, in lower case, whose effect a call may have. `getupdates` waits and stands apart.
pub(crate) const METHODS: [&str; 28] = [
    "answercallbackquery",
    "deletemessage",
    "deletewebhook",
    "editmessagecaption",
    "editmessagereplymarkup",
    "editmessagetext",
    "getchat",
    "getfile",
    "getme",
    "getupdates",
    "getuserprofilephotos",
    "getwebhookinfo",
    "sendanimation",
    "sendaudio",
    "sendchataction",
    "sendcontact",
    "senddocument",
    "sendlocation",
    "sendmediagroup",
    "sendmessage",
    "sendphoto",
    "sendsticker",
    "sendvenue",
    "sendvideo",
    "sendvideonote",
    "sendvoice",
    "setmessagereaction",
    "setwebhook",
];

impl Machine {
    /// Does a call. The method is in lower case.
    pub(crate) fn call(&mut self, bot: i64, method: &str, params: &Params, now: Moment) -> Reply {
        let Some(mut desk) = self.desk(bot, now) else {
            return Err(ApiError::unauthorized());
        };
        match method {
            "getme" => Ok(desk.get_me()),
            "getchat" => desk.get_chat(params),
            "getfile" => desk.get_file(params),
            "getuserprofilephotos" => desk.get_user_profile_photos(params),
            "getwebhookinfo" => Ok(desk.get_webhook_info()),
            "setwebhook" => desk.set_webhook(params),
            "deletewebhook" => Ok(desk.delete_webhook(params)),
            "sendmessage" => desk.send_text(params),
            "sendlocation" => desk.send_location(params),
            "sendvenue" => desk.send_venue(params),
            "sendcontact" => desk.send_contact(params),
            "sendmediagroup" => desk.send_album(params),
            "sendphoto" => desk.send_media(method, "photo", params),
            "senddocument" => desk.send_media(method, "document", params),
            "sendvideo" => desk.send_media(method, "video", params),
            "sendaudio" => desk.send_media(method, "audio", params),
            "sendvoice" => desk.send_media(method, "voice", params),
            "sendvideonote" => desk.send_media(method, "video_note", params),
            "sendsticker" => desk.send_media(method, "sticker", params),
            "sendanimation" => desk.send_media(method, "animation", params),
            "sendchataction" => desk.send_chat_action(params),
            "editmessagetext" => desk.edit_text(params),
            "editmessagecaption" => desk.edit_caption(params),
            "editmessagereplymarkup" => desk.edit_reply_markup(params),
            "deletemessage" => desk.delete_message(params),
            "setmessagereaction" => desk.set_reaction(params),
            "answercallbackquery" => desk.answer_callback_query(params),
            _ => Err(ApiError::new(404, "Not Found: method not found")),
        }
    }
}
