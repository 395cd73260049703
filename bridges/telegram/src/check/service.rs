//! The check of the service: its address, the signature, the connection and the installation.

use std::path::Path;

use reqwest::Method;
use switchboard_bridge_core::answer::Answer;
use switchboard_bridge_core::posts::quoted;
use switchboard_bridge_core::service::{Call, CallError, Proof, Service};
use switchboard_bridge_core::store::Store;

use super::Findings;
use super::neighbour::Neighbour;
use crate::pages::consent_url;
use crate::settings::Settings;

/// A conversation that is none: its history is asked for because that changes nothing.
const NO_CONVERSATION: &str = "00000000-0000-4000-8000-000000000000";

pub(super) async fn check(settings: &Settings, neighbour: &Neighbour, findings: &mut Findings) {
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
    installation(settings, neighbour, findings);
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
fn installation(settings: &Settings, neighbour: &Neighbour, findings: &mut Findings) {
    let address = settings.core.listen;
    let is_installed = match neighbour {
        Neighbour::None => stored_installation(&settings.core.directory),
        Neighbour::Unusable(why) => {
            return findings.problem(format!(
                "the bridge cannot listen on {address} ({why}): set bridge.listen"
            ));
        }
        Neighbour::Stranger => {
            return findings.problem(format!(
                "another program listens on {address}: end it, or set bridge.listen"
            ));
        }
        Neighbour::Bridge(health) => {
            findings.note(format!("a bridge runs at {address}"));
            health.problems.iter().for_each(|it| findings.problem(it));
            Some(health.is_installed)
        }
    };
    let consent = consent_url(&settings.core.url, &settings.core.client_id);
    match is_installed {
        _ if consent.is_empty() => {
            findings.note("oauth.client_id is empty: the bridge does without the account side");
        }
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
