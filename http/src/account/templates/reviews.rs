//! The reviews of templates: `POST /api/v4/chats/templates/{id}/review`, and the integration's answer below it.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::id::TemplateId;
use switchboard_actors::system::user_access::ReviewDecision;
use switchboard_actors::wire::account_body::templates::ReviewAnswer;

use crate::account::templates::view::ReviewView;
use crate::account::templates::{ADMINISTRATORS, UNKNOWN, refused};
use crate::extract::access::Access;
use crate::extract::caller::Administrator;
use crate::extract::numbered::{Numbered, nothing_at};
use crate::openapi::{Operation, Schema};
use crate::reply::hal;
use crate::reply::problem::Problem;

pub(crate) async fn post(
    access: Access<Administrator>,
    Numbered(id): Numbered<TemplateId>,
) -> Result<HttpResponse, Problem> {
    let result = access.open().await?.create_template_reviews(id).await;
    let template = result.map_err(|why| refused(why, |_| "0"))?;
    let views: Vec<_> = template.reviews.iter().map(ReviewView::new).collect();
    Ok(hal::collection("reviews", &views))
}

pub(crate) async fn answer(
    access: Access<Administrator>,
    path: web::Path<(String, String)>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let (template, review) = path.into_inner();
    let nothing = || nothing_at(&access.request);
    let template = template.parse().map_err(|_no_number| nothing())?;
    let review = review.parse().map_err(|_no_number| nothing())?;
    let body: ReviewAnswer = access.json(payload).await?;
    let answer = ReviewDecision {
        template,
        review,
        status: body.status.0,
        reject_reason: body.reject_reason.unwrap_or_default(),
    };
    let result = access.open().await?.update_template_review(answer).await;
    let review = result.map_err(|why| refused(why, |_| "0"))?;
    Ok(hal::ok(&ReviewView::new(&review)))
}

pub(crate) fn describe_post() -> Operation {
    Operation::leads("createTemplateReviews", "Ask for the review of a template.")
        .says("There is one review for each source of the account; one without a source when it has none. A review that was answered is asked for anew.")
        .path("id", Schema::number())
        .answers_several::<ReviewView<'_>>(200, "The reviews, on disk.", "reviews")
        .refuses(403, ADMINISTRATORS)
        .refuses(404, UNKNOWN)
}

fn describe(id: &'static str, summary: &'static str) -> Operation {
    let example = json!({ "status": "rejected", "reject_reason": "The footer is missing." });
    Operation::leads(id, summary)
        .path("id", Schema::number())
        .path("review", Schema::number())
        .takes::<ReviewAnswer>(example)
        .gives_hal::<ReviewView<'_>>(200, "The review, on disk.")
        .refuses(403, ADMINISTRATORS)
        .refuses(
            404,
            "The integration has no such template, or the template no such review.",
        )
        .refuses(422, "The templates of the account take too much room.")
}

pub(crate) fn describe_answer() -> Operation {
    describe("updateTemplateReview", "Answer a review of a template.")
}

pub(crate) fn describe_answer_by_patch() -> Operation {
    describe(
        "updateTemplateReviewByPatch",
        "Answer a review of a template, as some clients do.",
    )
}
