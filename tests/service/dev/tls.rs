//! The TLS listener, as programs meet it whose names resolve to this machine.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::tunnel::{Tunnel, tls_address};
use super::{reading, subdomains};
use crate::support::client::rest;
use crate::support::in_time;
use crate::support::limit::Limited as _;
use crate::support::server::{OTHER_TOKEN, Server, Setup, TOKEN};

async fn started() -> Server {
    Setup::default().with_tls().start().await
}

#[tokio::test]
async fn the_name_in_the_handshake_leads_to_the_account() {
    let server = started().await;
    let names = subdomains(&server).await;
    let [first, second] = &names[..] else {
        panic!("{names:?}")
    };
    for (subdomain, token, status) in [
        (first.as_str(), TOKEN, 200),
        (second, OTHER_TOKEN, 200),
        (second, TOKEN, 401),
        ("www", TOKEN, 200),
        ("nobody", TOKEN, 404),
    ] {
        let host = format!("{subdomain}.kommo.com");
        let mut tls = Tunnel::direct(&server, &host).await.unwrap();
        let answer = tls
            .ask(&reading(&host, "/api/v4/account", token))
            .await
            .is(status)
            .json;
        if status == 200 {
            let link = answer["_links"]["self"]["href"].as_str().unwrap();
            assert!(link.starts_with(&format!("https://{host}/")), "{link}");
        }
    }
}

#[tokio::test]
async fn other_names_and_what_is_no_tls_are_refused() {
    let server = started().await;
    for host in ["example.com", "evil-amocrm.ru", "127.0.0.1"] {
        let error = Tunnel::direct(&server, host).await.err().unwrap();
        let why = error.to_string();
        assert!(why.to_lowercase().contains("unrecognised"), "{host}: {why}");
    }
    let mut plain = TcpStream::connect(tls_address(&server)).await.unwrap();
    plain
        .write_all(b"GET / HTTP/1.1\r\nHost: amojo.amocrm.ru\r\n\r\n")
        .await
        .unwrap();
    assert!(!rest(&mut plain).await.contains("HTTP/1.1 200"));
    // It goes on with the next one.
    Tunnel::direct(&server, "amojo.amocrm.ru").await.unwrap();
    assert!(server.log().contains("the TLS listener refused a host"));
}

#[tokio::test]
async fn idle_strangers_keep_no_handshake_out() {
    let mut server = started().await;
    // Less than strangers have for their handshakes.
    in_time(Duration::from_secs(10), async || {
        let mut strangers = Vec::new();
        for _ in 0..260 {
            strangers.push(TcpStream::connect(tls_address(&server)).await.unwrap());
        }
        let start = Instant::now();
        Tunnel::direct(&server, "amojo.amocrm.ru").await.unwrap();
        let time = start.elapsed();
        let mut first = [0];
        let read = strangers[0].read(&mut first).await;
        assert_eq!(read.unwrap_or_default(), 0, "the oldest made room");
        time
    })
    .await;
    assert_eq!(server.terminate().await, Some(0));
}

#[tokio::test]
async fn lines_for_a_hosts_file_and_a_container_name_the_hosts() {
    let server = started().await;
    let names = subdomains(&server).await;
    let tls = &server.ready()["proxy"]["tls"];
    let list = |key: &str| -> Vec<String> {
        let texts = tls[key].as_array().unwrap().iter();
        texts.map(|it| it.as_str().unwrap().to_owned()).collect()
    };
    let (lines, hosts, aliases) = (list("hosts_file"), list("hosts"), list("network_aliases"));
    for name in &names {
        for domain in ["amocrm.ru", "amocrm.com", "kommo.com"] {
            let host = format!("{name}.{domain}");
            assert!(hosts.contains(&host), "{hosts:?}");
            assert!(aliases.contains(&format!("--network-alias={host}")));
            let entries = lines.iter().filter(|line| {
                let mut words = line.split(' ');
                words.next() == Some("127.0.0.1") && words.any(|word| word == host)
            });
            assert_eq!(entries.count(), 1, "{lines:?}");
        }
    }
    for shared in ["amojo.amocrm.ru", "amojo.kommo.com", "www.amocrm.ru"] {
        assert!(hosts.contains(&shared.to_owned()), "{hosts:?}");
    }
    // Without the proxy, the variables lead nowhere.
    let variables = server.ready()["proxy"]["environment"].as_object().unwrap();
    assert!(
        variables
            .keys()
            .all(|name| !name.to_lowercase().contains("proxy"))
    );
}

/// The secrets of the shipped configuration are everybody's.
#[tokio::test]
async fn an_open_listener_needs_secrets_of_ones_own() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_switchboard"));
    command.args([
        "dev",
        "--ephemeral",
        "--listen",
        "127.0.0.1:0",
        "--tls",
        "0.0.0.0:0",
    ]);
    command.args([
        "--config",
        concat!(env!("CARGO_MANIFEST_DIR"), "/config.toml"),
    ]);
    let output = command.stdin(Stdio::null()).limited_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("0.0.0.0:0 is open to others"), "{stderr}");
}
