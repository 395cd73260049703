//! An integration and an account user, as the service sees them.

use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use md5::{Digest, Md5};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Response};
use serde_json::{Value, json};
use sha1::Sha1;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::answer::{Answer, CHAT};
use super::server::{ACCOUNT, CHANNEL, OPERATOR_TOKEN, SECRET, TOKEN};
use super::{PATIENCE, eventually};

/// The hexadecimal HMAC-SHA1 of these bytes.
pub fn signature(secret: &str, body: &[u8]) -> String {
    let mut mac = Hmac::<Sha1>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(body);
    hex::encode(mac.finalize().into_bytes())
}

/// The hexadecimal MD5 of these bytes, as `Content-MD5` carries it.
pub fn content_md5(body: &[u8]) -> String {
    hex::encode(Md5::digest(body))
}

/// Now, and so many seconds later, as a `Date` header.
pub fn date(later: i64) -> String {
    let moment = jiff::Timestamp::now() + jiff::SignedDuration::from_secs(later);
    moment.strftime("%a, %d %b %Y %H:%M:%S +0000").to_string()
}

/// The scope of an account in a channel.
pub fn scope(channel: &str, account: &str) -> String {
    format!("{channel}_{account}")
}

/// A loud text message of a customer, for tests to change.
pub fn message(msgid: &str, conversation: &str) -> Value {
    json!({
        "event_type": "new_message",
        "payload": {
            "timestamp": 1_639_604_761,
            "msgid": msgid,
            "conversation_id": conversation,
            "sender": {
                "id": format!("customer of {conversation}"),
                "avatar": "https://example.com/avatar.png",
                "name": "Grace",
            },
            "message": { "type": "text", "text": format!("text of {msgid}") },
        },
    })
}

/// The same, silent.
pub fn silent_message(msgid: &str, conversation: &str) -> Value {
    let mut event = message(msgid, conversation);
    event["payload"]["silent"] = json!(true);
    event
}

/// A client of one service.
#[derive(Clone, Debug)]
pub struct Client {
    http: reqwest::Client,
    base: String,
    /// True when the document must describe its answers.
    is_described: bool,
}

impl Client {
    /// A client of the service at this address.
    pub fn new(base: &str) -> Self {
        if rustls::crypto::CryptoProvider::get_default().is_none() {
            rustls::crypto::ring::default_provider()
                .install_default()
                .unwrap_or_default();
        }
        let http = reqwest::Client::builder()
            .timeout(PATIENCE)
            // The service closes idle connections after 75 seconds: a request on one of them may get no answer.
            .pool_idle_timeout(Duration::from_secs(30))
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .build();
        Self {
            http: http.unwrap(),
            base: base.to_owned(),
            is_described: true,
        }
    }

    /// A client of what no document describes, such as answers with an ordered fault.
    pub fn undescribed(base: &str) -> Self {
        Self {
            is_described: false,
            ..Self::new(base)
        }
    }

    /// The same client for another address, of which no document describes the answers.
    pub fn undescribed_at(&self, base: &str) -> Self {
        Self {
            http: self.http.clone(),
            base: base.to_owned(),
            is_described: false,
        }
    }

