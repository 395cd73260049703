//! Hooks that a relay took reach the bridge with their bytes, in their order, whatever happens to either.

use std::collections::{BTreeMap, BTreeSet};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use switchboard_actors::Ports;
use switchboard_actors::System;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::dispatch::outcome::{AttemptFailure, Outcome, ReceiverAnswer};
use switchboard_actors::domain::dispatch::record::{AttemptTrace, DeliveryState};
use switchboard_actors::domain::relays::RelayId;
use switchboard_actors::domain::signature::Signer;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::erasures::{RetentionRule, Target};
use switchboard_actors::error::UnavailableError;
use switchboard_actors::port::{Attempt, CallbackSender, HookAttempt, RelayAttempt};
use switchboard_actors::relay::facts::HookFacts;
use switchboard_actors::relay::hooks::HookEnvelope;
use switchboard_actors::relay::hooks::receive::{HookReceipt, ReceiveHook};
use switchboard_actors::relay::settings::{RelayBounds, RelaySettings};
use switchboard_actors::system::relays::replay::ReplayRelayedRejection;
use switchboard_engine::runtime::clock::Clock as _;
use switchboard_engine::testkit::wanted;
use switchboard_worlds::{FaultyDisk, Setup, TestSystem, eventually};

const CHANNEL: &str = "shop";
const SCOPE: &str = "shop_af9945ff-1490-4cad-807d-945c15d88bec";
const SECRET: &str = "secret-of-the-shop";

/// A bridge, with what reached it.
#[derive(Debug, Default)]
struct Bridge {
    is_down: AtomicBool,
    /// The places whose attempts fail, by the beginning of their address.
    dead: Mutex<Option<&'static str>>,
    arrivals: Mutex<Vec<RelayAttempt>>,
    failures: Mutex<u64>,
}

impl CallbackSender for Bridge {
    fn send(&self, _: Attempt) -> Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>> {
        unreachable!("no callback is sent here")
    }

    fn send_hook(&self, _: HookAttempt) -> Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>> {
        unreachable!("no hook of an account is sent here")
    }

    fn send_relayed(
        &self,
        attempt: RelayAttempt,
    ) -> Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>> {
        let dead = *self.dead.lock().unwrap();
        let is_dead = dead.is_some_and(|start| attempt.url.starts_with(start));
        let trace = AttemptTrace::unsent(attempt.at, "");
        let outcome = if is_dead || self.is_down.load(Ordering::Relaxed) {
            *self.failures.lock().unwrap() += 1;
            Outcome::Failed(AttemptFailure::Refused)
        } else {
            self.arrivals.lock().unwrap().push(attempt);
            Outcome::Answered(ReceiverAnswer::plain(200))
        };
        Box::pin(std::future::ready((outcome, trace)))
    }
}

impl Bridge {
    fn down(is_down: bool) -> Arc<Self> {
        let bridge = Self::default();
        bridge.is_down.store(is_down, Ordering::Relaxed);
        Arc::new(bridge)
    }

    fn count(&self) -> usize {
        self.arrivals.lock().unwrap().len()
    }

    fn failures(&self) -> u64 {
        *self.failures.lock().unwrap()
    }

    /// The texts that arrived, by conversation, each in the order of its first arrival. Each attempt has a right signature.
    fn texts(&self) -> BTreeMap<String, Vec<u64>> {
        let signer = Signer::new(&SECRET.parse().unwrap());
        let mut texts = BTreeMap::<String, Vec<u64>>::new();
        for attempt in self.arrivals.lock().unwrap().iter() {
            let signature = attempt.envelope.signature.as_deref().unwrap();
            assert!(signer.verify(&attempt.body, signature.as_bytes()));
            let body: serde_json::Value = serde_json::from_slice(&attempt.body).unwrap();
            let conversation = body["message"]["conversation"]["id"].as_str().unwrap();
            let number = body["message"]["message"]["number"].as_u64().unwrap();
            let numbers = texts.entry(conversation.to_owned()).or_default();
            if !numbers.contains(&number) {
                numbers.push(number);
            }
        }
        texts
    }
}

fn relay() -> RelaySettings {
    RelaySettings {
        channel: CHANNEL.parse().unwrap(),
        secret: SECRET.parse().unwrap(),
        previous_secret: None,
        from: "/relay/shop".parse().unwrap(),
        to: "https://bridge.test/in/:scope_id".parse().unwrap(),
        copies: vec!["https://staging.test/in".parse().unwrap()],
        account_hooks: None,
        posts_to: None,
        bounds: RelayBounds::default(),
    }
}

fn setup(disk: impl switchboard_engine::store::disk::Disk) -> Setup {
    let mut setup = Setup::on_disk(disk);
    setup.config.low_water_bytes = 0;
    setup.config.disk_reserve_bytes = 0;
    setup.config.relays = vec![relay()];
    setup
}

