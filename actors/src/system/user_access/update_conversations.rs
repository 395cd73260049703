//! A user closes, assigns or snoozes several conversations at once, and may undo that for a moment.
//!
//! Each conversation has an outcome of its own. An undo changes a conversation only if it is as the change left it, so it takes
//! nothing back that a colleague did in between.

use futures_util::StreamExt;
use futures_util::stream;

use crate::domain::conversation::Snooze;
use crate::domain::conversation::snooze_conversation::Replaces;
use crate::domain::id::{ConversationId, UndoId};
use crate::domain::several::{ChosenConversation, ConversationsChange, SnoozeRequest};
use crate::system::user_access::{ConversationLeadRejection, CrmRejection, UserAccess};
use switchboard_runtime::error::CommandError;
use switchboard_runtime::undo::{AccountUser, Undoable};

/// The number of conversations that are changed at once: they share a write to the disk.
const AT_ONCE: usize = 16;

/// The outcome for one conversation.
#[derive(Debug)]
pub struct ConversationOutcome {
    /// The conversation.
    pub id: ConversationId,
    /// The reason when it was not changed.
    pub result: Result<(), CommandError<ConversationLeadRejection>>,
}

/// The outcomes of a change of several conversations.
#[derive(Debug)]
pub struct ConversationsReport {
    /// One for each conversation, in the order of the request.
    pub outcomes: Vec<ConversationOutcome>,
    /// The name of the change for an undo; `None` when nothing changed.
    pub undo: Option<UndoId>,
}

type Done<T> = Result<T, CommandError<ConversationLeadRejection>>;

impl UserAccess {
    /// Changes several conversations. One that cannot be changed keeps none of the others from it.
    pub async fn update_conversations(
        &self,
        conversations: Vec<ChosenConversation>,
        change: ConversationsChange,
    ) -> ConversationsReport {
        let changes = stream::iter(conversations).map(async |conversation| {
            (conversation.id, self.change_one(conversation, change).await)
        });
        let results: Vec<_> = changes.buffered(AT_ONCE).collect().await;
        let mut undoable = Vec::new();
        let mut outcomes = Vec::with_capacity(results.len());
        for (id, result) in results {
            outcomes.push(ConversationOutcome {
                id,
                result: result.map(|done| undoable.push((id, done))),
            });
        }
        let undo = (!undoable.is_empty()).then(|| UndoId::from_random(self.system.random()));
        if let Some(undo) = undo {
            let undos = &self.system.kernel().shared.undos;
            undos.note(self.account_user(), undo, undoable, self.system.now());
        }
        ConversationsReport { outcomes, undo }
    }

    /// Undoes the caller's last change of several conversations; `None` when it is not that one, or its moment has passed.
    pub async fn undo_conversations(&self, undo: UndoId) -> Option<ConversationsReport> {
        let undos = &self.system.kernel().shared.undos;
        let changes = undos.take(self.account_user(), undo, self.system.now())?;
        let results = stream::iter(changes).map(async |(id, done)| ConversationOutcome {
            id,
            result: self.undo_one(id, done).await,
        });
        Some(ConversationsReport {
            outcomes: results.buffered(AT_ONCE).collect().await,
            undo: None,
        })
    }

    fn account_user(&self) -> AccountUser {
        AccountUser {
            account: self.caller.account,
            user: self.caller.user,
        }
    }

    async fn change_one(
        &self,
        conversation: ChosenConversation,
        change: ConversationsChange,
    ) -> Done<Undoable> {
        let id = conversation.id;
        match change {
            ConversationsChange::Close => self.close_undoably(id).await,
            ConversationsChange::Assign(owners) => {
                let change = owners.change(conversation);
                self.update_responsible(id, change).await?;
                Ok(Undoable::Assigned(change))
            }
            ConversationsChange::Snooze(request) => {
                let stored_snooze = self.store_snooze(id, request, Replaces::Any).await?;
                Ok(Undoable::Snoozed {
                    snooze: Box::new(stored_snooze.snooze),
                    before: stored_snooze.before,
                })
            }
        }
    }

    async fn close_undoably(&self, id: ConversationId) -> Done<Undoable> {
        let (lead, _) = self.editable_lead(id).await?;
        let state = self
            .system
            .conversation_state(self.caller.account, id)
            .await?;
        let result = self.close_talk(lead.id).await;
        let after = result.map_err(|error| error.map(ConversationLeadRejection::Lead))?;
        Ok(Undoable::Closed {
            lead: lead.id,
            closed: after.talk_closed,
            before: lead.talk_closed,
            snooze: state.and_then(|state| state.snooze),
        })
    }

    async fn undo_one(&self, id: ConversationId, done: Undoable) -> Done<()> {
        match done {
            Undoable::Closed {
                lead,
                closed,
                before,
                snooze,
            } => {
                let reopened = self.reopen_talk(lead, closed, before).await;
                reopened.map_err(|error| error.map(ConversationLeadRejection::Lead))?;
                self.restore_snooze(id, None, snooze).await
            }
            Undoable::Assigned(change) => {
                self.update_responsible(id, change.reversed()).await?;
                Ok(())
            }
            Undoable::Snoozed { snooze, before } => {
                self.editable_lead(id).await?;
                self.restore_snooze(id, Some(snooze), before).await
            }
        }
    }

    /// Has the earlier snooze in place of the present one, if that is still there and the earlier one is not over.
    async fn restore_snooze(
        &self,
        id: ConversationId,
        present: Option<Box<Snooze>>,
        earlier: Option<Box<Snooze>>,
    ) -> Done<()> {
        let now = self.system.now();
        if let Some(earlier) = earlier.filter(|earlier| earlier.until > now) {
            let request = SnoozeRequest {
                until: earlier.until,
                wakes_on_message: earlier.wakes_on_message,
            };
            let replaces = Replaces::Only(present);
            self.store_snooze(id, request, replaces).await?;
        } else if present.is_some() && !self.end_snooze(id, present).await? {
            let rejection = ConversationLeadRejection::Lead(CrmRejection::ChangedMeanwhile);
            return Err(CommandError::Rejected(rejection));
        }
        Ok(())
    }
}
