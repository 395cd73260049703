//! The people of a conversation, as integrations describe them.

use serde::{Deserialize, Serialize};

use crate::id::{ClientPersonId, PersonId};
use crate::text::email::Email;
use crate::text::url::HttpUrl;
use crate::text::{Name, Phone};

/// A person whom a message names: its writer or its receiver. At least one of the two ids is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sender {
    /// The integration's id of the person; `None` when ours is enough.
    pub id: Option<ClientPersonId>,
    /// Our id of the person, when the integration ties its person to one that we know.
    pub ref_id: Option<PersonId>,
    /// A picture of the person.
    pub avatar: Option<HttpUrl>,
    /// The name of the person; `None` for a person who was named before.
    pub name: Option<Name>,
    /// The person's public page at the messenger.
    pub profile_link: Option<HttpUrl>,
    /// Other ways to reach the person.
    pub profile: Profile,
}

/// The ways to reach a person outside the chat; they go into the account's contact.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// A phone number.
    pub phone: Option<Phone>,
    /// An e-mail address.
    pub email: Option<Email>,
}
