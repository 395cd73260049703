//! `/admin/v1/accounts/{id}/webhooks/{webhook}/hooks`: what a webhook was sent, and what became of it.

use actix_web::{HttpResponse, web};
use switchboard_actors::domain::dispatch::record::DeliveryState;
use switchboard_actors::domain::hooks::hook::{HookNumber, HookObject, WebhookId};
use switchboard_actors::domain::id::{ContactId, ConversationId, LeadId, TaskId, TemplateId};
use switchboard_actors::domain::webhooks::WebhookRejection;
use switchboard_actors::domain::webhooks::code::WebhookCode;
use switchboard_actors::system::hooks::{HookView, ReplayHookRejection};

use crate::admin::accounts::known;
use crate::admin::deliveries::view::{DeliveryAttempt, log};
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::extract::query::Query;
use crate::openapi::{Operation, Schema, Seconds};
use crate::reply::list;
use crate::reply::problem::Problem;

/// `GET …/hooks`: the hooks, newest first.
pub(crate) async fn list(
    access: Access<Operator>,
    path: web::Path<(String, String)>,
) -> Result<HttpResponse, Problem> {
    let query = Query::of_list(&access.request, &[])?;
    let limit = query.entries()?;
    let before = query.cursor(|text| text.parse().ok().map(HookNumber))?;
    let (account, webhook) = path.into_inner();
    let webhook = which(&access, &account, &webhook).await?;
    let page = access.system().hooks(webhook, before, limit).await?;
    let next = page.next.map(|number| number.0.to_string());
    let views = page.entries.iter().map(HookOfWebhook::new);
    Ok(list::page("hooks", views, next))
}

/// `GET …/hooks/{hook}`: one hook, with its form and its attempts.
pub(crate) async fn get(
    access: Access<Operator>,
    path: web::Path<(String, String, String)>,
) -> Result<HttpResponse, Problem> {
    let (account, webhook, hook) = path.into_inner();
    let webhook = which(&access, &account, &webhook).await?;
    let entry = access.system().hook(webhook, number(&hook)?).await?;
    let view = entry.ok_or_else(unknown)?;
    Ok(HttpResponse::Ok().json(HookLog::new(&view)))
}

/// `POST …/hooks/{hook}/replay`: sends a hook again.
pub(crate) async fn replay(
    access: Access<Operator>,
    path: web::Path<(String, String, String)>,
) -> Result<HttpResponse, Problem> {
    let (account, webhook, hook) = path.into_inner();
    let webhook = which(&access, &account, &webhook).await?;
    let result = access.system().replay_hook(webhook, number(&hook)?).await;
    let view = result.map_err(|rejection| match rejection {
        ReplayHookRejection::Unknown => unknown(),
        ReplayHookRejection::Queued => Problem::Conflict(rejection.to_string()),
        ReplayHookRejection::Unavailable(error) => error.into(),
    })?;
    Ok(HttpResponse::Ok().json(HookLog::new(&view)))
}

/// The webhook of a path, which must exist.
async fn which(
    access: &Access<Operator>,
    account: &str,
    webhook: &str,
) -> Result<WebhookId, Problem> {
    let account = known(&access.state, account).await?.id;
    let none = || Problem::NotFound(WebhookRejection::Unknown.to_string());
    let number = webhook.parse().map_err(|_not_a_number| none())?;
    let webhooks = access.system().webhooks(account).await?;
    webhooks.get(number).ok_or_else(none)?;
    Ok(WebhookId { account, number })
}

fn number(text: &str) -> Result<HookNumber, Problem> {
    let number = text.parse().map_err(|_not_a_number| unknown())?;
    Ok(HookNumber(number))
}

fn unknown() -> Problem {
    Problem::NotFound(ReplayHookRejection::Unknown.to_string())
}

/// The time of the next attempt, while a hook waits for it.
fn next_attempt(state: &DeliveryState) -> Option<Seconds> {
    if let DeliveryState::Waiting { until, .. } = state {
        Some((*until).into())
    } else {
        None
    }
}

view! {
    /// A hook, and its last attempt.
    struct HookOfWebhook<'v>(view: &'v HookView) [
        let hook = view.hook.as_ref();
        let object = hook.map(|hook| hook.object);
    ] {
        id: u64 = view.number.0,
        /// The event; null after an erasure.
        event: Option<WebhookCode> = hook.map(|hook| hook.code),
        conversation_id: Option<ConversationId> = match object {
            Some(HookObject::Chat(conversation)) => Some(conversation),
            Some(_) | None => None,
        },
        lead_id: Option<LeadId> = match object {
            Some(HookObject::Lead(lead)) => Some(lead),
            Some(_) | None => None,
        },
        contact_id: Option<ContactId> = match object {
            Some(HookObject::Contact(contact)) => Some(contact),
            Some(_) | None => None,
        },
        task_id: Option<TaskId> = match object {
            Some(HookObject::Task(task)) => Some(task),
            Some(_) | None => None,
        },
        template_id: Option<TemplateId> = match object {
            Some(HookObject::Template(template)) => Some(template),
            Some(_) | None => None,
        },
        created_at: Option<Seconds> = hook.map(|hook| hook.at.into()),
        #[schemars(extend("enum" = DeliveryState::WORDS))]
        state: &'static str = view.record.state.as_str(),
        attempts: u32 = view.record.tally.made,
        next_attempt_at: Option<Seconds> = next_attempt(&view.record.state),
        replays: u32 = view.record.replays,
        last_attempt: Option<DeliveryAttempt<'v>> = view.record.last_attempt().map(DeliveryAttempt::new),
    }

    /// A hook with its form and its attempts.
    struct HookLog<'v>(view: &'v HookView) {
        #[serde(flatten)]
        hook: HookOfWebhook<'v> = HookOfWebhook::new(view),
        /// The body of the request: a form. Null after an erasure.
        form: Option<&'v str> = view.hook.as_ref().map(|hook| hook.form.as_str()),
        /// The first and the last ten attempts.
        log: Vec<DeliveryAttempt<'v>> = log(&view.record).map(DeliveryAttempt::new).collect(),
    }
}

fn place(operation: Operation) -> Operation {
    operation
        .path("id", Schema::uuid())
        .path("webhook", Schema::number())
}

pub(crate) fn describe_list() -> Operation {
    let operation = Operation::operator("listHooks", "List the hooks of a webhook.");
    place(operation)
        .cursor()
        .answers_next::<HookOfWebhook<'_>>("hooks", "A page, newest first.")
        .refuses(404, "There is no such account, or no such webhook in it.")
}

pub(crate) fn describe_get() -> Operation {
    let operation = Operation::operator("getHook", "Get a hook with its form and its attempts.");
    place(operation)
        .path("hook", Schema::number())
        .gives::<HookLog<'_>>(200, "The hook.")
        .refuses(404, "There is no such account, webhook or hook.")
}

pub(crate) fn describe_replay() -> Operation {
    let operation = Operation::operator("replayHook", "Replay a hook under the same id.");
    place(operation)
        .path("hook", Schema::number())
        .says("A hook that waits for its next attempt is sent now. `X-Delivery-Attempt` is above 1, so the program knows that it may have it already.")
        .gives::<HookLog<'_>>(200, "The hook as it is now.")
        .refuses(404, "There is no such account, webhook or hook.")
        .refuses(409, "The hook is queued already.")
}
