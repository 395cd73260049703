//! A bot, a receiver of webhooks, and waits for states.

use std::collections::VecDeque;
use std::future::Future;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use telegram_double::{Double, Orders, Person};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// The token of the bot.
pub(crate) const TOKEN: &str = "42:AAAA-secret_1";
const WAIT_MAX: Duration = Duration::from_secs(20);

/// A double with a bot and two people, 7 and 8. The first has opened the chat.
pub(crate) struct World {
    pub(crate) double: Double,
    client: reqwest::Client,
}

impl World {
    pub(crate) async fn start() -> Self {
        let double = Double::start().await.unwrap();
        double.register(TOKEN).unwrap();
        let orders = double.orders();
        for (id, name) in [(7, "Ann"), (8, "Bob")] {
            let person = Person::named(name).with_id(id);
            orders.add_person(&person).await.unwrap();
        }
        let world = Self {
            client: reqwest::Client::builder().no_proxy().build().unwrap(),
            double,
        };
        world.order("start", json!({"from": 7})).await;
        world
    }

    pub(crate) fn orders(&self) -> &Orders {
        self.double.orders()
    }

    /// Gives an order in JSON.
    pub(crate) async fn order(&self, name: &str, body: Value) -> Value {
        let (status, answer) = self.post(&format!("/double/{name}"), &body).await;
        assert_eq!(status, 200, "{name} {body}: {answer}");
        answer
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let url = format!("{}{path}", self.double.url());
        let request = self
            .client
            .post(url)
            .header("Content-Type", "application/json");
        let response = request.body(body.to_string()).send().await.unwrap();
        let status = response.status().as_u16();
        (status, parsed(&response.text().await.unwrap()))
    }

    pub(crate) async fn get(&self, path: &str) -> (u16, Value) {
        let url = format!("{}{path}", self.double.url());
        let response = self.client.get(url).send().await.unwrap();
        let status = response.status().as_u16();
        (status, parsed(&response.text().await.unwrap()))
    }

    pub(crate) async fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        let response = self.client.get(format!("{}{path}", self.double.url()));
        let bytes = response.send().await.ok()?.bytes().await.ok()?;
        Some(bytes.to_vec())
    }

    /// Calls a method of the bot. Returns the status and the envelope.
    pub(crate) async fn call(&self, method: &str, body: Value) -> (u16, Value) {
        self.post(&format!("/bot{TOKEN}/{method}"), &body).await
    }

    /// Calls a method, which is done. Returns the result.
    pub(crate) async fn done(&self, method: &str, body: Value) -> Value {
        let (status, envelope) = self.call(method, body.clone()).await;
        assert_eq!(
            (status, &envelope["ok"]),
            (200, &json!(true)),
            "{method} {body}: {envelope}"
        );
        envelope["result"].clone()
    }

    /// Calls a method, which is refused. Returns the code and the description.
    pub(crate) async fn refused(&self, method: &str, body: Value) -> (u16, String) {
        let (status, envelope) = self.call(method, body.clone()).await;
        assert_eq!(envelope["ok"], false, "{method} {body}: {envelope}");
        assert_eq!(envelope["error_code"], status, "{envelope}");
        (status, envelope["description"].as_str().unwrap().to_owned())
    }

    /// Calls a method whose answer may be lost.
    pub(crate) async fn attempt(&self, method: &str, body: Value) -> Option<Value> {
        let path = format!("{}/bot{TOKEN}/{method}", self.double.url());
        let request = self
            .client
            .post(path)
            .header("Content-Type", "application/json");
        let response = request.body(body.to_string()).send().await.ok()?;
        Some(parsed(&response.text().await.ok()?))
    }

    /// Calls a method with a file. Returns the status and the envelope.
    pub(crate) async fn upload(
        &self,
        method: &str,
        values: &[(&str, &str)],
        files: &[(&str, &str, &str, &[u8])],
    ) -> (u16, Value) {
        let mut body = Vec::new();
        for (name, value) in values {
            let head = format!(
                "--BOUNDARY\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
            );
            body.extend_from_slice(head.as_bytes());
        }
        for (name, file, kind, bytes) in files {
            let head = format!(
                "--BOUNDARY\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"{file}\"\r\nContent-Type: {kind}\r\n\r\n"
            );
            body.extend_from_slice(head.as_bytes());
            body.extend_from_slice(bytes);
            body.extend_from_slice(b"\r\n");
        }
        body.extend_from_slice(b"--BOUNDARY--\r\n");
        let path = format!("{}/bot{TOKEN}/{method}", self.double.url());
        let kind = "multipart/form-data; boundary=BOUNDARY";
        let request = self.client.post(path).header("Content-Type", kind);
        let response = request.body(body).send().await.unwrap();
        let status = response.status().as_u16();
        (status, parsed(&response.text().await.unwrap()))
    }

    /// Lets Ann say something. Returns the number of the message.
    pub(crate) async fn say(&self, text: &str) -> i64 {
        let receipt = self.order("say", json!({"from": 7, "text": text})).await;
        receipt["message_id"].as_i64().unwrap()
    }

    /// Returns the updates from an offset on.
    pub(crate) async fn updates(&self, offset: i64) -> Vec<Value> {
        let result = self.done("getUpdates", json!({"offset": offset})).await;
        result.as_array().unwrap().clone()
    }

    pub(crate) async fn advance(&self, seconds: u64) {
        let time = Duration::from_secs(seconds);
        self.orders().advance(time).await.unwrap();
    }

    /// Waits until a poll waits.
    pub(crate) async fn until_polling(&self) {
        eventually("a poll waits", || async {
            let state = self.orders().state().await.unwrap();
            state.bots[0].is_polling.then_some(())
        })
        .await;
    }
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The text of an update's message.
pub(crate) fn texts(updates: &[Value]) -> Vec<&str> {
    let text = |it: &'_ Value| it["message"]["text"].as_str().map(str::len);
    assert!(updates.iter().all(|it| text(it).is_some()), "{updates:?}");
    updates
        .iter()
        .filter_map(|it| it["message"]["text"].as_str())
        .collect()
}

