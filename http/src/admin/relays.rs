//! `/admin/v1/relays`: what stands between the counterpart and bridges, and what the operator does about it.

pub(crate) mod edited_hook;
mod view;

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::id::ChannelId;
use switchboard_actors::domain::relays::BRIDGE;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::relay_book::KnownRelay;
use switchboard_actors::system::relays::replay::ReplayRelayedRejection;
use switchboard_actors::system::relays::{RelayedCursor, RelayedHookId};
use switchboard_actors::wire::body::value::Whole;
use switchboard_actors::wire::operator_body::replays::RelayReplay;

use self::view::{HookView, RelayDetail, RelayView, Replayed};
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::extract::query::Query;
use crate::openapi::{Operation, Schema};
use crate::reply::list;
use crate::reply::paging;
use crate::reply::problem::Problem;
use crate::state::AppState;

pub(crate) async fn list(access: Access<Operator>) -> Result<HttpResponse, Problem> {
    let query = Query::of_list(&access.request, &[])?;
    let healths = access.system().relay_healths().await?;
    let relays = access.system().relays().iter();
    let page = paging::smallest_first(&query, relays, |relay| relay.settings.channel.clone())?;
    let relays = page.entries.into_iter();
    let views = relays.map(|relay| RelayView::new(relay, &relay.read(), &healths));
    Ok(list::page("relays", views, page.next))
}

pub(crate) async fn get(
    access: Access<Operator>,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let relay = relay(&access.state, &path)?;
    let healths = access.system().relay_healths().await?;
    let news = access.system().relay_news(&relay.settings.channel).await?;
    let detail = RelayDetail::new(
        RelayView::new(relay, &relay.read(), &healths),
        &relay.wrong_signatures(),
        &news,
    );
    Ok(HttpResponse::Ok().json(detail))
}

pub(crate) async fn pause(
    access: Access<Operator>,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    turn(&access, &path, true).await
}

pub(crate) async fn resume(
    access: Access<Operator>,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    turn(&access, &path, false).await
}

async fn turn(
    access: &Access<Operator>,
    path: &str,
    is_paused: bool,
) -> Result<HttpResponse, Problem> {
    let relay = relay(&access.state, path)?;
    let channel = &relay.settings.channel;
    let turning = access
        .system()
        .pause_relay(By::Operator, channel, is_paused);
    turning.await?;
    let healths = access.system().relay_healths().await?;
    Ok(HttpResponse::Ok().json(RelayView::new(relay, &relay.read(), &healths)))
}

pub(crate) async fn hooks(
    access: Access<Operator>,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let relay = relay(&access.state, &path)?;
    let query = Query::of_list(&access.request, &["message_id", "from", "until"])?;
    let limit = query.entries()?;
    let system = access.system();
    if let Some(message) = query.text("message_id") {
        let view = system.relayed_message(relay.id, message).await?;
        let next = None::<String>;
        return Ok(list::page("hooks", view.iter().map(HookView::new), next));
    }
    let secs = |at: Option<u64>, usual| at.map_or(usual, UnixMillis::from_secs);
    let from = secs(query.parsed("from")?, UnixMillis::ZERO);
    let until = secs(query.parsed("until")?, UnixMillis::MAX);
    let before = query.cursor(RelayedCursor::from_text)?;
    let page = system
        .relayed_hooks(relay.id, from, until, before, limit)
        .await?;
    let next = page.next.map(|cursor| cursor.to_text());
    let views = page.entries.iter().map(HookView::new);
    Ok(list::page("hooks", views, next))
}

pub(crate) async fn replay(
    access: Access<Operator>,
    path: web::Path<String>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let relay = relay(&access.state, &path)?;
    let body: RelayReplay = access.json(payload).await?;
    let place = place(relay, body.target)?;
    let system = access.system();
    let count = match (body.message_id, body.from, body.until) {
        (Some(message), None, None) => {
            let id = hook_of(&access, relay, &message).await?;
            let replay = system.replay_relayed(By::Operator, id, place).await;
            replay.map_err(refused)?;
            1
        }
        (None, Some(from), Some(until)) => {
            let target = relay.settings.target(place);
            let [from, until] = [from, until].map(|at| UnixMillis::from_secs(at.count()));
            system
                .replay_relay(By::Operator, target, from, until)
                .await?
        }
        _ => {
            let which = "give either message_id, or from and until";
            return Err(Problem::BadRequest(which.to_owned()));
        }
    };
    Ok(HttpResponse::Ok().json(Replayed::new(count)))
}

