//! `POST` and `PATCH /api/v4/chats/templates/{id}/review/{review}`: the integration answers a review.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::system::user_access::ReviewDecision;
use switchboard_actors::wire::account_body::templates::ReviewAnswer;

use crate::account::templates::view::ReviewView;
use crate::account::templates::{ADMINISTRATORS, refused};
use crate::extract::access::Access;
use crate::extract::caller::Administrator;
use crate::extract::numbered::nothing_at;
use crate::openapi::{Operation, Schema};
use crate::reply::hal;
use crate::reply::problem::Problem;

pub(crate) async fn update(
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

fn described(operation: Operation) -> Operation {
    let example = json!({ "status": "rejected", "reject_reason": "The footer is missing." });
    operation
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

pub(crate) fn describe() -> Operation {
    described(Operation::leads(
        "updateTemplateReview",
        "Update a review of a template.",
    ))
}

pub(crate) fn describe_by_patch() -> Operation {
    described(Operation::leads(
        "updateTemplateReviewByPatch",
        "Update a review of a template, as some clients do.",
    ))
}
