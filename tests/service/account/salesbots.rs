//! Salesbots: programs run them, and what they say reaches the customer as a message of a bot.

use serde_json::{Value, json};
use switchboard_worlds::sink::{Behaviour, Received};

use crate::operator::audit_log;
use crate::rights::floor;
use crate::support::answer::Answer;
use crate::support::client::{Client, entries, message};
use crate::support::oauth::{OAUTH_CLIENT, OAUTH_SECRET, does, installed};
use crate::support::receiver::Receiver;
use crate::support::server::{ACCOUNT, OTHER_TOKEN, Server, Setup, TOKEN};

const BOTS: &str = "/api/v4/bots";
const RUN: &str = "/api/v4/bots/1/run";
const STOP: &str = "/api/v4/bots/1/stop";

/// Defines a custom field of leads, and a salesbot that sends its value; the number of the field.
async fn sends_field(client: &Client) -> u64 {
    let field = json!([{ "name": "Answer", "type": "textarea" }]);
    let answer = floor::admin(client, "POST", "/api/v4/leads/custom_fields", &field).await;
    let fields = entries(&answer.is(200).json, "custom_fields");
    let id = fields[0]["id"].as_u64().unwrap();
    let bot = json!({ "name": "Answer", "kind": "send_field", "field_id": id });
    floor::admin(client, "POST", BOTS, &bot).await.is(201);
    id
}

/// Defines a salesbot that asks a program.
async fn asks(client: &Client, token: &str, receiver: &Receiver) -> Value {
    let bot =
        json!({ "name": "Ask", "kind": "ask_program", "url": receiver.webhook("ask?k=7d1f") });
    does(client, token, "POST", BOTS, &bot).await.is(201).json
}

/// Writes a value into the field of a lead.
async fn fills(client: &Client, lead: u64, field: u64, text: &str) {
    let values =
        json!({ "custom_fields_values": [{ "field_id": field, "values": [{ "value": text }] }] });
    let target = format!("/api/v4/leads/{lead}");
    floor::admin(client, "PATCH", &target, &values)
        .await
        .is(200);
}

fn of_lead(lead: u64) -> Value {
    json!({ "entity_id": lead, "entity_type": "leads" })
}

async fn runs(client: &Client, lead: u64) -> Answer {
    floor::admin(client, "POST", RUN, &of_lead(lead)).await
}

/// The texts of bots in a talk, oldest first.
async fn said(client: &Client, talk: u64) -> Vec<String> {
    let messages = client.read(&format!("/api/v4/talks/{talk}/messages")).await;
    let all = entries(&messages, "messages");
    let of_bots = all.iter().rev().filter(|it| it["author"]["type"] == "bot");
    of_bots
        .map(|it| it["text"].as_str().unwrap().to_owned())
        .collect()
}

/// The address of the question that came last, as a path.
fn return_path(server: &Server, question: &Value) -> String {
    let url = question["return_url"].as_str().unwrap();
    url.strip_prefix(server.url()).unwrap().to_owned()
}

fn shows(texts: &[&str]) -> Value {
    let handlers = texts
        .iter()
        .map(|text| json!({ "handler": "show", "params": { "type": "text", "value": text } }));
    json!({ "data": { "status": "success" }, "execute_handlers": handlers.collect::<Vec<_>>() })
}

/// A service with a connected channel that waits longer for programs than they can count on.
async fn patient(receiver: &Receiver) -> Server {
    Setup::default()
        .webhook(receiver)
        .setting("dispatch", "hook_timeout_seconds = 30")
        .start()
        .await
}

/// Waits for this many questions, and gives the last one.
async fn question(program: &Receiver, count: usize) -> Value {
    let requests = program.requests(count).await;
    assert_eq!(requests.len(), count);
    body(requests.last().unwrap())
}

fn body(request: &Received) -> Value {
    serde_json::from_slice(&request.body).unwrap()
}

