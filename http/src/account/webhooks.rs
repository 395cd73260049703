//! `GET`, `POST` and `DELETE /api/v4/webhooks`: the addresses that programs subscribed to events of the account.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::id::{AccountNumber, SubscriptionId, UserId};
use switchboard_actors::domain::webhooks::WebhookRejection;
use switchboard_actors::domain::webhooks::code::WebhookCode;
use switchboard_actors::domain::webhooks::destination::Destination;
use switchboard_actors::domain::webhooks::subscription::Subscription;
use switchboard_actors::error::CommandError;
use switchboard_actors::wire::account_body::webhooks::{DeletedWebhook, NewWebhook};
use switchboard_actors::wire::body::Body;
use switchboard_network::outbound::guard::GuardError;

use crate::account::filters::{self, Filter};
use crate::extract::access::Access;
use crate::extract::caller::Administrator;
use crate::extract::query::Query;
use crate::openapi::{Operation, Seconds};
use crate::reply::hal;
use crate::reply::problem::Problem;
use crate::state::AppState;

const PATH: &str = "/api/v4/webhooks";
/// The filters of the list.
const FILTERS: [Filter; 1] = [Filter::Destination];

pub(crate) async fn list(access: Access<Administrator>) -> Result<HttpResponse, Problem> {
    let query = Query::from_request(&access.request)?;
    filters::check(&query, &FILTERS)?;
    let user = access.open().await?;
    let account = access.place(&user)?.account;
    let webhooks = user.webhooks().await?;
    let wanted = query.text(Filter::Destination.name());
    // What is no address at all is the address of none.
    let destination = wanted.map(|text| text.parse::<Destination>().ok());
    let is_wanted = |it: &&Subscription| {
        let destination = destination.as_ref();
        destination.is_none_or(|wanted| wanted.as_ref() == Some(&it.destination))
    };
    let entries = webhooks.iter().filter(is_wanted);
    let views: Vec<_> = entries.map(|it| WebhookView::new(account, it)).collect();
    Ok(hal::whole(access.address(PATH), "webhooks", &views))
}

pub(crate) async fn post(
    access: Access<Administrator>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let bytes = access.entities(payload).await?;
    let webhook = NewWebhook::read_as(&bytes, |object, webhook| {
        webhook.parts(object, |it| reachable(&access.state, it))
    })?;
    let user = access.open().await?;
    let result = user
        .create_webhook(webhook.destination, webhook.codes, webhook.sort)
        .await;
    let subscription = result.map_err(refused)?;
    let account = access.place(&user)?.account;
    let view = WebhookView::new(account, &subscription);
    Ok(hal::created_entry(&view))
}

pub(crate) async fn delete(
    access: Access<Administrator>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let bytes = access.entities(payload).await?;
    let address = DeletedWebhook::read(&bytes)?.destination;
    let destination = address.parse().map_err(|_no_address| unknown())?;
    let result = access.open().await?.delete_webhook(destination).await;
    result.map_err(refused)?;
    Ok(HttpResponse::NoContent().finish())
}

/// Returns whether hooks may be sent there, judged by its spelling. The addresses that a name resolves to are checked with each
/// request, since they may change.
pub(crate) fn reachable(state: &AppState, destination: &Destination) -> Result<(), GuardError> {
    state.guard().check(destination.url())
}

fn unknown() -> Problem {
    Problem::NotFound(WebhookRejection::Unknown.to_string())
}

/// Returns the answer that says why a webhook is not changed.
pub(crate) fn refused(refused: CommandError<WebhookRejection>) -> Problem {
    refused.into_error(|rejection| match rejection {
        WebhookRejection::Unknown => unknown(),
        WebhookRejection::TooMany => Problem::Forbidden(rejection.to_string()),
        WebhookRejection::Uninstalled
        | WebhookRejection::NotDisabled
        | WebhookRejection::Disabled => Problem::Conflict(rejection.to_string()),
    })
}

view! {
    #[schemars(rename = "Webhook")]
    struct WebhookView<'w>(account: AccountNumber, subscription: &'w Subscription) {
        id: SubscriptionId = subscription.id,
        #[schemars(extend("x-secret" = true))]
        destination: &'w str = subscription.destination.as_str(),
        created_at: Seconds = subscription.created_at.into(),
        updated_at: Seconds = subscription.updated_at.into(),
        account_id: AccountNumber = account,
        /// The user who subscribed it first.
        created_by: UserId = subscription.created_by,
        sort: i64 = subscription.sort,
        /// True while nothing is sent to it. Subscribing it again switches it on.
        disabled: bool = subscription.disabled.is_some(),
        settings: &'w [WebhookCode] = &subscription.codes,
    }
}

pub(crate) fn describe_list() -> Operation {
    Operation::leads("listWebhooks", "List the webhooks of the account.")
        .filtered(&FILTERS)
        .answers_whole::<WebhookView<'_>>("webhooks")
        .refuses(400, "The list has no such filter.")
        .refuses(403, "Only administrators may do this.")
}

pub(crate) fn describe_post() -> Operation {
    let example = json!({
        "destination": "https://hooks.example.org/in?k=7d1f",
        "settings": ["add_message", "update_talk"],
        "sort": 10,
    });
    Operation::leads("createWebhook", "Create a webhook, or replace the settings of the one with this address.")
        .says("It ends when the account uninstalls the OAuth client that subscribed it last. Events of companies, customers and reviews of templates are accepted and never sent.")
        .takes::<NewWebhook>(example)
        .gives_hal::<WebhookView<'_>>(201, "On disk. A webhook that was disabled is enabled again.")
        .refuses(
            403,
            "Only administrators may do this, and an account has at most 100 webhooks.",
        )
        .refuses(409, "The account uninstalled the OAuth client at the same time.")
}

pub(crate) fn describe_delete() -> Operation {
    Operation::leads("deleteWebhook", "Delete a webhook.")
        .takes::<DeletedWebhook>(json!({ "destination": "https://hooks.example.org/in?k=7d1f" }))
        .answers_nothing(204, "On disk.")
        .refuses(403, "Only administrators may do this.")
        .refuses(404, "The account has no webhook with this address.")
}
