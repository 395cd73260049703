//! `/admin/v1/accounts/{id}/webhooks`: the webhooks of an account, which its programs subscribe.

pub(crate) mod hooks;

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::account::users::Users;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::id::{AccountId, OauthClientId, SubscriptionId, UserId};
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::domain::webhooks::WebhookRejection;
use switchboard_actors::domain::webhooks::code::WebhookCode;
use switchboard_actors::domain::webhooks::create::CreateWebhook;
use switchboard_actors::domain::webhooks::subscription::{DisableReason, Subscription};
use switchboard_actors::wire::account_body::webhooks::NewWebhook;
use switchboard_actors::wire::body;
use switchboard_actors::wire::body::Body;
use switchboard_actors::wire::json::object::ObjectReader;

use crate::account::webhooks::{reachable, refused};
use crate::admin::accounts::known;
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::extract::query::Query;
use crate::openapi::{Operation, Schema, Seconds};
use crate::reply::list;
use crate::reply::paging;
use crate::reply::problem::Problem;

body!(
    struct NewWebhookOfAccount {
        #[body(flatten)]
        webhook: NewWebhook,
        /// The administrator in whose name it is subscribed; the first active one if it is left out.
        user_id: Option<UserId>,
    }
);

/// `GET …/webhooks`: the webhooks, by number.
pub(crate) async fn list(
    access: Access<Operator>,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let query = Query::of_list(&access.request, &[])?;
    let account = known(&access.state, &path).await?.id;
    let webhooks = access.system().webhooks(account).await?;
    let page = paging::smallest_first(&query, webhooks.iter(), |webhook| webhook.id)?;
    let views = page.entries.into_iter().map(WebhookOfAccount::new);
    Ok(list::page("webhooks", views, page.next))
}

/// `POST …/webhooks`: subscribes an address, as a program of an administrator would.
pub(crate) async fn create(
    access: Access<Operator>,
    path: web::Path<String>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let account = known(&access.state, &path).await?.id;
    let users = access.system().users(account).await?;
    let bytes = access.read_json(payload).await?;
    let create = NewWebhookOfAccount::read_as(&bytes, |object, body| {
        let user = administrator(object, body.user_id, &users);
        let webhook = body.webhook;
        let parts = webhook.parts(object, |it| reachable(&access.state, it))?;
        Some(CreateWebhook {
            by: By::Operator,
            user: user?,
            destination: parts.destination,
            codes: parts.codes,
            sort: parts.sort,
        })
    })?;
    let result = access.system().create_webhook(account, create).await;
    let subscription = result.map_err(refused)?;
    Ok(HttpResponse::Created().json(WebhookOfAccount::new(&subscription)))
}

/// The administrator in whose name a webhook is subscribed; the first active one if none is named.
fn administrator(
    object: &ObjectReader<'_, '_>,
    id: Option<UserId>,
    users: &Users,
) -> Option<UserId> {
    let mut administrators = users.iter().filter(|it| it.active && it.is_admin());
    let user = administrators.find(|it| id.is_none_or(|id| id == it.id));
    if user.is_none() {
        let detail = "expected the id of an active administrator of this account".to_owned();
        object.reject("user_id", ViolationCode::NotSupportedChoice, detail);
    }
    Some(user?.id)
}

/// `POST …/webhooks/{webhook}/enable`: switches one on again.
pub(crate) async fn enable(
    access: Access<Operator>,
    path: web::Path<(String, String)>,
) -> Result<HttpResponse, Problem> {
    let (account, id) = which(&access, path).await?;
    let result = access.system().enable_webhook(By::Operator, account, id);
    let subscription = result.await.map_err(refused)?;
    Ok(HttpResponse::Ok().json(WebhookOfAccount::new(&subscription)))
}

/// `POST …/webhooks/{webhook}/disable`: switches one off.
pub(crate) async fn disable(
    access: Access<Operator>,
    path: web::Path<(String, String)>,
) -> Result<HttpResponse, Problem> {
    let (account, id) = which(&access, path).await?;
    let result = access.system().disable_webhook(By::Operator, account, id);
    let subscription = result.await.map_err(refused)?;
    Ok(HttpResponse::Ok().json(WebhookOfAccount::new(&subscription)))
}