    /// A request with nothing in it.
    pub fn request(&self, method: &str, target: &str) -> Request<'_> {
        Request {
            client: self,
            method: method.to_owned(),
            target: target.to_owned(),
            headers: HeaderMap::new(),
            body: None,
        }
    }

    /// A request to the chat interface with these bytes, declared as JSON and rightly signed for [`CHANNEL`].
    pub fn signed(&self, method: &str, tail: &str, body: impl Into<Vec<u8>>) -> Request<'_> {
        let body = body.into();
        self.request(method, &format!("{CHAT}{tail}"))
            .header("Content-Type", "application/json")
            .header("X-Signature", &signature(SECRET, &body))
            .body(body)
    }

    /// A request of the current generation with these bytes, rightly signed for [`CHANNEL`].
    pub fn canonical(&self, method: &str, tail: &str, body: impl Into<Vec<u8>>) -> Request<'_> {
        let body = body.into();
        let request = self
            .request(method, &format!("{CHAT}{tail}"))
            .header("Date", &date(0))
            .header("Content-Type", "application/json")
            .header("Content-MD5", &content_md5(&body));
        request.body(body).canonically_signed(SECRET)
    }

    /// A POST of the current generation.
    pub async fn post_today(&self, tail: &str, body: &Value) -> Answer {
        self.canonical("POST", tail, body.to_string()).send().await
    }

    /// Posts a message for [`ACCOUNT`] in the current generation.
    pub async fn send_today(&self, event: &Value) -> Answer {
        self.post_today(&scope(CHANNEL, ACCOUNT), event).await
    }

    /// As [`Self::send_today`], must work; gives the object in `new_message`.
    pub async fn sent_today(&self, event: &Value) -> Value {
        let answer = self.send_today(event).await.is(200);
        answer.json["new_message"].clone()
    }

    /// The history of a conversation, or a part of it.
    pub async fn history(&self, conversation: &str, query: &str) -> Answer {
        let scope = scope(CHANNEL, ACCOUNT);
        let tail = format!("{scope}/chats/{conversation}/history{query}");
        self.canonical("GET", &tail, "").send().await
    }

    /// Connects an account to [`CHANNEL`].
    pub async fn connect_account(&self, account: &str, version: &str) -> Answer {
        let body = json!({ "account_id": account, "hook_api_version": version });
        self.post(&format!("{CHANNEL}/connect"), &body).await
    }

    /// Connects [`ACCOUNT`] to [`CHANNEL`], which must work, and gives the scope.
    pub async fn connect(&self, version: &str) -> String {
        let answer = self.connect_account(ACCOUNT, version).await.is(200);
        answer.json["scope_id"].as_str().unwrap().to_owned()
    }

    /// Disconnects an account from [`CHANNEL`].
    pub async fn disconnect_account(&self, account: &str) -> Answer {
        let body = json!({ "account_id": account }).to_string();
        self.signed("DELETE", &format!("{CHANNEL}/disconnect"), body)
            .send()
            .await
    }

    /// Disconnects [`ACCOUNT`] from [`CHANNEL`], which must work.
    pub async fn disconnect(&self) {
        self.disconnect_account(ACCOUNT).await.is(200);
    }

    /// Posts a customer's message for [`ACCOUNT`].
    pub async fn send(&self, event: &Value) -> Answer {
        self.post(&scope(CHANNEL, ACCOUNT), event).await
    }

    /// As [`Self::send`], must work; gives the object in `new_message`.
    pub async fn sent(&self, event: &Value) -> Value {
        let answer = self.send(event).await.is(200);
        answer.json["new_message"].clone()
    }

    /// Reports on a message of an account user of [`ACCOUNT`].
    pub async fn delivery_status(&self, message: &str, body: &Value) -> Answer {
        let scope = scope(CHANNEL, ACCOUNT);
        self.post(&format!("{scope}/{message}/delivery_status"), body)
            .await
    }

    /// A signed POST to the chat interface.
    pub async fn post(&self, tail: &str, body: &Value) -> Answer {
        self.signed("POST", tail, body.to_string()).send().await
    }

    /// Reads something of the account side as [`ACCOUNT`]'s administrator.
    pub async fn get(&self, target: &str) -> Answer {
        self.get_as(TOKEN, target).await
    }

    /// Reads something of the account side with this token.
    pub async fn get_as(&self, token: &str, target: &str) -> Answer {
        self.request("GET", target).bearer(token).send().await
    }

    /// As [`Self::get`], must work; gives the JSON, null for the 204 of an empty list.
    pub async fn read(&self, target: &str) -> Value {
        self.get(target).await.when_read().json
    }

    /// All conversations of [`ACCOUNT`] that fit on one page.
    pub async fn conversations(&self) -> Vec<Value> {
        let list = self.read("/inbox/v1/conversations?limit=250").await;
        list["conversations"].as_array().unwrap().clone()
    }

    /// All messages of a conversation that fit on one page, newest first.
    pub async fn messages(&self, conversation: &str) -> Vec<Value> {
        let list = self
            .read(&format!(
                "/inbox/v1/conversations/{conversation}/messages?limit=250"
            ))
            .await;
        list["messages"].as_array().unwrap().clone()
    }

    /// All leads of [`ACCOUNT`] that fit on one page.
    pub async fn leads(&self) -> Vec<Value> {
        let list = self.read("/api/v4/leads?limit=250").await;
        entries(&list, "leads")
    }

    /// All contacts of [`ACCOUNT`] that fit on one page.
    pub async fn contacts(&self) -> Vec<Value> {
        let list = self.read("/api/v4/contacts?limit=250").await;
        entries(&list, "contacts")
    }

    /// [`ACCOUNT`]'s administrator answers in a conversation.
    pub async fn reply(&self, conversation: &str, text: &str) -> Answer {
        let target = format!("/inbox/v1/conversations/{conversation}/messages");
        self.request("POST", &target)
            .bearer(TOKEN)
            .header("Content-Type", "application/json")
            .body(json!({ "type": "text", "text": text }).to_string())
            .send()
            .await
    }

    /// As [`Self::reply`], must work; gives the id of the message.
    pub async fn replied(&self, conversation: &str, text: &str) -> String {
        let answer = self.reply(conversation, text).await.is(201);
        answer.json["id"].as_str().unwrap().to_owned()
    }

    /// Waits until the callback of a message is in this state, and gives the message.
    pub async fn callback_is(&self, conversation: &str, message: &str, state: &str) -> Value {
        eventually(
            &format!("the callback of {message} is {state}"),
            async || {
                let messages = self.messages(conversation).await;
                messages
                    .into_iter()
                    .find(|known| known["id"] == message && known["callback"]["state"] == state)
            },
        )
        .await
    }

    /// A request of the operator.
    pub fn operate(&self, method: &str, target: &str) -> Request<'_> {
        self.request(method, target).bearer(OPERATOR_TOKEN)
    }

    /// A request of the operator with this body.
    pub async fn operates(&self, method: &str, target: &str, body: &Value) -> Answer {
        self.operate(method, target)
            .header("Content-Type", "application/json")
            .body(body.to_string())
            .send()
            .await
    }

    /// Sends these bytes on a connection of their own and reads until the service closes it.
    pub async fn raw(&self, bytes: &[u8]) -> String {
        let mut socket = self.open().await;
        // A service that refuses early may close before everything is written.
        socket.write_all(bytes).await.ok();
        rest(&mut socket).await
    }

    /// A connection to the service.
    pub async fn open(&self) -> TcpStream {
        TcpStream::connect(self.host()).await.unwrap()
    }

    /// Host and port of the service, as a `Host` header has them.
    pub fn host(&self) -> &str {
        self.base.strip_prefix("http://").unwrap()
    }
}

