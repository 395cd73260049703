//! An integration asks for the reviews of a template.

use crate::Decision;
use crate::audit::By;
use crate::id::{OauthClientId, ReviewId, SourceNumber, TemplateId};
use crate::templates::review::{Review, ReviewStatus};
use crate::templates::template::Template;
use crate::templates::{TemplateRejection, Templates, TemplatesEvent};
use crate::text::RejectReason;
use switchboard_engine::state::{Command, Moment};

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
