//! The place of a conversation, and its customer.

use serde::{Deserialize, Serialize};

use crate::id::{ClientConversationId, ClientPersonId, PersonId, ScopeId};
use crate::text::email::Email;
use crate::text::url::HttpUrl;
use crate::text::{Name, Phone};

/// The place of a conversation: its scope and ids.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The scope.
    pub scope: ScopeId,
    /// The integration's id; `None` while only the service knows the conversation.
    pub client_id: Option<ClientConversationId>,
}

/// The customer's side of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Customer {
    /// The service's id of the person.
    pub person: PersonId,
    /// The integration's id; `None` while only the service knows the person.
    pub client_id: Option<ClientPersonId>,
    /// The name.
    pub name: Name,
    /// The address of a picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub avatar: Option<HttpUrl>,
    /// The phone number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<Phone>,
    /// The e-mail address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<Email>,
    /// The address of a public profile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile_link: Option<HttpUrl>,
}

impl Customer {
    /// Keeps the details of an earlier description, if there is one.
    pub(crate) fn remember_of(&mut self, earlier: Option<&Self>) {
        if let Some(earlier) = earlier {
            self.remember(earlier);
        }
    }

    /// Keeps the details that an earlier message of the same person gave and this one leaves out.
    pub fn remember(&mut self, earlier: &Self) {
        if self.person != earlier.person {
            return;
        }
        self.client_id = self.client_id.take().or_else(|| earlier.client_id.clone());
        self.avatar = self.avatar.take().or_else(|| earlier.avatar.clone());
        self.phone = self.phone.take().or_else(|| earlier.phone.clone());
        self.email = self.email.take().or_else(|| earlier.email.clone());
        self.profile_link = self
            .profile_link
            .take()
            .or_else(|| earlier.profile_link.clone());
    }
}
