//! `/admin/v1/accounts/{id}/webhooks`: the webhooks of an account, which its programs subscribe.

pub(crate) mod hooks;

use actix_web::{HttpResponse, web};
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::id::{AccountId, OauthClientId, SubscriptionId, UserId};
use switchboard_actors::domain::webhooks::WebhookRejection;
use switchboard_actors::domain::webhooks::code::WebhookCode;
use switchboard_actors::domain::webhooks::subscription::{DisableReason, Subscription};

use crate::account::webhooks::refused;
use crate::admin::accounts::known;
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::extract::query::Query;
use crate::openapi::{Operation, Schema, Seconds};
use crate::reply::list;
use crate::reply::paging;
use crate::reply::problem::Problem;

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
        .says("Programs subscribe them by POST /api/v4/webhooks. The webhooks of channels are endpoints.")
        .path("id", Schema::uuid())
        .cursor()
        .answers_next::<WebhookOfAccount<'_>>("webhooks", "A page, by number.")
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
