//! A user starts a conversation: writes to a phone number, in a conversation that may be new.

use std::sync::Arc;

use crate::domain::account::rights::EntityAction;
use crate::domain::account::rights::calculation::Operation;
use crate::domain::account_quota::AccountQuotaRejection;
use crate::domain::chat::outgoing::OutgoingContent;
use crate::domain::conversation::reply::ReplyRejection;
use crate::domain::conversation::start_conversation::StartConversation;
use crate::domain::conversation::{Customer, Replied};
use crate::domain::dispatch::quota::QuotaRejection;
use crate::domain::id::{ConversationId, IdempotencyKey, ScopeId};
use crate::domain::text::phone_number::numbers_in;
use crate::domain::text::{Name, Phone};
use crate::system::user_access::UserAccess;
use crate::system::user_access::answerable::Answerable;
use crate::system::user_access::conversations::thing;
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::{CommandError, UnavailableError};

/// The first message to a customer who has not written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstMessage {
    /// The scope that it leaves through; one of the caller's account.
    pub scope: ScopeId,
    /// The customer's number, as it was entered.
    pub phone: Phone,
    /// The name of the customer; without one, the number stands for it.
    pub name: Option<Name>,
    /// The content of the message.
    pub content: OutgoingContent,
    /// The key that the user's program gives this request; a repeat is the same message.
    pub request: Option<IdempotencyKey>,
}

/// The rejection of a first message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FirstMessageRejection {
    /// The scope is none of the account.
    #[error("this account has no such scope")]
    UnknownScope,
    /// A number without a digit reaches no customer.
    #[error("expected a phone number with at least one digit")]
    NoDigits,
    /// One message reaches one customer.
    #[error(
        "expected one phone number, and this is several: write to each of them by a request of its own"
    )]
    SeveralNumbers,
    /// The user may not write there.
    #[error(
        "to write here you need the right to edit the lead of the conversation, or a lead without a responsible user"
    )]
    Denied,
    /// Too many callbacks wait already; nothing was written.
    #[error(transparent)]
    TooMuchQueued(#[from] Box<QuotaRejection>),
    /// A quota of the account is used up; nothing was written.
    #[error(transparent)]
    Quota(#[from] AccountQuotaRejection),
    /// The conversation refuses it, as every message of an account user.
    #[error(transparent)]
    Reply(ReplyRejection),
}

impl UserAccess {
    /// The user writes first; numbers that differ only in how they are written are the same, as
    /// [`numbers_in`] reads them. Where there is a conversation with
    /// the number, they must be allowed to answer in it, else in one without a lead. The answer comes once the message is
    /// on disk and queued.
    ///
    /// # Errors
    /// When the user may not, the scope cannot carry it, or nothing can be stored now.
    pub async fn start_conversation(
        &self,
        first: FirstMessage,
    ) -> Result<(ConversationId, Arc<Replied>), CommandError<FirstMessageRejection>> {
        let (conversation, digits) = self.addressed(&first)?;
        if !self.may_start(conversation).await? {
            return Err(CommandError::Rejected(FirstMessageRejection::Denied));
        }
        let kernel = self.system.kernel();
        kernel.caught_up().await;
        let customer_name = first.name.or_else(|| first.phone.as_str().parse().ok());
        let name = customer_name.ok_or(CommandError::Rejected(FirstMessageRejection::NoDigits))?;
        let place = Answerable {
            conversation,
            scope: first.scope,
            lead: self.system.lead_of(conversation).await?.map(|lead| lead.id),
        };
        let reply = self.prepare(&place, first.content, first.request).await?;
        let promise = self.promise(&place, &reply).await?;
        let start = StartConversation {
            customer: Customer {
                person: kernel.shared.ids.begun_person(&place.scope, &digits),
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
        let outcome = execute(kernel, &conversation, start)
            .await
            .map_err(|refused| refused.map(FirstMessageRejection::Reply))?;
        Ok((conversation, promise.keep(outcome)))
    }

    /// Returns whether the user may write in the conversation with a number. The answer does not reveal a conversation that the
    /// user may not see.
    async fn may_start(&self, conversation: ConversationId) -> Result<bool, UnavailableError> {
        let account = self.caller.account;
        let state = self.system.conversation_state(account, conversation);
        if state.await?.is_none() {
            let unowned = thing(None, false);
            return Ok(self
                .authorize(Operation::Leads(EntityAction::Edit), &unowned)
                .allowed);
        }
        match self.may_answer(conversation).await {
            Ok(()) => Ok(true),
            Err(CommandError::Rejected(_)) => Ok(false),
            Err(CommandError::Unavailable(unavailable)) => Err(unavailable),
        }
    }

    /// The conversation that a first message goes to, whether it is there or not, and the digits of the number.
    fn addressed(
        &self,
        first: &FirstMessage,
    ) -> Result<(ConversationId, String), CommandError<FirstMessageRejection>> {
        if first.scope.account() != self.caller.account {
            return Err(CommandError::Rejected(FirstMessageRejection::UnknownScope));
        }
        let digits = match numbers_in(first.phone.as_str()).as_slice() {
            [number] => number.digits().to_owned(),
            [] => return Err(CommandError::Rejected(FirstMessageRejection::NoDigits)),
            _ => {
                return Err(CommandError::Rejected(
                    FirstMessageRejection::SeveralNumbers,
                ));
            }
        };
        let conversation = self
            .system
            .kernel()
            .shared
            .ids
            .begun_conversation(&first.scope, &digits);
        Ok((conversation, digits))
    }
}