fn start(setup: &Setup, bridge: &Arc<Bridge>) -> System {
    let ports = Ports {
        sender: Arc::<Bridge>::clone(bridge),
        ..setup.ports()
    };
    System::start(setup.config.clone(), ports).unwrap()
}

fn hook_with(body: String, targets: Vec<u8>) -> ReceiveHook {
    let signature = Signer::new(&SECRET.parse().unwrap()).sign(body.as_bytes());
    ReceiveHook {
        facts: HookFacts::read(body.as_bytes(), SCOPE),
        envelope: HookEnvelope {
            content_type: Some("application/json".to_owned()),
            signature: Some(signature.to_string()),
            user_agent: Some("counterpart/1".to_owned()),
        },
        scope: SCOPE.parse().ok(),
        targets,
        body: Bytes::from(body),
        post: None,
    }
}

fn message(conversation: u64, number: u64) -> ReceiveHook {
    let body = format!(
        r#"{{"time":7,"message":{{"conversation":{{"id":"c-{conversation}"}},"message":{{"id":"m-{conversation}-{number}","number":{number}}}}}}}"#
    );
    hook_with(body, vec![0])
}

async fn take(system: &System, hook: ReceiveHook) -> Result<HookReceipt, UnavailableError> {
    let relay = RelayId::from_channel(&CHANNEL.parse().unwrap());
    system.take_hook(relay, hook).await
}

/// The number of hooks that wait for a target.
fn waiting(system: &System, place: usize) -> u64 {
    let relay = system.relays().iter().next().unwrap();
    relay.read().targets[place].waiting
}

/// Lets time pass until this is so.
async fn pass_until(setup: &Setup, mut is_so: impl FnMut() -> bool) {
    while !is_so() {
        setup.clock.advance(Duration::from_secs(30));
        for _ in 0..50 {
            tokio::task::yield_now().await;
        }
    }
}

async fn stop(system: System) {
    system.shutdown(Duration::from_secs(5)).await;
}

#[actix::test]
async fn a_relayed_hook_arrives_as_it_came_and_a_repeat_does_not() {
    let (setup, bridge) = (setup(FaultyDisk::new()), Bridge::down(false));
    let system = start(&setup, &bridge);
    let receipt = take(&system, message(1, 1)).await.unwrap();
    assert!(!receipt.repeated);
    assert!(take(&system, message(1, 1)).await.unwrap().repeated);
    take(&system, message(1, 2)).await.unwrap();
    pass_until(&setup, || bridge.count() == 2).await;
    assert_eq!(bridge.texts()["c-1"], [1, 2]);
    let arrivals = bridge.arrivals.lock().unwrap().clone();
    assert_eq!(*arrivals[0].url, *format!("https://bridge.test/in/{SCOPE}"));
    assert_eq!((arrivals[0].id.as_str(), arrivals[0].attempt), ("m-1-1", 1));
    assert_eq!(
        arrivals[0].envelope.user_agent.as_deref(),
        Some("counterpart/1")
    );
    pass_until(&setup, || waiting(&system, 0) == 0).await;
    let counts = system.relays().iter().next().unwrap().read();
    assert_eq!((counts.taken, counts.repeated), (2, 1));
    assert_eq!(
        (counts.targets[0].delivered, counts.targets[0].waiting),
        (2, 0)
    );
    stop(system).await;
}

#[actix::test]
async fn typing_that_grew_old_while_the_bridge_was_down_is_dropped() {
    let (setup, bridge) = (setup(FaultyDisk::new()), Bridge::down(true));
    let system = start(&setup, &bridge);
    take(&system, message(1, 1)).await.unwrap();
    let typing = r#"{"time":7,"action":{"typing":{"user":{"id":"u"},"conversation":{"id":"c-1"},"expired_at":9}}}"#;
    take(&system, hook_with(typing.to_owned(), vec![0]))
        .await
        .unwrap();
    take(&system, message(1, 2)).await.unwrap();
    eventually(|| bridge.failures() > 0).await;
    setup.clock.advance(Duration::from_secs(11));
    bridge.is_down.store(false, Ordering::Relaxed);
    pass_until(&setup, || bridge.count() >= 2).await;
    assert_eq!(bridge.texts()["c-1"], [1, 2]);
    let counts = system.relays().iter().next().unwrap().read();
    let target = &counts.targets[0];
    assert_eq!((target.dropped, target.dead, target.waiting), (1, 0, 0));
    stop(system).await;
}

