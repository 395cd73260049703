//! `/dev/v1`: orders about worlds, which the console gives as the operator. Without worlds, nothing is registered at these
//! addresses.

use actix_web::http::{StatusCode, header};
use actix_web::{FromRequest as _, HttpRequest, HttpResponse, web};

use super::{BODY_MAX, WorldOrder};
use crate::extract::body;
use crate::extract::numbered::nothing_at;
use crate::extract::operator::Operator;
use crate::reply::problem::Problem;
use crate::state::AppState;

/// The addresses of orders.
pub(crate) const PATH: &str = "/dev/v1/worlds{rest:.*}";

/// Hands an order of the operator on.
pub(crate) async fn take(
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let Some(worlds) = state.worlds() else {
        return Err(nothing_at(&request));
    };
    Operator::extract(&request).await?;
    let body = body::read_whole(&request, payload, BODY_MAX).await?;
    let content_type = request.headers().get(header::CONTENT_TYPE);
    let media_type = content_type.and_then(|value| value.to_str().ok());
    let answer = worlds
        .take(WorldOrder {
            method: request.method().to_string(),
            target: request.uri().to_string(),
            media_type: media_type.map(str::to_owned),
            body,
        })
        .await;
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    Ok(HttpResponse::build(status)
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .content_type(answer.media_type)
        .body(answer.body))
}
