//! A stage: the double of Telegram with a bot, a world with a channel, and the program between them.

use std::future::Future;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use switchboard_worlds::served_world::{Launch, Process, ServedWorld, free_port};
use telegram_double::orders::{ChatShown, Said, Say, World};
use telegram_double::{Double, Fault, Orders, Person, Rates};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};

/// The token of the bot.
pub(crate) const TOKEN: &str = "42:AAAA-secret_1";
/// The part of it that is secret.
pub(crate) const SECRET: &str = "AAAA-secret_1";
/// The longest wait for a state.
const WAIT_MAX: Duration = Duration::from_secs(60);
const EACH: Duration = Duration::from_millis(20);

/// The stage. It prints what the program has written when a test fails.
pub(crate) struct Stage {
    pub(crate) runtime: Runtime,
    pub(crate) double: Double,
    pub(crate) world: ServedWorld,
    pub(crate) port: u16,
    pub(crate) directory: TempDir,
    launch: Launch,
    process: Option<Process>,
    client: reqwest::Client,
}

impl Stage {
    /// A stage on which the program runs. Ann (7) and Bob (8) are there, and Telegram has no rates.
    pub(crate) fn start() -> Self {
        let mut stage = Self::prepare();
        stage.run();
        stage
    }

    /// A stage without the program. The time of the world is that of the machine.
    pub(crate) fn prepare() -> Self {
        Self::with_clock("real")
    }

    /// A stage without the program, whose world has this clock.
    pub(crate) fn with_clock(clock: &str) -> Self {
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let double = runtime.block_on(async {
            let double = Double::start().await.unwrap();
            double.register(TOKEN).unwrap();
            let orders = double.orders();
            orders.set_rates(&Rates::off()).await.unwrap();
            for (id, name) in [(7, "Ann"), (8, "Bob")] {
                let person = Person::named(name).with_id(id);
                orders.add_person(&person).await.unwrap();
            }
            double
        });
        let directory = tempfile::tempdir().unwrap();
        let port = free_port().unwrap();
        let launch = Launch::new([env!("CARGO_BIN_EXE_switchboard-telegram")])
            .variable("TELEGRAM_BOT_TOKEN", TOKEN)
            .variable("TELEGRAM_URL", double.url())
            .variable("TELEGRAM_BRIDGE_DIRECTORY", directory.path().join("store"))
            .variable(
                "TELEGRAM_BRIDGE_PUBLIC_URL",
                format!("http://127.0.0.1:{port}"),
            )
            .variable("TELEGRAM_BRIDGE_REQUESTS_PER_SECOND", "200")
            .within(WAIT_MAX)
            .directory(directory.path());
        let world = ServedWorld::with(&json!({ "clock": clock, "ttl": 3_600 }));
        world.order(
            "PUT",
            "/webhook",
            &json!({ "url": format!("http://127.0.0.1:{port}/") }),
        );
        Self {
            client: reqwest::Client::builder().no_proxy().build().unwrap(),
            runtime,
            double,
            world,
            port,
            directory,
            launch,
            process: None,
        }
    }

