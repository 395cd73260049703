//! A client of one world.

use serde_json::{Value, json};

use crate::support::answer::Answer;
use crate::support::client::{Client, Request, content_md5, date, message, signature};
use crate::support::server::Server;

/// Sends an order about worlds; `null`: without a body.
pub(crate) async fn order(server: &Server, method: &str, tail: &str, body: Value) -> Answer {
    let dev = &server.ready()["dev"];
    let base = dev["url"]
        .as_str()
        .unwrap()
        .strip_suffix("/dev/v1")
        .unwrap();
    let client = server.client().undescribed_at(base);
    let target = format!("/dev/v1{tail}");
    let request = client
        .request(method, &target)
        .bearer(dev["token"].as_str().unwrap());
    if body.is_null() {
        return request.send().await;
    }
    let request = request.header("Content-Type", "application/json");
    request.body(body.to_string()).send().await
}

/// A world.
pub(crate) struct World<'s> {
    server: &'s Server,
    client: Client,
    /// Meets ordered faults.
    faulty: Client,
    /// As it was answered when it was made.
    pub(crate) made: Value,
}

impl<'s> World<'s> {
    /// Makes a world.
    pub(crate) async fn make(server: &'s Server, body: Value) -> Self {
        Self::from_answer(server, order(server, "POST", "/worlds", body).await)
    }

    /// Makes a world that goes on from a snapshot.
    pub(crate) async fn fork(&self, snapshot: &str) -> Self {
        let tail = format!("/snapshots/{snapshot}/fork");
        Self::from_answer(self.server, self.try_order("POST", &tail, json!({})).await)
    }

    fn from_answer(server: &'s Server, answer: Answer) -> Self {
        let response = answer.is(201).json;
        let base = response["base_url"].as_str().unwrap();
        Self {
            server,
            client: Client::new(base),
            faulty: server.client().undescribed_at(base),
            made: response,
        }
    }

    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    pub(crate) fn url(&self) -> &str {
        self.made["base_url"].as_str().unwrap()
    }

    /// The token of `ada`.
    pub(crate) fn token(&self) -> String {
        self.made["users"][0]["token"].as_str().unwrap().to_owned()
    }

    /// The path to which messages are posted.
    pub(crate) fn chat(&self) -> String {
        format!(
            "/v2/origin/custom/{}",
            self.made["scope_id"].as_str().unwrap()
        )
    }

    /// Sends an order, which may be refused.
    pub(crate) async fn try_order(&self, method: &str, tail: &str, body: Value) -> Answer {
        let id = self.made["id"].as_str().unwrap();
        order(self.server, method, &format!("/worlds/{id}{tail}"), body).await
    }

    /// Sends an order that is taken.
    pub(crate) async fn order(&self, method: &str, tail: &str, body: Value) -> Value {
        let answer = self.try_order(method, tail, body).await;
        assert!(matches!(answer.status, 200 | 201), "{answer:?}");
        answer.json
    }

    pub(crate) async fn text(&self, tail: &str) -> String {
        let answer = self.try_order("GET", tail, json!(null)).await.is(200);
        answer.body
    }

    pub(crate) async fn say(&self, customer: &str, text: &str) -> Value {
        let tail = format!("/customers/{customer}/say");
        self.order("POST", &tail, json!({ "text": text })).await
    }

    pub(crate) async fn reply(&self, user: &str, customer: &str, text: &str) -> Value {
        let tail = format!("/users/{user}/reply");
        let body = json!({ "text": text, "customer": customer });
        self.order("POST", &tail, body).await
    }

    pub(crate) async fn wait(&self, query: &str) -> Value {
        self.order("GET", &format!("/wait?{query}"), json!(null))
            .await
    }

    pub(crate) async fn fault(&self, body: Value) {
        self.order("POST", "/faults", body).await;
    }

    /// The texts of a customer's conversation, each behind its direction.
    pub(crate) async fn texts(&self, customer: &str) -> Vec<String> {
        let tail = format!("/customers/{customer}/messages");
        let page = self.order("GET", &tail, json!(null)).await;
        let messages = page["messages"].as_array().unwrap().iter();
        messages
            .map(|it| {
                format!(
                    "{} {}",
                    it["direction"].as_str().unwrap(),
                    it["text"].as_str().unwrap()
                )
            })
            .collect()
    }

    /// Posts a message in the conversation with this id of the program.
    pub(crate) async fn post_in(&self, msgid: &str, conversation: &str) -> Answer {
        let body = message(msgid, conversation).to_string();
        let answer = self.signed(&body).attempt().await;
        answer.expect("a whole answer")
    }

    /// Posts a message; `None`: no whole answer came.
    pub(crate) async fn try_post(&self, msgid: &str) -> Option<Answer> {
        let body = message(msgid, "program").to_string();
        self.signed(&body).attempt().await
    }

    /// Posts a message that is answered.
    pub(crate) async fn post(&self, msgid: &str) -> Answer {
        self.try_post(msgid).await.expect("a whole answer")
    }

    /// Reports what became of a reply, as its integration does: 1 is delivered, 2 is read.
    pub(crate) async fn report(&self, message: &str, status: u8) {
        let body = json!({ "msgid": message, "delivery_status": status }).to_string();
        let target = format!("{}/{message}/delivery_status", self.chat());
        let answer = self.signed_to(&target, &body).attempt().await.unwrap();
        assert_eq!(answer.status, 200, "{answer:?}");
    }

    fn signed(&self, body: &str) -> Request<'_> {
        self.signed_to(&self.chat(), body)
    }

    fn signed_to(&self, target: &str, body: &str) -> Request<'_> {
        let secret = self.made["channel"]["secret"].as_str().unwrap();
        let signature = signature(secret, body.as_bytes());
        self.faulty
            .request("POST", target)
            .header("Content-Type", "application/json")
            .header("X-Signature", &signature)
            .body(body)
    }

    /// Posts a message as one of the current generation does, with a date so many seconds later.
    pub(crate) async fn post_today(&self, msgid: &str, later: i64) -> Answer {
        self.post_dated(msgid, &date(later)).await
    }

    /// Posts a message as one of the current generation does, with this date.
    pub(crate) async fn post_dated(&self, msgid: &str, date: &str) -> Answer {
        let secret = self.made["channel"]["secret"].as_str().unwrap();
        let body = message(msgid, "program").to_string();
        let request = self
            .client
            .request("POST", &self.chat())
            .header("Content-Type", "application/json")
            .header("Content-MD5", &content_md5(body.as_bytes()))
            .header("Date", date);
        request.canonically_signed(secret).body(body).send().await
    }
}
