//! Messages of a bridge that a relay stored go up with the signature that they came with while it counts, and then with a new one.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use switchboard_actors::Ports;
use switchboard_actors::System;
use switchboard_actors::domain::dispatch::outcome::{AttemptFailure, Outcome, ReceiverAnswer};
use switchboard_actors::domain::dispatch::record::AttemptTrace;
use switchboard_actors::domain::generation::Generation;
use switchboard_actors::domain::relays::{COUNTERPART, ChatMark, RelayChat, RelayId};
use switchboard_actors::domain::signature::Signer;
use switchboard_actors::domain::signature::request::Presented;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::erasures::{RetentionRule, Target};
use switchboard_actors::port::{Attempt, CallbackSender, HookAttempt, PostAnswer, PostAttempt};
use switchboard_actors::relay::facts::{HookFacts, HookKind};
use switchboard_actors::relay::hooks::HookEnvelope;
use switchboard_actors::relay::hooks::receive::{HookReceipt, PostHead, ReceiveHook};
use switchboard_actors::relay::posts::{RelayedPost, SignableRequest};
use switchboard_actors::relay::settings::{RelayBounds, RelaySettings};
use switchboard_actors::system::relays::posts::RealIds;
use switchboard_engine::runtime::clock::Clock as _;
use switchboard_worlds::{FaultyDisk, Setup, eventually};

const CHANNEL: &str = "shop";
const SCOPE: &str = "shop_af9945ff-1490-4cad-807d-945c15d88bec";
const SECRET: &str = "secret-of-the-shop";
const REAL: &str = "6cbab3d5-c4c1-46ff-b710-ad59ad10805f";
const JSON: &str = "application/json";

/// The counterpart, with what reached it.
#[derive(Debug, Default)]
struct Counterpart {
    is_down: AtomicBool,
    failures: AtomicU64,
    arrivals: Mutex<Vec<PostAttempt>>,
}

impl CallbackSender for Counterpart {
    fn send(&self, _: Attempt) -> Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>> {
        unreachable!("no callback is sent here")
    }

    fn send_hook(&self, _: HookAttempt) -> Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>> {
        unreachable!("no hook of an account is sent here")
    }

    fn send_post(&self, attempt: PostAttempt) -> Pin<Box<dyn Future<Output = PostAnswer>>> {
        let trace = AttemptTrace::unsent(attempt.at, "");
        let (outcome, body) = if self.is_down.load(Ordering::Relaxed) {
            self.failures.fetch_add(1, Ordering::Relaxed);
            (Outcome::Failed(AttemptFailure::Refused), Bytes::new())
        } else {
            self.arrivals.lock().unwrap().push(attempt);
            let body = format!("{{\"new_message\":{{\"msgid\":\"{REAL}\"}}}}");
            (Outcome::Answered(ReceiverAnswer::plain(200)), body.into())
        };
        Box::pin(std::future::ready(PostAnswer {
            outcome,
            trace,
            body,
        }))
    }
}

impl Counterpart {
    fn count(&self) -> usize {
        self.arrivals.lock().unwrap().len()
    }
}

fn setup(disk: FaultyDisk) -> Setup {
    let mut setup = Setup::on_disk(disk);
    setup.config.low_water_bytes = 0;
    setup.config.disk_reserve_bytes = 0;
    setup.config.relays = vec![RelaySettings {
        channel: CHANNEL.parse().unwrap(),
        secret: SECRET.parse().unwrap(),
        previous_secret: None,
        from: "/relay/shop".parse().unwrap(),
        to: "https://bridge.test/in/:scope_id".parse().unwrap(),
        copies: Vec::new(),
        account_hooks: None,
        posts_to: Some("https://counterpart.test/".parse().unwrap()),
        bounds: RelayBounds::default(),
    }];
    setup
}

fn start(setup: &Setup, counterpart: &Arc<Counterpart>) -> System {
    let ports = Ports {
        sender: Arc::<Counterpart>::clone(counterpart),
        ..setup.ports()
    };
    System::start(setup.config.clone(), ports).unwrap()
}

fn relay() -> RelayId {
    RelayId::from_channel(&CHANNEL.parse().unwrap())
}

