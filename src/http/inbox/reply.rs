//! `POST /inbox/v1/conversations/{id}/messages`: an account user answers. The 201 means: on disk and queued.

use actix_web::{HttpRequest, HttpResponse, web};
use switchboard_actors::domain::chat::outgoing::OutgoingContent;
use switchboard_actors::domain::conversation::reply::ReplyRejection;
use switchboard_actors::error::Refused;
use switchboard_actors::system::callbacks::CallbackView;
use switchboard_actors::system::desk::NotSent;
use switchboard_actors::system::inbox::MessageView;
use switchboard_actors::wire::json::{self, BodyError, object::Nulls};

use crate::http::extract::body;
use crate::http::extract::caller::AnyUser;
use crate::http::inbox::view;
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

pub(crate) async fn post(
    AnyUser(caller): AnyUser,
    id: web::Path<String>,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let unknown = || Problem::NotFound("there is no such conversation".to_owned());
    let id = id.parse().map_err(|_not_an_id| unknown())?;
    let desk = state.system().desk(&caller).await?;
    desk.conversation(id).await?.ok_or_else(unknown)?;
    let body = body::read_json(&request, payload, state.body_limit()).await?;
    let content = parse(&body)?;
    let replied = desk
        .reply(id, content)
        .await
        .map_err(|refused| match refused {
            Refused::Rejected(NotSent::Rejected(ReplyRejection::UnknownConversation)) => unknown(),
            Refused::Rejected(denied @ NotSent::Denied) => Problem::Forbidden(denied.to_string()),
            Refused::Rejected(NotSent::Rejected(
                rejection @ (ReplyRejection::NotConnected | ReplyRejection::NeedsVersion2),
            )) => Problem::Conflict(rejection.to_string()),
            Refused::Rejected(NotSent::Rejected(ReplyRejection::TooMuchQueued(refusal))) => {
                refusal.into()
            }
            Refused::Unavailable(unavailable) => unavailable.into(),
        })?;
    let view = MessageView::Out {
        replied: Box::new(replied),
        afterwards: Box::default(),
        callback: CallbackView::queued(),
    };
    Ok(HttpResponse::Created().json(view::message(&view)))
}

fn parse(bytes: &[u8]) -> Result<OutgoingContent, Problem> {
    json::read(bytes, Nulls::Refused, |body| {
        body.refuse_unknown(&["type", "text"]);
        let kind = body.required_choice("type", &[("text", ())]);
        let text = body.required_parsed("text");
        kind.and(text).map(|text| OutgoingContent::Text { text })
    })
    .map_err(|error| match error {
        BodyError::NotJson(why) => Problem::BadRequest(why.to_string()),
        BodyError::Invalid(violations) => Problem::Validation(violations),
    })
}
