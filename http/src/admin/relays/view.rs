//! Relays as the operator sees them.

use std::collections::BTreeMap;

use switchboard_actors::domain::dispatch::record::{DeliveryRecord, DeliveryState};
use switchboard_actors::domain::id::ChannelId;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::relay_book::{
    KnownRelay, LastAnswer, RelayRead, TargetRead, WrongSignature,
};
use switchboard_actors::system::relays::{RelayedView, TargetHealth};

use crate::openapi::Seconds;
use crate::reply::health::EndpointHealth;

fn health_of<'h>(
    relay: &KnownRelay,
    place: u8,
    healths: &'h [TargetHealth],
) -> Option<&'h TargetHealth> {
    let target = relay.settings.target(place);
    healths.iter().find(|health| health.target == target)
}

view! {
    /// A relay.
    pub(super) struct RelayView<'r>(relay: &'r KnownRelay, read: &RelayRead, healths: &[TargetHealth])
    [let pages_since = read.upward.pages_since;] {
        channel_id: &'r ChannelId = &relay.settings.channel,
        from: &'r str = relay.settings.from.as_str(),
        paused: bool = read.is_paused,
        /// Hooks that were stored since the start.
        taken: u64 = read.taken,
        repeated: u64 = read.repeated,
        refused: BTreeMap<&'static str, u64> = read.refused.iter().copied().collect(),
        /// The time from which the counterpart has answered the bridge with pages for people alone.
        pages_since: Option<Seconds> = pages_since.map(Seconds::from),
        targets: Vec<Target<'r>> = read.targets.iter().map(|target| {
            Target::new(relay, target, health_of(relay, target.place, healths))
        }).collect(),
    }

    #[schemars(inline)]
    struct Target<'r>(relay: &'r KnownRelay, read: &TargetRead, status: Option<&TargetHealth>)
    [let address = relay.settings.targets().find(|(place, _)| *place == read.place);] {
        /// 0 is the bridge, 1 the first of the copies, 64 the program that gets the hooks of the account, 65 the counterpart.
        place: u8 = read.place,
        address: Option<&'r str> = address.map(|(_, address)| address.as_str()),
        waiting: u64 = read.waiting,
        delivered: u64 = read.delivered,
        dead: u64 = read.dead,
        /// Hooks about who is typing that were too old to be of use.
        dropped: u64 = read.dropped,
        /// Hooks of which it got no copy, because too many waited.
        skipped: u64 = read.skipped,
        oldest_queued_at: Option<Seconds> = status.and_then(|it| it.oldest).map(Seconds::from),
        failing_since: Option<Seconds> = status.and_then(|it| it.failing_since).map(Seconds::from),
        last_answer: Option<Answer> = read.last_answer.as_ref().map(Answer::new),
        state: Option<EndpointHealth> = status.map(|it| EndpointHealth::new(&it.health)),
    }

    #[schemars(inline)]
    struct Answer(answer: &LastAnswer) {
        at: Seconds = answer.at.into(),
        status: Option<u16> = answer.status,
        failure: Option<&'static str> = answer.failure,
    }

    /// A relay with its news.
    pub(super) struct RelayDetail<'r>(relay: RelayView<'r>, wrong: &[WrongSignature], shapes: &'r [(String, UnixMillis)]) {
        relay: RelayView<'r> = relay,
        /// The newest hooks with a wrong signature, at most a hundred of a day.
        wrong_signatures: Vec<Wrong> = wrong.iter().map(Wrong::new).collect(),
        news: Vec<News<'r>> = shapes.iter().map(|(shape, at)| News::new(shape, *at)).collect(),
    }

    #[schemars(inline)]
    struct Wrong(hook: &WrongSignature) {
        at: Seconds = hook.at.into(),
        from: Option<String> = hook.from.map(|from| from.to_string()),
        reason: String = hook.reason.clone(),
        bytes: usize = hook.bytes,
    }

    #[schemars(inline)]
    struct News<'n>(text: &'n str, at: UnixMillis) {
        shape: &'n str = text,
        first_seen_at: Seconds = at.into(),
    }

    /// A hook that a relay took.
    pub(super) struct HookView<'h>(view: &'h RelayedView) [let hook = view.hook.as_ref().map(|(hook, _)| hook);] {
        received_at: Seconds = view.at.into(),
        /// Its number in its conversation.
        number: u64 = view.id.number.0,
        kind: Option<&'static str> = hook.map(|hook| hook.kind.as_str()),
        scope_id: Option<String> = hook.and_then(|hook| hook.scope.as_ref()).map(ToString::to_string),
        message_id: Option<&'h str> = hook.and_then(|hook| hook.message.as_deref()),
        /// True when it was written before one that came earlier.
        late: bool = hook.is_some_and(|hook| hook.is_late),
        /// The length of its body; none when it was erased.
        bytes: Option<usize> = view.hook.as_ref().map(|(_, body)| body.len()),
        deliveries: Vec<Delivery> = view.deliveries.iter().map(|(place, record)| Delivery::new(*place, record)).collect(),
    }

    #[schemars(inline)]
    struct Delivery(place: u8, record: &DeliveryRecord) [let last = record.last_attempt();] {
        target: u8 = place,
        #[schemars(extend("enum" = DeliveryState::WORDS))]
        state: &'static str = record.state.as_str(),
        attempts: u32 = record.tally.made,
        last_status: Option<u16> = last.and_then(|last| last.status),
        /// The beginning of the last answer, or why nothing was sent.
        last_excerpt: Option<String> = last.map(|last| last.trace.excerpt.clone()),
    }

    /// Hooks that are sent again.
    pub(super) struct Replayed(number: u64) {
        replayed: u64 = number,
    }
}