#[actix::test]
async fn a_dead_copy_holds_nothing_of_the_bridge() {
    let (setup, bridge) = (setup(FaultyDisk::new()), Bridge::down(false));
    *bridge.dead.lock().unwrap() = Some("https://staging.test");
    let system = start(&setup, &bridge);
    for number in 1..=50 {
        let mut hook = message(number % 5, number);
        hook.targets = vec![0, 1];
        take(&system, hook).await.unwrap();
    }
    pass_until(&setup, || bridge.count() == 50).await;
    pass_until(&setup, || waiting(&system, 0) == 0).await;
    let counts = system.relays().iter().next().unwrap().read();
    assert_eq!(
        (counts.targets[0].waiting, counts.targets[1].waiting),
        (0, 50)
    );
    *bridge.dead.lock().unwrap() = None;
    pass_until(&setup, || bridge.count() == 100).await;
    stop(system).await;
}

#[actix::test]
async fn a_paused_relay_keeps_what_comes_also_across_a_restart() {
    let disk = FaultyDisk::new();
    let (first, bridge) = (setup(disk.clone()), Bridge::down(false));
    let system = start(&first, &bridge);
    let channel = CHANNEL.parse().unwrap();
    system
        .pause_relay(By::Operator, &channel, true)
        .await
        .unwrap();
    for number in 1..=3 {
        take(&system, message(1, number)).await.unwrap();
    }
    stop(system).await;
    let second = setup(disk);
    let system = start(&second, &bridge);
    take(&system, message(1, 4)).await.unwrap();
    pass_until(&second, || system.relays().iter().all(|it| it.is_paused())).await;
    assert_eq!(bridge.count(), 0);
    system
        .pause_relay(By::Operator, &channel, false)
        .await
        .unwrap();
    pass_until(&second, || bridge.count() == 4).await;
    assert_eq!(bridge.texts()["c-1"], [1, 2, 3, 4]);
    // What was queued before the restart may have left before it.
    let attempts: Vec<_> = bridge
        .arrivals
        .lock()
        .unwrap()
        .iter()
        .map(|it| it.attempt)
        .collect();
    assert_eq!(attempts, [2, 2, 2, 1]);
    stop(system).await;
}

#[actix::test]
async fn a_range_is_replayed_and_a_hook_is_found_by_its_message() {
    let (setup, bridge) = (setup(FaultyDisk::new()), Bridge::down(false));
    let system = start(&setup, &bridge);
    let relay = RelayId::from_channel(&CHANNEL.parse().unwrap());
    let began = setup.clock.now();
    for number in 1..=4 {
        take(&system, message(1, number)).await.unwrap();
        setup.clock.advance(Duration::from_secs(60));
    }
    eventually(|| bridge.count() == 4).await;
    let view = system
        .relayed_message(relay, "m-1-2")
        .await
        .unwrap()
        .unwrap();
    let (_, record) = &view.deliveries[0];
    assert!(
        matches!(record.state, DeliveryState::Delivered { .. }),
        "{record:?}"
    );
    let target = system.relays().get(relay).unwrap().settings.target(0);
    let (from, until) = (
        began.plus(Duration::from_secs(60)),
        began.plus(Duration::from_secs(180)),
    );
    let count = system
        .replay_relay(By::Operator, target, from, until)
        .await
        .unwrap();
    assert_eq!(count, 2);
    eventually(|| bridge.count() == 6).await;
    let page = system
        .relayed_hooks(relay, UnixMillis::ZERO, UnixMillis::MAX, None, 3)
        .await
        .unwrap();
    let messages = page
        .entries
        .iter()
        .map(|it| it.hook.as_ref().unwrap().0.message.clone().unwrap());
    assert_eq!(messages.collect::<Vec<_>>(), ["m-1-4", "m-1-3", "m-1-2"]);
    let rest = system
        .relayed_hooks(relay, UnixMillis::ZERO, UnixMillis::MAX, page.next, 3)
        .await
        .unwrap();
    assert_eq!((rest.entries.len(), rest.next), (1, None));
    system
        .replay_relayed(By::Operator, view.id, 0)
        .await
        .unwrap();
    eventually(|| bridge.count() == 7).await;
    let unknown = system.replay_relayed(By::Operator, view.id, 1).await;
    assert_eq!(unknown, Err(ReplayRelayedRejection::Unknown));
    stop(system).await;
}

#[actix::test]
async fn retention_erases_old_hooks_that_do_not_wait() {
    let disk = FaultyDisk::new();
    let (first, bridge) = (setup(disk.clone()), Bridge::down(false));
    let system = start(&first, &bridge);
    for number in 1..=3 {
        take(&system, message(1, number)).await.unwrap();
    }
    eventually(|| bridge.count() == 3).await;
    bridge.is_down.store(true, Ordering::Relaxed);
    take(&system, message(1, 4)).await.unwrap();
    take(&system, message(2, 1)).await.unwrap();
    let rule = RetentionRule {
        account: None,
        channel: Some(CHANNEL.parse().unwrap()),
        before: Some(first.clock.now().plus(Duration::from_secs(60))),
        relayed_bytes_max: None,
    };
    let target = Target::Messages { rules: vec![rule] };
    let tally = system.preview_erasure(target).await.unwrap();
    // Those that wait stay; the last one that goes leaves its number.
    assert_eq!(tally.counts.messages, 3);
    assert_eq!((tally.erased_records > 2, tally.masked_records), (true, 1));
    stop(system).await;
}

