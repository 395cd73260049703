//! Templates: an OAuth client has those that it created; users send them.

mod fill;

pub use fill::{FilledTemplate, TemplateUseRejection};

use std::collections::BTreeSet;

use crate::domain::audit::By;
use crate::domain::id::{OauthClientId, ReviewId, TemplateId};
use crate::domain::templates::create::CreateTemplates;
use crate::domain::templates::create_template_reviews::CreateTemplateReviews;
use crate::domain::templates::delete::DeleteTemplates;
use crate::domain::templates::review::{Review, ReviewStatus};
use crate::domain::templates::template::{Template, TemplateSettings};
use crate::domain::templates::update::{NumberedChange, UpdateTemplates};
use crate::domain::templates::update_template_review::UpdateTemplateReview;
use crate::domain::templates::{TemplateRejection, Templates};
use crate::domain::text::RejectReason;
use crate::system::user_access::UserAccess;
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::state::{Command, State};
use switchboard_runtime::error::{CommandError, UnavailableError};

/// The answer to a review of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewDecision {
    /// The template.
    pub template: TemplateId,
    /// The review.
    pub review: ReviewId,
    /// The new status.
    pub status: ReviewStatus,
    /// The reason of a rejection.
    pub reject_reason: RejectReason,
}

impl UserAccess {
    /// The OAuth client whose templates the caller has; `None` for a token of no client.
    #[must_use]
    pub fn template_client(&self) -> Option<OauthClientId> {
        self.caller.client.as_ref().map(|client| client.id)
    }

    /// The templates of the account, of all its integrations.
    ///
    /// # Errors
    /// When they cannot be read now.
    pub async fn templates(&self) -> Result<Templates, UnavailableError> {
        let account = self.caller.account;
        let state = self.system.look::<Templates>(&account).await?;
        Ok(state.unwrap_or_else(|| Templates::initial(&account)))
    }

    /// Creates templates of the caller's OAuth client, all of them or none; answers once they are on disk.
    ///
    /// # Errors
    /// When there would be too many, they would take too much room, or nothing can be stored now.
    pub async fn create_templates(
        &self,
        templates: Vec<TemplateSettings>,
    ) -> Result<Vec<Template>, CommandError<TemplateRejection>> {
        let create = CreateTemplates {
            by: By::from(&self.caller),
            client: self.template_client(),
            templates,
        };
        self.change_templates(create).await
    }

    /// Changes templates of the caller's OAuth client, all of them or none; answers once that is on disk.
    ///
    /// # Errors
    /// When one of them is not there or is fixed, they would take too much room, or nothing can be stored now.
    pub async fn update_templates(
        &self,
        changes: Vec<NumberedChange>,
    ) -> Result<Vec<Template>, CommandError<TemplateRejection>> {
        let update = UpdateTemplates {
            by: By::from(&self.caller),
            client: self.template_client(),
            changes,
        };
        self.change_templates(update).await
    }

    /// Changes a template, as [`Self::update_templates`].
    ///
    /// # Errors
    /// As [`Self::update_templates`].
    pub async fn update_template(
        &self,
        change: NumberedChange,
    ) -> Result<Template, CommandError<TemplateRejection>> {
        let templates = self.update_templates(vec![change]).await?;
        let template = templates.into_iter().next();
        template.ok_or(CommandError::Rejected(TemplateRejection::Unknown))
    }

    /// Deletes a template, as [`Self::delete_templates`].
    ///
    /// # Errors
    /// As [`Self::delete_templates`].
    pub async fn delete_template(
        &self,
        id: TemplateId,
    ) -> Result<(), CommandError<TemplateRejection>> {
        self.delete_templates(BTreeSet::from([id])).await
    }

    /// Deletes templates of the caller's OAuth client, all of them or none; answers once that is on disk.
    ///
    /// # Errors
    /// When one of them is not there, or nothing can be stored now.
    pub async fn delete_templates(
        &self,
        ids: BTreeSet<TemplateId>,
    ) -> Result<(), CommandError<TemplateRejection>> {
        let delete = DeleteTemplates {
            by: By::from(&self.caller),
            client: self.template_client(),
            ids,
        };
        self.change_templates(delete).await
    }

    /// Asks for the review of a template for each source of the account; answers once that is on disk.
    ///
    /// # Errors
    /// When there is no such template of the caller's OAuth client, or nothing can be stored now.
    pub async fn create_template_reviews(
        &self,
        id: TemplateId,
    ) -> Result<Template, CommandError<TemplateRejection>> {
        let sources = self.sources().await?;
        let create = CreateTemplateReviews {
            by: By::from(&self.caller),
            client: self.template_client(),
            id,
            sources: sources.iter().map(|source| source.id).collect(),
        };
        self.change_templates(create).await
    }

    /// Answers a review of a template; answers once that is on disk.
    ///
    /// # Errors
    /// When there is no such review of a template of the caller's OAuth client, the reason would take too much room, or
    /// nothing can be stored now.
    pub async fn update_template_review(
        &self,
        answer: ReviewDecision,
    ) -> Result<Review, CommandError<TemplateRejection>> {
        let update = UpdateTemplateReview {
            by: By::from(&self.caller),
            client: self.template_client(),
            id: answer.template,
            review: answer.review,
            status: answer.status,
            reject_reason: answer.reject_reason,
        };
        self.change_templates(update).await
    }

    async fn change_templates<C: Command<Of = Templates, Rejection = TemplateRejection>>(
        &self,
        command: C,
    ) -> Result<C::Reply, CommandError<TemplateRejection>> {
        execute(self.system.kernel(), &self.caller.account, command).await
    }
}
