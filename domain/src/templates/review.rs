//! The reviews of a template: WhatsApp approves it for each source before it can be sent.

use serde::{Deserialize, Serialize};

use crate::Decision;
use crate::audit::By;
use crate::id::{OauthClientId, ReviewId, SourceNumber, TemplateId};
use crate::templates::template::Template;
use crate::templates::{TemplateRejection, Templates, TemplatesEvent};
use crate::text::RejectReason;
use switchboard_engine::state::{Command, Moment};
use switchboard_values::words;

words! {
    /// The status of a review.
    pub enum ReviewStatus {
        /// Not asked for yet.
        Draft = "draft",
        /// Asked for, and without an answer.
        Review = "review",
        /// The template may be sent.
        Approved = "approved",
        /// The template may not be sent for the time being.
        Paused = "paused",
        /// The template may not be sent.
        Rejected = "rejected",
    }
}

/// A review of a template.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Review {
    /// Its number.
    pub id: ReviewId,
    /// The source that it is for; `None` in an account without sources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceNumber>,
    /// Its status.
    pub status: ReviewStatus,
    /// The reason of a rejection.
    #[serde(default)]
    pub reject_reason: RejectReason,
}

/// Asks for the review of a template, anew for a source that had one.
#[derive(Clone, Debug)]
pub struct CreateTemplateReviews {
    /// The actor, for the audit log.
    pub by: By,
    /// The OAuth client whose template it is.
    pub client: Option<OauthClientId>,
    /// The template.
    pub id: TemplateId,
    /// The sources of the account.
    pub sources: Vec<SourceNumber>,
}

impl Command for CreateTemplateReviews {
    type Of = Templates;
    type Reply = Template;
    type Rejection = TemplateRejection;

    fn decide(
        self,
        state: &Templates,
        moment: &mut Moment<'_, TemplatesEvent>,
    ) -> Result<Decision<TemplatesEvent, Template>, TemplateRejection> {
        let before = state.find(self.id, self.client);
        let before = before.ok_or(TemplateRejection::Unknown)?;
        let places: Vec<Option<SourceNumber>> = match self.sources.is_empty() {
            true => vec![None],
            false => self.sources.into_iter().map(Some).collect(),
        };
        let mut last = state.last_review;
        let reviews = places.into_iter().map(|source| {
            let earlier = before.reviews.iter().find(|it| it.source == source);
            let id = earlier.map_or_else(
                || {
                    last = last.saturating_add(1);
                    ReviewId(last)
                },
                |it| it.id,
            );
            Review {
                id,
                source,
                status: ReviewStatus::Review,
                reject_reason: RejectReason::default(),
            }
        });
        let after = Template {
            reviews: reviews.collect(),
            ..before.clone()
        };
        let mut event = state.event(self.by, "template.review", after.clone(), moment);
        event.asks_review = true;
        state.decision(vec![event], after)
    }
}

/// Answers a review.
#[derive(Clone, Debug)]
pub struct UpdateTemplateReview {
    /// The actor, for the audit log.
    pub by: By,
    /// The OAuth client whose template it is.
    pub client: Option<OauthClientId>,
    /// The template.
    pub id: TemplateId,
    /// The review.
    pub review: ReviewId,
    /// Its new status.
    pub status: ReviewStatus,
    /// The reason of a rejection.
    pub reject_reason: RejectReason,
}

impl Command for UpdateTemplateReview {
    type Of = Templates;
    type Reply = Review;
    type Rejection = TemplateRejection;

    fn decide(
        self,
        state: &Templates,
        moment: &mut Moment<'_, TemplatesEvent>,
    ) -> Result<Decision<TemplatesEvent, Review>, TemplateRejection> {
        let before = state.find(self.id, self.client);
        let mut after = before.ok_or(TemplateRejection::Unknown)?.clone();
        let mut reviews = after.reviews.iter_mut();
        let review = reviews.find(|it| it.id == self.review);
        let review = review.ok_or(TemplateRejection::UnknownReview)?;
        review.status = self.status;
        review.reject_reason = self.reject_reason;
        let reply = review.clone();
        if before == Some(&after) {
            return Ok(Decision::unchanged(reply));
        }
        let event = state.event(self.by, "template.review", after, moment);
        state.decision(vec![event], reply)
    }
}
