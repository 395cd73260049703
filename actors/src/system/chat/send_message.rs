//! An integration sends a message.

use bytes::Bytes;

use crate::domain::account_quota::AccountQuotaRejection;
use crate::domain::account_quota::Addition;
use crate::domain::chat::fetch::HostMark;
use crate::domain::chat::message::{Announce, PostedMessage};
use crate::domain::chat::press::PressClue;
use crate::domain::conversation::send_message::{Accepted, SendMessage, SendMessageRejection};
use crate::domain::id::{ClientPersonId, ConversationId, PersonId};
use crate::domain::keys;
use crate::domain::scope::bind::Bind;
use crate::system::System;
use crate::system::chat::ConnectedScope;
use crate::wire::chat_body::stored;
use switchboard_engine::runtime::joint::execute_joint;
use switchboard_runtime::error::CommandError;
use switchboard_runtime::owners::conversation::Deliver;
use switchboard_runtime::owners::scope::DeliverBound;

/// The rejection of a customer's message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendRejection {
    /// The same `msgid` in this conversation, from another sender or with another `message`.
    #[error(
        "a message with this msgid exists in this conversation, and its sender, receiver or message is another"
    )]
    AlreadyExists,
    /// A quota of the account is used up.
    #[error(transparent)]
    Quota(AccountQuotaRejection),
    /// `conversation_ref_id` names no conversation of this account and channel.
    #[error("there is no such conversation in this account and channel")]
    UnknownConversation,
    /// `sender.ref_id` names no person of this account, or a message to a customer has an unknown sender.
    #[error("sender: user not found")]
    UnknownSender,
    /// `sender.id` is a customer's, and `sender.ref_id` an account user's or the bot's.
    #[error(
        "this is the id of a customer, and sender.ref_id that of an account user or the bot: leave id out, or give the id that they have in your system"
    )]
    CustomersId,
    /// An account user or the bot writes to a customer of the same id.
    #[error(
        "the sender has the id of the receiver: leave id out, or give the id that the account user or the bot has in your system"
    )]
    OwnReceiver,
    /// A message of a customer has a receiver.
    #[error(
        "leave receiver out for a message of a customer; of a message to a customer, sender.ref_id has to name the account user or the bot who wrote it"
    )]
    ReceiverOfCustomer,
    /// `receiver.ref_id` names no customer of this account.
    #[error("receiver: user not found")]
    UnknownReceiver,
    /// An account user or the bot wrote the message, so it needs a receiver.
    #[error(
        "this field is missing: the sender is an account user or the bot of the channel, so the customer who got the message has to be named"
    )]
    ReceiverMissing,
    /// No request has given the name of the sender.
    #[error("this field is missing: this person was not named before")]
    NamelessSender,
    /// No request has given the name of the receiver.
    #[error("this field is missing: this person was not named before")]
    NamelessReceiver,
}

