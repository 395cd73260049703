//! The proxy for the development of integrations, as clients meet it that know only the counterpart's hosts.

mod attach;
mod authority;
mod crowd;
mod runtimes;
mod scenarios;
mod tls;
mod tunnel;
mod vendor_worlds;
pub(crate) mod worlds;

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use base64::Engine;
use serde_json::Value;

use self::tunnel::{Tunnel, plain};
use crate::support::eventually;
use crate::support::limit::{Limit, Limited as _};
use crate::support::oauth::{Browser, OAUTH_CLIENT, exchange, parameters};
use crate::support::server::{OPERATOR_TOKEN, OTHER_TOKEN, Server, Setup, TOKEN};

async fn started() -> Server {
    Setup::default().with_proxy().start().await
}

/// The subdomains of the accounts, that of [`TOKEN`] first.
async fn subdomains(server: &Server) -> Vec<String> {
    let list = server
        .client()
        .operate("GET", "/admin/v1/accounts")
        .send()
        .await
        .is(200)
        .json;
    let accounts = list["accounts"].as_array().unwrap().iter();
    accounts
        .map(|account| account["subdomain"].as_str().unwrap().to_owned())
        .collect()
}

fn reading(host: &str, target: &str, token: &str) -> String {
    format!(
        "GET {target} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n"
    )
}

#[tokio::test]
async fn clients_reach_the_service_and_links_stay_behind_the_proxy() {
    let server = started().await;
    let [first, ..] = &subdomains(&server).await[..] else {
        panic!("there is no account")
    };
    for domain in ["amocrm.ru", "amocrm.com", "kommo.com"] {
        let host = format!("{first}.{domain}");
        let mut target = "/api/v4/account".to_owned();
        // The second request follows the link in the answer to the first.
        for _ in 0..2 {
            let mut tunnel = Tunnel::open(&server, &host).await.unwrap();
            let answer = tunnel.ask(&reading(&host, &target, TOKEN)).await;
            let href = answer.is(200).json["_links"]["self"]["href"].clone();
            let link = href.as_str().unwrap();
            let path = link.strip_prefix(&format!("https://{host}"));
            target = path.expect(link).to_owned();
        }
    }
}