/// The place of a target that the relay has: the bridge, unless another one is named.
fn place<const MOST: i64>(
    relay: &KnownRelay,
    target: Option<Whole<0, MOST>>,
) -> Result<u8, Problem> {
    let place = target.map_or(BRIDGE, |target| {
        u8::try_from(target.count()).unwrap_or(u8::MAX)
    });
    match relay.target(place) {
        Some(_) => Ok(place),
        None => Err(Problem::NotFound(format!(
            "target: the relay has no target {place}"
        ))),
    }
}

/// The newest hook about a message.
async fn hook_of(
    access: &Access<Operator>,
    relay: &KnownRelay,
    message: &str,
) -> Result<RelayedHookId, Problem> {
    let view = access.system().relayed_message(relay.id, message).await?;
    Ok(view.ok_or_else(unknown_hook)?.id)
}

fn relay<'s>(state: &'s AppState, path: &str) -> Result<&'s KnownRelay, Problem> {
    let channel = path.parse::<ChannelId>().ok();
    let relay = channel.and_then(|channel| state.system().relays().of_channel(&channel));
    relay.ok_or_else(|| Problem::NotFound("there is no relay of such a channel".to_owned()))
}

fn unknown_hook() -> Problem {
    Problem::NotFound(ReplayRelayedRejection::Unknown.to_string())
}

fn refused(rejection: ReplayRelayedRejection) -> Problem {
    match rejection {
        ReplayRelayedRejection::Unknown => unknown_hook(),
        ReplayRelayedRejection::Queued => Problem::Conflict(rejection.to_string()),
        ReplayRelayedRejection::Unavailable(unavailable) => unavailable.into(),
    }
}

const NO_RELAY: &str = "There is no relay of such a channel.";

fn id_schema() -> Schema {
    Schema::text().says("The id of the channel.")
}

pub(crate) fn describe_list() -> Operation {
    Operation::operator("listRelays", "List relays with their targets.")
        .cursor()
        .answers_next::<RelayView<'_>>(
            "relays",
            "A page of the relays of the configuration, by channel.",
        )
}

pub(crate) fn describe_get() -> Operation {
    Operation::operator("getRelay", "Get a relay with its news.")
        .says("News are shapes that the counterpart sent and that this version does not know: names of fields, types, words and headers, without contents.")
        .path("id", id_schema())
        .gives::<RelayDetail<'_>>(200, "The relay.")
        .refuses(404, NO_RELAY)
}

pub(crate) fn describe_pause() -> Operation {
    Operation::operator(
        "pauseRelay",
        "Pause a relay: it takes hooks and keeps them.",
    )
    .path("id", id_schema())
    .gives::<RelayView<'_>>(200, "The relay as it is now.")
    .refuses(404, NO_RELAY)
}

pub(crate) fn describe_resume() -> Operation {
    Operation::operator("resumeRelay", "Resume a relay, from the oldest hook on.")
        .path("id", id_schema())
        .gives::<RelayView<'_>>(200, "The relay as it is now.")
        .refuses(404, NO_RELAY)
}

pub(crate) fn describe_hooks() -> Operation {
    Operation::operator("listRelayHooks", "List the hooks that a relay took.")
        .says("Newest first. Messages of the bridge that are stored before they go up are among them, of the kind `post`.")
        .path("id", id_schema())
        .query(
            "message_id",
            Schema::text().says("Only the newest about this message, by the counterpart's id. Of a message that went up later: by the id that the relay gave, or by the bridge's."),
        )
        .query("from", Schema::whole().says("Unix time in seconds."))
        .query(
            "until",
            Schema::whole().says("Unix time in seconds, not included."),
        )
        .cursor()
        .answers_next::<HookView<'_>>("hooks", "A page.")
        .refuses(404, NO_RELAY)
}

pub(crate) fn describe_replay() -> Operation {
    Operation::operator("replayRelay", "Send hooks of a relay again.")
        .says("One by the id of its message, or all of a time that are at their end, at most 100,000.")
        .path("id", id_schema())
        .takes::<RelayReplay>(json!({ "from": 1_764_547_200, "until": 1_764_550_800 }))
        .gives::<Replayed>(200, "The number of hooks that are sent again.")
        .refuses(404, "There is no such relay, target or hook.")
        .refuses(409, "The hook is queued already.")
}