impl System {
    /// Stores a customer's message; `raw` is the body as it was signed. The answer comes once it is on disk, and a
    /// repeat gets the same answer, also when it was stamped anew. A message that is boxed already is not copied on its way.
    ///
    /// # Errors
    /// When the message contradicts an earlier one or names what does not exist, or nothing can be stored now.
    pub async fn send_message(
        &self,
        scope: ConnectedScope,
        message: impl Into<Box<PostedMessage>>,
        raw: Bytes,
    ) -> Result<Accepted, CommandError<SendRejection>> {
        let message = message.into();
        let _accepted = self.kernel().gate.enter()?;
        let known_conversation = match &message.conversation_id {
            Some(id) => Some(self.meaning_of_conversation(&scope, id).await?),
            None => None,
        };
        let conversation = (message.conversation_ref_id.or(known_conversation))
            .ok_or(CommandError::Rejected(SendRejection::UnknownConversation))?;
        if message.conversation_ref_id.is_some() {
            self.check_conversation(&scope, conversation).await?;
        }
        // Otherwise the id means what it always did, and there is nothing to look for.
        if (scope.brief().bound_conversations > 0 || message.conversation_ref_id.is_some())
            && let Some(acceptance) = self
                .accepted_before_binding(&scope, &message, conversation, &raw)
                .await?
        {
            return Ok(acceptance);
        }
        let msgid = keys::msgid(conversation, &message.msgid);
        let is_repeat = || Ok(self.kernel().index.find(msgid)?.is_some());
        let account = scope.id().account();
        let reserved = self
            .reserve(account, Addition::message(0), is_repeat)
            .await
            .map_err(|refused| refused.map(SendRejection::Quota))?;
        let client = message.conversation_id.as_ref();
        let bound = client
            .filter(|_| known_conversation != Some(conversation))
            .cloned();
        let command = self.command(scope, message, conversation, raw);
        let (receive, people) = command.await?;
        let bind = Bind {
            conversation: bound.map(|client| (client, conversation)),
            people,
        };
        let has_files = receive.media_from.is_some() || receive.look_at_avatar;
        let deliver = Deliver(receive);
        let outcome = if bind.is_empty() {
            execute_joint(self.kernel(), &conversation, deliver).await
        } else {
            let scope = deliver.0.scope.clone();
            execute_joint(self.kernel(), &scope, DeliverBound { bind, deliver }).await
        };
        let mut acceptance = outcome.map_err(|refused| refused.map(rejection))?;
        self.look_for_files(has_files);
        let news = acceptance.news.take().map(|news| *news);
        self.follow_elsewhere(acceptance.elsewhere, news).await?;
        let acceptance = one_message(acceptance)?;
        if let Some(reserved) = reserved.filter(|_| !acceptance.repeated) {
            reserved.keep();
        }
        Ok(acceptance)
    }

    /// Makes the command for a message whose people are all known; also returns the people whom it binds.
    async fn command(
        &self,
        scope: ConnectedScope,
        message: Box<PostedMessage>,
        conversation: ConversationId,
        raw: Bytes,
    ) -> Result<(Box<SendMessage>, Vec<(ClientPersonId, PersonId)>), CommandError<SendRejection>>
    {
        let nameless = message.sender.name.is_none();
        let clue = PressClue::from_message(&message).map(Box::new);
        let parties = self
            .parties(&scope, message.sender, message.receiver)
            .await?;
        let (customer, imported) = parties.roles;
        let listing = self.kernel().shared.config.list_fetches;
        let media = message.content.media().filter(|_| listing);
        let receive = SendMessage {
            scope: scope.into_id(),
            conversation,
            client_conversation: message.conversation_id,
            msgid: message.msgid,
            media_from: media.map(HostMark::new),
            look_at_avatar: listing && customer.avatar.is_some(),
            customer,
            imported,
            nameless,
            source: message.source,
            post: message.post.map(|post| post.id),
            generation: message.generation,
            written_at: message.timestamp,
            loud: message.announce == Announce::Aloud,
            clue,
            raw,
        };
        Ok((Box::new(receive), parties.bind))
    }

    /// Wakes the fetcher when a message names a file.
    fn look_for_files(&self, named: bool) {
        if named {
            self.kernel().shared.fetch_wanted.notify_one();
        }
    }
}

fn rejection(refused: SendMessageRejection) -> SendRejection {
    match refused {
        SendMessageRejection::AlreadyExists => SendRejection::AlreadyExists,
        SendMessageRejection::UnknownConversation => SendRejection::UnknownConversation,
    }
}

/// A repeat is an answer only if it repeats what was said.
fn one_message(mut accepted: Accepted) -> Result<Accepted, CommandError<SendRejection>> {
    match accepted.retry.take() {
        Some(retry) if !stored::is_one_message(&retry) => {
            Err(CommandError::Rejected(SendRejection::AlreadyExists))
        }
        Some(_) | None => Ok(accepted),
    }
}
