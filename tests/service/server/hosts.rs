//! The hosts that requests may name, and the addresses in answers, which follow them.

use serde_json::{Value, json};

use crate::support::answer::Answer;
use crate::support::client::{Client, message};
use crate::support::receiver::Receiver;
use crate::support::server::{Server, Setup, TOKEN};
use crate::support::upload::uploaded;

/// A service as in a container: it listens on all addresses, and its clients know it by a name and a port of their own.
fn container() -> Setup {
    Setup::default().setting("server", "listen = \"0.0.0.0:0\"")
}

async fn read_by(client: &Client, host: &str, target: &str) -> Answer {
    let request = client.request("GET", target).bearer(TOKEN);
    request.header("Host", host).send_exactly().await
}

/// A client that connects to the address of the listener, whatever the public URL is.
fn direct(server: &Server) -> Client {
    let address = server.ready()["address"].as_str().unwrap();
    let (_, port) = address.rsplit_once(':').unwrap();
    Client::new(&format!("http://127.0.0.1:{port}"))
}

/// The service, with a lead whose conversation has a picture that an account user sent.
async fn with_picture(setup: Setup) -> (Server, String) {
    let server = setup.start().await;
    let client = &direct(&server);
    client.connect("v2").await;
    let new_message = client.sent(&message("m", "c")).await;
    let conversation = new_message["conversation_id"].as_str().unwrap().to_owned();
    let file = uploaded(client, "offer.pdf", b"%PDF-1.7 and so on").await;
    let target = format!("/inbox/v1/conversations/{conversation}/messages");
    let reply = client.request("POST", &target).bearer(TOKEN);
    let body = json!({ "type": "file", "media_id": file["id"] });
    let reply = reply
        .header("Content-Type", "application/json")
        .body(body.to_string())
        .send()
        .await
        .is(201);
    let answer = json!({ "type": "text", "text": "and this?", "reply_to": reply.json["id"] });
    let request = client
        .request("POST", &target)
        .bearer(TOKEN)
        .header("Content-Type", "application/json");
    request.body(answer.to_string()).send().await.is(201);
    (server, conversation)
}

/// The addresses in answers to clients that name this host, each with the place where it stands.
async fn addresses(client: &Client, host: &str, conversation: &str) -> Vec<(String, String)> {
    let mut addresses_there = Vec::new();
    let conversation = format!("/inbox/v1/conversations/{conversation}");
    for target in [
        "/api/v4/account",
        "/api/v4/leads?limit=1",
        "/api/v4/contacts/1",
        "/api/v4/users",
        "/api/v4/roles",
        "/inbox/v1/me",
        "/inbox/v1/conversations",
        &conversation,
        &format!("{conversation}/messages"),
    ] {
        let answer = read_by(client, host, target).await.is(200);
        own_addresses(target, &answer.json, &mut addresses_there);
    }
    addresses_there
}

