//! `/inbox/v1/webhooks`: the webhooks of the account as its administrators look after them. Programs subscribe by
//! `/api/v4/webhooks`, whose form says less.

use actix_web::HttpResponse;
use switchboard_actors::domain::account::users::Users;
use switchboard_actors::domain::id::{OauthClientId, SubscriptionId, UserId};
use switchboard_actors::domain::text::Name;
use switchboard_actors::domain::webhooks::code::WebhookCode;
use switchboard_actors::domain::webhooks::subscription::{DisableReason, Subscription};

use crate::account::webhooks::refused;
use crate::extract::access::Access;
use crate::extract::caller::Administrator;
use crate::extract::numbered::Numbered;
use crate::extract::query::Query;
use crate::openapi::{Operation, Schema, Seconds};
use crate::reply::problem::Problem;

/// `GET /inbox/v1/webhooks`: all webhooks, by number; an account has at most 100.
pub(crate) async fn list(access: Access<Administrator>) -> Result<HttpResponse, Problem> {
    Query::of_known(&access.request, &[])?;
    let user = access.open().await?;
    let webhooks = user.webhooks().await?;
    let clients = access.system().oauth_clients();
    let views = webhooks.iter().map(|webhook| {
        let client = clients.iter().find(|it| Some(it.id) == webhook.client);
        let name = client.map(|client| &client.settings.name);
        WebhookAsUser::new(webhook, user.users(), name)
    });
    let list = WebhooksAsUser::new(views.collect());
    Ok(HttpResponse::Ok().json(list))
}

/// `POST /inbox/v1/webhooks/{id}/enable`: switches one on again.
pub(crate) async fn enable(
    access: Access<Administrator>,
    Numbered(id): Numbered<SubscriptionId>,
) -> Result<HttpResponse, Problem> {
    let result = access.open().await?.enable_webhook(id).await;
    result.map_err(refused)?;
    Ok(HttpResponse::NoContent().finish())
}

view! {
    struct WebhooksAsUser<'w>(webhooks: Vec<WebhookAsUser<'w>>) {
        webhooks: Vec<WebhookAsUser<'w>> = webhooks,
        /// All events that webhooks may be subscribed to and that never happen.
        never_sent: Vec<WebhookCode> = WebhookCode::ALL.iter().copied().filter(|code| !code.is_sent()).collect(),
    }

    struct WebhookAsUser<'w>(webhook: &'w Subscription, users: &'w Users, client: Option<&'w Name>) [
        let creator = users.get(webhook.created_by);
    ] {
        id: SubscriptionId = webhook.id,
        #[schemars(extend("x-secret" = true))]
        destination: &'w str = webhook.destination.as_str(),
        settings: &'w [WebhookCode] = &webhook.codes,
        created_at: Seconds = webhook.created_at.into(),
        /// The user who subscribed it first.
        created_by: UserId = webhook.created_by,
        /// Null if the user is not there any more.
        creator_name: Option<&'w str> = creator.map(|user| user.name.as_str()),
        /// True while the user who subscribed it is an active administrator. The webhook stays when that ends.
        creator_is_admin: bool = creator.is_some_and(|user| user.active && user.is_admin()),
        /// The OAuth client that subscribed it last, and whose uninstallation ends it; null if a user did.
        client_id: Option<OauthClientId> = webhook.client,
        client_name: Option<&'w Name> = client,
        disabled_at: Option<Seconds> = webhook.disabled.map(|disabled| disabled.at.into()),
        disabled_by: Option<DisableReason> = webhook.disabled.map(|disabled| disabled.why),
    }
}

pub(crate) fn describe_list() -> Operation {
    Operation::inbox(
        "listWebhooksAsUser",
        "List the webhooks of the account with their creators.",
    )
    .says("By number, at most 100. A webhook that is disabled says why and since when.")
    .gives::<WebhooksAsUser<'_>>(200, "The webhooks.")
    .refuses(400, "A parameter is unknown; the list has none.")
    .refuses(403, "Only administrators may do this.")
}

pub(crate) fn describe_enable() -> Operation {
    Operation::inbox(
        "enableWebhookAsUser",
        "Enable a disabled webhook of the account.",
    )
    .path("id", Schema::number())
    .answers_nothing(204, "On disk. What waited for it is sent.")
    .refuses(403, "Only administrators may do this.")
    .refuses(404, "The account has no such webhook.")
    .refuses(409, "The webhook is not disabled.")
}
