//! `POST` and `DELETE /inbox/v1/session`, `GET /inbox/v1/me`.

use serde_json::{Value, json};

use crate::rights::floor::{self, PASSWORD, Person, person, sign_in};
use crate::support::client::Client;
use crate::support::server::{ACCOUNT, OTHER_ACCOUNT, OTHER_TOKEN, Server, Setup, TOKEN};

const ME: &str = "/inbox/v1/me";
const SESSION: &str = "/inbox/v1/session";

fn ada() -> Value {
    json!({ "email": "ADA@example.com", "password": "Secr3tive" })
}

async fn signed_in(client: &Client) -> Person {
    person(&sign_in(client, &ada()).await.is(201))
}

/// A signed-in user is known by a cookie that no script and no other site can use.
#[tokio::test]
async fn the_session_cookie_is_closed_to_scripts_and_other_sites() {
    let server = Server::start().await;
    let client = server.client();
    let answer = sign_in(client, &ada()).await.is(201);
    let cookie = answer.header("set-cookie").to_owned();
    let attributes: Vec<&str> = cookie.split("; ").skip(1).collect();
    assert_eq!(
        attributes,
        ["Path=/", "Max-Age=2592000", "HttpOnly", "SameSite=Strict"]
    );
    assert_eq!(answer.header("cache-control"), "no-store");
    let ada = person(&answer);
    let me = ada.reads(client, ME).await.is(200);
    assert_eq!(me.json, answer.json);
    assert_eq!(me.json["account"]["id"], ACCOUNT);
    assert_eq!(me.json["user"]["rights"]["is_admin"], true);
    assert_eq!(me.json["user"]["rights"]["leads"]["delete"], "A");
    // Another sign-in is another session.
    assert_ne!(signed_in(client).await.cookie, ada.cookie);
    // By a token it is the same, without what only a session needs.
    let by_token = client.get_as(TOKEN, ME).await.is(200).json;
    assert_eq!(by_token["csrf_token"], Value::Null);
    assert_eq!(by_token["user"], me.json["user"]);
}

#[tokio::test]
async fn the_session_shows_the_command_that_starts_the_program() {
    for (cargo, expected) in [("", "switchboard"), ("/usr/bin/cargo", "cargo run --")] {
        let server = Setup::default().variable("CARGO", cargo).start().await;
        let me = server.client().get_as(TOKEN, ME).await.is(200).json;
        assert_eq!(me["program"], expected);
    }
}

#[tokio::test]
async fn over_https_the_cookie_is_secure_and_bound_to_the_host() {
    let setup = Setup::default().setting("server", "public_url = \"https://chat.example.com\"");
    let server = setup.start().await;
    let address = server.ready()["address"].as_str().unwrap();
    let client = Client::new(&format!("http://{address}"));
    let answer = sign_in(&client, &ada()).await.is(201);
    let cookie = answer.header("set-cookie");
    assert!(
        cookie.starts_with("__Host-switchboard_session="),
        "{cookie}"
    );
    assert!(cookie.ends_with("; Secure"), "{cookie}");
    person(&answer).reads(&client, ME).await.is(200);
}

#[tokio::test]
async fn changes_with_a_cookie_need_the_csrf_token() {
    let server = Server::start().await;
    let client = server.client();
    let ada = signed_in(client).await;
    let role = |csrf: Option<&str>| {
        let request = client
            .request("POST", "/api/v4/roles")
            .header("Cookie", &ada.cookie)
            .header("Content-Type", "application/json")
            .body(json!({ "name": "Role" }).to_string());
        match csrf {
            Some(csrf) => request.header("X-CSRF-Token", csrf),
            None => request,
        }
    };
    let other = signed_in(client).await;
    for csrf in [
        None,
        Some(""),
        Some("x"),
        Some(other.csrf.as_str()),
        Some(&ada.cookie),
    ] {
        let refusal = role(csrf).send().await.is(403);
        assert!(
            refusal.json["detail"]
                .as_str()
                .unwrap()
                .contains("X-CSRF-Token")
        );
    }
    role(Some(&ada.csrf)).send().await.is(201);
    let twice = role(Some(&ada.csrf)).another("X-CSRF-Token", &ada.csrf);
    twice.send().await.is(403);
    let bare = client
        .request("DELETE", SESSION)
        .header("Cookie", &ada.cookie);
    bare.send().await.is(403);
    // A bearer token is not sent by a browser of its own accord.
    let roles = client.get_as(TOKEN, "/api/v4/roles").await.is(200);
    assert_eq!(roles.json["_total_items"], 1);
}

