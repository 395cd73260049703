//! The whole installation by published libraries with the proxy's variables only: code, account, refresh, connect, message,
//! callback.

use std::process::Command;

use serde_json::{Value, json};

use super::drive;
use super::unchanged::{node, python};
use crate::support::oauth::{Browser, OAUTH_CLIENT, OAUTH_SECRET, parameters};
use crate::support::receiver::Receiver;
use crate::support::server::{ACCOUNT, CHANNEL, SECRET, Setup};
use crate::support::skip::skipped;
use crate::support::turn::turn;

#[tokio::test]
async fn amocrm_api_and_amojowrapper_install_and_chat() {
    installs(python("install.py")).await;
}

#[tokio::test]
async fn amocrm_js_and_amotop_install_and_chat() {
    installs(node("install.js")).await;
}

async fn installs(program: Result<(Command, Value), String>) {
    let (mut program, modules) = match program {
        Ok(found) => found,
        Err(why) => {
            let how =
                "install Python 3 with pip, and Node 24.5 with npm; fetches from PyPI and npm";
            return skipped(&why, how);
        }
    };
    let _turn = turn().await;
    let receiver = Receiver::start().await;
    let setup = Setup::default().with_proxy().webhook(&receiver);
    let server = setup.start().await;
    let client = server.client();
    let ada = Browser::sign_in(client, "Ada@example.com").await;
    let decision = json!({ "grant": true, "state": "s" });
    let redirect = parameters(&ada.decides(OAUTH_CLIENT, &decision).await.is(200));
    let input = json!({
        "modules": modules,
        "subdomain": client.read("/api/v4/account").await["subdomain"],
        "client_id": redirect["client_id"],
        "client_secret": OAUTH_SECRET,
        "redirect_uri": crate::support::oauth::REDIRECT,
        "code": redirect["code"],
        "channel": CHANNEL,
        "secret": SECRET,
    });
    let report = drive(&mut program, &server, &input);
    for account in ["account", "again"] {
        assert_eq!(report[account]["amojo_id"], ACCOUNT, "{account}");
    }
    assert_eq!(report["refreshed"], true);
    assert_eq!(
        report["connected"]["scope_id"],
        format!("{CHANNEL}_{ACCOUNT}")
    );
    let conversation = report["sent"]["conversation_id"].as_str().unwrap();
    let message = client.replied(conversation, "Yes, it is!").await;
    client
        .callback_is(conversation, &message, "delivered")
        .await;
    let callback = receiver.callbacks(1).await.pop().unwrap().json;
    assert_eq!(callback["message"]["message"]["text"], "Yes, it is!");
}
