//! Worlds behind the hosts of the counterpart, as a program meets them that has these hosts built in.

use serde_json::{Value, json};

use super::reading;
use super::tunnel::{Reply, Tunnel};
use super::worlds::world::{World, order};
use crate::support::client::{message, signature};
use crate::support::server::{Server, Setup, TOKEN};

async fn started() -> Server {
    let setup = Setup::default().with_proxy();
    setup
        .argument("--tls")
        .argument("127.0.0.1:0")
        .start()
        .await
}

/// The answer to this request at this host, first through the proxy, then through the TLS listener: both are the same.
async fn asked(server: &Server, host: &str, request: &str) -> Reply {
    let mut proxied = Tunnel::open(server, host).await.unwrap();
    let first = proxied.ask(request).await;
    let mut direct = Tunnel::direct(server, host).await.unwrap();
    let second = direct.ask(request).await;
    assert_eq!(
        first.status, second.status,
        "{} {}",
        first.json, second.json
    );
    second
}

async fn account(server: &Server, host: &str, token: &str) -> Reply {
    asked(server, host, &reading(host, "/api/v4/account", token)).await
}

fn posting(host: &str, target: &str, body: &Value, secret: &str) -> String {
    let body = body.to_string();
    let signature = signature(secret, body.as_bytes());
    let length = body.len();
    format!(
        "POST {target} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nX-Signature: {signature}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
}

fn text<'v>(value: &'v Value, path: &str) -> &'v str {
    value.pointer(path).and_then(Value::as_str).unwrap()
}

#[tokio::test]
async fn a_subdomain_leads_to_its_world_and_no_other_one_is_seen() {
    let server = started().await;
    let shop = World::make(&server, json!({ "subdomain": "shop" })).await;
    let bakery = World::make(&server, json!({ "subdomain": "bakery" })).await;
    assert_ne!(shop.token(), bakery.token(), "with the same seed");
    for domain in ["amocrm.ru", "kommo.com"] {
        let host = format!("shop.{domain}");
        let own = account(&server, &host, &shop.token()).await.is(200).json;
        assert_eq!(own["subdomain"], "shop");
        let link = text(&own, "/_links/self/href");
        assert!(link.starts_with(&format!("https://{host}/")), "{link}");
    }
    account(&server, "BAKERY.amocrm.ru", &bakery.token())
        .await
        .is(200);
    let strange = account(&server, "shop.amocrm.ru", &bakery.token()).await;
    strange.is(401);
    account(&server, "shop.amocrm.ru", TOKEN).await.is(401);
    // A program that asks an unknown host learns what to do, and of no world.
    let unknown = account(&server, "nobody.amocrm.ru", "guess").await.is(404);
    let detail = text(&unknown.json, "/detail");
    assert!(detail.contains("make a world with it"), "{detail}");
    assert!(
        !detail.contains("shop") && !detail.contains("bakery"),
        "{detail}"
    );
    let journal = bakery.text("/journal?form=text").await;
    assert_eq!(
        journal.matches("/api/v4/account → 200").count(),
        2,
        "{journal}"
    );
    let second = order(&server, "POST", "/worlds", json!({ "subdomain": "Shop" })).await;
    let detail = second.is(409).json["detail"].clone();
    let refusal_text = format!("the world {} has «shop» already", text(&shop.made, "/id"));
    assert!(detail.as_str().unwrap().contains(&refusal_text), "{detail}");
}

#[tokio::test]
async fn tokens_clients_and_scopes_lead_to_their_world() {
    let server = started().await;
    let one = World::make(&server, json!({ "seed": 11 })).await;
    let other = World::make(&server, json!({ "seed": 12 })).await;
    for world in [&one, &other] {
        // Also at the host of another account: the token is known to one world only.
        for host in ["www.amocrm.ru", "any-name.kommo.com"] {
            account(&server, host, &world.token()).await.is(200);
        }
        let client = &world.made["oauth_client"];
        let exchange = json!({
            "grant_type": "authorization_code",
            "client_id": client["id"], "client_secret": client["secret"],
            "code": client["code"], "redirect_uri": client["redirect_uri"],
        });
        let request = posting("www.amocrm.ru", "/oauth2/access_token", &exchange, "none");
        let mut tls = Tunnel::direct(&server, "www.amocrm.ru").await.unwrap();
        let tokens = tls.ask(&request).await.is(200).json;
        let access = text(&tokens, "/access_token");
        account(&server, "www.amocrm.ru", access).await.is(200);
        let (host, secret) = ("amojo.amocrm.ru", text(&world.made, "/channel/secret"));
        let post = posting(host, &world.chat(), &message("m-1", "c-1"), secret);
        asked(&server, host, &post).await.is(200);
        let connect = json!({
            "account_id": world.made["account"]["id"], "title": "Again", "hook_api_version": "v2",
        });
        let target = "/v2/origin/custom/messenger/connect";
        let connected = asked(&server, host, &posting(host, target, &connect, secret)).await;
        let scope = &connected.is(200).json["scope_id"];
        assert_eq!(scope, &world.made["scope_id"]);
    }
    let wrong = posting(
        "amojo.amocrm.ru",
        &one.chat(),
        &message("m-2", "c-1"),
        text(&other.made, "/channel/secret"),
    );
    asked(&server, "amojo.amocrm.ru", &wrong).await.is(403);
}