#[tokio::test]
async fn an_agent_answers_through_a_field_and_a_salesbot() {
    let receiver = Receiver::start().await;
    let hooks = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    let field = sends_field(client).await;
    let webhook = json!({ "destination": hooks.webhook("in"), "settings": ["add_message", "add_outgoing_message"] });
    floor::admin(client, "POST", "/api/v4/webhooks", &webhook)
        .await
        .is(201);
    let (access, _) = installed(client).await;
    let chats = floor::conversations(client, 1).await;
    // The loop of an agent: a hook, the field of the lead, the run.
    let hook = hooks.requests(1).await.remove(0);
    let form: Vec<(String, String)> = url::form_urlencoded::parse(&hook.body)
        .into_owned()
        .collect();
    let value = |key: &str| form.iter().find(|(it, _)| it == key).unwrap().1.clone();
    let lead: u64 = value("message[add][0][entity_id]").parse().unwrap();
    fills(client, lead, field, "We open at nine.\nCome in!").await;
    let ran = does(client, &access, "POST", RUN, &of_lead(lead))
        .await
        .is(202);
    assert_eq!(ran.body, "");
    let callback = receiver.callbacks(1).await.remove(0).json;
    assert_eq!(
        callback["message"]["message"]["text"],
        "We open at nine.\nCome in!"
    );
    assert_eq!(callback["message"]["sender"]["name"], "Bridge");
    let id = callback["message"]["message"]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    client.callback_is(&chats[0], &id, "delivered").await;
    assert_eq!(said(client, lead).await, ["We open at nine.\nCome in!"]);
    let outgoing = hooks.requests(2).await.remove(1);
    let text = String::from_utf8(outgoing.body.to_vec()).unwrap();
    assert!(
        text.contains("outgoing_message%5Badd%5D%5B0%5D%5Bauthor%5D%5Btype%5D=bot"),
        "{text}"
    );
}

#[tokio::test]
async fn salesbots_are_defined_listed_and_deleted() {
    let receiver = Receiver::start().await;
    let mut server = Server::start().await;
    let client = server.client();
    client.get(BOTS).await.is(204);
    let field = sends_field(client).await;
    let asking = asks(client, TOKEN, &receiver).await;
    assert_eq!(asking["field_id"], Value::Null);
    assert!(!asking.to_string().contains("7d1f"), "{asking}");
    let first = client.read(&format!("{BOTS}?limit=1")).await;
    assert_eq!(first["_total_items"], 2);
    let bot = entries(&first, "items").remove(0);
    let expected = json!({
        "id": 1, "name": "Answer", "type_functionality": "regular", "is_visual_editor": false,
        "settings": { "active": true },
        "kind": "send_field", "field_id": field, "host": null, "created_by": 1,
        "created_at": bot["created_at"],
    });
    assert_eq!(bot, expected);
    assert_eq!(client.read(&format!("{BOTS}/1")).await, expected);
    client.get(&format!("{BOTS}/3")).await.is(204);
    assert!(
        first["_links"]["next"]["href"]
            .as_str()
            .unwrap()
            .contains("page=2")
    );
    client.get(&format!("{BOTS}?page=2")).await.is(204);
    server.kill_9();
    server.restart().await;
    let client = server.client();
    assert_eq!(entries(&client.read(BOTS).await, "items").len(), 2);
    let log = audit_log(&server).await;
    let text = serde_json::to_string(&log).unwrap();
    assert!(text.contains("salesbot.create"), "{text}");
    assert!(!text.contains("7d1f"), "{text}");
    floor::admin(client, "DELETE", "/api/v4/bots/1", &Value::Null)
        .await
        .is(204);
    floor::admin(client, "DELETE", "/api/v4/bots/1", &Value::Null)
        .await
        .is(404);
    assert_eq!(entries(&client.read(BOTS).await, "items")[0]["id"], 2);
    // Another account sees none of them.
    does(client, OTHER_TOKEN, "GET", BOTS, &Value::Null)
        .await
        .is(204);
}

#[tokio::test]
async fn what_is_wrong_with_a_definition_is_reported_at_once() {
    let setup = Setup::default().setting("dispatch", "allow_private_networks = false");
    let server = setup.start().await;
    let client = server.client();
    let date = json!([{ "name": "Day", "type": "date" }]);
    let fields = floor::admin(client, "POST", "/api/v4/leads/custom_fields", &date).await;
    let date = entries(&fields.is(200).json, "custom_fields")[0]["id"].clone();
    for (body, path) in [
        (
            json!({ "name": "N", "kind": "send_field", "field_id": 99 }),
            "field_id",
        ),
        (
            json!({ "name": "N", "kind": "send_field", "field_id": date }),
            "field_id",
        ),
        (json!({ "name": "N", "kind": "send_field" }), "field_id"),
        (
            json!({ "name": "N", "kind": "ask_program", "url": "http://10.0.0.1/" }),
            "url",
        ),
        (
            json!({ "name": "N", "kind": "ask_program", "url": "ftp://a.example/" }),
            "url",
        ),
        (json!({ "name": "N", "kind": "dance" }), "kind"),
    ] {
        let refusal = floor::admin(client, "POST", BOTS, &body).await.is(400);
        let wrong = refusal.json["validation-errors"].to_string();
        assert!(wrong.contains(&format!("\"path\":\"{path}\"")), "{wrong}");
    }
    client.get(BOTS).await.is(204);
}