/// A message that was signed now.
fn post(msgid: &str, generation: Generation, now: UnixMillis) -> ReceiveHook {
    let target = format!("/v2/origin/custom/{SCOPE}");
    let body = Bytes::from(format!("{{\"msgid\":\"{msgid}\"}}"));
    let request = SignableRequest {
        method: "POST",
        target: &target,
        content_type: Some(JSON),
        body: &body,
    };
    let headers = request.sign(generation, &SECRET.parse().unwrap(), now);
    ReceiveHook {
        facts: HookFacts {
            kind: HookKind::Post,
            chat: ChatMark::for_posts(SCOPE, "c-1"),
            same: Some(RelayedPost::same(msgid)),
            message: None,
            written_ms: None,
        },
        envelope: HookEnvelope {
            content_type: Some(JSON.to_owned()),
            signature: headers.signature,
            user_agent: Some("bridge/1".to_owned()),
        },
        scope: SCOPE.parse().ok(),
        targets: vec![COUNTERPART],
        body,
        post: Some(PostHead {
            target,
            date: headers.date,
            content_md5: headers.content_md5,
            generation,
            msgid: msgid.to_owned(),
        }),
    }
}

async fn take(system: &System, post: ReceiveHook) -> HookReceipt {
    system.take_post(relay(), post).await.unwrap()
}

/// Lets time pass until this is so.
async fn pass_until(setup: &Setup, mut is_so: impl FnMut() -> bool) {
    while !is_so() {
        setup.clock.advance(Duration::from_secs(5));
        for _ in 0..50 {
            tokio::task::yield_now().await;
        }
    }
}

fn header(attempt: &PostAttempt, name: &str) -> String {
    let mut headers = attempt.headers.iter();
    let value = headers.find(|(known, _)| *known == name);
    value.map(|(_, value)| value.clone()).unwrap_or_default()
}

/// The attempt that takes a message up when the counterpart comes back so long after its date, with what came of the signature.
async fn goes_up_after(secs: u64, generation: Generation) -> (ReceiveHook, PostAttempt) {
    let (setup, counterpart) = (setup(FaultyDisk::new()), Arc::<Counterpart>::default());
    counterpart.is_down.store(true, Ordering::Relaxed);
    let system = start(&setup, &counterpart);
    let message = post("m-1", generation, setup.clock.now());
    take(&system, message.clone()).await;
    eventually(|| counterpart.failures.load(Ordering::Relaxed) > 0).await;
    setup.clock.advance(Duration::from_secs(secs));
    counterpart.is_down.store(false, Ordering::Relaxed);
    pass_until(&setup, || counterpart.count() == 1).await;
    let attempt = counterpart.arrivals.lock().unwrap().remove(0);
    assert_eq!(attempt.body, message.body);
    assert_eq!(
        *attempt.url,
        *format!("https://counterpart.test/v2/origin/custom/{SCOPE}")
    );
    assert_eq!(header(&attempt, "user-agent"), "bridge/1");
    let (digest, date) = (header(&attempt, "content-md5"), header(&attempt, "date"));
    let presented = Presented {
        method: "POST",
        path: &format!("/v2/origin/custom/{SCOPE}"),
        query: None,
        host: None,
        content_md5: Some(digest.as_bytes()),
        content_type: Some(JSON.as_bytes()),
        date: Some(date.as_bytes()),
        body: &attempt.body,
    };
    let signer = Signer::new(&SECRET.parse().unwrap());
    let signature = header(&attempt, "x-signature");
    let proof = presented.proven(&signer, signature.as_bytes(), None, attempt.at);
    assert_eq!(proof, Some(generation));
    system.shutdown(Duration::from_secs(5)).await;
    (message, attempt)
}

#[actix::test]
async fn a_date_of_14_minutes_goes_as_it_is_and_one_of_16_anew() {
    for (minutes, is_same) in [(14, true), (16, false)] {
        let (message, attempt) = goes_up_after(minutes * 60, Generation::Current).await;
        let (head, envelope) = (message.post.unwrap(), message.envelope);
        let dates = (head.date.unwrap(), header(&attempt, "date"));
        assert_eq!(dates.0 == dates.1, is_same, "{minutes}: {dates:?}");
        let signature = header(&attempt, "x-signature");
        assert_eq!(envelope.signature.unwrap() == signature, is_same);
    }
}