#[tokio::test]
async fn one_tunnel_carries_many_requests() {
    let server = started().await;
    let mut tunnel = Tunnel::open(&server, "amojo.amocrm.ru").await.unwrap();
    for number in 0..20 {
        let request = format!("GET /healthz?{number} HTTP/1.1\r\nHost: amojo.amocrm.ru\r\n\r\n");
        tunnel.send(&request).await;
        let answer = tunnel.answer().await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
}

#[tokio::test]
async fn a_subdomain_leads_to_its_account_only() {
    let server = started().await;
    let names = subdomains(&server).await;
    let status = async |host: &str, token: &str| {
        let mut tunnel = Tunnel::open(&server, host).await.unwrap();
        let request = reading(host, "/api/v4/account", token);
        tunnel.ask(&request).await
    };
    let hosts: Vec<String> = names.iter().map(|it| format!("{it}.kommo.com")).collect();
    let [first, second] = &hosts[..] else {
        panic!("{hosts:?}")
    };
    status(first, TOKEN).await.is(200);
    status(second, OTHER_TOKEN).await.is(200);
    for (host, token) in [(first, OTHER_TOKEN), (second, TOKEN)] {
        let refusal = status(host, token).await.is(401).json;
        let detail = refusal["detail"].as_str().unwrap();
        assert!(detail.contains("another account than the host"), "{detail}");
    }
    // The host of all accounts is nobody's in particular.
    status("www.amocrm.ru", TOKEN).await.is(200);
    status("www.amocrm.ru", OTHER_TOKEN).await.is(200);
    let unknown = status("nobody.amocrm.ru", TOKEN).await.is(404).json;
    let detail = unknown["detail"].as_str().unwrap();
    assert!(detail.contains("«nobody»"), "{detail}");
    assert!(names.iter().all(|name| detail.contains(name)), "{detail}");
}

#[tokio::test]
async fn other_hosts_and_ports_are_refused_with_a_reason() {
    let server = started().await;
    for (asked, reason) in [
        ("example.com:443", "«example.com»"),
        ("127.0.0.1:443", "«127.0.0.1»"),
        ("evil-amocrm.ru:443", "*.amocrm.ru"),
        ("amojo.amocrm.ru.evil.example:443", "*.kommo.com"),
        ("amojo.amocrm.ru:80", "port 443"),
    ] {
        let request = format!("CONNECT {asked} HTTP/1.1\r\nHost: {asked}\r\n\r\n");
        let answer = plain(&server, &request).await.is(403);
        let detail = answer.json["detail"].as_str().unwrap();
        assert!(detail.contains(reason), "{detail}");
    }
    let page = plain(&server, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n").await;
    page.is(400);
    let other = "GET http://example.com/ HTTP/1.1\r\nHost: example.com\r\n\r\n";
    plain(&server, other).await.is(403);
}

/// Some clients send requests for `https` to a proxy without a tunnel.
#[tokio::test]
async fn a_request_without_a_tunnel_reaches_the_service() {
    let server = started().await;
    for scheme in ["http", "https"] {
        let target = format!("{scheme}://www.amocrm.ru/api/v4/account");
        let request = reading("www.amocrm.ru", &target, TOKEN);
        let answer = plain(&server, &request).await.is(200);
        let link = answer.json["_links"]["self"]["href"].as_str().unwrap();
        assert_eq!(link, "https://www.amocrm.ru/api/v4/account");
    }
}

/// Only the proxy of the process knows the key that the service believes.
#[tokio::test]
async fn only_the_proxy_can_name_the_host_of_the_counterpart() {
    for server in [Server::start().await, started().await] {
        let client = server.client();
        for claim in ["0000 www.amocrm.ru ", " www.amocrm.ru ", "www.amocrm.ru"] {
            let request = client
                .request("GET", "/api/v4/account")
                .bearer(TOKEN)
                .header("X-Switchboard-Vendor", claim);
            let answer = request.send().await.is(200);
            let link = answer.json["_links"]["self"]["href"].as_str().unwrap();
            assert!(link.starts_with(server.url()), "{link}");
        }
    }
}

#[tokio::test]
async fn the_authority_outlives_a_restart_and_its_key_is_private() {
    let mut server = started().await;
    let proxy = server.ready()["proxy"].clone();
    let certificate = fs::read(proxy["ca"].as_str().unwrap()).unwrap();
    let key = server.data().join("dev/ca.key.pem");
    let mode = fs::metadata(&key).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(server.terminate().await, Some(0));
    server.restart().await;
    let again = server.ready()["proxy"]["ca"].as_str().unwrap();
    assert_eq!(fs::read(again).unwrap(), certificate);
    Tunnel::open(&server, "amojo.kommo.com").await.unwrap();
}

#[tokio::test]
async fn open_tunnels_do_not_hold_up_the_end() {
    let mut server = started().await;
    let mut tunnels = Vec::new();
    for _ in 0..8 {
        tunnels.push(Tunnel::open(&server, "amojo.kommo.com").await.unwrap());
    }
    assert_eq!(server.terminate().await, Some(0));
    assert!(server.log().contains("stopped: everything is on disk"));
}

#[tokio::test]
async fn the_variables_are_lines_for_a_shell_or_one_document() {
    let directory = tempfile::tempdir().unwrap();
    for json in [false, true] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_switchboard"));
        command.args(["dev", "--proxy", "127.0.0.1:0", "--listen", "127.0.0.1:0"]);
        command.args(["--ephemeral"]).args(json.then_some("--json"));
        command.env("SWITCHBOARD_OPERATOR__TOKEN", OPERATOR_TOKEN);
        command.current_dir(directory.path()).stdin(Stdio::null());
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let _limit = Limit::on(&child);
        let lines: Vec<String> = BufReader::new(child.stdout.take().unwrap())
            .lines()
            .take(if json { 1 } else { 13 })
            .flatten()
            .collect();
        child.kill().unwrap();
        child.wait().unwrap();
        let names = [
            "HTTPS_PROXY",
            "https_proxy",
            "HTTP_PROXY",
            "http_proxy",
            "NO_PROXY",
            "no_proxy",
            "NODE_USE_ENV_PROXY",
            "SSL_CERT_FILE",
            "CURL_CA_BUNDLE",
            "REQUESTS_CA_BUNDLE",
            "NODE_EXTRA_CA_CERTS",
            "PHP_INI_SCAN_DIR",
            "JAVA_TOOL_OPTIONS",
        ];
        if json {
            let document: Value = serde_json::from_str(&lines[0]).unwrap();
            let variables = document["environment"].as_object().unwrap();
            assert_eq!(variables.len(), names.len());
            assert!(names.iter().all(|name| variables[*name].is_string()));
        } else {
            for (line, name) in lines.iter().zip(names) {
                assert!(line.starts_with(&format!("export {name}='")), "{line}");
            }
        }
    }
}

/// Hosts that all accounts share take the account from the token; a consent at the address of the service names a host of
/// the counterpart, and the claims of the token do so too.
#[tokio::test]
async fn shared_hosts_and_consents_name_the_counterpart() {
    let server = started().await;
    let client = server.client();
    let subdomains = subdomains(&server).await;
    for host in [
        "www", "api-a", "api-b", "api-c", "drive-a", "drive-b", "drive-c", "api",
    ] {
        let host = format!("{host}.amocrm.ru");
        for (token, subdomain) in [(TOKEN, &subdomains[0]), (OTHER_TOKEN, &subdomains[1])] {
            let mut tunnel = Tunnel::open(&server, &host).await.unwrap();
            let answer = tunnel
                .ask(&reading(&host, "/oauth2/account/subdomain", token))
                .await;
            let json = answer.is(200).json;
            assert_eq!(json["subdomain"], *subdomain, "{host}");
            assert_eq!(json["domain"], format!("{subdomain}.amocrm.ru"));
            assert_eq!(json["top_level_domain"], "ru");
        }
    }
    let browser = Browser::sign_in(client, "Ada@example.com").await;
    let decision = serde_json::json!({ "grant": true });
    let consented = browser.decides(OAUTH_CLIENT, &decision).await.is(200);
    let redirect = parameters(&consented);
    assert_eq!(redirect["referer"], format!("{}.amocrm.ru", subdomains[0]));
    let host = &redirect["referer"];
    let body = exchange(&redirect["code"]).to_string();
    let request = format!(
        "POST /oauth2/access_token HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    let mut tunnel = Tunnel::open(&server, host).await.unwrap();
    let tokens = tunnel.ask(&request).await.is(200).json;
    let claims_part = tokens["access_token"]
        .as_str()
        .unwrap()
        .split('.')
        .nth(1)
        .unwrap();
    let claims_json = base64::engine::general_purpose::URL_SAFE_NO_PAD
        .decode(claims_part)
        .unwrap();
    let claims: Value = serde_json::from_slice(&claims_json).unwrap();
    assert_eq!(claims["api_domain"], "api-b.amocrm.ru");
    let host = claims["api_domain"].as_str().unwrap();
    let mut tunnel = Tunnel::open(&server, host).await.unwrap();
    let request = format!(
        "GET /oauth2/account/current/subdomain HTTP/1.1\r\nHost: {host}\r\nX-Refresh-Token: {}\r\nConnection: close\r\n\r\n",
        tokens["refresh_token"].as_str().unwrap()
    );
    let answer = tunnel.ask(&request).await.is(200);
    assert_eq!(answer.json["domain"], redirect["referer"]);
}

#[tokio::test]
async fn the_proxy_belongs_to_the_command_dev_and_to_loopback() {
    for (args, reason) in [
        (&["serve", "--proxy"][..], "unexpected argument"),
        (&["dev", "--json"], "--proxy or --tls"),
        (&["dev", "--proxy", "0.0.0.0:8090"], "loopback"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_switchboard"));
        let output = command
            .args(args)
            .stdin(Stdio::null())
            .limited_output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains(reason), "{stderr}");
    }
    let server = started().await;
    let url = server.ready()["proxy"]["url"].as_str().unwrap().to_owned();
    let proxy_address = url.strip_prefix("http://").unwrap();
    let second = Setup::default().with_proxy().argument("--proxy");
    let refusal = second.argument(proxy_address).start_and_fail().await;
    assert!(!refusal.status.success(), "{}", refusal.said);
    eventually("the first goes on", async || {
        Tunnel::open(&server, "amojo.kommo.com").await.ok()
    })
    .await;
}