#[tokio::test]
async fn a_run_says_why_it_does_not_begin() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 1).await;
    let field = sends_field(client).await;
    let detail = |answer: Answer| answer.json["detail"].as_str().unwrap().to_owned();
    let empty = detail(runs(client, 1).await.is(422));
    assert!(
        empty.contains(&format!("no value in the custom field {field}")),
        "{empty}"
    );
    fills(client, 1, field, "Yes").await;
    runs(client, 99).await.is(404);
    floor::admin(client, "POST", "/api/v4/bots/9/run", &of_lead(1))
        .await
        .is(404);
    let contact = json!({ "entity_id": 99, "entity_type": "contacts" });
    floor::admin(client, "POST", RUN, &contact).await.is(404);
    let leads = json!([{ "name": "By hand" }]);
    floor::admin(client, "POST", "/api/v4/leads", &leads)
        .await
        .is(200);
    fills(client, 2, field, "Yes").await;
    assert!(detail(runs(client, 2).await.is(422)).contains("no chat"));
    for wrong in [
        json!({}),
        json!({ "entity_id": 1, "entity_type": "companies" }),
        json!([]),
    ] {
        floor::admin(client, "POST", RUN, &wrong).await.is(400);
    }
    assert!(said(client, 1).await.is_empty());
    // A contact stands for its newest lead with a chat; numbers stand for kinds.
    let contact = json!({ "entity_id": 1, "entity_type": 1 });
    floor::admin(client, "POST", RUN, &contact).await.is(202);
    let close = "/api/v4/talks/1/close";
    floor::admin(client, "POST", close, &json!({}))
        .await
        .is(202);
    assert_eq!(detail(runs(client, 1).await.is(422)), "Talk is closed");
    let target = format!("/api/v4/leads/custom_fields/{field}");
    client.sent(&message("m2", "c1")).await;
    floor::admin(client, "DELETE", &target, &Value::Null)
        .await
        .is(204);
    assert!(detail(runs(client, 1).await.is(422)).contains("was deleted"));
    assert_eq!(said(client, 1).await, ["Yes"]);
}

#[tokio::test]
async fn several_runs_begin_or_none() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 2).await;
    let field = sends_field(client).await;
    fills(client, 1, field, "One").await;
    let all = json!([
        { "bot_id": 1, "entity_id": 1, "entity_type": "leads" },
        { "bot_id": 1, "entity_id": 2, "entity_type": 2 },
        { "bot_id": 9, "entity_id": 2, "entity_type": 2, "request_id": "mine" },
        { "bot_id": 1, "entity_id": 99, "entity_type": "2" },
    ]);
    let refusal = floor::admin(client, "POST", "/api/v4/bots/run", &all)
        .await
        .is(400);
    let wrong = refusal.json["validation-errors"]
        .as_array()
        .unwrap()
        .clone();
    let names: Vec<_> = wrong
        .iter()
        .map(|it| it["request_id"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["1", "mine", "3"]);
    assert!(said(client, 1).await.is_empty());
    fills(client, 2, field, "Two").await;
    let two = json!([
        { "bot_id": 1, "entity_id": 1, "entity_type": "leads" },
        { "bot_id": 1, "entity_id": 2, "entity_type": "leads" },
    ]);
    floor::admin(client, "POST", "/api/v4/bots/run", &two)
        .await
        .is(202);
    let old = json!([{ "bot_id": 1, "entity_id": 1, "entity_type": 2 }]);
    floor::admin(client, "POST", "/api/v2/salesbot/run", &old)
        .await
        .is(202);
    assert_eq!(said(client, 1).await, ["One", "One"]);
    assert_eq!(said(client, 2).await, ["Two"]);
}

