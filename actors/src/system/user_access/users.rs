//! The users whose names a user may read: those who may be responsible for what the user sees.

use std::sync::Arc;

use crate::domain::account::rights::EntityAction;
use crate::domain::account::rights::calculation::{Operation, Source};
use crate::domain::account::user::User;
use crate::domain::account::users::rule::Resource;
use crate::domain::id::{ConversationId, PipelineId, StageId, UserId};
use crate::system::user_access::UserAccess;
use switchboard_runtime::error::UnavailableError;

impl UserAccess {
    /// The user, and all who may be responsible for a lead or a contact that the user's rights show, by number.
    pub fn colleagues(&self) -> impl Iterator<Item = &Arc<User>> {
        let stages = self.viewed_stages();
        let own = self.caller.user;
        let is_visible =
            move |user: &&Arc<User>| user.id == own || self.may_see_of(user.id, &stages);
        self.users.iter().filter(is_visible)
    }

    /// Returns whether a user is one of the [`Self::colleagues`].
    pub(super) fn is_colleague(&self, user: UserId) -> bool {
        user == self.caller.user || self.may_see_of(user, &self.viewed_stages())
    }

    /// The user who is responsible for the lead of a conversation that the user may see. A subscriber sees the
    /// lead of any responsible user.
    ///
    /// # Errors
    /// When it cannot be read now.
    pub async fn responsible_in(
        &self,
        id: ConversationId,
    ) -> Result<Option<&Arc<User>>, UnavailableError> {
        self.system.kernel().caught_up().await;
        let lead = self.seen(id).await?.and_then(|seen| seen.lead);
        let responsible = lead.and_then(|lead| lead.responsible);
        Ok(responsible.and_then(|user| self.users.get(user)))
    }

    /// Returns whether this user may be responsible for something that the caller may view.
    fn may_see_of(&self, responsible: UserId, stages: &[(PipelineId, StageId)]) -> bool {
        let thing = Resource {
            responsible: Some(responsible),
            ..Resource::UNOWNED
        };
        let sees = |operation, thing: &Resource| self.authorize(operation, thing).allowed;
        let in_stage = |stage: &(PipelineId, StageId)| Resource {
            stage: Some(*stage),
            ..thing
        };
        sees(Operation::Contacts(EntityAction::View), &thing)
            || sees(Operation::Leads(EntityAction::View), &thing)
            || stages
                .iter()
                .any(|stage| sees(Operation::Leads(EntityAction::View), &in_stage(stage)))
    }

    /// The stages with rights of their own.
    fn viewed_stages(&self) -> Vec<(PipelineId, StageId)> {
        let Some(user) = self.users.get(self.caller.user) else {
            return Vec::new();
        };
        match self.users.source(user) {
            Source::Inactive | Source::Free | Source::Administrator => Vec::new(),
            Source::Role(_, rights) | Source::Own(rights) => {
                let stages = rights.stages.iter();
                stages
                    .map(|(pipeline, stage, _)| (pipeline, stage))
                    .collect()
            }
        }
    }
}