/// `DELETE …/webhooks/{webhook}`: deletes one.
pub(crate) async fn delete(
    access: Access<Operator>,
    path: web::Path<(String, String)>,
) -> Result<HttpResponse, Problem> {
    let (account, id) = which(&access, path).await?;
    let result = access.system().delete_webhook(By::Operator, account, id);
    result.await.map_err(refused)?;
    Ok(HttpResponse::NoContent().finish())
}

/// The account and the webhook of a path.
async fn which(
    access: &Access<Operator>,
    path: web::Path<(String, String)>,
) -> Result<(AccountId, SubscriptionId), Problem> {
    let (account, webhook) = path.into_inner();
    let account = known(&access.state, &account).await?.id;
    let unknown = |_not_a_number| Problem::NotFound(WebhookRejection::Unknown.to_string());
    Ok((account, webhook.parse().map_err(unknown)?))
}

view! {
    struct WebhookOfAccount<'w>(webhook: &'w Subscription) {
        id: SubscriptionId = webhook.id,
        destination: &'w str = webhook.destination.as_str(),
        settings: &'w [WebhookCode] = &webhook.codes,
        /// Those of the settings that are accepted and never sent: the service has no such objects, or nothing deletes and restores them.
        never_sent: Vec<WebhookCode> = webhook.never_sent().collect(),
        sort: i64 = webhook.sort,
        created_at: Seconds = webhook.created_at.into(),
        updated_at: Seconds = webhook.updated_at.into(),
        /// The user who subscribed it first.
        created_by: UserId = webhook.created_by,
        /// The OAuth client that subscribed it last, and whose uninstallation ends it; null if a user did.
        client_id: Option<OauthClientId> = webhook.client,
        disabled_at: Option<Seconds> = webhook.disabled.map(|disabled| disabled.at.into()),
        disabled_by: Option<DisableReason> = webhook.disabled.map(|disabled| disabled.why),
    }
}

pub(crate) fn describe_list() -> Operation {
    Operation::operator("listWebhooksOfAccount", "List the webhooks of an account.")
        .says("Programs subscribe them by POST /api/v4/webhooks, operators here. The webhooks of channels are endpoints.")
        .path("id", Schema::uuid())
        .cursor()
        .answers_next::<WebhookOfAccount<'_>>("webhooks", "A page, by number.")
        .refuses(404, "There is no such account.")
}

pub(crate) fn describe_create() -> Operation {
    let example = json!({
        "destination": "https://hooks.example.org/in?k=7d1f",
        "settings": ["add_message", "update_talk"],
    });
    Operation::operator(
        "createWebhookOfAccount",
        "Create a webhook, or replace the settings of the one with this address.",
    )
    .path("id", Schema::uuid())
    .takes::<NewWebhookOfAccount>(example)
    .gives::<WebhookOfAccount<'_>>(
        201,
        "On disk. A webhook that was disabled is enabled again.",
    )
    .refuses(403, "An account has at most 100 webhooks.")
    .refuses(404, "There is no such account.")
}

fn change(operation: Operation) -> Operation {
    operation
        .path("id", Schema::uuid())
        .path("webhook", Schema::number())
        .refuses(404, "There is no such account, or no such webhook in it.")
}

pub(crate) fn describe_enable() -> Operation {
    let operation = Operation::operator("enableWebhook", "Enable a disabled webhook.");
    change(operation)
        .gives::<WebhookOfAccount<'_>>(200, "The webhook as it is now.")
        .refuses(409, "The webhook is not disabled.")
}

pub(crate) fn describe_disable() -> Operation {
    let operation = Operation::operator("disableWebhook", "Disable a webhook.");
    change(operation)
        .says("Nothing is sent to it until it is enabled. A program enables it too, by subscribing it again.")
        .gives::<WebhookOfAccount<'_>>(200, "The webhook as it is now.")
        .refuses(409, "The webhook is disabled already.")
}

pub(crate) fn describe_delete() -> Operation {
    let operation = Operation::operator("deleteWebhookOfAccount", "Delete a webhook.");
    change(operation).answers_nothing(204, "On disk.")
}
