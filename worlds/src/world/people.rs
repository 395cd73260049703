//! The people of a world: customers, who write through the integration, and account users, who answer.

use std::error::Error;

use switchboard_actors::domain::chat::delivery::DeliveryStatus;
use switchboard_actors::domain::conversation::report_delivery::{ReportEffect, ReportRejection};
use switchboard_actors::domain::id::{ConversationId, MessageId};
use switchboard_actors::error::CommandError;
use switchboard_actors::system::chat::SendRejection;
use switchboard_actors::system::user_access::AnswerRejection;

use crate::integration::{self, IntegrationError};
use crate::test_message::TestMessage;
use crate::world::World;
use crate::{fixtures, people};

/// A message that was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Said {
    /// The service's id of the message.
    pub message: MessageId,
    /// Its conversation.
    pub conversation: ConversationId,
}

/// The reason why a request did not succeed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PersonError<R: Error> {
    /// No answer came: it is unknown whether the request was carried out. A repeat with the same ids is harmless.
    #[error("no answer came")]
    NoAnswer,
    /// It was refused.
    #[error("refused: {0}")]
    Refused(CommandError<R>),
}

/// A customer of a world.
#[derive(Clone, Copy, Debug)]
pub struct Customer<'w> {
    pub(super) world: &'w World,
    pub(super) name: &'w str,
}

impl<'w> Customer<'w> {
    pub(super) fn new(world: &'w World, name: &'w str) -> Self {
        Self { world, name }
    }

    /// Writes something new.
    ///
    /// # Panics
    /// When the message is not accepted.
    #[track_caller]
    pub fn says(self, text: &str) -> Said {
        let result = self.try_says(text);
        let what = format!("{} can say {text:?}", self.name);
        self.world.expect(&what, result)
    }

    /// Writes something new, which may fail.
    ///
    /// # Errors
    /// Why it was not accepted, or that no answer came.
    #[track_caller]
    pub fn try_says(
        self,
        text: &str,
    ) -> Result<Said, PersonError<IntegrationError<SendRejection>>> {
        self.try_posts(&self.message(text))
    }

    /// A message of this customer with a fresh `msgid`, not posted yet: to change it, or to post it several times.
    #[must_use]
    pub fn message(self, text: &str) -> TestMessage {
        // Bots leave messages alone whose time is long past.
        let now = self.world.now();
        let mut memory = self.world.memory.borrow_mut();
        let msgid = format!("m-{}", memory.letters);
        memory.letters = memory.letters.saturating_add(1);
        TestMessage::from_customer(self.name, &msgid, text).written_at(now.secs())
    }

    /// Posts a message of this customer. A repeat of the same message is harmless.
    ///
    /// # Errors
    /// Why it was not accepted, or that no answer came.
    #[track_caller]
    pub fn try_posts(
        self,
        message: &TestMessage,
    ) -> Result<Said, PersonError<IntegrationError<SendRejection>>> {
        let scope = self.world.scope();
        let who = format!("customer {}", self.name);
        let what = format!("writes {message}");
        let result = self.world.request(&who, &what, async |system| {
            let post = integration::post(system, &scope, message).await;
            post.map(|post| Said {
                message: post.message,
                conversation: post.conversation,
            })
        });
        if let Ok(result) = &result {
            let mut memory = self.world.memory.borrow_mut();
            memory.last = Some(result.conversation);
            let name = self.name.to_owned();
            memory.conversations.insert(name, result.conversation);
        }
        result
    }
}

/// An account user of a world.
#[derive(Clone, Copy, Debug)]
pub struct User<'w> {
    pub(super) world: &'w World,
    pub(super) name: &'w str,
}

impl<'w> User<'w> {
    pub(super) fn new(world: &'w World, name: &'w str) -> Self {
        Self { world, name }
    }

    /// The bearer token of this user.
    #[must_use]
    pub fn token(self) -> String {
        self.world.config.secrets.token(self.name)
    }

    /// Answers in the conversation in which a customer wrote last.
    ///
    /// # Panics
    /// When no customer has written, or the reply is not accepted.
    #[track_caller]
    pub fn replies(self, text: &str) -> Said {
        match self.world.last_conversation() {
            Some(conversation) => self.replies_in(conversation, text),
            None => self.world.fail("no customer has written anything yet"),
        }
    }

    /// Answers this customer.
    ///
    /// # Panics
    /// When the customer has not written, or the reply is not accepted.
    #[track_caller]
    pub fn replies_to(self, customer: &str, text: &str) -> Said {
        match self.world.conversation(customer) {
            Some(conversation) => self.replies_in(conversation, text),
            None => self
                .world
                .fail(&format!("{customer} has written nothing yet")),
        }
    }

    #[track_caller]
    fn replies_in(self, conversation: ConversationId, text: &str) -> Said {
        let result = self.try_replies(conversation, text);
        let what = format!("{} can reply {text:?}", self.name);
        self.world.expect(&what, result)
    }

    /// Answers in a conversation, which may fail.
    ///
    /// # Errors
    /// Why it was not accepted, or that no answer came.
    ///
    /// # Panics
    /// When the text is empty or too long, or the user cannot be declared.
    #[track_caller]
    pub fn try_replies(
        self,
        conversation: ConversationId,
        text: &str,
    ) -> Result<Said, PersonError<AnswerRejection>> {
        self.declare();
        let token = self.token();
        let who = format!("user {}", self.name);
        let what = format!("replies {text:?}");
        let result = self.world.request(&who, &what, async |system| {
            let replied = people::reply(system, &token, conversation, text).await;
            replied.map(|replied| Said {
                message: replied.id,
                conversation,
            })
        });
        if let Ok(result) = &result {
            let mut memory = self.world.memory.borrow_mut();
            memory.replies.push((result.message, text.to_owned()));
        }
        result
    }

    /// Declares the user, who usually is when they act for the first time. Who is there already does not change.
    ///
    /// # Panics
    /// When the name is no valid name of a user.
    #[track_caller]
    pub fn declare(self) {
        let mut memory = self.world.memory.borrow_mut();
        let ada = self.world.config.secrets.token("ada");
        let is_known = self.token() == ada || !memory.users.insert(self.name.to_owned());
        drop(memory);
        if is_known {
            return;
        }
        let administrator = fixtures::administrator(self.name, &self.token());
        let user = self
            .world
            .expect("this can be the name of a user", administrator);
        let account = self.world.account();
        let declared = self
            .world
            .run(async |system| system.declare_user(account, user).await);
        self.world.expect("the user can be declared", declared);
    }
}

impl World {
    /// The integration reports on a message of a user.
    ///
    /// # Errors
    /// Why the report was not accepted, or that no answer came.
    #[track_caller]
    pub fn reports(
        &self,
        message: MessageId,
        status: DeliveryStatus,
    ) -> Result<ReportEffect, PersonError<IntegrationError<ReportRejection>>> {
        let scope = self.scope();
        let what = format!("reports {status:?} of {message}");
        self.request("integration", &what, async |system| {
            integration::report(system, &scope, message, status).await
        })
    }
}
