//! Every reason code of callbacks, as it arises and as people and programs read it over HTTP. [`case_of`] names where: a new
//! code does not compile without a case.

mod outcome;
mod standing;
mod world;

use std::future::Future;
use std::pin::Pin;

use futures_util::future::join_all;
use serde_json::Value;
use switchboard_actors::domain::dispatch::outcome::{AttemptFailure, Class};
use switchboard_actors::domain::dispatch::reason::{Details, Reason, ReasonCode};
use switchboard_worlds::sink::{Behaviour, Reply};

use crate::reasons::outcome::Target;
use crate::reasons::standing::Stage;

/// The origin of a code. The result of each is an object with the fields of a reason.
enum Case {
    /// A test callback meets this.
    Answer(Behaviour),
    /// A test callback goes there.
    To(Target),
    /// Callbacks on a channel of their own, of a service that many cases share.
    Callback(for<'s> fn(&'s Stage<'s>) -> Pin<Box<dyn Future<Output = Value> + 's>>),
    /// Callbacks of a world, in which days pass at once and things break that never do.
    World(fn() -> Value),
}

fn status(status: u16) -> Case {
    Case::Answer(Behaviour::status(status))
}

fn answer(status: u16, header: &str, value: &str) -> Case {
    Case::Answer(Behaviour::Answer(Reply::new(status).header(header, value)))
}

fn case_of(code: ReasonCode) -> Case {
    match code {
        ReasonCode::Delivered => status(200),
        ReasonCode::TimedOut => Case::Answer(Behaviour::Hang),
        ReasonCode::Unreachable => Case::To(Target::ClosedPort),
        ReasonCode::ConnectionBroken => {
            Case::Answer(Behaviour::Reset(b"HTTP/1.1 2".as_slice().into()))
        }
        ReasonCode::HeadTooLarge => Case::Answer(Behaviour::header_flood(1 << 20)),
        ReasonCode::OutcomeUnknown => Case::World(world::an_attempt_panics),
        ReasonCode::NameNotResolved => Case::To(Target::UnknownName),
        ReasonCode::TlsFailed => Case::To(Target::NoTls),
        ReasonCode::AddressForbidden => Case::To(Target::Forbidden),
        ReasonCode::NoChannel => Case::World(world::the_channel_vanishes),
        ReasonCode::NotExpressible => Case::Callback(|on| Box::pin(on.not_expressible())),
        ReasonCode::ServerError => status(500),
        ReasonCode::TooManyRequests => status(429),
        ReasonCode::Away => answer(503, "Retry-After", "7"),
        ReasonCode::Redirected => Case::Answer(Behaviour::redirect("http://127.0.0.1:9/")),
        ReasonCode::NotAuthorized => status(401),
        ReasonCode::WrongAddress => status(405),
        ReasonCode::NotFound => status(404),
        ReasonCode::Gone => status(410),
        ReasonCode::MessageRefused => status(422),
        ReasonCode::MessageAborted => answer(422, "X-No-Retry", "1"),
        ReasonCode::AttemptInProgress => Case::Callback(|on| Box::pin(on.in_progress())),
        ReasonCode::BehindEarlier => Case::Callback(|on| Box::pin(on.behind_earlier())),
        ReasonCode::WaitsForTurn => Case::World(world::an_address_has_its_most_attempts),
        ReasonCode::AttemptsUsed => Case::Callback(|on| Box::pin(on.attempts_used())),
        ReasonCode::TriedTooLong => Case::Callback(|on| Box::pin(on.tried_too_long())),
        ReasonCode::AccountDisconnected => Case::Callback(|on| Box::pin(on.disconnected())),
        ReasonCode::Discarded => Case::Callback(|on| Box::pin(on.discarded())),
        ReasonCode::Withdrawn => Case::Callback(|on| Box::pin(on.withdrawn())),
        ReasonCode::AddressFailing => Case::Callback(|on| Box::pin(on.address_failing())),
        ReasonCode::ConversationHeld => Case::Callback(|on| Box::pin(on.conversation_held())),
        ReasonCode::PauseAsked => Case::Callback(|on| Box::pin(on.pause_asked())),
        ReasonCode::AddressGone => Case::Callback(|on| Box::pin(on.address_gone())),
        ReasonCode::AddressGivenUp => Case::World(world::an_address_fails_for_days),
        ReasonCode::NoAddress => Case::Callback(|on| Box::pin(on.no_address())),
        ReasonCode::ChannelPaused => Case::Callback(|on| Box::pin(on.channel_paused())),
        ReasonCode::CallbacksFail => Case::Callback(|on| Box::pin(on.callbacks_fail())),
        ReasonCode::ConversationFails => Case::Callback(|on| Box::pin(on.conversation_fails())),
        ReasonCode::SlowStart => Case::Callback(|on| Box::pin(on.slow_start())),
        ReasonCode::Probed => Case::Callback(|on| Box::pin(on.probed())),
    }
}

