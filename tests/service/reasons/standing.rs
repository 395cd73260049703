//! The standing of callbacks and the health of addresses: each case has a channel and a receiver of its own.

use serde_json::{Value, json};
use switchboard_actors::domain::dispatch::reason::ReasonCode;
use switchboard_worlds::sink::{Behaviour, Reply};

use crate::delivery::{act, delivery_is, read};
use crate::support::client::{Client, message, scope};
use crate::support::eventually;
use crate::support::message_place::MessagePlace;
use crate::support::receiver::Receiver;
use crate::support::server::{ACCOUNT, SECRET, Server, Setup, TOKEN};

/// The number of callbacks that an endpoint without an attempt gets at once.
pub(super) const AT_ONCE: usize = 4;

/// A service that gives up soon: after one refusal that cannot change, or in an hour.
pub(super) async fn service() -> Server {
    let setup = Setup::default()
        .setting("dispatch", "timeout_seconds = 30")
        .setting("dispatch", "refused_attempts_max = 1");
    setup.setting("dispatch", "age_max_hours = 1").start().await
}

/// The attempt fails, and the next one is so many seconds away.
fn later(status: u16, seconds: u32) -> Behaviour {
    let seconds = seconds.to_string();
    Behaviour::Answer(Reply::new(status).header("Retry-After", &seconds))
}

/// A connected channel with a receiver.
pub(super) struct Stage<'s> {
    server: &'s Server,
    client: &'s Client,
    code: ReasonCode,
    channel: String,
    receiver: Receiver,
}

impl<'s> Stage<'s> {
    pub(super) async fn on(server: &'s Server, code: ReasonCode) -> Self {
        let receiver = Receiver::start().await;
        let channel = code.as_str().replace('_', "-");
        let new = json!({
            "id": channel, "name": channel, "secret": SECRET, "accounts": ["*"],
            "webhook_v1": receiver.webhook("v1"), "webhook_v2": receiver.webhook("v2"),
        });
        let client = server.client();
        let response = client.operates("POST", "/admin/v1/channels", &new).await;
        response.is(201);
        let stage = Self {
            server,
            client,
            code,
            channel,
            receiver,
        };
        stage.connect("v2").await;
        stage
    }

    async fn connect(&self, version: &str) {
        let body = json!({ "account_id": ACCOUNT, "hook_api_version": version });
        let target = format!("{}/connect", self.channel);
        self.client.post(&target, &body).await.is(200);
    }

    /// A reply in a new conversation with this customer.
    async fn replied(&self, customer: &str) -> MessagePlace {
        let event = message("m", customer);
        let scope = scope(&self.channel, ACCOUNT);
        let response = self.client.post(&scope, &event).await.is(200).json;
        let conversation = response["new_message"]["conversation_id"].as_str().unwrap();
        MessagePlace {
            conversation: conversation.to_owned(),
            message: self.client.replied(conversation, "reply").await,
        }
    }

    /// The delivery of the reply once it has the code of this case, which the account user reads too.
    async fn shown(&self, reply: &MessagePlace) -> Value {
        let code = self.code.as_str();
        let target = format!("/admin/v1/deliveries/{}", reply.message);
        let delivery = eventually(&format!("a callback is {code}"), async || {
            let delivery = read(self.server, &target).await;
            (delivery["reason_code"] == code).then_some(delivery)
        })
        .await;
        let state = delivery["state"].as_str().unwrap();
        let MessagePlace {
            conversation,
            message,
        } = reply;
        let callback = self.client.callback_is(conversation, message, state);
        assert_eq!(callback.await["callback"]["reason_code"], code);
        delivery
    }

    /// Does something with the channel.
    async fn operate(&self, method: &str, what: &str, body: &Value) {
        let target = format!("/admin/v1/channels/{}{what}", self.channel);
        self.client.operates(method, &target, body).await.is(200);
    }

    /// The endpoint of this version now.
    pub(super) async fn endpoint(&self, version: &str) -> Value {
        let list = read(self.server, "/admin/v1/endpoints?limit=250").await;
        let mut all = list["endpoints"].as_array().unwrap().iter();
        let ours = |it: &&Value| it["channel_id"] == self.channel && it["version"] == version;
        all.find(ours).unwrap().clone()
    }

    /// The endpoint once it has the code of this case.
    async fn endpoint_shown(&self) -> Value {
        let code = self.code.as_str();
        eventually(&format!("an endpoint is {code}"), async || {
            let endpoint = self.endpoint("v2").await;
            (endpoint["reason_code"] == code).then_some(endpoint)
        })
        .await
    }

    /// A reply whose next attempt is ten minutes away.
    async fn waiting(&self) -> MessagePlace {
        self.receiver.script([later(500, 600)]);
        let reply = self.replied("c").await;
        delivery_is(self.server, &reply.message, "waiting").await;
        reply
    }

    /// A callback of another conversation arrives.
    pub(super) async fn delivers(&self, customer: &str) {
        let reply = self.replied(customer).await;
        delivery_is(self.server, &reply.message, "delivered").await;
    }

    pub(super) async fn in_progress(&self) -> Value {
        self.receiver.script([Behaviour::Hang]);
        self.shown(&self.replied("c").await).await
    }