#[tokio::test]
async fn a_salesbot_that_answers_itself_is_bounded() {
    let mut server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 2).await;
    let field = sends_field(client).await;
    for lead in [1, 2] {
        fills(client, lead, field, "Again").await;
    }
    let mut count = 0;
    let refusal = loop {
        let answer = runs(client, 1).await;
        if answer.status != 202 {
            break answer.is(429);
        }
        count += 1;
    };
    assert_eq!(count, 10);
    let detail = refusal.json["detail"].as_str().unwrap();
    let wait: u64 = refusal.header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    assert!(
        detail.starts_with(&format!("Rate limit exceeded; retry after {wait} s")),
        "{detail}"
    );
    // A restart forgets nothing, and another lead is not affected.
    server.kill_9();
    server.restart().await;
    let client = server.client();
    runs(client, 1).await.is(429);
    runs(client, 2).await.is(202);
    assert_eq!(said(client, 1).await.len(), 10);
    let account = format!("/admin/v1/accounts/{ACCOUNT}");
    let quota = json!({ "bot_messages_per_month": 11 });
    client.operates("PATCH", &account, &quota).await.is(200);
    runs(client, 2).await.is(402);
}

/// No other caller answers at this address, and no other address takes an answer.
async fn refuses_others(client: &Client, access: &str, path: &str) {
    let (stem, number) = path.rsplit_once('/').unwrap();
    assert_eq!(stem, "/api/v4/salesbot/1/continue");
    assert!(number.parse::<u64>().unwrap() < 1 << 53, "{path}");
    let (run, secret) = number.split_at(1);
    assert_eq!(run, "1");
    client.request("POST", path).send().await.is(401);
    does(client, OTHER_TOKEN, "POST", path, &shows(&["x"]))
        .await
        .is(404);
    let at = |number: &str| format!("{stem}/{number}");
    let guess = (secret.parse::<u64>().unwrap() + 1) % 10_000_000;
    for other in [
        at(&format!("1{guess:07}")),
        at(&format!("2{secret}")),
        at("1"),
        at(&format!("1-{secret}")),
        path.replace("bot/1/", "bot/2/"),
    ] {
        does(client, access, "POST", &other, &shows(&["x"]))
            .await
            .is(404);
    }
}

#[tokio::test]
async fn a_program_is_asked_and_answers_at_the_return_address() {
    let receiver = Receiver::start().await;
    let program = Receiver::start().await;
    let server = patient(&receiver).await;
    let client = server.client();
    let (access, _) = installed(client).await;
    floor::conversations(client, 1).await;
    asks(client, &access, &program).await;
    does(client, &access, "POST", RUN, &of_lead(1))
        .await
        .is(202);
    let request = program.requests(1).await.remove(0);
    assert_eq!(request.method, "POST");
    assert_eq!(request.header("content-type"), Some("application/json"));
    let question = body(&request);
    assert_eq!(question["data"]["lead_id"], "1");
    assert_eq!(question["data"]["contact_id"], "1");
    assert!(
        question["data"]["message"]
            .as_str()
            .unwrap()
            .starts_with("text of"),
        "{question}"
    );
    let claims = claims(question["token"].as_str().unwrap());
    assert_eq!(claims["client_uuid"], OAUTH_CLIENT);
    assert_eq!(claims["account_id"], 1);
    assert_eq!(claims["iss"], server.url());
    let path = return_path(&server, &question);
    refuses_others(client, &access, &path).await;
    let wrong = json!({ "execute_handlers": [
        { "handler": "goto", "params": { "type": "question", "step": 5 } },
        { "handler": "show", "params": { "type": "text", "value": "x".repeat(81) } },
    ] });
    let refusal = does(client, &access, "POST", &path, &wrong).await.is(400);
    let wrong = refusal.json["validation-errors"].to_string();
    for place in [
        "execute_handlers.0.handler",
        "execute_handlers.1.params.value",
    ] {
        assert!(wrong.contains(place), "{wrong}");
    }
    let answer = shows(&["We open at nine.", "Come in!"]);
    does(client, &access, "POST", &path, &answer).await.is(202);
    let texts = receiver.callbacks(2).await.into_iter().map(|callback| {
        let sender = &callback.json["message"]["sender"]["name"];
        assert_eq!(sender, "Bridge");
        callback.json["message"]["message"]["text"].clone()
    });
    assert_eq!(texts.collect::<Vec<_>>(), ["We open at nine.", "Come in!"]);
    // The address takes one answer.
    does(client, &access, "POST", &path, &answer).await.is(404);
    assert_eq!(said(client, 1).await.len(), 2);
    assert_eq!(program.requests(1).await.len(), 1);
}

