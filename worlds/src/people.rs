//! The people of a test system: customers, who write through an integration, and account users, who answer.

use std::sync::Arc;

use switchboard_actors::domain::chat::outgoing::OutgoingContent;
use switchboard_actors::domain::conversation::Replied;
use switchboard_actors::domain::conversation::send_message::Accepted;
use switchboard_actors::domain::id::ConversationId;
use switchboard_actors::error::CommandError;
use switchboard_actors::system::System;
use switchboard_actors::system::chat::SendRejection;
use switchboard_actors::system::user_access::AnswerRejection;
use switchboard_actors::system::user_access::ReplyRequest;

use crate::integration::Answered;
use crate::test_message::TestMessage;
use crate::test_system::TestSystem;

/// A customer of the test system, with one conversation of their own.
#[derive(Clone, Copy, Debug)]
pub struct Customer<'t> {
    pub(super) test: &'t TestSystem,
    pub(super) name: &'t str,
}

impl Customer<'_> {
    /// Writes something new, aloud.
    ///
    /// # Errors
    /// As [`integration::post`](crate::integration::post).
    pub async fn says(self, text: &str) -> Answered<Accepted, SendRejection> {
        let message = self.message(text);
        self.test.post(&message).await
    }

    /// Has written something long ago: it is imported silently.
    ///
    /// # Errors
    /// As [`integration::post`](crate::integration::post).
    pub async fn imports(self, text: &str) -> Answered<Accepted, SendRejection> {
        let message = self.message(text).silent();
        self.test.post(&message).await
    }

    /// A message of this customer with a fresh `msgid`, not posted yet.
    #[must_use]
    pub fn message(self, text: &str) -> TestMessage {
        TestMessage::from_customer(self.name, &self.test.next_msgid(), text)
    }
}

/// An account user of the test system.
#[derive(Clone, Copy, Debug)]
pub struct AccountUser<'t> {
    pub(super) test: &'t TestSystem,
    pub(super) token: &'t str,
}

impl AccountUser<'_> {
    /// Sends a reply.
    ///
    /// # Errors
    /// As [`reply`].
    ///
    /// # Panics
    /// As [`reply`].
    pub async fn replies(
        self,
        conversation: ConversationId,
        text: &str,
    ) -> Result<Arc<Replied>, CommandError<AnswerRejection>> {
        reply(self.test, self.token, conversation, text).await
    }
}

/// Sends a reply as the user with this bearer token.
///
/// # Errors
/// As [`UserAccess::reply`](switchboard_actors::system::user_access::UserAccess::reply).
///
/// # Panics
/// When the text is empty or too long, or no user has this token.
#[expect(
    clippy::expect_used,
    reason = "a wrong test is to fail, and to say where"
)]
pub async fn reply(
    system: &System,
    token: &str,
    conversation: ConversationId,
    text: &str,
) -> Result<Arc<Replied>, CommandError<AnswerRejection>> {
    let caller = system.caller(token).await?.expect("a user with this token");
    let content = OutgoingContent::Text {
        text: text.parse().expect("a text that can be sent"),
    };
    let reply_request = ReplyRequest {
        content,
        reply_to: None,
        resends: None,
        seen: None,
        draft: None,
        scheduled_reply: None,
        template: None,
    };
    let access = system.user_access(&caller).await?;
    access.reply(conversation, reply_request, None).await
}
