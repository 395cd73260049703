use std::rc::Rc;

use serde_json::json;
use tempfile::TempDir;

use super::{Fake, Served, Toy, run, settings, until};
use crate::Bridge;
use crate::clock::unix_seconds;
use crate::service::CallError;
use crate::state::Tokens;

fn tokens(number: u32) -> Tokens {
    Tokens {
        access_token: format!("access-{number}"),
        refresh_token: format!("refresh-{number}"),
    }
}

/// A service with the second access token.
async fn fake() -> Fake {
    let fake = Fake::start(|request| match request.path.as_str() {
        "/oauth2/access_token" => match request.body["refresh_token"].as_str() {
            Some("refresh-1") => {
                let pair = json!({ "access_token": "access-2", "refresh_token": "refresh-2" });
                (200, pair)
            }
            _ => (400, json!({ "hint": "this token is spent" })),
        },
        _ if request.bearer == "Bearer access-2" => (200, json!({ "id": 1 })),
        _ => (401, json!({})),
    });
    fake.await
}

/// A bridge that is installed with these tokens.
async fn bridge_with(tokens: Tokens, directory: &TempDir, fake: &Fake) -> Rc<Bridge<Toy>> {
    let settings = settings(directory.path(), &fake.url);
    let bridge = Bridge::start(settings, Toy::default()).await.unwrap();
    let install = bridge
        .store
        .change_account(|account| account.tokens = Some(tokens));
    install.await;
    bridge
}

#[test]
fn calls_that_are_refused_at_once_share_one_refresh() {
    let directory = TempDir::new().unwrap();
    run(async {
        let fake = fake().await;
        let bridge = bridge_with(tokens(1), &directory, &fake).await;
        let call = || bridge.account_call(reqwest::Method::GET, "/api/v4/account".into(), None);
        let answers = tokio::join!(call(), call(), call());
        for answer in [answers.0, answers.1, answers.2] {
            assert_eq!(answer.unwrap().status, 200);
        }
        assert_eq!(fake.count("/access_token"), 1);
        let pair = bridge.store.account().tokens.clone();
        assert!(pair == Some(tokens(2)));
    });
}

#[test]
fn a_refused_refresh_stops_the_account_side() {
    let directory = TempDir::new().unwrap();
    run(async {
        let fake = fake().await;
        let bridge = bridge_with(tokens(7), &directory, &fake).await;
        for _ in 0..3 {
            let call = bridge.account_call(reqwest::Method::GET, "/api".into(), None);
            assert!(matches!(call.await, Err(CallError::AccountStopped)));
        }
        assert_eq!(fake.count("/access_token"), 1);
        assert_eq!(fake.count("/api"), 1);
    });
}

#[test]
fn both_secrets_are_valid_for_a_day_after_a_change() {
    let directory = TempDir::new().unwrap();
    let start = async |secrets: &[&str]| {
        let mut settings = settings(directory.path(), "http://127.0.0.1:9");
        settings.secrets = secrets.iter().map(|&it| it.to_owned()).collect();
        Bridge::start(settings, Toy::default()).await.unwrap()
    };
    // Each run ends the bridge of the one before.
    run(async { start(&["one"]).await.secrets() });
    let secrets = run(async { start(&["two", ""]).await.secrets() });
    assert_eq!(secrets, ["two", "one"]);
    let later = async {
        let bridge = start(&["two", ""]).await;
        let long_ago = unix_seconds() - 86_401;
        bridge
            .store
            .change_account(|it| it.secrets_changed_at = long_ago)
            .await;
        bridge.secrets()
    };
    assert_eq!(run(later), ["two"]);
}

#[test]
fn a_code_of_the_browser_installs_the_bridge() {
    let directory = TempDir::new().unwrap();
    run(async {
        let service = Fake::start(|request| match request.body["code"].as_str() {
            Some("good") => {
                let pair = json!({ "access_token": "access-1", "refresh_token": "refresh-1" });
                (200, pair)
            }
            _ => (400, json!({})),
        });
        let fake = service.await;
        let served = Served::start(settings(directory.path(), &fake.url)).await;
        let get = async |query: &str| {
            let url = format!("http://{}/oauth?{query}", served.address);
            reqwest::get(url).await.unwrap().status().as_u16()
        };
        assert_eq!(get("code=good").await, 200);
        let account = || served.bridge.store.account().clone();
        until(|| account().tokens.is_some() && account().code.is_none()).await;
        assert_eq!(get(&format!("code={}", "x".repeat(5_000))).await, 404);
        assert_eq!(get("").await, 404);
        // A report of an uninstallation with a wrong signature changes nothing.
        assert_eq!(
            get("account_id=1&client_uuid=client&signature=00").await,
            403
        );
        assert!(!account().is_uninstalled);
    });
}
