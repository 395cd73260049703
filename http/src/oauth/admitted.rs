//! `GET /inbox/v1/oauth-clients/{id}/users`: the active users whom an OAuth client created or was the last to activate. They stay
//! when the client is uninstalled, so the answer to that has the first page.

use actix_web::{HttpRequest, HttpResponse, web};
use switchboard_actors::domain::id::{AccountId, OauthClientId, UserId};

use crate::extract::caller::Administrator;
use crate::extract::query::Query;
use crate::oauth::view::AdmittedUserView;
use crate::oauth::visible;
use crate::openapi::{Operation, Schema};
use crate::reply::list;
use crate::reply::problem::Problem;
use crate::state::AppState;

/// A page of the active users whom a client admitted to an account.
pub(crate) struct AdmittedPage {
    account: AccountId,
    client: OauthClientId,
    after: Option<UserId>,
    limit: usize,
}

impl AdmittedPage {
    /// The first one.
    pub(crate) fn first(account: AccountId, client: OauthClientId) -> Self {
        Self {
            account,
            client,
            after: None,
            limit: 50,
        }
    }

    /// The page of the query's cursor and limit.
    pub(crate) fn with_query(self, query: &Query) -> Result<Self, Problem> {
        Ok(Self {
            after: query.cursor(|text| text.parse().ok())?,
            limit: query.entries()?,
            ..self
        })
    }

    /// The answer.
    pub(crate) async fn answer(self, state: &AppState) -> Result<HttpResponse, Problem> {
        let system = state.system();
        let page = system
            .admitted_users(self.account, self.client, self.after, self.limit)
            .await?;
        let now = state.now();
        let entries = page.entries.iter();
        let users = entries.map(|admitted| AdmittedUserView::new(admitted, now));
        let next = page.next.map(|last| last.to_string());
        Ok(list::page("users", users, next))
    }
}

pub(crate) async fn list(
    Administrator(caller): Administrator,
    path: web::Path<String>,
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let client = visible(&caller, &path)?;
    let page =
        AdmittedPage::first(caller.account, client).with_query(&Query::of_list(&request, &[])?)?;
    page.answer(&state).await
}

pub(crate) fn describe() -> Operation {
    Operation::oauth(
        "listAdmittedUsers",
        "List the active users whom an OAuth client created or was the last to activate.",
    )
    .says("With their valid bearer tokens and the number of their sessions. They stay when the client is uninstalled.")
    .path("id", Schema::uuid())
    .cursor()
    .answers_next::<AdmittedUserView<'_>>("users", "The users, by number.")
    .refuses(404, "There is no such client.")
}
