//! The bodies that have something sent again, as it was or edited.

use std::str::FromStr;

use crate::body::value::{Found, Whole};
use crate::domain::hook_version::HookVersion;
use crate::schema::Schema;
use crate::{body, body_values};

/// Unix time in seconds.
type Moment = Whole<0, 4_294_967_295>;
/// The place of a target of a relay: 0 is the bridge, 1 is the first of the copies.
type Place = Whole<0, 64>;
/// The place of any target, with that of the counterpart.
type AnyPlace = Whole<0, 65>;

body!(
    /// A body that is sent once in place of a callback.
    pub struct EditedCallback {
        /// The body to send in place of the callback.
        body: String,
        /// The value of X-Signature; the right one if it is left out.
        signature: Option<HeaderText>,
        /// The callback version; the account's own if it is left out.
        version: Option<HookVersion>,
    }

    /// A body that is sent once in place of a hook that a relay took.
    pub struct EditedHookBody {
        /// The counterpart's id of the message.
        message_id: String,
        /// The body to send in place of the hook.
        body: String,
        /// The value of X-Signature; the right one, by the secret of the channel, if it is left out.
        signature: Option<HeaderText>,
        /// The target: 0 is the bridge, which counts when it is left out; 1 is the first of the copies.
        target: Option<Place>,
    }

    /// The hooks of a relay that are sent again.
    pub struct RelayReplay {
        /// The counterpart's id of the message.
        message_id: Option<String>,
        /// Unix time in seconds: hooks that the relay took from then on ...
        from: Option<Moment>,
        /// ... until this time, which is not among them.
        until: Option<Moment>,
        /// The target: 0 is the bridge, which counts when it is left out; 1 is the first of the copies, 65 the counterpart.
        target: Option<AnyPlace>,
    }
);

body_values! {
    HeaderText: Schema::line(255), Found::parsed;
}

/// A text that can stand in a header.
pub struct HeaderText(pub String);

/// A text that no header can have.
#[derive(Debug, thiserror::Error)]
#[error("expected at most 255 ASCII characters without spaces")]
pub struct EditedHeaderError;

impl FromStr for HeaderText {
    type Err = EditedHeaderError;

    fn from_str(text: &str) -> Result<Self, EditedHeaderError> {
        if text.len() <= 255 && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            Ok(Self(text.to_owned()))
        } else {
            Err(EditedHeaderError)
        }
    }
}
