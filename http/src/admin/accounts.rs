//! `/admin/v1/accounts`: accounts, their users with tokens, their groups, their webhooks.

pub(crate) mod customer;
pub(crate) mod groups;
pub(crate) mod tokens;
pub(crate) mod users;
pub(crate) mod webhooks;

use actix_web::http::header;
use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::account_quota::{AccountQuotas, Volume};
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::id::{AccountId, AccountNumber};
use switchboard_actors::domain::installation::accounts::create::CreateAccount;
use switchboard_actors::domain::installation::accounts::settings::{
    AccountChange, AccountSettings,
};
use switchboard_actors::domain::installation::accounts::update::UpdateAccount;
use switchboard_actors::domain::installation::accounts::{Account, AccountRejection};
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::error::CommandError;
use switchboard_actors::wire::body;

use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::extract::query::Query;
use crate::fields;
use crate::openapi::{Operation, Schema};
use crate::reply::list;
use crate::reply::paging;
use crate::reply::problem::Problem;
use crate::state::AppState;

body!(
    struct NewAccount {
        /// Made when it is left out.
        id: Option<AccountId>,
        #[body(given(New))]
        settings: AccountSettings,
    }

    struct ChangedAccount {
        #[body(given(Update))]
        change: AccountChange,
    }
);

/// `GET /admin/v1/accounts`: the accounts, by id.
pub(crate) async fn list(access: Access<Operator>) -> Result<HttpResponse, Problem> {
    let query = Query::of_list(&access.request, &[])?;
    let accounts = access.system().accounts().await?;
    let page = paging::smallest_first(&query, accounts.iter(), |account| account.id)?;
    let accounts = page.entries.into_iter().map(AccountView::new);
    Ok(list::page("accounts", accounts, page.next))
}

/// `POST /admin/v1/accounts`: makes an account; its id is made when none is given.
pub(crate) async fn create(
    access: Access<Operator>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let NewAccount { id, settings } =
        fields::read::<_, AccountSettings, _>(&access, payload).await?;
    let by = By::Operator;
    let account = CreateAccount { by, id, settings };
    let result = access.system().create_account(account).await;
    let account = result.map_err(refused)?;
    let place = access.address(&format!("/admin/v1/accounts/{}", account.id));
    Ok(HttpResponse::Created()
        .insert_header((header::LOCATION, place))
        .json(AccountView::new(&account)))
}

/// `GET /admin/v1/accounts/{id}`: one account.
pub(crate) async fn get(
    access: Access<Operator>,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let account = known(&access.state, &path).await?;
    let usage = access.system().usage_of(account.id).await?;
    let quotas = access.system().quotas_of(account.id);
    Ok(HttpResponse::Ok().json(AccountWithUsage::new(&account, &usage, &quotas)))
}

/// `PATCH /admin/v1/accounts/{id}`: changes what is named and leaves the rest.
pub(crate) async fn update(
    access: Access<Operator>,
    path: web::Path<String>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let id = known(&access.state, &path).await?.id;
    let ChangedAccount { change } = fields::read::<_, AccountSettings, _>(&access, payload).await?;
    let by = By::Operator;
    let change = UpdateAccount { by, id, change };
    let account = access.system().update_account(change).await;
    Ok(HttpResponse::Ok().json(AccountView::new(&account.map_err(refused)?)))
}

view! {
    #[schemars(rename = "Account")]
    pub(crate) struct AccountView<'a>(account: &'a Account) {
        id: AccountId = account.id,
        /// The account's id in the account interface.
        number: AccountNumber = account.number,
        #[serde(flatten)]
        #[schemars(schema_with = "fields::of_answer::<AccountSettings>")]
        settings: &'a AccountSettings = &account.settings,
    }
}

view! {
    #[schemars(inline)]
    struct AccountWithUsage<'a>(account: &'a Account, volume: &Volume, quotas: &AccountQuotas) {
        #[serde(flatten)]
        account: AccountView<'a> = AccountView::new(account),
        /// The account's usage, each figure with the quota in force; 0 for none.
        usage: UsageView = UsageView::new(volume, quotas),
    }

    #[schemars(inline)]
    struct UsageView(volume: &Volume, quotas: &AccountQuotas) {
        /// Stored today (UTC).
        messages_per_day: Used = Used::new(volume.messages_of_day(), quotas.messages_per_day),
        /// Stored in this month (UTC).
        messages_per_month: Used = Used::new(volume.messages_of_month(), quotas.messages_per_month),
        /// Written in this month (UTC) by programs as bots.
        bot_messages_per_month: Used = Used::new(volume.bot_messages_of_month(), quotas.bot_messages_per_month),
        /// Each message counts as 1,024 bytes, besides its file.
        storage_bytes: Used = Used::new(volume.storage_bytes(), quotas.storage_bytes),
    }

    #[schemars(inline)]
    struct Used(used: u64, quota: u64) {
        used: u64 = used,
        quota: u64 = quota,
    }
}

/// The account with the id in a path. Text that cannot be an id is answered like an id without an account.
pub(crate) async fn known(state: &AppState, path: &str) -> Result<Account, Problem> {
    let unknown = || Problem::NotFound(AccountRejection::Unknown.to_string());
    let id: AccountId = path.parse().map_err(|_not_an_id| unknown())?;
    let accounts = state.system().accounts().await?;
    accounts.get(id).cloned().ok_or_else(unknown)
}

fn refused(refused: CommandError<AccountRejection>) -> Problem {
    refused.into_error(|rejection| match rejection {
        AccountRejection::Unknown => Problem::NotFound(AccountRejection::Unknown.to_string()),
        AccountRejection::Exists
        | AccountRejection::Full
        | AccountRejection::SubdomainTaken(_)
        | AccountRejection::SubdomainReserved
        | AccountRejection::SameField
        | AccountRejection::FieldTaken(_) => Problem::Conflict(rejection.to_string()),
    })
}

/// One field is wrong, and that could only be seen after all had been read.
fn wrong(path: &str, detail: String) -> Problem {
    Problem::field(path, ViolationCode::NotSupportedChoice, &detail)
}

pub(crate) fn describe_list() -> Operation {
    Operation::operator("listAccounts", "List accounts.")
        .cursor()
        .answers_next::<AccountView<'_>>("accounts", "A page, by id.")
}

pub(crate) fn describe_create() -> Operation {
    let example = json!({ "name": "Flower shop", "lang": "en", "plan": "enterprise" });
    Operation::operator("createAccount", "Create an account.")
        .takes::<NewAccount>(example)
        .gives::<AccountView<'_>>(201, "The account.")
        .with_header(201, "Location", "Where the account is.")
        .refuses(
            409,
            "There is an account with this id or subdomain, both fields of contacts have one number, or there are too many accounts.",
        )
}

pub(crate) fn describe_get() -> Operation {
    Operation::operator("getAccount", "Get an account.")
        .path("id", Schema::uuid())
        .gives::<AccountWithUsage<'_>>(200, "The account.")
        .refuses(404, "There is no such account.")
}

pub(crate) fn describe_update() -> Operation {
    Operation::operator("updateAccount", "Update an account.")
        .says("Fields that the body does not name keep their values.")
        .path("id", Schema::uuid())
        .takes::<ChangedAccount>(json!({ "name": "Flowers and more" }))
        .gives::<AccountView<'_>>(200, "The account as it is now.")
        .refuses(404, "There is no such account.")
        .refuses(
            409,
            "Another account has the subdomain, or both fields of contacts have one number.",
        )
}