/// Waits for a state.
pub(crate) async fn eventually<T, F: Future<Output = Option<T>>>(
    what: &str,
    mut look: impl FnMut() -> F,
) -> T {
    let start = Instant::now();
    loop {
        if let Some(state) = look().await {
            return state;
        }
        assert!(start.elapsed() < WAIT_MAX, "{what}: it does not come about");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// A request that a receiver has got.
#[derive(Debug, Clone)]
pub(crate) struct Hook {
    pub(crate) head: String,
    pub(crate) update: Value,
}

/// A receiver of webhooks. It answers by a list of heads per chat, and then with 200.
#[derive(Clone)]
pub(crate) struct Receiver {
    pub(crate) url: String,
    hooks: Arc<Mutex<Vec<Hook>>>,
    answers: Arc<Mutex<VecDeque<(i64, String)>>>,
}

impl Receiver {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let receiver = Self {
            url: format!("http://{}/hook", listener.local_addr().unwrap()),
            hooks: Arc::default(),
            answers: Arc::default(),
        };
        let copy = receiver.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let receiver = copy.clone();
                tokio::spawn(async move { receiver.connection(stream).await });
            }
        });
        receiver
    }

    /// Answers the next updates of a chat with these heads, such as `500 Error`.
    pub(crate) fn answer(&self, chat: i64, head: &str, count: usize) {
        let mut answers = self.answers.lock().unwrap();
        answers.extend(std::iter::repeat_n((chat, head.to_owned()), count));
    }

    pub(crate) fn hooks(&self) -> Vec<Hook> {
        self.hooks.lock().unwrap().clone()
    }

    pub(crate) fn texts(&self) -> Vec<String> {
        let hooks = self.hooks();
        let text = |it: &Hook| {
            it.update["message"]["text"]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        };
        hooks.iter().map(text).collect()
    }

    /// Waits until so many requests have come.
    pub(crate) async fn until(&self, count: usize) -> Vec<Hook> {
        let what = format!("{count} requests come");
        eventually(&what, || async {
            Some(self.hooks()).filter(|it| it.len() >= count)
        })
        .await
    }

    async fn connection(&self, mut stream: TcpStream) {
        let mut bytes = Vec::new();
        loop {
            let Some((head, body)) = request(&mut stream, &mut bytes).await else {
                return;
            };
            let update: Value = serde_json::from_slice(&body).unwrap();
            let chat = update["message"]["chat"]["id"].as_i64().unwrap_or_default();
            self.hooks.lock().unwrap().push(Hook { head, update });
            let order = {
                let mut answers = self.answers.lock().unwrap();
                let at = answers.iter().position(|(of, _)| *of == chat);
                at.and_then(|at| answers.remove(at)).map(|(_, line)| line)
            };
            let line = order.unwrap_or_else(|| "200 OK".to_owned());
            let answer = format!("HTTP/1.1 {line}\r\nContent-Length: 0\r\n\r\n");
            if stream.write_all(answer.as_bytes()).await.is_err() {
                return;
            }
        }
    }
}

/// Reads a request: its head and its body.
async fn request(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> Option<(String, Vec<u8>)> {
    loop {
        let end = bytes.windows(4).position(|it| it == b"\r\n\r\n");
        if let Some(end) = end {
            let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
            let number = head.split("content-length: ").nth(1);
            let length: usize = number
                .and_then(|it| it.lines().next())
                .map_or(0, |it| it.parse().unwrap());
            if bytes.len() >= end + 4 + length {
                let rest = bytes.split_off(end + 4 + length);
                let body = bytes.split_off(end + 4);
                *bytes = rest;
                return Some((head, body));
            }
        }
        if stream.read_buf(bytes).await.ok()? == 0 {
            return None;
        }
    }
}
