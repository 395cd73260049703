//! `/admin/v1/oauth-clients/{id}/grants`: the accounts that installed a client.

use actix_web::{HttpResponse, web};
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::id::AccountId;
use switchboard_actors::domain::oauth::grants::revoke::RevokeGrantRejection;

use crate::admin::accounts;
use crate::admin::oauth::clients::view::AccountGrant;
use crate::admin::oauth::clients::{known, of_one};
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::extract::query::Query;
use crate::oauth::admitted::AdmittedPage;
use crate::oauth::grants::not_installed;
use crate::oauth::view::AdmittedUserView;
use crate::openapi::{Operation, Schema};
use crate::reply::list;
use crate::reply::problem::Problem;

/// `GET …/grants`: what each account granted, by account.
pub(crate) async fn list(
    access: Access<Operator>,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let query = Query::of_list(&access.request, &[])?;
    let client = known(&access.state, &path).await?.id;
    let after = query.cursor(|text| text.parse().ok())?;
    let reading = access.system().grants_to(client, after, query.entries()?);
    let page = reading.await?;
    let grants = page.entries.iter().filter_map(|grants| {
        let grant = grants.get(client)?;
        Some(AccountGrant::new(grants, grant))
    });
    Ok(list::page("grants", grants, page.next))
}

/// `DELETE …/grants/{account}`: the client is uninstalled from an account.
pub(crate) async fn revoke(
    access: Access<Operator>,
    path: web::Path<(String, String)>,
) -> Result<HttpResponse, Problem> {
    let client = known(&access.state, &path.0).await?.id;
    let unknown = || Problem::NotFound(RevokeGrantRejection.to_string());
    let account: AccountId = path.1.parse().map_err(|_not_an_id| unknown())?;
    let revocation = access.system().revoke_grant(By::Operator, account, client);
    revocation.await.map_err(not_installed)?;
    AdmittedPage::first(account, client)
        .answer(&access.state)
        .await
}

/// `GET …/grants/{account}/users`: the active users of an account whom the client admitted, also after the grant.
pub(crate) async fn admitted(
    access: Access<Operator>,
    path: web::Path<(String, String)>,
) -> Result<HttpResponse, Problem> {
    let client = known(&access.state, &path.0).await?.id;
    let account = accounts::known(&access.state, &path.1).await?.id;
    let page =
        AdmittedPage::first(account, client).with_query(&Query::of_list(&access.request, &[])?)?;
    page.answer(&access.state).await
}

pub(crate) fn describe_list() -> Operation {
    of_one(Operation::operator("listGrants", "List the accounts that installed an OAuth client."))
        .says("With the times at which codes and refresh tokens were issued and used, and by which request.")
        .cursor()
.answers_next::<AccountGrant<'_>>("grants", "A page, by account.")
}

pub(crate) fn describe_revoke() -> Operation {
    of_one(Operation::operator(
        "revokeGrantOfAccount",
        "Revoke the grant of an account to an OAuth client.",
    ))
    .path("account", Schema::uuid())
    .answers_next::<AdmittedUserView<'_>>(
        "users",
        "On disk. The active users whom the client created or was the last to activate, the first 50.",
    )
}

pub(crate) fn describe_admitted() -> Operation {
    of_one(Operation::operator(
        "listAdmittedUsersOfAccount",
        "List the active users of an account whom an OAuth client created or was the last to activate.",
    ))
    .path("account", Schema::uuid())
    .cursor()
    .answers_next::<AdmittedUserView<'_>>("users", "The users, by number.")
}