#[tokio::test]
async fn a_token_header_overrides_the_cookie_without_merging_rights() {
    let server = Server::start().await;
    let client = server.client();
    let ada = signed_in(client).await;
    let both = |token: &str| {
        client
            .request("GET", ME)
            .bearer(token)
            .header("Cookie", &ada.cookie)
    };
    let other = both(OTHER_TOKEN).send().await.is(200);
    assert_eq!(other.json["account"]["id"], OTHER_ACCOUNT);
    both("nobody").send().await.is(401);
    // Neither stands for the other.
    let secret = ada.cookie.split('=').nth(1).unwrap();
    client.get_as(secret, ME).await.is(401);
    let cookie = format!("switchboard_session={TOKEN}");
    client
        .request("GET", ME)
        .header("Cookie", &cookie)
        .send()
        .await
        .is(401);
    let two = format!("{0}; {0}", ada.cookie);
    client
        .request("GET", ME)
        .header("Cookie", &two)
        .send()
        .await
        .is(401);
}

#[tokio::test]
async fn sessions_survive_a_restart_and_end_by_signing_out() {
    let mut server = Server::start().await;
    let ada = signed_in(server.client()).await;
    let other = signed_in(server.client()).await;
    server.kill_9();
    server.restart().await;
    let client = server.client();
    ada.reads(client, ME).await.is(200);
    let out = ada.asks(client, "DELETE", SESSION).send().await.is(204);
    assert!(out.header("set-cookie").contains("Max-Age=0"));
    ada.reads(client, ME).await.is(401);
    other.reads(client, ME).await.is(200);
    server.kill_9();
    server.restart().await;
    ada.reads(server.client(), ME).await.is(401);
    other.reads(server.client(), ME).await.is(200);
    // What a cookie holds is nowhere in the data, and in no log.
    let secret = other.cookie.split('=').nth(1).unwrap();
    assert!(!server.log().contains(secret));
}