#[actix::test]
async fn hooks_beyond_the_bytes_that_are_kept_are_erased_oldest_first() {
    let (setup, bridge) = (setup(FaultyDisk::new()), Bridge::down(false));
    let system = start(&setup, &bridge);
    let bytes = u64::try_from(message(1, 1).body.len()).unwrap();
    // A minute passes between two messages of a conversation.
    for number in 1..=4 {
        for conversation in 1..=2 {
            take(&system, message(conversation, number)).await.unwrap();
        }
        setup.clock.advance(Duration::from_secs(60));
    }
    eventually(|| bridge.count() == 8).await;
    bridge.is_down.store(true, Ordering::Relaxed);
    take(&system, message(3, 1)).await.unwrap();
    let going = async |bytes_max: u64| {
        let rule = RetentionRule {
            account: None,
            channel: Some(CHANNEL.parse().unwrap()),
            before: None,
            relayed_bytes_max: Some(bytes_max),
        };
        let target = Target::Messages { rules: vec![rule] };
        let tally = system.preview_erasure(target).await.unwrap();
        tally.counts.messages
    };
    assert_eq!(going(9 * bytes).await, 0);
    assert_eq!(going(9 * bytes - 1).await, 2);
    assert_eq!(going(5 * bytes).await, 4);
    assert_eq!(going(5 * bytes - 1).await, 6);
    // That of the third conversation waits for its bridge.
    assert_eq!(going(0).await, 8);
    stop(system).await;
}

/// `HOOKS=100000 CUTS=50` plays the whole of it.
#[actix::test]
async fn power_cuts_while_the_bridge_is_down_lose_no_hook() {
    let hooks = wanted("HOOKS").unwrap_or(1_500);
    let cuts = wanted("CUTS").unwrap_or(12);
    let conversations = (hooks / 50).max(1);
    let bridge = Bridge::down(true);
    let mut disk = FaultyDisk::new();
    let mut clock = None;
    let mut acknowledged = BTreeMap::<u64, BTreeSet<u64>>::new();
    let mut numbers = BTreeMap::<u64, u64>::new();
    for cut in 0..cuts {
        let mut setup = setup(disk.clone());
        if let Some(clock) = clock {
            setup.clock = clock;
        }
        let system = start(&setup, &bridge);
        let mut taking = FuturesUnordered::new();
        for step in 0..hooks / cuts {
            let conversation = (step.wrapping_mul(7) + cut) % conversations;
            let number = numbers.entry(conversation).or_default();
            *number += 1;
            let (system, hook, number) = (&system, message(conversation, *number), *number);
            taking.push(async move {
                let receipt = take(system, hook).await;
                (conversation, number, receipt.is_ok())
            });
        }
        // The cut comes while the last quarter is under way.
        let before = usize::try_from(hooks / cuts * 3 / 4).unwrap();
        for _ in 0..before {
            let (conversation, number, is_stored) = taking.next().await.unwrap();
            if is_stored {
                acknowledged.entry(conversation).or_default().insert(number);
            }
        }
        disk = disk.crash(cut);
        drop(taking);
        setup.clock.advance(Duration::from_secs(6 * 3_600 / cuts));
        clock = Some(setup.clock.clone());
        drop(system);
    }
    let mut setup = setup(disk);
    setup.clock = clock.unwrap();
    let system = start(&setup, &bridge);
    bridge.is_down.store(false, Ordering::Relaxed);
    let counts = || system.relays().iter().next().unwrap().read();
    pass_until(&setup, || counts().targets[0].waiting == 0).await;
    let texts = bridge.texts();
    let mut count = 0;
    for (conversation, numbers) in &acknowledged {
        let arrived = &texts[&format!("c-{conversation}")];
        let arrived_set: BTreeSet<_> = arrived.iter().copied().collect();
        assert!(numbers.is_subset(&arrived_set), "lost of c-{conversation}");
        // Those that were answered one after the other arrived so.
        let in_order: Vec<_> = arrived.iter().filter(|it| numbers.contains(it)).collect();
        assert!(
            in_order.is_sorted(),
            "order of c-{conversation}: {arrived:?}"
        );
        count += numbers.len();
    }
    println!(
        "{count} acknowledged hooks of {hooks} survived {cuts} power cuts; {} arrivals, {} failed attempts",
        bridge.count(),
        bridge.failures()
    );
    assert!(count > 0 && counts().targets[0].dead == 0);
    stop(system).await;
    drop(TestSystem::channel());
}
