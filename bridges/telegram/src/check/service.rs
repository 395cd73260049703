//! The check of the service: its address, the signature, the connection and the installation.

use std::io::ErrorKind;
use std::net::TcpListener;
use std::path::Path;

use reqwest::Method;
use switchboard_bridge_core::answer::Answer;
use switchboard_bridge_core::posts::quoted;
use switchboard_bridge_core::service::{Call, CallError, Proof, Service};
use switchboard_bridge_core::store::Store;

use super::Findings;
use crate::pages::consent_url;
use crate::settings::Settings;

/// A conversation that is none: its history is asked for because that changes nothing.
const NO_CONVERSATION: &str = "00000000-0000-4000-8000-000000000000";

pub(super) async fn check(settings: &Settings, findings: &mut Findings) {
    let core = &settings.core;
    let service = match Service::new(&core.url, core.requests_per_second) {
        Ok(service) => service,
        Err(error) => return findings.problem(error.to_string()),
    };
    let mut refusal = None;
    for secret in &core.secrets {
        match history(settings, &service, secret).await {
            Err(why) => {
                return findings.problem(format!(
                    "the service at {} does not answer ({why}): start it, or set service.url",
                    core.url
                ));
            }
            Ok(answer) if answer.status == 403 => refusal = Some(answer),
            Ok(answer) => {
                judge(settings, &answer, findings);
                refusal = None;
                break;
            }
        }
    }
    if let Some(answer) = refusal {
        findings.problem(format!(
            "the service refuses the signature: check service.channel_id and service.channel_secret. {answer}"
        ));
        return;
    }
    installation(settings, findings).await;
}

async fn history(
    settings: &Settings,
    service: &Service,
    secret: &str,
) -> Result<Answer, CallError> {
    let call = Call {
        method: Method::GET,
        path: format!(
            "/v2/origin/custom/{}/chats/{NO_CONVERSATION}/history",
            quoted(&settings.core.scope_id)
        ),
        body: None,
        proof: Proof::Secret(secret.to_owned()),
    };
    service.send(&call).await
}

fn judge(settings: &Settings, answer: &Answer, findings: &mut Findings) {
    match answer.status {
        200..300 => {
            findings.note(format!("the service at {} knows the channel", settings.core.url));
            findings.note("the account is connected to the channel");
        }
        404 => findings.problem(format!(
            "the account is not connected to the channel. The bridge connects it when it starts; if it runs, check service.account_id and service.channel_id. {answer}"
        )),
        _ => findings.problem(format!("the service answers {answer}")),
    }
}

/// Asks the bridge that runs, or reads its store if none does.
async fn installation(settings: &Settings, findings: &mut Findings) {
    let consent = consent_url(&settings.core.url, &settings.core.client_id);
    if consent.is_empty() {
        return findings.note("oauth.client_id is empty: the bridge does without the account side");
    }
    let is_installed = match TcpListener::bind(settings.core.listen) {
        Ok(listener) => {
            drop(listener);
            stored_installation(&settings.core.directory)
        }
        Err(error) if error.kind() == ErrorKind::AddrInUse => health(settings, findings).await,
        Err(error) => {
            return findings.problem(format!(
                "the bridge cannot listen on {} ({error}): set bridge.listen",
                settings.core.listen
            ));
        }
    };
    match is_installed {
        Some(true) => findings.note("the bridge is installed in the account"),
        Some(false) => findings.problem(format!(
            "the bridge is not installed in the account: start it, open {consent} as an administrator, and agree"
        )),
        None => {}
    }
}

/// Returns whether the store has tokens; `None` when another process uses it.
fn stored_installation(directory: &Path) -> Option<bool> {
    // A check writes nothing.
    let mut entries = std::fs::read_dir(directory).into_iter().flatten();
    if entries.next().is_none() {
        return Some(false);
    }
    let store = Store::open(directory).ok()?;
    let is_installed = store.account().tokens.is_some();
    Some(is_installed)
}

/// Returns whether the program at the address of the bridge says that it is installed; adds its problems.
async fn health(settings: &Settings, findings: &mut Findings) -> Option<bool> {
    let address = settings.core.listen;
    let foreign = format!("another program listens on {address}: end it, or set bridge.listen");
    let answer = async {
        let client = reqwest::Client::builder().no_proxy().build().ok()?;
        let response = client.get(format!("http://{address}/health"));
        let text = response.send().await.ok()?.text().await.ok()?;
        serde_json::from_str::<serde_json::Value>(&text).ok()
    };
    let Some(document) = answer.await else {
        findings.problem(foreign);
        return None;
    };
    let Some(is_installed) = document
        .get("installed")
        .and_then(serde_json::Value::as_bool)
    else {
        findings.problem(foreign);
        return None;
    };
    findings.note(format!("a bridge runs at {address}"));
    let problems = document
        .get("problems")
        .and_then(serde_json::Value::as_array);
    for problem in problems.into_iter().flatten() {
        findings.problem(problem.as_str().unwrap_or_default());
    }
    Some(is_installed)
}
