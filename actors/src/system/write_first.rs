//! Account users who write first, and who read.

use crate::actor::facts::Caller;
use crate::domain::chat::outgoing::OutgoingContent;
use crate::domain::conversation::reply::ReplyRejection;
use crate::domain::conversation::see::See;
use crate::domain::conversation::start::Start;
use crate::domain::conversation::{Conversation, Customer, Replied};
use crate::domain::dispatch::quota::OverQuota;
use crate::domain::id::{ConversationId, IdempotencyKey, ScopeId};
use crate::domain::text::{Name, Phone};
use crate::error::{Refused, Unavailable};
use crate::system::System;
use crate::system::inbox::sending::{Answerable, kept};
use crate::system::live::account_of;
use switchboard_engine::runtime::ask::execute;

/// The first message to somebody who has not written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstMessage {
    /// The scope that it leaves through; one of the caller's account.
    pub scope: ScopeId,
    /// The customer's number, as somebody wrote it.
    pub phone: Phone,
    /// How the customer is called; the number when nobody knows.
    pub name: Option<Name>,
    /// What is said.
    pub content: OutgoingContent,
    /// What the user's program calls this request; a repeat is the same message.
    pub request: Option<IdempotencyKey>,
}

/// Why a first message is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FirstMessageRejection {
    /// The scope is none of the account.
    #[error("this account has no such scope")]
    UnknownScope,
    /// A number without a digit reaches nobody.
    #[error("expected a phone number with at least one digit")]
    NoDigits,
    /// The user may not write there.
    #[error(
        "to write here you need the right to edit the lead of the conversation, or a lead without a responsible user"
    )]
    Denied,
    /// Too many callbacks wait already; nothing was written.
    #[error(transparent)]
    TooMuchQueued(Box<OverQuota>),
    /// The conversation refuses it, as every message of an account user.
    #[error(transparent)]
    Reply(ReplyRejection),
}

impl System {
    /// An account user writes first; numbers that differ in punctuation only are the same. The answer comes once the
    /// message is on disk and queued.
    pub(super) async fn write_first(
        &self,
        caller: &Caller,
        first: FirstMessage,
    ) -> Result<(ConversationId, Replied), Refused<FirstMessageRejection>> {
        let (conversation, digits) = self.addressed(caller, &first)?;
        let env = self.env();
        env.caught_up().await;
        let named = first.name.or_else(|| first.phone.as_str().parse().ok());
        let name = named.ok_or(Refused::Rejected(FirstMessageRejection::NoDigits))?;
        let place = Answerable {
            conversation,
            scope: first.scope,
            deal: self.deal_of(conversation).await?.map(|deal| deal.id),
        };
        let reply = self
            .prepare(caller, &place, first.content, first.request)
            .await?;
        let promise = self.promise(&place.scope, &reply).await;
        let promise =
            promise.map_err(|refused| refused.map(FirstMessageRejection::TooMuchQueued))?;
        let start = Start {
            customer: Customer {
                person: env.world.ids.begun_person(&place.scope, &digits),
                client_id: None,
                name,
                avatar: None,
                phone: Some(first.phone),
                email: None,
                profile_link: None,
            },
            scope: place.scope,
            reply,
        };
        let sent = execute::<Conversation, _>(env, &conversation, start).await;
        let sent = sent.map_err(|refused| refused.map(FirstMessageRejection::Reply))?;
        Ok((conversation, kept(promise, sent)))
    }

    /// The conversation that a first message goes to, whether it is there or not, and the digits of the number.
    pub(super) fn addressed(
        &self,
        caller: &Caller,
        first: &FirstMessage,
    ) -> Result<(ConversationId, String), Refused<FirstMessageRejection>> {
        if first.scope.account() != caller.account {
            return Err(Refused::Rejected(FirstMessageRejection::UnknownScope));
        }
        let digits = first
            .phone
            .as_str()
            .chars()
            .filter_map(|it| it.to_digit(10));
        let digits: String = digits.filter_map(|it| char::from_digit(it, 10)).collect();
        if digits.is_empty() {
            return Err(Refused::Rejected(FirstMessageRejection::NoDigits));
        }
        let conversation = self
            .env()
            .world
            .ids
            .begun_conversation(&first.scope, &digits);
        Ok((conversation, digits))
    }

    /// An account user has read a conversation; false when the account has none of this id.
    pub(super) async fn see(
        &self,
        caller: &Caller,
        conversation: ConversationId,
    ) -> Result<bool, Unavailable> {
        if account_of(self.env(), conversation).await? != Some(caller.account) {
            return Ok(false);
        }
        let see = See { by: caller.user };
        match execute::<Conversation, _>(self.env(), &conversation, see).await {
            Ok(()) => Ok(true),
            Err(Refused::Rejected(never)) => match never {},
            Err(Refused::Unavailable(unavailable)) => Err(unavailable),
        }
    }
}
