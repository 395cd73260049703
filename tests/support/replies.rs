//! Account users who write without a pause while an operator discards and replays, and the comparison of what the receiver saw
//! with what was acknowledged.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::client::{Client, message};
use super::flaky::{Arrival, Flaky};
use super::random::Random;
use super::rounds::Rounds;
use super::server::TOKEN;
use super::{RETRIES_PATIENCE, eventually};

/// The number of account users who write at once, each to conversations of their own.
const WRITERS: usize = 4;
/// To how many conversations one of them writes.
const CONVERSATIONS: u64 = 3;
/// An answer that was written.
#[derive(Debug)]
struct Written {
    conversation: String,
    /// Its id, once it was acknowledged.
    id: Option<String>,
    /// True when an operator may have discarded it: then those behind it did not wait.
    discarded: bool,
}

/// The replies, by text; each text is there once.
type Ledger = Mutex<BTreeMap<String, Written>>;

/// Account users who write, and what they wrote.
pub struct Replies {
    writers: Vec<Writer>,
    ledger: Ledger,
    late: Late,
}

/// The rule for a first attempt at a message that arrives behind later ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Late {
    /// It may not.
    Never,
    /// A process was frozen in it, and goes on when another one has made the next attempt.
    Once,
}

impl Replies {
    /// Makes their conversations.
    pub async fn new(client: &Client, random: &mut Random) -> Self {
        Self {
            writers: writers(client, random).await,
            ledger: Ledger::default(),
            late: Late::Never,
        }
    }

    /// A process may be frozen in the middle of an attempt.
    pub fn with_frozen_attempts(self) -> Self {
        let late = Late::Once;
        Self { late, ..self }
    }

    /// All of them write until the service does not answer any more, or until `until` has ended.
    pub async fn work(&mut self, client: &Client, until: impl AsyncFnOnce(&dyn Fn() -> u64)) {
        let ledger = &self.ledger;
        let is_over = Cell::new(false);
        let working = self
            .writers
            .iter_mut()
            .map(|writer| writer.work(client, ledger, &is_over));
        let count = || acknowledged(ledger);
        let until = async {
            until(&count).await;
            is_over.set(true);
        };
        tokio::join!(join_all(working), until);
    }

    /// Replays what was discarded, waits for everything, and compares. Gives what was acknowledged and what came of it.
    pub async fn check(self, client: &Client, receiver: &Flaky) -> String {
        receiver.recover();
        replay_everything(client).await;
        let view = shown(client, &self.writers).await;
        let arrivals = receiver.arrivals();
        let acknowledged = acknowledged(&self.ledger);
        let ledger = self.ledger.into_inner().unwrap();
        let faults = faults(&ledger, &view, &arrivals, self.late);
        assert!(faults.is_empty(), "{faults:#?}");
        assert!(acknowledged > 0, "nothing was acknowledged");
        let messages: BTreeSet<_> = arrivals.iter().map(|it| &it.message).collect();
        format!(
            "{acknowledged} answers acknowledged, none lost, none overtaken; {} messages in {} attempts",
            messages.len(),
            arrivals.len()
        )
    }
}

struct Writer {
    name: usize,
    random: Random,
    count: u64,
    conversations: Vec<String>,
}

impl Writer {
    /// Writes, discards and replays until there is no answer any more, or it is over.
    async fn work(&mut self, client: &Client, ledger: &Ledger, is_over: &Cell<bool>) {
        while !is_over.get() && self.step(client, ledger).await.is_some() {}
    }

    async fn step(&mut self, client: &Client, ledger: &Ledger) -> Option<()> {
        if self.random.percent(12) {
            return self.interfere(client, ledger).await;
        }
        self.count += 1;
        let text = format!("w{} {}", self.name, self.count);
        let conversation = self.random.one_of(&self.conversations).clone();
        let entry = Written {
            conversation: conversation.clone(),
            id: None,
            discarded: false,
        };
        ledger.lock().unwrap().insert(text.clone(), entry);
        let target = format!("/inbox/v1/conversations/{conversation}/messages");
        let request = client
            .request("POST", &target)
            .bearer(TOKEN)
            .header("Content-Type", "application/json")
            .body(json!({ "type": "text", "text": text }).to_string());
        let answer = request.attempt().await?;
        match answer.status {
            201 => {
                let id = answer.json["id"].as_str().unwrap().to_owned();
                ledger.lock().unwrap().get_mut(&text).unwrap().id = Some(id);
            }
            429 | 503 => tokio::time::sleep(Duration::from_millis(20)).await,
            _ => panic!("{answer:?}"),
        }
        Some(())
    }

