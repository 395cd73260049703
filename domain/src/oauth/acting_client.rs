//! The OAuth client through which a user did something: it stands beside the user wherever an author is stored.

use serde::{Deserialize, Serialize};

use crate::id::OauthClientId;
use crate::text::Name;

/// A client that acted for a user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActingClient {
    /// Its id.
    pub id: OauthClientId,
    /// Its name at the time.
    pub name: Name,
}
