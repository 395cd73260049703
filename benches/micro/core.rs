//! The benchmarks that need nothing but data.

use std::hint::black_box;

use bytes::Bytes;
use criterion::{BatchSize, Criterion, Throughput};
use switchboard_actors::domain::conversation::send_message::SendMessage;
use switchboard_actors::domain::conversation::{Conversation, ConversationEvent, Customer};
use switchboard_actors::domain::crm::Crm;
use switchboard_actors::domain::crm::open_lead::OpenLead;
use switchboard_actors::domain::crm::self_description::SelfDescription;
use switchboard_actors::domain::generation::Generation;
use switchboard_actors::domain::id::{ConversationId, PersonId, ScopeId};
use switchboard_actors::domain::signature::request::{Presented, content_md5};
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::wire::chat_body::{Rules, send};
use switchboard_bench::requests;
use switchboard_engine::state::{Command, Moment, Recorded, State};

const SCOPE: &str = "messenger_af9945ff-1490-4cad-807d-945c15d88bec";
const PATH: &str = "/v2/origin/custom/messenger_af9945ff-1490-4cad-807d-945c15d88bec";
const DATE: &[u8] = b"Tue, 14 Nov 2023 22:13:20 +0000";
const NOW: UnixMillis = UnixMillis::from_secs(1_700_000_000);

/// Measures the check of a signature, by the request of each generation.
pub(crate) fn signature(criterion: &mut Criterion) {
    let body = requests::body(1, 1);
    let signer = requests::signer().expect("the secret is one");
    let mut group = criterion.benchmark_group("signature");
    group.throughput(Throughput::Bytes(
        body.len().try_into().expect("it is short"),
    ));
    let digest = content_md5(body.as_bytes());
    let presented = |md5| Presented {
        method: "POST",
        path: PATH,
        query: None,
        host: None,
        content_md5: md5,
        content_type: Some(b"application/json"),
        date: Some(DATE),
        body: body.as_bytes(),
    };
    let old = presented(None);
    let old_signature = signer.sign(body.as_bytes()).to_string();
    group.bench_function("2019", |bencher| {
        bencher.iter(|| {
            let proven = black_box(old).proven(&signer, old_signature.as_bytes(), None, NOW);
            assert_eq!(proven, Some(Generation::V2019));
        });
    });
    let current = presented(Some(digest.as_bytes()));
    let current_signature = current
        .canonical(digest.as_bytes())
        .sign(&signer)
        .to_string();
    group.bench_function("current", |bencher| {
        bencher.iter(|| {
            let proven =
                black_box(current).proven(&signer, current_signature.as_bytes(), None, NOW);
            assert_eq!(proven, Some(Generation::Current));
        });
    });
    group.finish();
}

/// The body of a message, with everything in it judged.
pub(crate) fn parse(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("parse");
    let old = requests::body(1, 1);
    // What today's clients send besides.
    let current = old.replacen(
        r#""msgid""#,
        r#""msec_timestamp":1700000000123,"source":{"external_id":"shop"},"msgid""#,
        1,
    );
    for (name, body, rules) in [
        ("2019", old, Rules::V2019),
        ("current", current, Rules::Current),
    ] {
        group.throughput(Throughput::Bytes(
            body.len().try_into().expect("it is short"),
        ));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let read = send::parse(black_box(body.as_bytes()), rules, NOW);
                read.expect("the body is a valid one")
            });
        });
    }
    group.finish();
}

/// Measures the decisions of the conversation about a message, and of the book about a new lead.
pub(crate) fn decide(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("decide");
    group.throughput(Throughput::Elements(1));
    let receive = receive();
    let mut conversation = Conversation::initial(&receive.conversation);
    for event in decided(receive.clone(), &conversation) {
        conversation.apply(&event);
    }
    group.bench_function("conversation", |bencher| {
        bencher.iter_batched_ref(
            || (receive.clone(), conversation.clone()),
            |(receive, conversation)| {
                for event in decided(receive.clone(), conversation) {
                    conversation.apply(&event);
                }
                assert_eq!(conversation.messages, 2);
            },
            BatchSize::SmallInput,
        );
    });
    let open = OpenLead {
        account: receive.scope.account(),
        scope: receive.scope.clone(),
        conversation: receive.conversation,
        message: 1,
        says: SelfDescription::new(receive.customer, None),
        source: None,
        followers: Default::default(),
    };
    let crm = Crm::initial(&receive.scope.account());
    group.bench_function("book", |bencher| {
        bencher.iter(|| {
            let mut random = || [7; 16];
            let mut moment = Moment {
                now: NOW,
                random: &mut random,
                earlier: &[],
            };
            let decision = black_box(&open).clone().decide(&crm, &mut moment);
            decision.expect("a lead can always be opened").events.len()
        });
    });
    group.finish();
}

fn decided(receive: SendMessage, conversation: &Conversation) -> Vec<ConversationEvent> {
    let mut random = || [7; 16];
    let mut moment = Moment {
        now: NOW,
        random: &mut random,
        earlier: &[],
    };
    let decision = receive.decide(conversation, &mut moment);
    let events = decision.expect("the message is a new one").events;
    events
        .into_iter()
        .map(|Recorded { event, .. }| event)
        .collect()
}

fn receive() -> SendMessage {
    let raw = Bytes::from(requests::body(1, 1));
    let message = send::parse(&raw, Rules::V2019, NOW).expect("the body is a valid one");
    let scope: ScopeId = SCOPE.parse().expect("an id of a scope");
    SendMessage {
        scope,
        conversation: ConversationId::from_random([1; 16]),
        client_conversation: message.conversation_id,
        msgid: message.msgid,
        customer: Customer {
            person: PersonId::from_random([2; 16]),
            client_id: message.sender.id,
            name: message.sender.name.expect("the body names the sender"),
            avatar: message.sender.avatar,
            phone: message.sender.profile.phone,
            email: message.sender.profile.email,
            profile_link: None,
        },
        imported: None,
        nameless: false,
        source: None,
        post: None,
        generation: Generation::V2019,
        written_at: NOW,
        loud: true,
        media_from: None,
        look_at_avatar: false,
        clue: None,
        raw,
    }
}
