//! Acts of people out of habit.

use std::error::Error;

use switchboard_actors::Caller;
use switchboard_actors::domain::chat::delivery::DeliveryStatus;
use switchboard_actors::domain::chat::outgoing::OutgoingContent;
use switchboard_actors::domain::id::{ConversationId, IdempotencyKey, MessageId};
use switchboard_actors::domain::several::{OwnersChange, SnoozeRequest, Swap};
use switchboard_actors::error::{CommandError, UnavailableError};
use switchboard_actors::system::user_access::{NoteContent, ReplyRequest, UserAccess};
use switchboard_actors::system::whole::Whole;

use super::follow::Follower;
use super::kept::{About, BY_HABIT, Due};
use super::{HabitAct, Person};
use crate::integration;
use crate::test_message::TestMessage;

/// The reason why an act was not done.
enum ActError {
    /// The system does not take it now.
    Now(String),
    /// It never will.
    Ever(String),
}

impl<R: Error> From<CommandError<R>> for ActError {
    fn from(refused: CommandError<R>) -> Self {
        match refused {
            CommandError::Unavailable(why) => why.into(),
            CommandError::Rejected(why) => Self::Ever(why.to_string()),
        }
    }
}

impl From<UnavailableError> for ActError {
    fn from(why: UnavailableError) -> Self {
        Self::Now(why.to_string())
    }
}

impl Follower {
    /// Does what is due by now.
    pub(super) async fn act_on_time(&self) {
        while let Some(due) = self.habits.next()
            && due.at <= self.system.now()
        {
            let result = self.act(&due).await;
            if !self.machine.step("a habit is answered", due.number) {
                // The answer never comes.
                return std::future::pending().await;
            }
            let now = self.system.now();
            let act = format!("{} out of habit", due.act);
            let what = match result {
                Ok(written) => {
                    self.remember(&due, written);
                    act
                }
                Err(ActError::Now(_)) if self.habits.later(&due, now) => continue,
                Err(ActError::Now(why) | ActError::Ever(why)) => format!("{act}: refused: {why}"),
            };
            self.journal.note(now, &due.who.to_string(), &what);
            self.habits.done(&due, now, &what);
        }
    }

    /// Does it, and gives what a user wrote; after a power cut again, with the same ids.
    async fn act(&self, due: &Due) -> Result<Option<MessageId>, ActError> {
        let About {
            conversation,
            message,
        } = due.about;
        let name = format!("{BY_HABIT}{}", due.number);
        match (&due.who, &due.act) {
            (Person::User(user), HabitAct::Answers(text)) => {
                let access = self.access(user).await?;
                let reply_request = ReplyRequest {
                    content: OutgoingContent::Text {
                        text: text.parse().map_err(|why| ever(&why))?,
                    },
                    reply_to: None,
                    resends: None,
                    seen: None,
                    draft: None,
                    scheduled_reply: None,
                    template: None,
                };
                let request: IdempotencyKey = name.parse().map_err(|why| ever(&why))?;
                let replied = access
                    .reply(conversation, reply_request, Some(request))
                    .await?;
                return Ok(Some(replied.id));
            }
            (Person::User(user), HabitAct::Reads) => {
                self.access(user).await?.mark_read(conversation).await?;
            }
            (Person::User(user), HabitAct::TakesOver) => {
                self.take_over(user, conversation).await?;
            }
            (Person::User(user), HabitAct::Notes(text)) => {
                let content = NoteContent {
                    text: text.parse().map_err(|why| ever(&why))?,
                    mentions: None,
                };
                let request: IdempotencyKey = name.parse().map_err(|why| ever(&why))?;
                let access = self.access(user).await?;
                access
                    .create_team_note(conversation, content, Some(request), None)
                    .await?;
            }
            (Person::User(user), HabitAct::Snoozes(time)) => {
                let request = SnoozeRequest {
                    until: due.at.plus(*time),
                    wakes_on_message: true,
                };
                let access = self.access(user).await?;
                access.snooze_conversation(conversation, request).await?;
            }
            (Person::Customer(_), HabitAct::Answers(text)) => {
                let message = self.message(conversation, &name, text).await?;
                integration::post(&self.system, &self.secrets.scope(), &message).await?;
            }
            (Person::Customer(_), HabitAct::Reads) => {
                let (scope, read) = (self.secrets.scope(), DeliveryStatus::Read);
                integration::report(&self.system, &scope, message, read).await?;
            }
            (Person::Customer(_), act) => {
                return Err(ActError::Ever(format!("no customer {act}")));
            }
        }
        Ok(None)
    }

    /// Notes a person's own act in the memory of the world's people.
    fn remember(&self, due: &Due, written: Option<MessageId>) {
        let mut memory = self.memory.borrow_mut();
        match (&due.who, &due.act) {
            (Person::User(_), HabitAct::Answers(text)) => {
                let reply = written.map(|id| (id, text.clone()));
                memory.replies.extend(reply);
            }
            (Person::Customer(_), HabitAct::Answers(_)) => {
                memory.last = Some(due.about.conversation);
            }
            (
                Person::Customer(_) | Person::User(_),
                HabitAct::Reads | HabitAct::TakesOver | HabitAct::Notes(_) | HabitAct::Snoozes(_),
            ) => {}
        }
    }

    /// Makes a user responsible for a conversation in the place of the user who is.
    async fn take_over(&self, user: &str, id: ConversationId) -> Result<(), ActError> {
        let caller = self.caller(user).await?;
        let access = self.system.user_access(&caller).await?;
        let view = access.conversation(id).await?;
        let lead = view.and_then(|view| view.lead);
        let replaces = lead.and_then(|lead| lead.responsible);
        let to = Some(caller.user);
        let owners = OwnersChange {
            user: Some(Swap { to, replaces }),
            group: None,
        };
        access.update_responsible(id, owners).await?;
        Ok(())
    }

    async fn access(&self, user: &str) -> Result<UserAccess, ActError> {
        let caller = self.caller(user).await?;
        Ok(self.system.user_access(&caller).await?)
    }

    async fn caller(&self, user: &str) -> Result<Caller, ActError> {
        let caller = self.system.caller(&self.secrets.token(user)).await?;
        caller.ok_or_else(|| ActError::Ever(format!("there is no user {user}")))
    }

    /// A message of the customer of this conversation, with the ids that the integration has for both.
    async fn message(
        &self,
        id: ConversationId,
        msgid: &str,
        text: &str,
    ) -> Result<TestMessage, ActError> {
        let conversation = Whole::new(&self.system, self.secrets.account())
            .conversation(id)
            .await?;
        let state = conversation
            .map(|conversation| conversation.state)
            .ok_or_else(|| ActError::Ever(format!("there is no conversation {id}")))?;
        let message = TestMessage::new(msgid, text);
        let conversation = state.origin.and_then(|origin| origin.client_id);
        let message = match conversation {
            Some(conversation) => message.in_conversation(conversation.as_str()),
            None => message.bound_to(id),
        };
        let person = state.customer.and_then(|customer| customer.client_id);
        Ok(match person {
            Some(person) => message.by(person.as_str()),
            None => message,
        })
    }
}

fn ever(why: &impl Error) -> ActError {
    ActError::Ever(why.to_string())
}
