//! The subscription of a browser to pushes, as the browser gives it, and as its user is shown it.

use std::str::FromStr;

use schemars::JsonSchema;
use serde::Serialize;
use switchboard_push::message::{self, SubscriberKeyError};

use crate::body::value::Found;
use crate::domain::account::credentials::push::{Push, PushEndpoint, PushKeys};
use crate::domain::account::users::TokenHash;
use crate::domain::id::PushId;
use crate::schema::Schema;
use crate::{body, body_values};

body!(
    /// The subscription of a browser.
    pub struct PushBody {
        /// The address of its push service: https, at most 1,024 bytes. Who knows it can send there, so it is not shown again.
        endpoint: PushEndpoint,
        /// The keys of the browser.
        keys: PushKeysBody,
    }
);

body!(
    /// The keys of a browser.
    pub struct PushKeysBody {
        /// Its public key of P-256, uncompressed, in base64url.
        p256dh: BrowserKey,
        /// The secret that it shares with the service: 16 bytes in base64url.
        auth: BrowserSecret,
    }
);

/// The public key of a browser: a point of the curve.
#[derive(Clone, PartialEq, Eq)]
pub struct BrowserKey(String);

/// The secret that a browser shares with the service.
#[derive(Clone, PartialEq, Eq)]
pub struct BrowserSecret(String);

impl FromStr for BrowserKey {
    type Err = SubscriberKeyError;

    fn from_str(text: &str) -> Result<Self, SubscriberKeyError> {
        message::public_key(text)?;
        Ok(Self(text.trim_end_matches('=').to_owned()))
    }
}

impl FromStr for BrowserSecret {
    type Err = SubscriberKeyError;

    fn from_str(text: &str) -> Result<Self, SubscriberKeyError> {
        message::auth_secret(text)?;
        Ok(Self(text.trim_end_matches('=').to_owned()))
    }
}

body_values! {
    PushEndpoint, secret: Schema::text(), Found::parsed;
    BrowserKey, secret: Schema::text(), Found::parsed;
    BrowserSecret, secret: Schema::text(), Found::parsed;
}

impl From<PushKeysBody> for PushKeys {
    fn from(keys: PushKeysBody) -> Self {
        Self {
            p256dh: keys.p256dh.0,
            auth: keys.auth.0,
        }
    }
}

/// The browsers of a user that are pushed notifications.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Pushes")]
pub struct PushesView {
    /// The public key of the service, in base64url: a page gives it to its browser as `applicationServerKey`.
    public_key: String,
    /// The subscriptions, oldest first; at most ten.
    pushes: Vec<PushView>,
}

/// A browser that is pushed notifications.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Push")]
pub struct PushView {
    /// Its number among those of the user.
    id: PushId,
    /// The host of its push service.
    host: String,
    /// True when the session of the caller made it: their sign-out ends it.
    is_of_this_session: bool,
    /// The time at which it was made, in seconds since 1970.
    created_at: u64,
}

impl PushView {
    /// A subscription, for the session with this secret.
    #[must_use]
    pub fn new(push: &Push, secret: &str) -> Self {
        Self {
            id: push.id,
            host: push.endpoint.host().to_owned(),
            is_of_this_session: push.session == TokenHash::new(secret),
            created_at: push.created_at.secs(),
        }
    }
}

impl PushesView {
    /// The subscriptions of a user, for the session with this secret.
    #[must_use]
    pub fn new(public_key: String, pushes: &[Push], secret: &str) -> Self {
        let views = pushes.iter().map(|push| PushView::new(push, secret));
        Self {
            public_key,
            pushes: views.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;
    use crate::json::BodyError;

    const KEY: &str =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";

    fn body(endpoint: &str, p256dh: &str, auth: &str) -> String {
        serde_json::json!({ "endpoint": endpoint, "keys": { "p256dh": p256dh, "auth": auth } })
            .to_string()
    }

    #[test]
    fn a_subscription_is_read_and_kept_without_padding() {
        let auth = "BTBZMqHH6r4Tts7J_aSIgg";
        let text = body("https://push.example/1", KEY, &format!("{auth}=="));
        let push = PushBody::read(text.as_bytes()).unwrap();
        assert_eq!(push.endpoint.host(), "push.example");
        let keys = PushKeys::from(push.keys);
        assert_eq!((keys.p256dh.as_str(), keys.auth.as_str()), (KEY, auth));
    }

    #[test]
    fn all_that_is_wrong_is_reported_with_its_path() {
        let text = body("http://push.example/1", KEY.trim_start_matches('B'), "x");
        let Err(BodyError::Invalid(wrong)) = PushBody::read(text.as_bytes()) else {
            panic!("it is read");
        };
        let mut paths: Vec<_> = wrong.kept().iter().map(|it| it.path.clone()).collect();
        paths.sort();
        assert_eq!(paths, ["endpoint", "keys.auth", "keys.p256dh"]);
    }
}