/// A deactivated user is signed out at once, and signs in again once activated.
#[tokio::test]
async fn a_deactivated_user_is_signed_out_at_once() {
    let server = Server::start().await;
    let client = server.client();
    let mia = floor::add(client, "Mia", &floor::rights("M")).await;
    let id = json!([{ "id": mia.id }]);
    let credentials = json!({ "email": "mia@floor.example", "password": PASSWORD });
    floor::admin(client, "POST", "/api/v4/users/deactivate", &id)
        .await
        .is(204);
    mia.reads(client, ME).await.is(401);
    sign_in(client, &credentials).await.is(401);
    floor::admin(client, "POST", "/api/v4/users/activate", &id)
        .await
        .is(202);
    mia.reads(client, ME).await.is(401);
    sign_in(client, &credentials).await.is(201);
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_address_get_one_answer() {
    let server = Server::start().await;
    let client = server.client();
    let mut bodies = Vec::new();
    for (email, password) in [
        ("ada@example.com", "Secr3tivE"),
        ("ada@example.com", ""),
        ("nobody@example.com", "Secr3tive"),
        ("no address", "Secr3tive"),
        ("", "x"),
    ] {
        let body = json!({ "email": email, "password": password });
        let answer = sign_in(client, &body).await.is(401);
        assert_eq!(answer.header("www-authenticate"), "Bearer");
        assert_eq!(answer.header("set-cookie"), "");
        bodies.push(answer.body);
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1);
    let long = json!({ "email": "ada@example.com", "password": "Aa1".repeat(10_000) });
    sign_in(client, &long).await.is(401);
    for body in [
        json!({}),
        json!({ "email": 7, "password": true, "x": 1, "account_id": "y" }),
    ] {
        assert!(sign_in(client, &body).await.is(400).wrong().len() >= 2);
    }
}

#[tokio::test]
async fn an_address_used_in_two_accounts_needs_the_account() {
    let server = Server::start().await;
    let client = server.client();
    let user = json!([{ "name": "Bo", "email": "bo@both.example", "password": PASSWORD }]);
    for token in [TOKEN, OTHER_TOKEN] {
        let request = client
            .request("POST", "/api/v4/users")
            .bearer(token)
            .header("Content-Type", "application/json");
        request.body(user.to_string()).send().await.is(201);
    }
    let mut body = json!({ "email": "bo@both.example", "password": PASSWORD });
    let refusal = sign_in(client, &body).await.is(401);
    assert!(
        refusal.json["detail"]
            .as_str()
            .unwrap()
            .contains("account_id")
    );
    for account in [ACCOUNT, OTHER_ACCOUNT] {
        body["account_id"] = json!(account);
        let answer = sign_in(client, &body).await.is(201);
        assert_eq!(answer.json["account"]["id"], account);
    }
    body["account_id"] = json!("deadbeef-0000-4000-8000-000000000000");
    sign_in(client, &body).await.is(401);
}

#[tokio::test]
async fn guessing_gets_429_and_locks_out_no_other_user() {
    let server = Server::start().await;
    let client = server.client();
    let wrong = json!({ "email": "ada@example.com", "password": "Wr0ngwrong" });
    for _ in 0..10 {
        sign_in(client, &wrong).await.is(401);
    }
    // The right password does not help either, and the account's name does not make it another's.
    let mut right = ada();
    let refusal = sign_in(client, &right).await.is(429);
    let seconds: u64 = refusal.header("retry-after").parse().unwrap();
    assert!((1..=900).contains(&seconds), "{seconds}");
    let detail = format!("too many attempts; retry after {seconds} s");
    assert_eq!(refusal.json["detail"], detail.as_str());
    right["account_id"] = json!(ACCOUNT);
    sign_in(client, &right).await.is(429);
    let bob = json!({ "email": "bob@example.com", "password": "Secr3tive" });
    sign_in(client, &bob).await.is(201);
    client.get_as(TOKEN, ME).await.is(200);
}

#[tokio::test]
async fn guesses_from_elsewhere_do_not_lock_the_owner_out() {
    let proxies = "trusted_proxies = [\"127.0.0.0/8\"]";
    let setup = crate::support::server::Setup::default().setting("server", proxies);
    let server = setup.start().await;
    let client = server.client();
    let wrong = json!({ "email": "ada@example.com", "password": "Wr0ngwrong" });
    let ada = ada();
    let from = |value| ("X-Forwarded-For", value);
    for _ in 0..10 {
        assert_eq!(passed_on(client, from("203.0.113.9"), &wrong).await, 401);
    }
    assert_eq!(passed_on(client, from("203.0.113.9"), &ada).await, 429);
    assert_eq!(passed_on(client, from("192.0.2.1"), &ada).await, 201);
    // From many networks together no more than from everywhere; where the owner signed in before, that does not count.
    let mut refusals = 0;
    for number in 0..100 {
        let address = format!("198.51.100.{number}");
        let from_there = ("X-Forwarded-For", address.as_str());
        refusals += usize::from(passed_on(client, from_there, &wrong).await == 429);
    }
    assert!(refusals > 0);
    assert_eq!(passed_on(client, from("198.51.100.200"), &ada).await, 429);
    assert_eq!(passed_on(client, from("192.0.2.1"), &ada).await, 201);
}

/// A sign-in that a proxy passes on with this header.
async fn passed_on(client: &Client, header: (&str, &str), body: &Value) -> u16 {
    let request = client
        .request("POST", "/inbox/v1/session")
        .header("Content-Type", "application/json")
        .header(header.0, header.1)
        .body(body.to_string());
    request.send().await.status
}

/// As many wrong sign-ins as one network address has, each for another user.
async fn guess(client: &Client, header: impl Fn(usize) -> (&'static str, String)) {
    let mut answers = Vec::new();
    // Few at once: more of one address than may wait for their turn get 503.
    for numbers in (0..100).collect::<Vec<_>>().chunks(10) {
        let attempts = numbers.iter().map(async |number| {
            let body =
                json!({ "email": format!("u{number}@example.com"), "password": "Wr0ngwrong" });
            let (name, value) = header(*number);
            passed_on(client, (name, &value), &body).await
        });
        answers.extend(futures_util::future::join_all(attempts).await);
    }
    assert!(answers.iter().all(|status| *status == 401), "{answers:?}");
}

#[tokio::test]
async fn behind_a_trusted_proxy_guesses_count_by_client_address() {
    let proxies = "trusted_proxies = [\"127.0.0.0/8\"]";
    let setup = crate::support::server::Setup::default().setting("server", proxies);
    let server = setup.start().await;
    let client = server.client();
    // What stands left of the address that the proxy saw is the guesser's invention.
    guess(client, |number| {
        let invented = format!("198.51.100.{number}, 203.0.113.7");
        ("X-Forwarded-For", invented)
    })
    .await;
    let ada = ada();
    let from = |value| ("X-Forwarded-For", value);
    assert_eq!(passed_on(client, from("203.0.113.7"), &ada).await, 429);
    let invented = from("192.0.2.1, 203.0.113.7, 127.0.0.1");
    assert_eq!(passed_on(client, invented, &ada).await, 429);
    assert_eq!(passed_on(client, from("203.0.113.8"), &ada).await, 201);
    let forwarded = ("Forwarded", "for=203.0.113.7");
    assert_eq!(passed_on(client, forwarded, &ada).await, 429);
    sign_in(client, &ada).await.is(201);
}

#[tokio::test]
async fn only_a_trusted_proxy_may_name_the_client_address() {
    let server = Server::start().await;
    let client = server.client();
    guess(client, |number| match number % 2 {
        0 => ("X-Forwarded-For", format!("203.0.113.{number}")),
        _ => ("Forwarded", format!("for=203.0.113.{number}")),
    })
    .await;
    let ada = ada();
    for header in ["X-Forwarded-For", "X-Real-IP", "X-Else"] {
        assert_eq!(passed_on(client, (header, "192.0.2.9"), &ada).await, 429);
    }
}
