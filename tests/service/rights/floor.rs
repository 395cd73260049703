//! A sales floor: users with all kinds of rights, signed in, and what they work on.

use serde_json::{Value, json};

use crate::support::answer::Answer;
use crate::support::client::{Client, Request, entries, message};
use crate::support::rounds::Rounds;
use crate::support::server::{Server, TOKEN};

/// The password of every user who is added here.
pub(crate) const PASSWORD: &str = "aBcde1@345";

/// A user who signed in.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    pub(crate) id: u64,
    pub(crate) cookie: String,
    pub(crate) csrf: String,
}

impl Person {
    /// A request of this person.
    pub(crate) fn asks<'c>(&self, client: &'c Client, method: &str, target: &str) -> Request<'c> {
        client
            .request(method, target)
            .header("Cookie", &self.cookie)
            .header("X-CSRF-Token", &self.csrf)
    }

    /// Reads something.
    pub(crate) async fn reads(&self, client: &Client, target: &str) -> Answer {
        self.asks(client, "GET", target).send().await
    }

    /// Sends a body.
    pub(crate) async fn sends(
        &self,
        client: &Client,
        method: &str,
        target: &str,
        body: &Value,
    ) -> Answer {
        self.asks(client, method, target)
            .header("Content-Type", "application/json")
            .body(body.to_string())
            .send()
            .await
    }
}

/// Signs in, whatever comes of it.
pub(crate) async fn sign_in(client: &Client, body: &Value) -> Answer {
    client
        .request("POST", "/inbox/v1/session")
        .header("Content-Type", "application/json")
        .body(body.to_string())
        .send()
        .await
}

/// Returns the user who signed in, from the answer to that.
pub(crate) fn person(answer: &Answer) -> Person {
    let cookie = answer.header("set-cookie").split(';').next().unwrap();
    Person {
        id: answer.json["user"]["id"].as_u64().unwrap(),
        cookie: cookie.to_owned(),
        csrf: answer.json["csrf_token"].as_str().unwrap().to_owned(),
    }
}

/// Adds a user with these rights and signs them in.
pub(crate) async fn add(client: &Client, name: &str, rights: &Value) -> Person {
    let email = format!("{name}@floor.example");
    let user = json!([{ "name": name, "email": email, "password": PASSWORD, "rights": rights }]);
    admin(client, "POST", "/api/v4/users", &user).await.is(201);
    let body = json!({ "email": email, "password": PASSWORD });
    person(&sign_in(client, &body).await.is(201))
}

/// Something that Ada, the administrator, does.
pub(crate) async fn admin(client: &Client, method: &str, target: &str, body: &Value) -> Answer {
    client
        .request(method, target)
        .bearer(TOKEN)
        .header("Content-Type", "application/json")
        .body(body.to_string())
        .send()
        .await
}

/// The same letter for view, edit, delete and export of leads and contacts.
pub(crate) fn rights(letter: &str) -> Value {
    let add = if letter == "A" { "A" } else { "D" };
    let entity =
        json!({ "view": letter, "edit": letter, "add": add, "delete": letter, "export": letter });
    json!({
        "leads": entity, "contacts": entity, "companies": entity,
        "tasks": { "edit": letter, "delete": letter },
    })
}

/// A rule for one stage of the first pipeline.
pub(crate) fn stage(status: u64, letter: &str) -> Value {
    json!({
        "entity_type": "leads", "pipeline_id": 1, "status_id": status,
        "rights": { "view": letter, "edit": letter, "delete": letter },
    })
}

/// So many conversations, each with its unsorted lead; gives their ids.
pub(crate) async fn conversations(client: &Client, count: usize) -> Vec<String> {
    client.connect("v2").await;
    let mut ids = Vec::new();
    for number in 1..=count {
        let new_message = client.sent(&message("m", &format!("c{number}"))).await;
        ids.push(new_message["conversation_id"].as_str().unwrap().to_owned());
    }
    ids
}

/// Ada moves a lead to a stage, with or without a responsible user.
pub(crate) async fn place(client: &Client, lead: u64, status: u64, responsible: Option<u64>) {
    let body = json!({ "status_id": status, "responsible_user_id": responsible });
    let target = format!("/api/v4/leads/{lead}");
    admin(client, "PATCH", &target, &body).await.is(200);
}

/// The numbers of the leads in a page.
pub(crate) fn ids(page: &Value, name: &str) -> Vec<u64> {
    let entries = entries(page, name);
    let ids = entries.iter().map(|entry| entry["id"].as_u64().unwrap());
    ids.collect()
}

/// All entries of a list, page by page.
pub(crate) async fn all(server: &Server, who: &Person, target: &str, name: &str) -> Vec<u64> {
    let mut numbers = Vec::new();
    let mut target = target.to_owned();
    let mut rounds = Rounds::default();
    loop {
        rounds.note();
        let page = who.reads(server.client(), &target).await.when_read().json;
        numbers.extend(ids(&page, name));
        let Some(next) = page["_links"]["next"]["href"].as_str() else {
            return numbers;
        };
        target = next.strip_prefix(server.url()).unwrap().to_owned();
    }
}

/// All conversations that a user sees, page by page.
pub(crate) async fn inbox(client: &Client, who: &Person, limit: usize) -> Vec<String> {
    inbox_of(client, who, "all", limit).await
}

/// As [`inbox`], only those in this state.
pub(crate) async fn inbox_of(
    client: &Client,
    who: &Person,
    state: &str,
    limit: usize,
) -> Vec<String> {
    let mut ids = Vec::new();
    let mut cursor = String::new();
    let mut rounds = Rounds::default();
    loop {
        rounds.note();
        let target = format!("/inbox/v1/conversations?state={state}&limit={limit}{cursor}");
        let page = who.reads(client, &target).await.is(200).json;
        let entries = page["conversations"].as_array().unwrap().iter();
        ids.extend(entries.map(|entry| entry["id"].as_str().unwrap().to_owned()));
        match page["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return ids,
        }
    }
}
