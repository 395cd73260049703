//! An integration answers a review of a template.

use crate::Decision;
use crate::audit::By;
use crate::id::{OauthClientId, ReviewId, TemplateId};
use crate::templates::review::{Review, ReviewStatus};
use crate::templates::{TemplateRejection, Templates, TemplatesEvent};
use crate::text::RejectReason;
use switchboard_engine::state::{Command, Moment};

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
