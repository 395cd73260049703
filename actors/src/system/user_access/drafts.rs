//! The user's own drafts. A user sees no draft of another.

use crate::domain::drafts::DraftsEvent;
use crate::domain::drafts::delete_sent::DeleteSentDraft;
use crate::domain::drafts::draft::{Draft, DraftContent, DraftKind, KEPT};
use crate::domain::drafts::update::{DraftOutcome, DraftRejection, UpdateDraft};
use crate::domain::id::ConversationId;
use crate::domain::keys;
use crate::domain::time::UnixMillis;
use crate::system::live::What;
use crate::system::user_access::UserAccess;
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::runtime::joint::execute_joint;
use switchboard_engine::runtime::owner::Owned;
use switchboard_engine::state::Command;
use switchboard_runtime::error::{CommandError, UnavailableError};
use switchboard_runtime::owners::drafts::{SendDraft, SendOutcome};
use switchboard_runtime::shared::Shared;

/// The rejection of a new version of a draft.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UpdateDraftRejection {
    /// There is no such conversation that the user may see.
    #[error("there is no such conversation")]
    UnknownConversation,
    /// Another page of the user has stored this version since.
    #[error(
        "a newer version of this draft is stored: another page of yours wrote it; show both, then store the one that is \
         wanted with the «number» of that version as «based_on»"
    )]
    Newer(Box<Draft>),
    /// The drafts of the conversation refuse it.
    #[error(transparent)]
    Rejected(DraftRejection),
}

impl UserAccess {
    /// The user's draft; without content when there is none. `None` when there is no such conversation that the user may
    /// see.
    ///
    /// # Errors
    /// When it cannot be read now.
    pub async fn draft(
        &self,
        id: ConversationId,
        kind: DraftKind,
    ) -> Result<Option<Draft>, UnavailableError> {
        if !self.sees(id).await? {
            return Ok(None);
        }
        self.stored_draft(id, kind).await.map(Some)
    }

    /// Stores a new version of the user's draft; an empty content deletes it. The answer comes once it is on disk.
    ///
    /// # Errors
    /// When there is no such conversation that the user may see, another version is stored, or nothing can be stored now.
    pub async fn update_draft(
        &self,
        id: ConversationId,
        kind: DraftKind,
        based_on: u64,
        content: DraftContent,
    ) -> Result<Draft, CommandError<UpdateDraftRejection>> {
        if !self.sees(id).await? {
            let unknown = UpdateDraftRejection::UnknownConversation;
            return Err(CommandError::Rejected(unknown));
        }
        let user = self.caller.user;
        let command = UpdateDraft {
            user,
            kind,
            based_on,
            content: content.clone(),
        };
        let outcome = execute(self.system.kernel(), &id, command).await;
        let outcome = outcome.map_err(|error| error.map(UpdateDraftRejection::Rejected))?;
        let DraftOutcome::Stored(number) = outcome else {
            let newer = self.stored_draft(id, kind).await?;
            return Err(CommandError::Rejected(UpdateDraftRejection::Newer(
                Box::new(newer),
            )));
        };
        self.publish_draft(id, kind, number);
        Ok(Draft {
            user,
            kind,
            number,
            at: self.system.now(),
            content,
        })
    }

    /// Executes a command that stores what the user's draft was: the version with this number is deleted in one group with it.
    pub(super) async fn execute_with_draft<C>(
        &self,
        id: ConversationId,
        command: C,
        kind: DraftKind,
        draft: Option<u64>,
    ) -> Result<C::Reply, CommandError<C::Rejection>>
    where
        C: Command<Of: Owned<Shared, Id = ConversationId>, Reply: SendOutcome>,
    {
        let kernel = self.system.kernel();
        let Some(number) = draft else {
            return execute(kernel, &id, command).await;
        };
        let user = self.caller.user;
        let joint = SendDraft {
            conversation: id,
            command,
            draft: Some(DeleteSentDraft { user, kind, number }),
        };
        let outcome = execute_joint(kernel, &id, joint).await?;
        if outcome.is_new() {
            self.publish_draft(id, kind, number.saturating_add(1));
        }
        Ok(outcome)
    }

    /// Notifies the other pages of the user of a version of a draft. A number that is not stored makes them read again.
    pub(super) fn publish_draft(&self, id: ConversationId, kind: DraftKind, number: u64) {
        self.publish(What::Draft {
            conversation: id,
            user: self.caller.user,
            kind,
            number,
        });
    }

    /// The newest version of the user's draft, without what is too old to be shown.
    async fn stored_draft(
        &self,
        id: ConversationId,
        kind: DraftKind,
    ) -> Result<Draft, UnavailableError> {
        let kernel = self.system.kernel();
        kernel.caught_up().await;
        let key = keys::team::draft(id, self.caller.user, kind);
        let newest = kernel.record::<DraftsEvent>(key)?;
        let Some(draft) = newest.map(|record| record.event.draft().clone()) else {
            return Ok(Draft {
                user: self.caller.user,
                kind,
                number: 0,
                at: UnixMillis::ZERO,
                content: DraftContent::default(),
            });
        };
        let is_kept = self.system.now() < draft.at.plus(KEPT);
        let content = if is_kept {
            draft.content
        } else {
            DraftContent::default()
        };
        Ok(Draft { content, ..draft })
    }
}