    /// Discards an answer, or replays it: whichever it was, the other may be refused.
    async fn interfere(&mut self, client: &Client, ledger: &Ledger) -> Option<()> {
        let discard = self.random.percent(50);
        let (what, id) = {
            let mut ledger = ledger.lock().unwrap();
            let mine = format!("w{} ", self.name);
            let mut own: Vec<&mut Written> = ledger
                .iter_mut()
                .filter(|(text, written)| text.starts_with(&mine) && written.id.is_some())
                .map(|(_, written)| written)
                .collect();
            if own.is_empty() {
                return Some(());
            }
            let place = self.random.below(u64::try_from(own.len()).unwrap());
            let entry = &mut own[usize::try_from(place).unwrap()];
            entry.discarded |= discard;
            let what = if discard { "discard" } else { "replay" };
            (what, entry.id.clone().unwrap())
        };
        let target = format!("/admin/v1/deliveries/{id}/{what}");
        let request = client
            .operate("POST", &target)
            .header("Content-Type", "application/json")
            .body("{}");
        let status = request.attempt().await?.status;
        assert!([200, 409, 429, 503].contains(&status), "{what}: {status}");
        Some(())
    }
}

/// Returns the number of acknowledged answers.
fn acknowledged(ledger: &Ledger) -> u64 {
    let ledger = ledger.lock().unwrap();
    let acknowledgements = ledger.values().filter(|written| written.id.is_some());
    u64::try_from(acknowledgements.count()).unwrap()
}

async fn writers(client: &Client, random: &mut Random) -> Vec<Writer> {
    let mut writers = Vec::new();
    for name in 0..WRITERS {
        let mut conversations = Vec::new();
        for number in 0..CONVERSATIONS {
            let id = format!("c-{name}-{number}");
            let new_message = client.sent(&message(&id, &id)).await;
            conversations.push(new_message["conversation_id"].as_str().unwrap().to_owned());
        }
        writers.push(Writer {
            name,
            random: random.fork(),
            count: 0,
            conversations,
        });
    }
    writers
}

