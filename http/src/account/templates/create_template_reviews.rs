//! `POST /api/v4/chats/templates/{id}/review`: the reviews of a template are asked for.

use actix_web::HttpResponse;
use switchboard_actors::domain::id::TemplateId;

use crate::account::templates::view::ReviewView;
use crate::account::templates::{ADMINISTRATORS, UNKNOWN, refused};
use crate::extract::access::Access;
use crate::extract::caller::Administrator;
use crate::extract::numbered::Numbered;
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

pub(crate) fn describe() -> Operation {
    Operation::leads("createTemplateReviews", "Create the reviews of a template.")
        .says("There is one review for each source of the account; one without a source when it has none. A review that was answered is asked for anew.")
        .path("id", Schema::number())
        .answers_several::<ReviewView<'_>>(200, "The reviews, on disk.", "reviews")
        .refuses(403, ADMINISTRATORS)
        .refuses(404, UNKNOWN)
}
