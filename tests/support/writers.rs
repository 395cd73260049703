//! Writers that never agree with each other: messages, repetitions, answers and reports to few and many conversations.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;

use super::answer::Answer;
use super::client::{Client, message, scope};
use super::ledger::{Ids, Ledger};
use super::random::Random;
use super::server::{ACCOUNT, CHANNEL, TOKEN};

/// The number of writers.
pub const WRITERS: usize = 8;
/// The number of conversations that all writers share.
const SHARED: u64 = 4;

/// The writers of one data directory, with what they remember from one life of the service to the next.
pub struct Writers {
    /// The requests and their acknowledgements.
    pub ledger: Arc<Mutex<Ledger>>,
    writers: Vec<Writer>,
}

struct Writer {
    name: String,
    random: Random,
    bytes_max: u64,
    count: u64,
    /// Messages without an acknowledgement; they are posted again until there is one.
    open: Vec<String>,
    /// Messages with one.
    done: Vec<String>,
    /// Conversations of its own.
    own: Vec<String>,
    /// Text and id of answers with an acknowledgement.
    answers: Vec<(String, String)>,
}

impl Writers {
    /// Writers whose texts have up to about this many bytes.
    pub fn new(random: &mut Random, bytes_max: u64) -> Self {
        let writer = |number| Writer {
            name: format!("w{number}"),
            random: random.fork(),
            bytes_max,
            count: 0,
            open: Vec::new(),
            done: Vec::new(),
            own: Vec::new(),
            answers: Vec::new(),
        };
        Self {
            ledger: Arc::default(),
            writers: (0..WRITERS).map(writer).collect(),
        }
    }

    /// All write at the same time, each until it gets no answer any more.
    pub async fn write(&mut self, client: &Client) {
        let writing = self.writers.iter_mut().map(|writer| {
            let ledger = Arc::clone(&self.ledger);
            async move { while writer.step(client, &ledger).await.is_some() {} }
        });
        futures_util::future::join_all(writing).await;
    }

    /// Every writer does this much, as far as it gets answers.
    pub async fn write_some(&mut self, client: &Client, steps: usize) {
        let writing = self.writers.iter_mut().map(|writer| {
            let ledger = Arc::clone(&self.ledger);
            async move {
                for _ in 0..steps {
                    if writer.step(client, &ledger).await.is_none() {
                        break;
                    }
                }
            }
        });
        futures_util::future::join_all(writing).await;
    }
}

impl Writer {
    /// Does one thing; `None` when the service does not answer any more.
    async fn step(&mut self, client: &Client, ledger: &Mutex<Ledger>) -> Option<()> {
        match self.random.below(100) {
            0..15 if !self.open.is_empty() => {
                let msgid = self.random.one_of(&self.open).clone();
                self.post(client, ledger, &msgid).await
            }
            15..20 if !self.done.is_empty() => {
                let msgid = self.random.one_of(&self.done).clone();
                self.post(client, ledger, &msgid).await
            }
            20..35 if !self.done.is_empty() => self.reply(client, ledger).await,
            35..42 if !self.answers.is_empty() => self.report(client, ledger).await,
            _ => self.post_new(client, ledger).await,
        }
    }

    async fn post_new(&mut self, client: &Client, ledger: &Mutex<Ledger>) -> Option<()> {
        let msgid = self.next("m");
        let conversation = self.conversation();
        let length = if self.random.percent(50) {
            1 << self.random.below(u64::from(self.bytes_max.ilog2()) + 1)
        } else {
            self.random.below(self.bytes_max)
        };
        let filler = "ю".repeat(usize::try_from(length / 2).unwrap());
        let silent = self.random.percent(60);
        let text = format!("{msgid} {filler}");
        ledger
            .lock()
            .unwrap()
            .post(&msgid, &conversation, &text, silent);
        self.open.push(msgid.clone());
        self.post(client, ledger, &msgid).await
    }

    fn conversation(&mut self) -> String {
        if self.random.percent(40) {
            return format!("shared{}", self.random.below(SHARED));
        }
        if self.own.is_empty() || self.random.percent(25) {
            let conversation = self.next("c");
            self.own.push(conversation);
        }
        self.random.one_of(&self.own).clone()
    }

    /// Posts a message, perhaps not for the first time.
    async fn post(&mut self, client: &Client, ledger: &Mutex<Ledger>, msgid: &str) -> Option<()> {
        let acceptance = ledger.lock().unwrap().incoming(msgid).clone();
        let mut event = message(msgid, &acceptance.conversation);
        event["payload"]["message"]["text"] = json!(acceptance.text);
        event["payload"]["silent"] = json!(acceptance.silent);
        let scope = scope(CHANNEL, ACCOUNT);
        let request = client.signed("POST", &scope, event.to_string());
        let Some(answer) = accepted(ledger, request.attempt().await?, 200).await else {
            return Some(());
        };
        let new_message = &answer.json["new_message"];
        assert_eq!(new_message["ref_id"], msgid);
        let ids = Ids {
            message: new_message["msgid"].as_str().unwrap().to_owned(),
            conversation: new_message["conversation_id"].as_str().unwrap().to_owned(),
        };
        ledger.lock().unwrap().posted(msgid, ids);
        if !self.done.iter().any(|known| known == msgid) {
            self.open.retain(|known| known != msgid);
            self.done.push(msgid.to_owned());
        }
        Some(())
    }

    async fn reply(&mut self, client: &Client, ledger: &Mutex<Ledger>) -> Option<()> {
        let about = self.random.one_of(&self.done).clone();
        let text = self.next("a");
        let id = ledger.lock().unwrap().reply(&text, &about);
        let target = format!("/inbox/v1/conversations/{id}/messages");
        let request = client
            .request("POST", &target)
            .bearer(TOKEN)
            .header("Content-Type", "application/json")
            .body(json!({ "type": "text", "text": text }).to_string());
        if let Some(answer) = accepted(ledger, request.attempt().await?, 201).await {
            let id = answer.json["id"].as_str().unwrap().to_owned();
            ledger.lock().unwrap().replied(&text, &id);
            self.answers.push((text, id));
        }
        Some(())
    }

    async fn report(&mut self, client: &Client, ledger: &Mutex<Ledger>) -> Option<()> {
        let (text, id) = self.random.one_of(&self.answers).clone();
        let status = ledger.lock().unwrap().report(&text);
        let body = json!({ "msgid": id, "delivery_status": status }).to_string();
        let tail = format!("{}/{id}/delivery_status", scope(CHANNEL, ACCOUNT));
        let answer = client.signed("POST", &tail, body).attempt().await?;
        if accepted(ledger, answer, 200).await.is_some() {
            ledger.lock().unwrap().reported(&text);
        }
        Some(())
    }

    fn next(&mut self, kind: &str) -> String {
        self.count += 1;
        format!("{kind}-{}-{}", self.name, self.count)
    }
}

/// The answer if it is an acknowledgement. The only other answers are «not now», with a time to wait.
async fn accepted(ledger: &Mutex<Ledger>, answer: Answer, status: u16) -> Option<Answer> {
    if answer.status == status {
        return Some(answer);
    }
    assert!(matches!(answer.status, 429 | 503), "{answer:?}");
    let seconds: u64 = answer.header("retry-after").parse().unwrap();
    assert!(seconds > 0, "{answer:?}");
    ledger.lock().unwrap().refused();
    // Far less than it asks for: a service that is asked too often must not lose anything either.
    tokio::time::sleep(Duration::from_millis(20)).await;
    None
}