/// Every address of the service that is in a value.
fn own_addresses(place: &str, value: &Value, found: &mut Vec<(String, String)>) {
    match value {
        Value::String(text) if text.contains("/api/v4/") || text.contains("/media/") => {
            found.push((place.to_owned(), text.clone()));
        }
        Value::Array(items) => items
            .iter()
            .for_each(|item| own_addresses(place, item, found)),
        Value::Object(fields) => fields
            .iter()
            .for_each(|(key, field)| own_addresses(&format!("{place} {key}"), field, found)),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[tokio::test]
async fn a_container_is_reached_by_every_name_without_a_dot() {
    let server = container().start().await;
    let client = server.client();
    for host in [
        "switchboard:18080",
        "SwitchBoard:18080",
        "switchboard.:80",
        "app.localhost:9",
        "LOCALHOST",
        "[::1]:1234",
        "10.1.2.3:80",
        "192.168.65.2",
        "127.0.0.1:1",
    ] {
        read_by(client, host, "/api/v4/account").await.is(200);
        let chat = client.signed("POST", "/connect", "{}").header("Host", host);
        assert_ne!(chat.send_exactly().await.status, 421, "{host}");
    }
    for host in [
        "127.0.0.1.evil.example",
        "switchboard.evil.example:18080",
        "evil.example.",
        "8.8.8.8",
        "[2001:4860:4860::8888]:80",
        "localhost:port",
        "2130706433",
        "",
    ] {
        let refusal = read_by(client, host, "/api/v4/account").await.is(421);
        let detail = refusal.json["detail"].as_str().unwrap();
        assert!(detail.contains("server.hosts"), "{detail}");
        let chat = client
            .signed("POST", "/connect", "{}")
            .header("Host", host)
            .send_exactly()
            .await
            .is(421);
        assert_eq!(chat.error_type(), "MISDIRECTED_REQUEST", "{host}");
    }
}

/// Load balancers and monitors check so: they name no host.
#[tokio::test]
async fn checks_of_health_need_no_host() {
    let server = container().start().await;
    let client = &direct(&server);
    // The status, and whether there is a body.
    let ask = async |line: &str, headers: &str| {
        let head = format!("{line}\r\nContent-Length: 0\r\n{headers}\r\n");
        let text = client.raw(head.as_bytes()).await;
        let status: u16 = text.split(' ').nth(1).unwrap().parse().unwrap();
        let (_, body) = text.split_once("\r\n\r\n").unwrap();
        (status, !body.is_empty())
    };
    let unnamed = [
        ("HTTP/1.0", ""),
        ("HTTP/1.0", "Host:\r\n"),
        ("HTTP/1.1", "Host: \r\nConnection: close\r\n"),
    ];
    for target in ["/healthz", "/readyz", "/metrics"] {
        for (version, headers) in unnamed {
            let line = |method: &str| format!("{method} {target} {version}");
            assert_eq!(
                ask(&line("GET"), headers).await,
                (200, true),
                "{target} {version}"
            );
            assert_eq!(
                ask(&line("HEAD"), headers).await,
                (200, false),
                "{target} {version}"
            );
            assert_eq!(
                ask(&line("POST"), headers).await.0,
                421,
                "{target} {version}"
            );
        }
        let line = format!("GET {target} HTTP/1.0");
        assert_eq!(
            ask(&line, "Host: evil.example\r\n").await.0,
            421,
            "{target}"
        );
        // Version 1.1 demands the header.
        let line = format!("GET {target} HTTP/1.1");
        assert_eq!(ask(&line, "Connection: close\r\n").await.0, 400, "{target}");
    }
    for target in ["/", "/healthz/", "/api/v4/account", "/openapi.json"] {
        for (version, headers) in unnamed {
            let line = format!("GET {target} {version}");
            assert_eq!(ask(&line, headers).await.0, 421, "{line}");
        }
    }
}

#[tokio::test]
async fn hosts_of_the_configuration_are_accepted_with_any_port() {
    let setup = container()
        .setting("server", "hosts = [\"crm.example.com\", \"203.0.113.9\"]")
        .setting("server", "callback_url = \"https://files.example.com\"");
    let server = setup.start().await;
    for host in [
        "crm.example.com",
        "CRM.example.com:8443",
        "203.0.113.9:1",
        "files.example.com",
    ] {
        let account = read_by(server.client(), host, "/api/v4/account").await;
        account.is(200);
    }
    let other = read_by(server.client(), "other.example.com", "/api/v4/account");
    other.await.is(421);
}

#[tokio::test]
async fn links_and_files_follow_the_host_that_asked() {
    let (server, conversation) = with_picture(container()).await;
    let client = server.client();
    for (host, base) in [
        ("Switchboard:18080", "http://switchboard:18080/"),
        ("app.localhost", "http://app.localhost/"),
        ("[::1]:1234", "http://[::1]:1234/"),
    ] {
        let list = addresses(client, host, &conversation).await;
        assert!(list.len() > 12, "{list:?}");
        let files = list.iter().filter(|(_, url)| url.contains("/media/"));
        assert!(files.count() >= 2, "{list:?}");
        for (place, url) in list {
            assert!(url.starts_with(base), "{place}: {url}");
        }
    }
    let history = client
        .canonical(
            "GET",
            &format!(
                "{}/chats/{conversation}/history",
                crate::support::client::scope(
                    crate::support::server::CHANNEL,
                    crate::support::server::ACCOUNT
                )
            ),
            "",
        )
        .header("Host", "bridge:80")
        .send()
        .await
        .is(200);
    let media = history.json["messages"][1]["message"]["media"]
        .as_str()
        .unwrap();
    assert!(media.starts_with("http://bridge:80/media/"), "{media}");
    let response = client
        .operate("POST", "/admin/v1/channels")
        .header("Host", "ops:7")
        .header("Content-Type", "application/json")
        .body(json!({ "name": "Third" }).to_string())
        .send()
        .await
        .is(201);
    let place = response.header("location");
    assert!(place.starts_with("http://ops:7/admin/"), "{place}");
}

#[tokio::test]
async fn a_trusted_proxy_says_which_scheme_the_client_uses() {
    let server = container().start().await;
    let ask = async |client: &Client, header: (&str, &str)| {
        let request = client.request("GET", "/api/v4/account").bearer(TOKEN);
        let answer = request
            .header(header.0, header.1)
            .header("Host", "crm:1")
            .send()
            .await
            .is(200);
        let link = answer.json["_links"]["self"]["href"].as_str();
        link.unwrap().split("://").next().unwrap().to_owned()
    };
    let standard = ("Forwarded", "for=10.0.0.1;proto=https");
    let usual = ("X-Forwarded-Proto", "https");
    for header in [standard, usual] {
        assert_eq!(ask(server.client(), header).await, "http", "{header:?}");
    }
    let setup = container().setting("server", "trusted_proxies = [\"127.0.0.1/32\"]");
    let trusting = setup.start().await;
    for (header, scheme) in [
        (standard, "https"),
        (usual, "https"),
        (("X-Forwarded-Proto", "https, http"), "http"),
        (("X-Forwarded-Proto", "gopher"), "http"),
        (("X-Forwarded-Host", "evil.example"), "http"),
    ] {
        let response = ask(trusting.client(), header).await;
        assert_eq!(response, scheme, "{header:?}");
    }
}

#[tokio::test]
async fn a_public_url_outranks_the_host_of_the_request() {
    let setup = container().setting("server", "public_url = \"https://crm.example.com\"");
    let (server, conversation) = with_picture(setup).await;
    for (place, url) in addresses(&direct(&server), "switchboard:1", &conversation).await {
        assert!(
            url.starts_with("https://crm.example.com/"),
            "{place}: {url}"
        );
    }
}

/// No request stands behind a callback: its addresses have the host of the configuration.
#[tokio::test]
async fn files_in_callbacks_have_the_callback_url() {
    for (line, base) in [
        (
            "callback_url = \"http://bridge:8080\"",
            "http://bridge:8080",
        ),
        ("public_url = \"http://crm:8080/\"", "http://crm:8080"),
        ("listen = \"127.0.0.1:0\"", ""),
    ] {
        let receiver = Receiver::start().await;
        let setup = Setup::default().webhook(&receiver).setting("server", line);
        let (server, _) = with_picture(setup).await;
        let callback = receiver.callbacks(1).await.remove(0).json;
        let media = callback["message"]["message"]["media"].as_str().unwrap();
        let base = if base.is_empty() { server.url() } else { base };
        assert!(media.starts_with(&format!("{base}/media/")), "{media}");
    }
}
