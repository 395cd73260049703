//! The bodies that describe OAuth clients.

use crate::body;
use crate::domain::id::OauthClientId;
use crate::domain::oauth::clients::settings::{OauthClientChange, OauthClientSettings};
use crate::domain::signature::SharedSecret;

body!(
    /// A new OAuth client.
    pub struct NewClient {
        /// Made when it is left out.
        id: Option<OauthClientId>,
        secret: Option<SharedSecret>,
        #[body(given(New))]
        settings: OauthClientSettings,
    }

    /// A change of an OAuth client.
    pub struct ChangedClient {
        #[body(given(Update))]
        change: OauthClientChange,
    }

    /// Another secret of an OAuth client.
    pub struct NewClientSecret {
        secret: Option<SharedSecret>,
    }
);
