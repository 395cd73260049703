//! A task in the process of a world that listens to what happens there, and does what people do out of habit.

use std::cell::RefCell;
use std::pin::pin;
use std::rc::Rc;

use futures_util::future::{Either, select};
use switchboard_actors::domain::conversation::Outgoing;
use switchboard_actors::domain::id::{ConversationId, MessageId};
use switchboard_actors::system::System;
use switchboard_actors::system::inbox::MessageView;
use switchboard_actors::system::live::{Live, LiveEvent, LiveNews, What};
use switchboard_actors::system::whole::Whole;
use switchboard_engine::testkit::simulation::Machine;

use super::kept::{About, BY_HABIT, Habits, Reached, Whom};
use crate::journal::WorldJournal;
use crate::world::{Memory, Secrets};

/// The task that does what people do out of habit.
pub(in crate::world) struct Follower {
    pub(in crate::world) system: System,
    pub(in crate::world) habits: Habits,
    pub(in crate::world) secrets: Secrets,
    pub(in crate::world) memory: Rc<RefCell<Memory>>,
    pub(in crate::world) journal: WorldJournal,
    pub(in crate::world) machine: Machine,
}

/// The next thing to do.
enum Next {
    /// Something happened.
    Heard(LiveNews),
    /// Something is due, or habits have changed.
    Act,
    /// The system has ended.
    End,
}

impl Follower {
    /// Goes on until the system ends. It costs nothing while there are no habits.
    pub(in crate::world) async fn follow(self) {
        loop {
            if self.habits.is_over() {
                self.habits.changed().await;
                continue;
            }
            let after = Some(self.habits.heard());
            let listening = Whole::new(&self.system, self.secrets.account())
                .listen(after)
                .await;
            let Ok(mut live) = listening else { return };
            while !self.habits.is_over() {
                let reached = match self.next(&mut live).await {
                    Next::Heard(LiveNews::Event(event)) => self.hear(&event).await,
                    Next::Heard(LiveNews::Reset(_)) => None,
                    Next::Act => {
                        self.act_on_time().await;
                        continue;
                    }
                    Next::End => return,
                };
                // What a machine without power does has not happened.
                if self.machine.is_dead() {
                    return;
                }
                if let Some(reached) = reached {
                    self.habits.reaches(&reached);
                }
                self.habits.hears(live.position());
            }
        }
    }

    async fn next(&self, live: &mut Live) -> Next {
        let due = self.habits.next().map(|due| due.at);
        let time = pin!(async {
            match due {
                Some(at) => tokio::time::sleep(at.since(self.system.now())).await,
                None => std::future::pending().await,
            }
        });
        let change = pin!(self.habits.changed());
        // What was heard comes first: it may be due at once.
        match select(pin!(live.next()), select(time, change)).await {
            Either::Left((Some(news), _)) => Next::Heard(news),
            Either::Left((None, _)) => Next::End,
            Either::Right(_) => Next::Act,
        }
    }

    /// Returns the person whom an event reaches.
    async fn hear(&self, event: &LiveEvent) -> Option<Reached> {
        let number = event.number.unwrap_or_default();
        match &event.what {
            What::Message(conversation, MessageView::In { received, .. }) => {
                let is_news = received.loud && !received.is_imported();
                is_news.then(|| Reached {
                    by: number,
                    whom: Whom::Users,
                    about: About {
                        conversation: *conversation,
                        message: received.id,
                    },
                    at: received.at,
                    is_habit: received.msgid.as_str().starts_with(BY_HABIT),
                })
            }
            What::Callback(conversation, message, callback) if callback.is_delivered() => {
                Some(Reached {
                    by: number,
                    whom: Whom::Customer(self.names_of(*conversation).await),
                    about: About {
                        conversation: *conversation,
                        message: *message,
                    },
                    at: self.system.now(),
                    is_habit: self.is_habit(*message).await,
                })
            }
            What::Message(_, MessageView::Out { .. })
            | What::Changed(..)
            | What::Delivery(..)
            | What::Callback(..)
            | What::Lead(..)
            | What::Read(..)
            | What::Marked(..)
            | What::Snoozed(..)
            | What::Woken(..)
            | What::Fetched(..)
            | What::Typing(..)
            | What::Viewing(..)
            | What::TeamNote(..)
            | What::ScheduledReply(..)
            | What::Mentioned(..)
            | What::GroupAssigned(..)
            | What::Draft { .. }
            | What::CannedReply { .. }
            | What::SavedView { .. }
            | What::CustomerTyping(..)
            | What::Health(..)
            | What::Webhook { .. }
            | What::Presence(..)
            | What::Notification(_) => None,
        }
    }

    /// Returns the names of a conversation's customer: by the test, and by the integration.
    async fn names_of(&self, conversation: ConversationId) -> Vec<String> {
        let account = self.secrets.account();
        let found_conversation = Whole::new(&self.system, account)
            .conversation(conversation)
            .await;
        let origin = found_conversation
            .ok()
            .flatten()
            .and_then(|it| it.state.origin);
        let by_integration = origin
            .and_then(|origin| origin.client_id)
            .map(|id| id.as_str().to_owned());
        let memory = self.memory.borrow();
        let by_test = memory
            .conversations
            .iter()
            .filter(|(_, id)| **id == conversation)
            .map(|(name, _)| name.clone());
        by_test.chain(by_integration).collect()
    }

    /// Returns whether a user wrote this message out of habit.
    async fn is_habit(&self, message: MessageId) -> bool {
        let delivery = self.system.delivery(message).await.ok().flatten();
        let request = delivery.and_then(|delivery| match delivery.outgoing {
            Outgoing::Message(replied) => replied.request.clone(),
            Outgoing::Reaction(_) => None,
        });
        request.is_some_and(|request| request.as_str().starts_with(BY_HABIT))
    }
}