/// The claims of a token that the secret of the OAuth client signed.
fn claims(token: &str) -> Value {
    use base64::Engine;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    use hmac::{Hmac, KeyInit, Mac};
    let (signed, signature) = token.rsplit_once('.').unwrap();
    let secret = OAUTH_SECRET.as_bytes();
    let mut mac = Hmac::<sha2::Sha256>::new_from_slice(secret).unwrap();
    mac.update(signed.as_bytes());
    let signature = URL_SAFE_NO_PAD.decode(signature).unwrap();
    mac.verify_slice(&signature).unwrap();
    let (_, claims) = signed.split_once('.').unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).unwrap()).unwrap()
}

#[tokio::test]
async fn a_question_survives_a_kill_and_is_asked_again() {
    let receiver = Receiver::start().await;
    let program = Receiver::start().await;
    program.script([Behaviour::RawAndHang(bytes::Bytes::new())]);
    let mut server = patient(&receiver).await;
    let client = server.client();
    floor::conversations(client, 1).await;
    asks(client, TOKEN, &program).await;
    runs(client, 1).await.is(202);
    let before = question(&program, 1).await;
    assert_eq!(before["token"], "", "a user has no secret to sign with");
    server.kill_9();
    server.restart().await;
    let again = question(&program, 2).await;
    let tail = |question: &Value| {
        let url = question["return_url"].as_str().unwrap();
        url.rsplit_once('/').unwrap().1.to_owned()
    };
    assert_eq!(tail(&before), tail(&again));
    assert_eq!(before["data"], again["data"]);
    let client = server.client();
    let path = format!("/api/v4/salesbot/1/continue/{}", tail(&again));
    floor::admin(client, "POST", &path, &shows(&["Here"]))
        .await
        .is(202);
    assert_eq!(said(client, 1).await, ["Here"]);
    server.kill_9();
    server.restart().await;
    floor::admin(server.client(), "POST", &path, &shows(&["Here"]))
        .await
        .is(404);
    assert_eq!(said(server.client(), 1).await, ["Here"]);
    // The address is a secret, and recorded requests do not have it.
    let list = server
        .client()
        .operate("GET", "/admin/v1/requests?limit=250");
    let records = list.send().await.is(200).json;
    let requests = records["requests"].as_array().unwrap();
    assert!(!requests.is_empty());
    for request in requests {
        let target = format!("/admin/v1/requests/{}", request["id"].as_str().unwrap());
        let record = server.client().operate("GET", &target).send().await.is(200);
        assert!(!record.body.contains(&tail(&again)), "{}", record.body);
    }
}

#[tokio::test]
async fn a_stop_a_new_run_and_an_uninstalled_client_end_a_run() {
    let receiver = Receiver::start().await;
    let program = Receiver::start().await;
    let server = patient(&receiver).await;
    let client = server.client();
    let (access, _) = installed(client).await;
    floor::conversations(client, 1).await;
    asks(client, &access, &program).await;
    let mut paths = Vec::new();
    for count in 1..=3 {
        if count == 3 {
            let stopped = floor::admin(client, "POST", STOP, &of_lead(1))
                .await
                .is(202);
            assert_eq!(stopped.body, "");
        }
        runs(client, 1).await.is(202);
        let asked = question(&program, count).await;
        paths.push(return_path(&server, &asked));
        if count == 2 {
            // The second run took the place of the first.
            floor::admin(client, "POST", &paths[0], &shows(&["x"]))
                .await
                .is(404);
        }
    }
    floor::admin(client, "POST", &paths[1], &shows(&["x"]))
        .await
        .is(404);
    floor::admin(client, "POST", "/api/v4/bots/9/stop", &of_lead(1))
        .await
        .is(404);
    floor::admin(client, "POST", STOP, &of_lead(9))
        .await
        .is(404);
    floor::admin(client, "POST", &paths[2], &json!({}))
        .await
        .is(202);
    let grant = format!("/admin/v1/oauth-clients/{OAUTH_CLIENT}/grants/{ACCOUNT}");
    client.operate("DELETE", &grant).send().await.is(200);
    let refusal = runs(client, 1).await.is(409);
    assert!(
        refusal.json["detail"]
            .as_str()
            .unwrap()
            .contains("uninstalled")
    );
    assert!(said(client, 1).await.is_empty());
    assert_eq!(program.requests(3).await.len(), 3);
}