/// The code is the expected one, and the sentence is that of the code with the details beside it: none is missing.
fn check(code: ReasonCode, shown: &Value) {
    assert_eq!(shown["reason_code"], code.as_str(), "{shown}");
    let details = &shown["reason_details"];
    let number = |name: &str| details[name].as_u64();
    let last_code = details["last"].as_str();
    let last = last_code.map(|last| ReasonCode::ALL.iter().find(|code| code.as_str() == last));
    let conversation = details["conversation_id"].as_str();
    let details = Details {
        status: number("status").map(|status| status.try_into().unwrap()),
        attempt: number("attempt").map(|attempt| attempt.try_into().unwrap()),
        last: last.map(|last| *last.unwrap()),
        conversation_id: conversation.map(|id| id.parse().unwrap()),
    };
    let sentence = Reason { code, details }.to_string();
    assert_eq!(shown["reason"], sentence, "{shown}");
    let gaps = ["answered with an error", "attempt 0", "conversation ?"];
    assert!(!gaps.iter().any(|gap| sentence.contains(gap)), "{shown}");
}

#[tokio::test]
async fn each_outcome_of_an_attempt_has_its_reason_code() {
    let trials = outcome::Trials::start().await;
    for code in ReasonCode::ALL {
        let reason = match case_of(*code) {
            Case::Answer(behaviour) => trials.answered(behaviour).await,
            Case::To(target) => trials.sent_to(target).await,
            Case::Callback(_) | Case::World(_) => continue,
        };
        check(*code, &reason);
    }
}

#[tokio::test]
async fn each_state_of_a_callback_or_an_address_has_its_reason_code() {
    let server = standing::service().await;
    let cases = ReasonCode::ALL.iter().map(async |code| {
        if let Case::Callback(arise) = case_of(*code) {
            let stage = Stage::on(&server, *code).await;
            check(*code, &arise(&stage).await);
        }
    });
    join_all(cases).await;
}

#[test]
fn each_rare_reason_has_its_reason_code() {
    for code in ReasonCode::ALL {
        if let Case::World(arise) = case_of(*code) {
            check(*code, &arise());
        }
    }
}

/// A message that version 1 cannot express fails at once and alone: it costs its endpoint nothing, the metrics name it,
/// and what is behind it is sent.
#[tokio::test]
async fn a_message_that_version_1_cannot_express_fails_alone() {
    let server = standing::service().await;
    let stage = Stage::on(&server, ReasonCode::NotExpressible).await;
    for _ in 0..4 {
        let dead = stage.not_expressible().await;
        assert_eq!(dead["state"], "dead");
        assert_eq!(dead["charged_attempts"], 0);
        let last = dead["log"].as_array().unwrap().last().unwrap();
        assert_eq!(last["failure"], "not_expressible");
        assert_eq!(last["class"], "not_expressible");
    }
    let endpoint = stage.endpoint("v1").await;
    assert_eq!(endpoint["health"], "healthy", "{endpoint}");
    assert_eq!(endpoint["failing_since"], Value::Null);
    assert_eq!(endpoint["last_error"], Value::Null);
    stage.delivers("what version 1 can express").await;
    let metrics = server.client().request("GET", "/metrics").send().await.body;
    for line in [
        "switchboard_dispatch_attempts_total{class=\"not_expressible\"} 4",
        "switchboard_dispatch_dead_total{reason=\"not_expressible\"} 4",
    ] {
        assert!(metrics.contains(line), "{line}");
    }
}

/// The keys of a block of the console's English words, by the line that opens it; the other languages have the same by type.
fn words_of_the_console(file: &str, opening: &str) -> Vec<String> {
    let path = format!("{}/ui/src/words/{file}.en.ts", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let (_, block) = text.split_once(opening).unwrap();
    let indent = opening.len() - opening.trim_start().len();
    let end = format!("\n{}}}", " ".repeat(indent));
    let (block, _) = block.split_once(&end).unwrap();
    let inner = " ".repeat(indent + 2);
    let keys = block.lines().filter_map(|line| {
        let (key, _) = line.strip_prefix(&inner)?.split_once(':')?;
        (!key.contains(' ')).then(|| key.to_owned())
    });
    keys.collect()
}

/// A person reads a sentence for each code, and no word for what cannot arise any more.
#[test]
fn the_console_has_words_for_every_code_and_no_other() {
    let in_order = |mut words: Vec<String>| {
        words.sort_unstable();
        words
    };
    let of = |words: &[&str]| in_order(words.iter().map(|word| (*word).to_owned()).collect());
    let codes: Vec<_> = ReasonCode::ALL.iter().map(|code| code.as_str()).collect();
    let reasons = words_of_the_console("reasons", "export const en = {");
    assert_eq!(in_order(reasons), of(&codes));
    let failures = words_of_the_console("operator", "  failures: {");
    assert_eq!(in_order(failures), of(&AttemptFailure::WORDS));
    // One class has two texts, by its status.
    let classes: Vec<_> = words_of_the_console("callbacks", "  classes: {")
        .into_iter()
        .filter(|class| class != "not_authorized")
        .collect();
    assert_eq!(in_order(classes), of(&Class::WORDS));
}