#[tokio::test]
async fn what_names_several_worlds_is_refused_with_a_way_out() {
    let server = started().await;
    let body = json!({ "channel_id": "built-in", "seed": 21 });
    let one = World::make(&server, body.clone()).await;
    let host = "amojo.kommo.com";
    let connect = json!({ "account_id": "00000000-0000-4000-8000-000000000001", "title": "x" });
    let target = "/v2/origin/custom/built-in/connect";
    let secret = text(&one.made, "/channel/secret");
    let post = posting(host, target, &connect, secret);
    // The only world with this channel says what is wrong with the account.
    let only = asked(&server, host, &post).await;
    assert!(text(&one.made, "/scope_id").starts_with("built-in_"));
    assert!(
        one.text("/journal?form=text").await.contains(target),
        "{}",
        only.json
    );
    let twin = World::make(&server, body).await;
    assert_eq!(twin.token(), one.token(), "the same seed");
    for refused in [
        asked(&server, host, &post).await,
        account(&server, "www.kommo.com", &one.token()).await,
    ] {
        let detail = refused.is(409).json["detail"].clone();
        assert!(
            detail
                .as_str()
                .unwrap()
                .contains("\"subdomain\" of its own"),
            "{detail}"
        );
    }
    // A fork has the ids of its world, and an address of its own only.
    let shop = World::make(&server, json!({ "subdomain": "shop", "seed": 22 })).await;
    let snapshot = shop.order("POST", "/snapshots", json!({})).await;
    let fork = shop.fork(text(&snapshot, "/id")).await;
    assert_eq!(fork.token(), shop.token());
    for host in ["shop.amocrm.ru", "www.amocrm.ru"] {
        account(&server, host, &shop.token()).await.is(200);
    }
    shop.order("DELETE", "", json!(null)).await;
    account(&server, "shop.amocrm.ru", &shop.token())
        .await
        .is(404);
}

#[tokio::test]
async fn faults_reach_programs_by_the_hosts_of_the_counterpart() {
    let server = started().await;
    let world = World::make(&server, json!({ "subdomain": "shop" })).await;
    let request = reading("shop.amocrm.ru", "/api/v4/account", &world.token());
    world
        .fault(json!({ "on": "answers", "do": "lost_before_commit" }))
        .await;
    let mut tls = Tunnel::direct(&server, "shop.amocrm.ru").await.unwrap();
    assert!(tls.try_ask(&request).await.is_err(), "no answer");
    world
        .fault(json!({ "on": "answers", "do": "rate_limited", "retry_after": 3, "times": 2 }))
        .await;
    asked(&server, "shop.amocrm.ru", &request).await.is(429);
    asked(&server, "shop.amocrm.ru", &request).await.is(200);
}

/// The ids that a program carries: the subdomain, the channel, pipelines, stages, fields and users.
#[tokio::test]
async fn a_world_has_the_ids_that_a_program_carries() {
    let server = started().await;
    let world = World::make(
        &server,
        json!({
            "subdomain": "shop", "channel_id": "f90ba33d-c9d9-44da-b76c-c349b0ecbe41",
            "phone_field_id": 264911, "email_field_id": 264913,
            "pipelines": [
                { "id": 3177727, "name": "Sales", "unsorted_id": 32392156,
                  "stages": [{ "id": 32392159, "name": "First call" }, { "id": 32392162, "name": "Offer" }] },
                { "id": 3177730, "name": "Repairs", "unsorted_id": 40, "stages": [{ "id": 41, "name": "Bench" }] },
            ],
            "users": [{ "name": "bo", "id": 8238145 }, { "name": "ada", "id": 8238142 }],
        }),
    )
    .await;
    let users = world.made["users"].as_array().unwrap();
    assert_eq!(
        (&users[0]["name"], &users[1]["name"]),
        (&json!("ada"), &json!("bo"))
    );
    let (client, token) = (world.client(), world.token());
    let response = async |path: &str| client.get_as(&token, path).await.is(200).json;
    let pipelines = response("/api/v4/leads/pipelines").await;
    assert_eq!(pipelines["_embedded"]["pipelines"][0]["id"], 3_177_727);
    let statuses = response("/api/v4/leads/pipelines/3177727/statuses").await;
    let ids: Vec<u64> = statuses["_embedded"]["statuses"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["id"].as_u64().unwrap())
        .collect();
    assert_eq!(ids, [32_392_156, 32_392_159, 32_392_162, 142, 143]);
    let me = response("/inbox/v1/me").await;
    assert_eq!(me["user"]["id"], 8_238_142);
    assert_eq!(response("/api/v4/users/8238145").await["name"], "bo");
    let field = response("/api/v4/contacts/custom_fields/264913").await;
    assert_eq!(field["code"], "EMAIL");
    world.say("cy", "Hello").await;
    let lead = response("/api/v4/leads/1").await;
    assert_eq!(
        (&lead["pipeline_id"], &lead["status_id"]),
        (&json!(3_177_727), &json!(32_392_156))
    );
    let contact = json!([{ "name": "Dee", "custom_fields_values": [
        { "field_id": 264911, "values": [{ "value": "+1 555 0199" }] },
    ]}]);
    let request = client
        .request("POST", "/api/v4/contacts")
        .bearer(&token)
        .header("Content-Type", "application/json");
    let result = request.body(contact.to_string()).send().await.is(200).json;
    let id = result["_embedded"]["contacts"][0]["id"].as_u64().unwrap();
    let contact = response(&format!("/api/v4/contacts/{id}")).await;
    assert_eq!(contact["custom_fields_values"][0]["field_id"], 264_911);
    // It is the same after a restart.
    world.order("POST", "/restart", json!({})).await;
    assert_eq!(response("/api/v4/leads/1").await["status_id"], 32_392_156);
}