/// Reads a connection to its end.
pub async fn rest(socket: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let read = tokio::time::timeout(PATIENCE, async {
        // A reset after the answer is an end as well.
        socket.read_to_end(&mut bytes).await.ok();
    });
    read.await.expect("the service closes the connection");
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A request that is being put together.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    client: &'a Client,
    method: String,
    target: String,
    headers: HeaderMap,
    body: Option<Vec<u8>>,
}

impl Request<'_> {
    /// Sets a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        let name: HeaderName = name.parse().unwrap();
        self.headers.insert(name, value.parse().unwrap());
        self
    }

    /// Adds a header to those of the same name.
    #[must_use]
    pub fn another(mut self, name: &str, value: &str) -> Self {
        let name: HeaderName = name.parse().unwrap();
        self.headers
            .append(name, HeaderValue::from_str(value).unwrap());
        self
    }

    /// Takes a header away.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.headers.remove(name);
        self
    }

    /// A bearer token.
    #[must_use]
    pub fn bearer(self, token: &str) -> Self {
        self.header("Authorization", &format!("Bearer {token}"))
    }

    /// The body; the signature stays what it was.
    #[must_use]
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = Some(body.into());
        self
    }

    /// The same to another address of the chat interface.
    #[must_use]
    pub fn to(self, tail: &str) -> Self {
        let target = format!("{CHAT}{tail}");
        Self { target, ..self }
    }

    /// The value of a header that was set.
    pub fn value(&self, name: &str) -> String {
        self.headers[name].to_str().unwrap().to_owned()
    }

    /// Signs method, digest, type, date and path as they are now.
    #[must_use]
    pub fn canonically_signed(self, secret: &str) -> Self {
        let header = |name: &str| {
            let value = self.headers.get(name);
            value.map_or("", |value| value.to_str().unwrap())
        };
        let path = self.target.split('?').next().unwrap();
        let text = [
            &self.method,
            header("content-md5"),
            header("content-type"),
            header("date"),
            path,
        ];
        let signature = signature(secret, text.join("\n").as_bytes());
        self.header("X-Signature", &signature)
    }

    /// Sends it with a declared length.
    pub async fn send(self) -> Answer {
        let body = self.body.clone().map(reqwest::Body::from);
        self.send_body(body).await
    }

    /// As [`Self::send`], to a service that may be killed meanwhile: `None` when no complete answer came.
    pub async fn attempt(self) -> Option<Answer> {
        let body = self.body.clone().map(reqwest::Body::from);
        self.try_send_body(body).await.ok()
    }

    async fn send_body(self, body: Option<reqwest::Body>) -> Answer {
        self.try_send_body(body).await.unwrap()
    }

    async fn try_send_body(self, body: Option<reqwest::Body>) -> reqwest::Result<Answer> {
        let method = Method::from_bytes(self.method.as_bytes()).unwrap();
        let url = format!("{}{}", self.client.base, self.target);
        let mut request = self.client.http.request(method, &url).headers(self.headers);
        if let Some(body) = body {
            request = request.body(body);
        }
        let response = request.send().await?;
        if !self.client.is_described {
            let (status, headers) = (response.status().as_u16(), response.headers().clone());
            let body = response.bytes().await?;
            return Ok(Answer::undescribed(status, headers, &body));
        }
        answer(&self.method, &self.target, response).await
    }

    /// The same request as bytes, with the target exactly as it is here, for a connection of its own.
    pub fn bytes(&self) -> Vec<u8> {
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, self.target);
        if !self.headers.contains_key("host") {
            head.push_str(&format!("Host: {}\r\n", self.client.host()));
        }
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {}\r\n", value.to_str().unwrap()));
        }
        let body = self.body.clone().unwrap_or_default();
        head.push_str(&format!(
            "Content-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        ));
        [head.into_bytes(), body].concat()
    }

    /// Sends exactly these bytes: nothing is tidied up in the target.
    pub async fn send_exactly(self) -> Answer {
        let text = self.client.raw(&self.bytes()).await;
        parsed(&self.method, &self.target, &text)
    }
}

/// The one answer in what a connection gave.
pub fn parsed(method: &str, target: &str, text: &str) -> Answer {
    let (head, body) = text.split_once("\r\n\r\n").expect(text);
    let mut lines = head.split("\r\n");
    let status = lines.next().unwrap().split(' ').nth(1).unwrap();
    let mut headers = HeaderMap::new();
    for line in lines {
        let (name, value) = line.split_once(':').unwrap();
        let name: HeaderName = name.parse().unwrap();
        headers.append(name, value.trim().parse().unwrap());
    }
    Answer::new(
        method,
        target,
        status.parse().unwrap(),
        headers,
        body.as_bytes(),
    )
}

async fn answer(method: &str, target: &str, response: Response) -> reqwest::Result<Answer> {
    let status = response.status().as_u16();
    let headers = response.headers().clone();
    let path = target.split('?').next().unwrap();
    let body = response.bytes().await?;
    Ok(Answer::new(method, path, status, headers, &body))
}

/// The entries of a page of the account side; none of an empty list, which has no body.
pub fn entries(page: &Value, name: &str) -> Vec<Value> {
    let entries = page["_embedded"][name].as_array();
    entries.cloned().unwrap_or_default()
}