    pub(super) async fn behind_earlier(&self) -> Value {
        self.receiver.script([Behaviour::Hang]);
        let MessagePlace { conversation, .. } = self.replied("c").await;
        let message = self.client.replied(&conversation, "second").await;
        let second = MessagePlace {
            conversation,
            message,
        };
        self.shown(&second).await
    }

    pub(super) async fn attempts_used(&self) -> Value {
        self.receiver.script([Behaviour::status(422)]);
        let dead = self.shown(&self.replied("c").await).await;
        assert_eq!(dead["reason_details"]["last"], "message_refused");
        dead
    }

    pub(super) async fn tried_too_long(&self) -> Value {
        self.receiver.script([later(409, 3_600)]);
        self.shown(&self.replied("c").await).await
    }

    pub(super) async fn disconnected(&self) -> Value {
        let reply = self.waiting().await;
        let body = json!({ "account_id": ACCOUNT }).to_string();
        let target = format!("{}/disconnect", self.channel);
        self.client
            .signed("DELETE", &target, body)
            .send()
            .await
            .is(200);
        self.shown(&reply).await
    }

    pub(super) async fn discarded(&self) -> Value {
        let reply = self.waiting().await;
        act(self.server, &reply.message, "discard").await.is(200);
        self.shown(&reply).await
    }

    pub(super) async fn withdrawn(&self) -> Value {
        let reply = self.waiting().await;
        let MessagePlace {
            conversation,
            message,
        } = &reply;
        let target = format!("/inbox/v1/conversations/{conversation}/messages/{message}/withdraw");
        let withdrawn = self.client.request("POST", &target).bearer(TOKEN);
        withdrawn.send().await.is(204);
        self.shown(&reply).await
    }

    /// Callbacks of several conversations fail until the service sends none.
    async fn all_fail(&self) -> MessagePlace {
        self.receiver
            .script(std::iter::repeat_n(Behaviour::status(401), 20));
        for number in 0..AT_ONCE {
            self.replied(&format!("c{number}")).await;
        }
        self.replied("last").await
    }

    pub(super) async fn address_failing(&self) -> Value {
        self.shown(&self.all_fail().await).await
    }

    pub(super) async fn probed(&self) -> Value {
        self.all_fail().await;
        self.endpoint_shown().await
    }

    /// Callbacks of one conversation fail until the service holds it. No test waits for the retries between.
    async fn one_fails(&self) -> MessagePlace {
        self.receiver
            .script(std::iter::repeat_n(Behaviour::status(401), 20));
        let reply = self.replied("c").await;
        eventually("the conversation is held", async || {
            let delivery = read(
                self.server,
                &format!("/admin/v1/deliveries/{}", reply.message),
            )
            .await;
            if delivery["state"] == "waiting" {
                // It may have been sent meanwhile.
                act(self.server, &reply.message, "replay").await;
            }
            (delivery["state"] == "held").then_some(())
        })
        .await;
        reply
    }

    pub(super) async fn conversation_held(&self) -> Value {
        self.shown(&self.one_fails().await).await
    }

    pub(super) async fn conversation_fails(&self) -> Value {
        self.one_fails().await;
        self.endpoint_shown().await
    }

    pub(super) async fn pause_asked(&self) -> Value {
        self.receiver.script([later(429, 600)]);
        self.shown(&self.replied("c").await).await
    }

    pub(super) async fn address_gone(&self) -> Value {
        self.receiver.script([Behaviour::status(410)]);
        self.shown(&self.replied("c").await).await
    }

    pub(super) async fn slow_start(&self) -> Value {
        self.receiver.script([Behaviour::status(410)]);
        let reply = self.replied("c").await;
        delivery_is(self.server, &reply.message, "held").await;
        let target = format!("/admin/v1/endpoints/{}/v2/enable", self.channel);
        self.client
            .operates("POST", &target, &json!({}))
            .await
            .is(204);
        self.endpoint_shown().await
    }

    pub(super) async fn no_address(&self) -> Value {
        self.operate("PATCH", "", &json!({ "webhook_v2": null }))
            .await;
        self.shown(&self.replied("c").await).await
    }

    pub(super) async fn channel_paused(&self) -> Value {
        self.operate("POST", "/pause", &json!({})).await;
        self.shown(&self.replied("c").await).await
    }

    pub(super) async fn callbacks_fail(&self) -> Value {
        self.waiting().await;
        self.endpoint_shown().await
    }

    /// The first message of a conversation that an account user began. It cannot leave by version 2, which has no address, and
    /// then the account goes back to version 1.
    pub(super) async fn not_expressible(&self) -> Value {
        let address = json!({ "webhook_v2": self.receiver.webhook("v2") });
        self.operate("PATCH", "", &address).await;
        self.connect("v2").await;
        self.operate("PATCH", "", &json!({ "webhook_v2": null }))
            .await;
        let scope = scope(&self.channel, ACCOUNT);
        let first = json!({ "scope_id": scope, "phone": "+7 916 123-45-67", "text": "Good day!" });
        let target = "/inbox/v1/conversations";
        let request = self
            .client
            .request("POST", target)
            .bearer(TOKEN)
            .header("Content-Type", "application/json");
        let response = request.body(first.to_string()).send().await.is(201).json;
        let id = |what: &str| response[what]["id"].as_str().unwrap().to_owned();
        let first = MessagePlace {
            conversation: id("conversation"),
            message: id("message"),
        };
        self.connect("v1").await;
        self.shown(&first).await
    }
}
