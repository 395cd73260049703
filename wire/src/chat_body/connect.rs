//! The body of `POST /v2/origin/custom/<channel_id>/connect`.

use crate::chat_body::Rules;
use crate::domain::hook_version::HookVersion;
use crate::domain::id::AccountId;
use crate::domain::text::Title;
use crate::domain::violation::ViolationCode;
use crate::json::{self, BodyError};

/// An account is to be connected to the channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectBody {
    /// The account.
    pub account: AccountId,
    /// The title of the scope; without one, the channel's name.
    pub title: Option<Title>,
    /// The form of its callbacks.
    pub hook_version: HookVersion,
    /// True when people may write at any time, whatever window the messenger has. Of the current generation.
    pub time_window_disabled: bool,
}

/// Reads the body. A key that is not listed is refused by name: the signature covers no path, so a captured
/// body of another kind must not pass for this one.
///
/// # Errors
/// When it is no JSON, or with everything that is wrong in it.
pub fn parse(body: &[u8], rules: Rules) -> Result<ConnectBody, BodyError> {
    rules.read(|rules| read(body, rules))
}

fn read(body: &[u8], rules: Rules) -> Result<ConnectBody, BodyError> {
    json::read(body, rules.nulls(), |body| {
        let (known, window): (&[&str], _) = match rules {
            Rules::V2019 => (&["account_id", "title", "hook_api_version"], None),
            Rules::Current => (
                &[
                    "account_id",
                    "title",
                    "hook_api_version",
                    "is_time_window_disabled",
                ],
                body.optional_bool("is_time_window_disabled"),
            ),
        };
        if body.has("conversation_id") {
            let detail = "unknown key: who is typing belongs to …/<scope_id>/typing (the vendor's sample for that names this address by mistake)";
            let code = ViolationCode::InvalidValue;
            body.reject("conversation_id", code, detail.to_owned());
        }
        body.refuse_unknown_but(known, &["conversation_id"]);
        let account = body.required_parsed("account_id");
        let title = body.optional_parsed("title");
        let version = body.optional_choice("hook_api_version", &HookVersion::NAMES);
        Some(ConnectBody {
            account: account?,
            title,
            hook_version: version.unwrap_or_default(),
            time_window_disabled: window.unwrap_or(false),
        })
    })
}
