//! A request with what its handler needs: who asks, their access, the state, and where links begin.

use std::future::ready;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use bytes::Bytes;
use futures_util::future::{FutureExt, LocalBoxFuture};
use switchboard_actors::domain::oauth::scope::OauthScope;
use switchboard_actors::system::user_access::UserAccess;
use switchboard_actors::wire::body::Body;
use switchboard_actors::{Caller, System};

use crate::account::filters::Filter;
use crate::account::place::Place;
use crate::base::Base;
use crate::extract::body;
use crate::extract::caller::{Administrator, AnyUser};
use crate::reply::hal::PageRequest;
use crate::reply::problem::Problem;
use crate::state::AppState;

/// The request of a caller of the kind `W`: a handler that takes one cannot be reached by others.
pub(crate) struct Access<W = AnyUser> {
    pub(crate) caller: W,
    pub(crate) request: HttpRequest,
    pub(crate) state: web::Data<AppState>,
    pub(crate) base: Base,
}

/// A kind of account users.
pub(crate) trait Who {
    /// The caller.
    fn caller(&self) -> &Caller;
}

impl Who for AnyUser {
    fn caller(&self) -> &Caller {
        &self.0
    }
}

impl Who for Administrator {
    fn caller(&self) -> &Caller {
        &self.0
    }
}

impl<W: FromRequest<Error = Problem> + 'static> FromRequest for Access<W> {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let Some(state) = request.app_data::<web::Data<AppState>>().cloned() else {
            return ready(Err(Problem::Unauthorized(None))).boxed_local();
        };
        let caller = W::extract(request);
        let request = request.clone();
        async move {
            let caller = caller.await?;
            let base = Base::for_request(request.head(), &state);
            Ok(Self {
                caller,
                request,
                state,
                base,
            })
        }
        .boxed_local()
    }
}

impl<W: Who> Access<W> {
    /// Refuses an OAuth client that was not granted this scope. A user who acts without one has all.
    pub(crate) fn needs(&self, scope: OauthScope) -> Result<(), Problem> {
        if self.caller.caller().scopes.holds(scope) {
            return Ok(());
        }
        Err(Problem::Forbidden(format!(
            "Invalid scope: this needs {}, which the OAuth client does not ask for or an administrator has not granted; register it for the client and let an administrator consent again",
            scope.as_str()
        )))
    }

    /// The access of the caller, as the account is now: after a body has come, since that can take a while.
    pub(crate) async fn open(&self) -> Result<UserAccess, Problem> {
        let system = self.state.system();
        Ok(system.user_access(self.caller.caller()).await?)
    }

    /// The account that the entries of the answer belong to.
    pub(crate) fn place<'p>(&'p self, access: &'p UserAccess) -> Result<Place<'p>, Problem> {
        Place::new(
            &self.state,
            self.caller.caller(),
            access.users(),
            &self.base,
        )
    }

    /// The page that is asked for. A filter that the list does not obey is refused.
    pub(crate) fn page(&self, obeyed: &[Filter]) -> Result<PageRequest, Problem> {
        PageRequest::by(&self.request, obeyed)
    }
}

impl<W> Access<W> {
    pub(crate) fn system(&self) -> &System {
        self.state.system()
    }

    /// The JSON body.
    pub(crate) async fn read_json(&self, payload: web::Payload) -> Result<Bytes, Problem> {
        body::read_json(&self.request, payload, self.state.body_limit()).await
    }

    /// The JSON body that is declared.
    pub(crate) async fn json<T: Body>(&self, payload: web::Payload) -> Result<T, Problem> {
        body::json(&self.request, payload, &self.state).await
    }

    /// The same; a request without any body says as much as one of an empty object.
    pub(crate) async fn json_or_nothing<T: Body>(
        &self,
        payload: web::Payload,
    ) -> Result<T, Problem> {
        body::json_or_nothing(&self.request, payload, &self.state).await
    }

    /// The body: entities in any of the forms that clients send.
    pub(crate) async fn entities(&self, payload: web::Payload) -> Result<Bytes, Problem> {
        body::read_entities(&self.request, payload, self.state.body_limit()).await
    }

    /// The absolute address of a path.
    pub(crate) fn address(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }
}