#[actix::test]
async fn a_signature_over_the_body_goes_up_as_it_is_a_day_later() {
    let (message, attempt) = goes_up_after(86_400, Generation::V2019).await;
    let date = message.post.unwrap().date.unwrap();
    assert_eq!(header(&attempt, "date"), date);
    assert_eq!(
        header(&attempt, "x-signature"),
        message.envelope.signature.unwrap()
    );
}

#[actix::test]
async fn messages_survive_power_cuts_in_order_with_their_ids() {
    let counterpart = Arc::<Counterpart>::default();
    counterpart.is_down.store(true, Ordering::Relaxed);
    let mut disk = FaultyDisk::new();
    let mut own = Vec::new();
    for cut in 0..5 {
        let setup = setup(disk.clone());
        let system = start(&setup, &counterpart);
        let msgid = format!("m-{cut}");
        let receipt = take(&system, post(&msgid, Generation::V2019, setup.clock.now())).await;
        own.push(receipt.own.unwrap());
        disk = disk.crash(cut);
        drop(system);
    }
    let setup = setup(disk);
    let system = start(&setup, &counterpart);
    let again = take(&system, post("m-0", Generation::V2019, setup.clock.now())).await;
    assert_eq!((again.repeated, again.own), (true, Some(own[0])));
    let names = Bytes::from(format!("[\"{}\"]", own[4]));
    let waits = system.real_ids(relay(), "", &names, None).await.unwrap();
    assert_eq!(waits, RealIds::Waits);
    let chat = RelayChat {
        relay: relay(),
        chat: ChatMark::for_posts(SCOPE, "c-1"),
    };
    assert!(system.has_posts(chat).await.unwrap());
    counterpart.is_down.store(false, Ordering::Relaxed);
    pass_until(&setup, || counterpart.count() >= 5).await;
    let bodies: Vec<_> = counterpart
        .arrivals
        .lock()
        .unwrap()
        .iter()
        .map(|it| String::from_utf8_lossy(&it.body).into_owned())
        .collect();
    assert_eq!(
        bodies,
        [0, 1, 2, 3, 4].map(|it| format!("{{\"msgid\":\"m-{it}\"}}"))
    );
    let counts = || system.relays().iter().next().unwrap().read();
    pass_until(&setup, || counts().targets[1].waiting == 0).await;
    assert!(!system.has_posts(chat).await.unwrap());
    let real = system.real_ids(relay(), "/x", &names, None).await.unwrap();
    let RealIds::Exchanged { target, body } = real else {
        panic!("{real:?}");
    };
    assert_eq!(
        (target.as_str(), body),
        ("/x", Bytes::from(format!("[\"{REAL}\"]")))
    );
    // Retention takes the messages, and what the counterpart answered.
    let rule = RetentionRule {
        account: None,
        channel: Some(CHANNEL.parse().unwrap()),
        before: Some(setup.clock.now().plus(Duration::from_secs(60))),
        relayed_bytes_max: None,
    };
    let rules = vec![rule];
    let tally = system
        .preview_erasure(Target::Messages { rules })
        .await
        .unwrap();
    assert_eq!((tally.counts.messages, tally.masked_records), (5, 1));
    system.shutdown(Duration::from_secs(5)).await;
}

#[actix::test]
async fn stored_messages_go_up_at_the_pace_of_the_operator() {
    let (mut setup, counterpart) = (setup(FaultyDisk::new()), Arc::<Counterpart>::default());
    setup.config.relays[0].bounds.upward_per_second = 2;
    let system = start(&setup, &counterpart);
    let began = setup.clock.now();
    for number in 0..9 {
        let msgid = format!("m-{number}");
        take(&system, post(&msgid, Generation::V2019, began)).await;
    }
    let mut times = Vec::new();
    while times.len() < 9 {
        for _ in 0..50 {
            tokio::task::yield_now().await;
        }
        let now = setup.clock.now();
        times.resize(counterpart.count(), now.since(began));
        setup.clock.advance(Duration::from_millis(100));
    }
    let due = (0..9_u64).map(|turn| Duration::from_millis(500 * turn));
    let is_late = |(time, due): (&Duration, Duration)| *time >= due;
    assert!(times.iter().zip(due).all(is_late), "{times:?}");
    assert!(times[8] < Duration::from_secs(9), "{times:?}");
    system.shutdown(Duration::from_secs(5)).await;
}
