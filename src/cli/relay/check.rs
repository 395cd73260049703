//! `switchboard relay check`: a signed hook and a wrong one for each relay, from outside in.

use std::time::{Duration, Instant};

use reqwest::Client;
use serde_json::Value;
use switchboard_actors::domain::signature::{HEADER, sign_body};
use switchboard_actors::relay::settings::RelaySettings;
use switchboard_engine::runtime::clock::{Clock as _, SystemClock};
use url::Url;

use crate::cli::output::{CliError, print};
use crate::cli::service::OperatorArgs;
use crate::cli::web::{causes, client};

/// As long as the counterpart waits.
const PATIENCE: Duration = Duration::from_secs(5);
/// An account that no service has.
const NO_ACCOUNT: &str = "00000000-0000-4000-8000-000000000000";
/// What is no signature of anything.
const WRONG: &str = "0000000000000000000000000000000000000000";

/// Tries each relay of the configuration.
pub(super) fn run(operator: &OperatorArgs) -> Result<(), CliError> {
    let settings = operator.settings()?;
    if settings.relays.is_empty() {
        let help = "the configuration has no [[relay]]\n  help: name it with --config";
        return Err(CliError::Usage(help.to_owned()));
    }
    let base = operator.url(&settings)?;
    let client = client(PATIENCE)?;
    let system = actix_web::rt::System::new();
    let mut is_well = true;
    for relay in &settings.relays {
        for (name, result) in system.block_on(tries(&client, &base, &relay.down)) {
            let channel = &relay.down.channel;
            match result {
                Ok(note) => print(&format!("ok: {channel}: {name} ({note})"))?,
                Err(why) => {
                    is_well = false;
                    print(&format!("failed: {channel}: {name}: {why}"))?;
                }
            }
        }
    }
    if is_well { Ok(()) } else { Err(CliError::Told) }
}

/// The tries of a relay, each with what it came to.
async fn tries(
    client: &Client,
    base: &Url,
    relay: &RelaySettings,
) -> [(&'static str, Result<String, String>); 2] {
    let body = format!("{{\"relay_check\":{}}}", SystemClock.now().get());
    let right = sign_body(&relay.secret, body.as_bytes()).to_string();
    let answer = send(client, base, relay, &body, &right).await;
    let signed_hook = answer.and_then(|answer| match answer {
        Answer {
            status: 200,
            body,
            took,
        } if body.get("check") == Some(&Value::Bool(true)) => {
            Ok(format!("{} ms", took.as_millis()))
        }
        answer => Err(answer.unexpected("200")),
    });
    let other = send(client, base, relay, &body, WRONG).await;
    let wrong_hook = other.and_then(|answer| match answer {
        Answer {
            status: 401, body, ..
        } if body.get("reason").is_some_and(|it| it == "signature") => Ok("401".to_owned()),
        answer => Err(answer.unexpected("401")),
    });
    [
        ("a signed hook is taken", signed_hook),
        ("a wrong signature is refused", wrong_hook),
    ]
}

/// The answer to a hook.
struct Answer {
    status: u16,
    body: Value,
    took: Duration,
}

impl Answer {
    fn unexpected(&self, expected: &str) -> String {
        let reason = self.body.get("detail").and_then(Value::as_str);
        let detail =
            reason.unwrap_or("the answer is not one of a relay; look for a proxy in between");
        format!("the answer is {} and not {expected}: {detail}", self.status)
    }
}

async fn send(
    client: &Client,
    base: &Url,
    relay: &RelaySettings,
    body: &str,
    signature: &str,
) -> Result<Answer, String> {
    let path = format!("{}/{}_{NO_ACCOUNT}", relay.from, relay.channel);
    let url = base.join(&path).map_err(|error| error.to_string())?;
    let start = Instant::now();
    let request = client
        .post(url)
        .header(HEADER, signature)
        .header("Content-Type", "application/json")
        .body(body.to_owned());
    let response = request.send().await.map_err(|error| causes(&error))?;
    let status = response.status().as_u16();
    let took = start.elapsed();
    let text = response.text().await.unwrap_or_default();
    let body = serde_json::from_str(&text).unwrap_or_default();
    Ok(Answer { status, body, took })
}
