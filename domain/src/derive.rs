//! Ids that follow from other ids, so that finding a conversation needs no look-up.
//!
//! The conversation of `(scope, conversation_id)` and the person of `(scope, sender.id)` get an id computed with a
//! secret of the installation: the same pair always gives the same id, no outsider can compute it, and two
//! installations give different ones. Bindings by `conversation_ref_id` and `ref_id` overrule it (see
//! [`crate::scope`]).

use std::fmt;
use std::hash::{Hash, Hasher};

use siphasher::sip128::{Hasher128, SipHasher24};
use subtle::ConstantTimeEq;

use crate::chat::fetch::FetchSubject;
use crate::hooks::hook::{HookNumber, WebhookId};
use crate::id::{
    AccountId, ChannelId, ClientConversationId, ClientPersonId, ConversationId, HookRequestId,
    MediaId, PersonId, SalesbotReturnId, SalesbotRunId, ScopeId, UserId,
};
use crate::text::url::HttpUrl;

/// A number that is different for each installation: monitors see by it that two nodes are not of one. 48 bits, which each
/// program for numbers keeps exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstallationId(u64);

impl InstallationId {
    /// The id with this number.
    #[must_use]
    pub const fn new(number: u64) -> Self {
        Self(number)
    }

    /// The number.
    #[must_use]
    pub fn get(self) -> u64 {
        self.0
    }
}

impl fmt::Display for InstallationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:012x}", self.0)
    }
}

/// The secret of the installation that derived ids depend on.
#[derive(Clone)]
pub struct IdSpace {
    key: [u8; 16],
}

impl IdSpace {
    /// The id space of this secret.
    #[must_use]
    pub const fn new(key: [u8; 16]) -> Self {
        Self { key }
    }

    /// Returns a number that is different for each installation, of 48 bits. The secret does not follow from it.
    #[must_use]
    pub fn installation(&self) -> InstallationId {
        let mut hasher = SipHasher24::new_with_key(&self.key);
        "installation".hash(&mut hasher);
        InstallationId(hasher.finish128().h1 >> 16)
    }

    /// The conversation that an integration's id means, unless the scope has bound it otherwise.
    #[must_use]
    pub fn conversation(&self, scope: &ScopeId, client: &ClientConversationId) -> ConversationId {
        ConversationId::from_random(self.derive("conversation", scope, &client.as_str()))
    }

    /// The conversation that begins when an account user writes first to these digits of a phone number. A later first
    /// message to the same number finds it.
    #[must_use]
    pub fn begun_conversation(&self, scope: &ScopeId, digits: &str) -> ConversationId {
        ConversationId::from_random(self.derive("begun conversation", scope, &digits))
    }

    /// The person whom an account user writes to first, by the digits of the phone number.
    #[must_use]
    pub fn begun_person(&self, scope: &ScopeId, digits: &str) -> PersonId {
        PersonId::from_random(self.derive("begun person", scope, &digits))
    }

    /// The person that an integration's id means, unless the scope has bound it otherwise.
    #[must_use]
    pub fn person(&self, scope: &ScopeId, client: &ClientPersonId) -> PersonId {
        PersonId::from_random(self.derive("person", scope, &client.as_str()))
    }

    /// The account user as the chat knows them: the `sender.id` of callbacks, `amojo_id` of the account side.
    #[must_use]
    pub fn user(&self, account: AccountId, user: UserId) -> PersonId {
        PersonId::from_random(self.derive("user", &account, &user))
    }

    /// The bot of a channel: who has written what no account user wrote.
    #[must_use]
    pub fn bot(&self, channel: &ChannelId) -> PersonId {
        PersonId::from_random(self.derive("bot", channel, &()))
    }

    /// The copy of a file that is kept here.
    #[must_use]
    pub fn copy(&self, account: AccountId, subject: &FetchSubject, url: &HttpUrl) -> MediaId {
        MediaId::from_random(self.derive("copy", &(account, subject), &url.as_str()))
    }

    /// The request by which a webhook is sent a hook.
    #[must_use]
    pub fn hook_request(&self, webhook: WebhookId, number: HookNumber) -> HookRequestId {
        HookRequestId::from_random(self.derive("hook request", &webhook, &number))
    }

    /// The number in the address at which the answer to a run of a salesbot is taken. Its secret digits are not stored, so no copy
    /// of the data directory has them.
    #[must_use]
    pub fn salesbot_return(&self, account: AccountId, run: SalesbotRunId) -> SalesbotReturnId {
        let secret = self.derive("salesbot return", &account, &run);
        SalesbotReturnId::new(run, u128::from_le_bytes(secret))
    }

    /// Returns whether this is the number of its run, in a time that does not depend on where they differ.
    #[must_use]
    pub fn is_salesbot_return(&self, account: AccountId, given: SalesbotReturnId) -> bool {
        let own = self.salesbot_return(account, given.run());
        let own_bytes = own.get().to_le_bytes();
        own_bytes.ct_eq(&given.get().to_le_bytes()).into()
    }

    fn derive(&self, family: &'static str, space: &impl Hash, id: &impl Hash) -> [u8; 16] {
        let mut hasher = SipHasher24::new_with_key(&self.key);
        family.hash(&mut hasher);
        space.hash(&mut hasher);
        id.hash(&mut hasher);
        hasher.write_u8(0xff);
        hasher.finish128().as_bytes()
    }
}

impl std::fmt::Debug for IdSpace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("IdSpace(***)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::MessageId;

    /// The same pair always gives the same id, and other pairs give other ids.
    #[test]
    fn an_id_is_derived_from_its_pair_alone() {
        let ids = IdSpace::new([7; 16]);
        let scope: ScopeId = "c_af9945ff-1490-4cad-807d-945c15d88bec".parse().unwrap();
        let other: ScopeId = "d_af9945ff-1490-4cad-807d-945c15d88bec".parse().unwrap();
        let client: ClientConversationId = "my_int-1".parse().unwrap();
        assert_eq!(
            ids.conversation(&scope, &client),
            ids.conversation(&scope, &client)
        );
        assert_ne!(
            ids.conversation(&scope, &client),
            ids.conversation(&other, &client)
        );
        assert_ne!(
            ids.conversation(&scope, &client),
            IdSpace::new([8; 16]).conversation(&scope, &client)
        );
        assert_eq!(
            ids.conversation(&scope, &client).to_string().get(14..15),
            Some("4")
        );
    }

    /// Ids of one family differ by each part of what they are made of.
    #[test]
    fn copies_persons_and_bots_have_ids_of_their_own() {
        let ids = IdSpace::new([7; 16]);
        let account = AccountId::from_random([1; 16]);
        let subject = |number| FetchSubject::Message(MessageId::from_random([number; 16]));
        let copy = |subject, url: &str| ids.copy(account, &subject, &url.parse().unwrap());
        let first = copy(subject(1), "https://a.example/1");
        assert_eq!(first, copy(subject(1), "https://a.example/1"));
        assert_ne!(first, copy(subject(2), "https://a.example/1"));
        assert_ne!(first, copy(subject(1), "https://a.example/2"));
        assert_ne!(ids.user(account, UserId(1)), ids.user(account, UserId(2)));
        let bot = |channel: &str| ids.bot(&channel.parse().unwrap());
        assert_ne!(bot("a"), bot("b"));
    }
}
