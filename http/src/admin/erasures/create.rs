//! `POST /admin/v1/erasures`: what is to be erased. The service ends its round for that, erases, and
//! goes on by itself.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::audit::By;
use switchboard_actors::erasures::Target;
use switchboard_actors::wire::operator_body::NamedTarget;

use crate::admin::erasures::unknown_target;
use crate::admin::erasures::view::Erasure;
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::openapi::Operation;
use crate::reply::problem::Problem;

pub(crate) async fn create(
    access: Access<Operator>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let body: NamedTarget = access.json(payload).await?;
    let target = Target::from(body);
    if access.state.data_directory().is_none() {
        return Err(Problem::Conflict(
            "this service keeps nothing: all its data is gone when it ends".to_owned(),
        ));
    }
    if let Target::Account { account } = target
        && access.state.declares(account)
    {
        return Err(Problem::Conflict(
            "the configuration names this account, so the next start would make it again: remove it there, restart the \
             service, and order again"
                .to_owned(),
        ));
    }
    let result = access.system().create_erasure(By::Operator, target).await;
    let erasure = result.map_err(|refused| {
        refused.into_error(|rejection| Problem::Conflict(rejection.to_string()))
    })?;
    let view = Erasure::new(erasure.as_ref().ok_or_else(unknown_target)?);
    Ok(HttpResponse::Accepted().json(view))
}

pub(crate) fn describe() -> Operation {
    let account = "af9945ff-1490-4cad-807d-945c15d88bec";
    Operation::operator("createErasure", "Erase a customer, an account or a relayed conversation.")
        .says(
            "The service completes requests in progress, erases, and goes on by itself; connections wait meanwhile. What was \
             erased cannot be restored.",
        )
        .takes::<NamedTarget>(
            json!({ "what": "customer", "account_id": account, "contact_id": 1 }),
        )
        .gives::<Erasure<'_>>(202, "The erasure. It is carried out also after a crash.")
        .refuses(404, "There is no such account, no such customer of it, or no such relayed conversation.")
        .refuses(
            409,
            "The same erasure waits, too many wait, the configuration names the account, or the service keeps nothing.",
        )
}
