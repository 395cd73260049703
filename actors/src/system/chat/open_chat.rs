//! An integration asks for a conversation before its first message.

use crate::domain::conversation::open_chat::{OpenChat, OpenChatRejection};
use crate::domain::crm::customer_news::CustomerNews;
use crate::domain::id::{ClientConversationId, ConversationId, PersonId};
use crate::domain::person::Sender;
use crate::domain::scope::bind::Bind;
use crate::domain::text::SourceId;
use crate::system::System;
use crate::system::chat::resolve::{PartyRejection, PersonKind, customer};
use crate::system::chat::{ConnectedScope, infallible, map_rejection};
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::runtime::joint::execute_joint;
use switchboard_runtime::error::CommandError;
use switchboard_runtime::owners::conversation::OpenAndFollow;

/// A conversation that is wanted before its first message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatRequest {
    /// The integration's id of it.
    pub conversation_id: ClientConversationId,
    /// The entrance of the integration that the chat comes through.
    pub source: Option<SourceId>,
    /// The person on the other side.
    pub user: Sender,
}

/// A conversation that is there now, or was before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenedChat {
    /// The conversation.
    pub conversation: ConversationId,
    /// The person on the other side.
    pub person: PersonId,
}

/// The rejection of an operation on a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChatRejection {
    /// `user.ref_id` names no person of this account.
    #[error("user: user not found")]
    UnknownUser,
    /// `user.id` is a customer's, and `user.ref_id` an account user's or the bot's.
    #[error(
        "this is the id of a customer, and user.ref_id that of an account user or the bot: leave id out, or give the id that they have in your system"
    )]
    CustomersId,
    /// No request has given the name of the customer.
    #[error("this field is missing: this person was not named before")]
    Nameless,
    /// The conversation cannot be had.
    #[error(transparent)]
    OfAnotherScope(#[from] OpenChatRejection),
}

impl System {
    /// Opens a conversation before its first message. An existing one takes in what is new of its customer, nothing else.
    ///
    /// # Errors
    /// When the request names a person who does not exist, or nothing can be stored now.
    pub async fn open_chat(
        &self,
        scope: ConnectedScope,
        request: ChatRequest,
    ) -> Result<OpenedChat, CommandError<ChatRejection>> {
        let conversation = self
            .meaning_of_conversation(&scope, &request.conversation_id)
            .await?;
        let party = self
            .party(&scope, &request.user)
            .await
            .map_err(|refused| match refused {
                CommandError::Rejected(PartyRejection::Unknown) => {
                    CommandError::Rejected(ChatRejection::UnknownUser)
                }
                CommandError::Rejected(PartyRejection::CustomersId) => {
                    CommandError::Rejected(ChatRejection::CustomersId)
                }
                CommandError::Unavailable(unavailable) => unavailable.into(),
            })?;
        let customer = match party.known {
            PersonKind::Staff(_) => None,
            PersonKind::Customer(known) => Some(
                customer(party.person, request.user, known)
                    .ok_or(CommandError::Rejected(ChatRejection::Nameless))?,
            ),
        };
        if let Some(bound) = party.bind {
            let bind = Bind {
                conversation: None,
                people: vec![bound],
            };
            execute(self.kernel(), scope.id(), bind)
                .await
                .map_err(infallible)?;
        }
        let open = OpenChat {
            scope: scope.id().clone(),
            client_conversation: request.conversation_id,
            customer,
            source: request.source,
        };
        let _accepted = self.kernel().gate.enter()?;
        let chat = execute_joint(self.kernel(), &conversation, OpenAndFollow(open))
            .await
            .map_err(map_rejection)?;
        let news = chat.news.map(|follow| CustomerNews::Description(*follow));
        self.follow_elsewhere(chat.elsewhere, news).await?;
        Ok(OpenedChat {
            conversation: chat.conversation,
            person: party.person,
        })
    }
}
