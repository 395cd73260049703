//! The bodies that describe channels.

use crate::body;
use crate::body::value::Whole;
use crate::domain::hook_version::HookVersion;
use crate::domain::id::{AccountId, ChannelId};
use crate::domain::installation::channels::settings::{ChannelChange, ChannelSettings};
use crate::domain::signature::SharedSecret;

/// The longest grace period of a rotation, in seconds: 30 days.
const GRACE_MAX: i64 = 30 * 86_400;

body!(
    /// A new channel.
    pub struct NewChannel {
        /// Letters, digits, - and _, at most 64; made when it is left out.
        id: Option<ChannelId>,
        secret: Option<SharedSecret>,
        #[body(given(New))]
        settings: ChannelSettings,
    }

    /// A change of a channel.
    pub struct ChangedChannel {
        #[body(given(Update))]
        change: ChannelChange,
    }

    /// Another secret.
    pub struct NewSecret {
        secret: Option<SharedSecret>,
        /// The time for which the old secret stays valid, in seconds; at most 30 days.
        #[body(default(86_400))]
        grace_seconds: Whole<0, GRACE_MAX>,
    }

    /// A callback that is a test.
    pub struct TestSend {
        version: Option<HookVersion>,
        /// In whose name; a connected one if it is left out.
        account_id: Option<AccountId>,
    }

    /// A signature, and what it is said to be of.
    pub struct SignatureCheck {
        /// The value of X-Signature.
        signature: String,
        /// The raw body.
        body: String,
        #[body(default("POST"))]
        method: String,
        /// Without the query.
        path: Option<String>,
        content_md5: Option<String>,
        content_type: Option<String>,
        /// Without it, only the raw body can have been signed.
        date: Option<String>,
    }
);
