//! The operator, known by a bearer token of their own.

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use futures_util::future::{FutureExt, LocalBoxFuture};
use switchboard_actors::domain::account::throttle::ThrottleError;
use switchboard_actors::domain::time::whole_seconds;
use switchboard_gate::limits::connection::{BodyOwner, Connection};

use crate::extract::{bearer, origin};
use crate::reply::problem::Problem;
use crate::state::AppState;

/// The operator's token was right: a handler that takes one cannot be reached without.
pub(crate) struct Operator(());

impl FromRequest for Operator {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        async move { known(&request).await }.boxed_local()
    }
}

async fn known(request: &HttpRequest) -> Result<Operator, Problem> {
    let state = request.app_data::<web::Data<AppState>>();
    let (Some(state), Some(token)) = (state, bearer::token(request)) else {
        return Err(Problem::NotTheOperator(None));
    };
    let address = origin::client_address(request.head(), state);
    match state.guesses().is_operator(state.system(), address, token) {
        Ok(true) => {
            if let Some(connection) = request.conn_data::<Connection>() {
                connection.prove(BodyOwner::Operator);
            }
            Ok(Operator(()))
        }
        Ok(false) => {
            let kind = bearer::kind_at_the_operator(request, state, token).await;
            Err(Problem::NotTheOperator(kind))
        }
        Err(ThrottleError(wait)) => Err(Problem::TooManyRequests {
            detail: format!(
                "too many requests with invalid tokens from your address; retry after {} s",
                whole_seconds(wait)
            ),
            retry_after: wait,
        }),
    }
}