/// Replays whatever was discarded, until nothing is left that has not arrived.
async fn replay_everything(client: &Client) {
    let begin = json!({ "state": "cancelled" });
    let response = client.operates("POST", "/admin/v1/replays", &begin).await;
    let target = format!("/admin/v1/replays/{}", response.is(202).json["id"]);
    eventually("the replay is through", async || {
        let job = client.operate("GET", &target).send().await.is(200).json;
        (job["state"] == "done").then_some(())
    })
    .await;
    let start = Instant::now();
    loop {
        let mut list = json!(null);
        for group in ["waiting", "failed"] {
            let target = format!("/admin/v1/deliveries?limit=5&group={group}");
            list = client.operate("GET", &target).send().await.is(200).json;
            if list["deliveries"] != json!([]) || !list["next"].is_null() {
                break;
            }
            list = json!(null);
        }
        if list.is_null() {
            return;
        }
        assert!(start.elapsed() < RETRIES_PATIENCE, "{list:#}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// The answers of each conversation, oldest first: text and id.
async fn shown(client: &Client, writers: &[Writer]) -> BTreeMap<String, Vec<(String, String)>> {
    let mut conversations = BTreeMap::new();
    for conversation in writers.iter().flat_map(|writer| &writer.conversations) {
        let mut answers = Vec::new();
        let path = format!("/inbox/v1/conversations/{conversation}/messages?limit=250");
        let mut target = path.clone();
        let mut rounds = Rounds::default();
        loop {
            rounds.note();
            let page = client.read(&target).await;
            for message in page["messages"].as_array().unwrap() {
                if message["direction"] == "out" {
                    assert_eq!(message["callback"]["state"], "delivered", "{message}");
                    let text = |key: &str| message[key].as_str().unwrap().to_owned();
                    answers.push((text("text"), text("id")));
                }
            }
            match page["next"].as_str() {
                Some(next) => target = format!("{path}&before={next}"),
                None => break,
            }
        }
        answers.reverse();
        conversations.insert(conversation.clone(), answers);
    }
    conversations
}

/// Everything that is wrong.
fn faults(
    ledger: &BTreeMap<String, Written>,
    shown: &BTreeMap<String, Vec<(String, String)>>,
    arrivals: &[Arrival],
    late: Late,
) -> Vec<String> {
    let mut faults = Vec::new();
    // D1: what was acknowledged is there, under its id, and arrived.
    for (text, written) in ledger {
        let Some(id) = &written.id else { continue };
        let there = &shown[&written.conversation];
        if !there.contains(&(text.clone(), id.clone())) {
            faults.push(format!("«{text}» was acknowledged and is lost"));
        }
    }
    let mut attempts: BTreeMap<&str, Vec<&Arrival>> = BTreeMap::new();
    for arrival in arrivals {
        attempts.entry(&arrival.message).or_default().push(arrival);
    }
    for (text, id) in shown.values().flatten() {
        let tries = attempts.get(id.as_str());
        if !tries.is_some_and(|all| all.iter().any(|it| it.taken && it.text() == text)) {
            faults.push(format!("«{text}» never arrived"));
        }
    }
    // D2: one message, one id, one content; what comes again says so.
    for (id, all) in &attempts {
        if all.iter().any(|it| it.fields != all[0].fields) {
            faults.push(format!("{id} changed between attempts"));
        }
        let firsts = all.iter().filter(|it| it.number == 1).count();
        let is_late = late == Late::Never && all[1..].iter().any(|it| it.number <= 1);
        if firsts > 1 || is_late {
            faults.push(format!("{id} came again as a first attempt"));
        }
    }
    // D3: the first time that a message arrives, all before it have arrived or were taken out by an operator.
    let arrived_at = |id: &str| arrivals.iter().position(|it| it.taken && it.message == id);
    for (conversation, answers) in shown {
        let mut latest = None;
        for (text, id) in answers {
            let at = arrived_at(id);
            if at < latest {
                faults.push(format!("«{text}» in {conversation} was overtaken"));
            }
            if !ledger[text].discarded {
                latest = latest.max(at);
            }
        }
    }
    faults
}

/// The comparison sees a loss, an inversion and a repeat that looks new.
#[tokio::test]
async fn the_comparison_detects_loss_reordering_and_unmarked_repeats() {
    let arrival = |id: &str, number, text: &str| Arrival {
        message: id.to_owned(),
        number,
        fields: fields(text),
        taken: true,
    };
    let entry = |id: &str| Written {
        conversation: "c".to_owned(),
        id: Some(id.to_owned()),
        discarded: false,
    };
    let ledger = BTreeMap::from([
        ("one".to_owned(), entry("1")),
        ("two".to_owned(), entry("2")),
    ]);
    let pair = |text: &str, id: &str| (text.to_owned(), id.to_owned());
    let view = BTreeMap::from([("c".to_owned(), vec![pair("one", "1"), pair("two", "2")])]);
    let sound = [
        arrival("1", 1, "one"),
        arrival("2", 1, "two"),
        arrival("1", 2, "one"),
    ];
    assert_eq!(
        faults(&ledger, &view, &sound, Late::Never),
        Vec::<String>::new()
    );
    for unsound in [
        vec![arrival("1", 1, "one")],
        vec![arrival("2", 1, "two"), arrival("1", 1, "one")],
        vec![
            arrival("1", 1, "one"),
            arrival("2", 1, "two"),
            arrival("1", 1, "one"),
        ],
        vec![
            arrival("1", 1, "one"),
            arrival("2", 1, "two"),
            arrival("1", 2, "two"),
        ],
    ] {
        let report = faults(&ledger, &view, &unsound, Late::Never);
        assert!(!report.is_empty(), "{unsound:?}");
    }
    let view_without = BTreeMap::from([("c".to_owned(), vec![pair("one", "1")])]);
    assert!(!faults(&ledger, &view_without, &sound, Late::Never).is_empty());
    let late = [
        arrival("1", 2, "one"),
        arrival("2", 1, "two"),
        arrival("1", 1, "one"),
    ];
    assert!(!faults(&ledger, &view, &late, Late::Never).is_empty());
    assert_eq!(
        faults(&ledger, &view, &late, Late::Once),
        Vec::<String>::new()
    );
}

fn fields(text: &str) -> Value {
    json!({ "message": { "message": { "text": text }, "conversation": { "client_id": "c" } } })
}