    /// Sets another variable of the program.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.launch = self.launch.clone().variable(name, value);
    }

    /// Starts the program, also after a kill.
    pub(crate) fn run(&mut self) {
        let process = Process::start(&self.launch, self.world.facts(), Some(self.port));
        self.process = Some(process.unwrap());
    }

    /// Kills the program.
    pub(crate) fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill();
        }
    }

    /// Starts another program beside it, with a store of its own.
    pub(crate) fn second(&self, directory: &TempDir) -> Process {
        let port = free_port().unwrap();
        let launch = self
            .launch
            .clone()
            .variable("TELEGRAM_BRIDGE_DIRECTORY", directory.path())
            .variable("SWITCHBOARD_CODE", "");
        Process::start(&launch, self.world.facts(), Some(port)).unwrap()
    }

    /// Runs the command `check`, and returns its status and what it says.
    pub(crate) fn check(&self, variables: &[(&str, &str)]) -> (Option<i32>, String) {
        let facts = self.world.facts();
        let fact = |pointer: &str| {
            facts
                .pointer(pointer)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_switchboard-telegram"))
            .arg("check")
            .current_dir(self.directory.path())
            .env("TELEGRAM_BOT_TOKEN", TOKEN)
            .env("TELEGRAM_URL", self.double.url())
            .env(
                "TELEGRAM_BRIDGE_DIRECTORY",
                self.directory.path().join("store"),
            )
            .env("SWITCHBOARD_URL", fact("/base_url"))
            .env("SWITCHBOARD_ACCOUNT_ID", fact("/account/id"))
            .env("SWITCHBOARD_CHANNEL_ID", fact("/channel/id"))
            .env("SWITCHBOARD_CHANNEL_SECRET", fact("/channel/secret"))
            .env("SWITCHBOARD_CLIENT_ID", fact("/oauth_client/id"))
            .env("PORT", self.port.to_string())
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(text).unwrap())
    }

    /// The output of the program.
    pub(crate) fn output(&self) -> String {
        self.process
            .as_ref()
            .map(Process::output)
            .unwrap_or_default()
    }

    pub(crate) fn order<T>(
        &self,
        order: impl Future<Output = Result<T, telegram_double::OrderError>>,
    ) -> T {
        self.runtime.block_on(order).unwrap()
    }

    pub(crate) fn orders(&self) -> &Orders {
        self.double.orders()
    }

    /// Lets the calls of the bridge go wrong as a fault says.
    pub(crate) fn fault(&self, fault: &Fault) {
        self.order(self.orders().add_fault(fault));
    }

    /// Lets a person write.
    pub(crate) fn says(&self, from: i64, text: &str) -> Said {
        self.order(self.orders().say(&Say::text(from, text)))
    }

    /// Lets a user answer in the conversation of a chat.
    pub(crate) fn replies(&self, chat: i64, text: &str) -> String {
        let body = json!({ "text": text, "customer": conversation(chat) });
        let answer = self.world.order("POST", "/users/ada/reply", &body);
        answer["message_id"].as_str().unwrap().to_owned()
    }

    pub(crate) fn shown(&self) -> World {
        self.order(self.orders().state())
    }

    /// The content of a chat.
    pub(crate) fn chat(&self, id: i64) -> ChatShown {
        self.shown()
            .chat(id)
            .cloned()
            .unwrap_or_else(|| panic!("there is no chat {id}"))
    }

    /// Waits until a chat has this text of the bot, and returns its number.
    pub(crate) fn until_shown(&self, chat: i64, text: &str) -> i64 {
        self.until(&format!("«{text}» in the chat {chat}"), || {
            let world = self.shown();
            let mut messages = world.chat(chat)?.messages.iter();
            let message = messages.find(|it| it.from.is_none() && it.text() == text)?;
            Some(message.message_id)
        })
    }

    /// The conversation of a chat, as the inbox shows it.
    pub(crate) fn inbox(&self, chat: i64) -> Option<Value> {
        let (_, list) = self.get("/inbox/v1/conversations");
        let list = list["conversations"].as_array()?.clone();
        list.into_iter()
            .find(|it| it["client_id"] == conversation(chat))
    }

    /// The messages in the conversation of a chat, oldest first.
    pub(crate) fn messages(&self, chat: i64) -> Vec<Value> {
        let Some(inbox) = self.inbox(chat) else {
            return Vec::new();
        };
        let path = format!(
            "/inbox/v1/conversations/{}/messages",
            inbox["id"].as_str().unwrap()
        );
        let (mut messages, mut query) = (Vec::new(), String::new());
        loop {
            let (status, page) = self.get(&format!("{path}{query}"));
            assert_eq!(status, 200, "{page}");
            messages.extend(page["messages"].as_array().unwrap().iter().cloned());
            let Some(next) = page["next"].as_str() else {
                messages.reverse();
                return messages;
            };
            query = format!("?before={next}");
        }
    }

    /// The texts of a chat at the service, oldest first.
    pub(crate) fn texts(&self, chat: i64) -> Vec<String> {
        let messages = self.messages(chat);
        let texts = messages
            .iter()
            .map(|it| it["text"].as_str().unwrap_or_default().to_owned());
        texts.collect()
    }

    /// Waits until the service has a message with this text, and returns it.
    pub(crate) fn until_posted(&self, chat: i64, text: &str) -> Value {
        self.until(
            &format!("«{text}» of the chat {chat} at the service"),
            || {
                let messages = self.messages(chat);
                messages.into_iter().find(|it| it["text"] == text)
            },
        )
    }

    /// Waits until the service knows the delivery of a message.
    pub(crate) fn until_delivery(&self, chat: i64, id: &str, status: &str) -> Value {
        self.until(&format!("the status {status} of {id}"), || {
            let messages = self.messages(chat);
            let message = messages.into_iter().find(|it| it["id"] == id)?;
            (message["delivery"]["status"] == status).then_some(message)
        })
    }

    /// Waits for something.
    pub(crate) fn until<T>(&self, what: &str, mut look: impl FnMut() -> Option<T>) -> T {
        let begin = Instant::now();
        loop {
            if let Some(value) = look() {
                return value;
            }
            assert!(
                begin.elapsed() < WAIT_MAX,
                "there is not {what}\n{}",
                self.output()
            );
            std::thread::sleep(EACH);
        }
    }

    /// Reads an address of the service as a user.
    pub(crate) fn get(&self, path: &str) -> (u16, Value) {
        self.call("GET", path, None)
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        self.call("POST", path, Some(body))
    }

    /// Lets a user send a file in the conversation of a chat, as a message of this type. Returns the id of the message.
    pub(crate) fn sends_file(&self, chat: i64, kind: &str, name: &str, content: &[u8]) -> String {
        let head = format!(
            "--part\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\nContent-Type: application/octet-stream\r\n\r\n"
        );
        let form = [head.as_bytes(), content, b"\r\n--part--\r\n"].concat();
        let token = self.world.facts()["users"][0]["token"].as_str().unwrap();
        let request = self
            .client
            .post(format!("{}/inbox/v1/media", self.world.base_url()))
            .bearer_auth(token)
            .header("Content-Type", "multipart/form-data; boundary=part")
            .body(form);
        let text = self
            .runtime
            .block_on(async { request.send().await.unwrap().text().await.unwrap() });
        let media: Value = serde_json::from_str(&text).unwrap();
        let inbox = self.inbox(chat).unwrap();
        let path = format!(
            "/inbox/v1/conversations/{}/messages",
            inbox["id"].as_str().unwrap()
        );
        let (status, answer) = self.post(&path, &json!({ "type": kind, "media_id": media["id"] }));
        assert!((200..300).contains(&status), "{text} {answer}");
        message_id(&answer)
    }

    fn call(&self, method: &str, path: &str, body: Option<&Value>) -> (u16, Value) {
        let token = self.world.facts()["users"][0]["token"].as_str().unwrap();
        let url = format!("{}{path}", self.world.base_url());
        let mut request = self
            .client
            .request(method.parse().unwrap(), url)
            .bearer_auth(token);
        if let Some(body) = body {
            request = request
                .header("Content-Type", "application/json")
                .body(body.to_string());
        }
        self.runtime.block_on(async {
            let response = request.send().await.unwrap();
            let status = response.status().as_u16();
            let text = response.text().await.unwrap();
            (status, serde_json::from_str(&text).unwrap_or_default())
        })
    }

    /// Asks the bridge. Returns the status, the headers and the body.
    pub(crate) fn page(&self, path: &str) -> (u16, reqwest::header::HeaderMap, Vec<u8>) {
        let url = match path.strip_prefix("http") {
            Some(_) => path.to_owned(),
            None => format!("http://127.0.0.1:{}{path}", self.port),
        };
        self.runtime.block_on(async {
            let response = self.client.get(url).send().await.unwrap();
            let (status, headers) = (response.status().as_u16(), response.headers().clone());
            (status, headers, response.bytes().await.unwrap().to_vec())
        })
    }

    /// The document of `/health`, with the status.
    pub(crate) fn health(&self) -> (u16, Value) {
        let (status, _, body) = self.page("/health");
        (status, serde_json::from_slice(&body).unwrap())
    }

    /// Waits until the metrics have a line.
    pub(crate) fn until_metric(&self, line: &str) {
        self.until(line, || {
            let (_, _, metrics) = self.page("/metrics");
            let metrics = String::from_utf8(metrics).unwrap();
            metrics.lines().any(|it| it == line).then_some(())
        });
    }

    /// Sends a callback of the service, signed, for what a world does not do. Returns the status.
    pub(crate) fn callback(&self, event: &Value) -> u16 {
        use hmac::{Hmac, KeyInit as _, Mac as _};
        let secret = self.world.facts()["channel"]["secret"].as_str().unwrap();
        let body = event.to_string();
        let mut mac = Hmac::<sha1::Sha1>::new_from_slice(secret.as_bytes()).unwrap();
        mac.update(body.as_bytes());
        let signature = hex::encode(mac.finalize().into_bytes());
        let request = self
            .client
            .post(format!("http://127.0.0.1:{}/v2", self.port))
            .header("Content-Type", "application/json")
            .header("X-Signature", signature)
            .body(body);
        self.runtime
            .block_on(async { request.send().await.unwrap().status().as_u16() })
    }

    /// The callback of a message to the customer of a chat.
    pub(crate) fn message_event(&self, chat: i64, content: &Value) -> Value {
        json!({
            "account_id": self.world.facts()["account"]["id"], "time": 1_767_225_601,
            "message": {
                "receiver": { "id": "6f1c3a52-9f1e-4a0c-8a55-0d5f0f2f1a11", "client_id": format!("tg-42-user-{chat}") },
                "sender": { "id": "0b8a1f0e-7a3c-4d62-9a0d-8f5d7c2b6e22", "name": "Ada" },
                "conversation": { "id": "c3b3d1f4-52f5-4a27-9d0b-1b7c8e9f3a33", "client_id": conversation(chat) },
                "timestamp": 1_767_225_600, "msec_timestamp": 1_767_225_600_123_i64, "message": content,
            },
        })
    }
}

/// The bridge's id of the conversation of a chat.
pub(crate) fn conversation(chat: i64) -> String {
    format!("tg-42-{chat}")
}

/// The id of a message that was sent.
pub(crate) fn message_id(answer: &Value) -> String {
    let id = answer["id"].as_str().or(answer["message"]["id"].as_str());
    id.unwrap_or_else(|| panic!("{answer}")).to_owned()
}

impl Drop for Stage {
    /// Prints what the program has written when the test fails.
    #[expect(
        clippy::print_stderr,
        reason = "the output of a failing test shows what happened"
    )]
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", self.output());
        }
        self.kill();
    }
}
