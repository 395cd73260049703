//! `switchboard ready`: whether a running service accepts requests; the health command of containers.

use std::time::{Duration, Instant};

use clap::Args;
use reqwest::{Client, StatusCode};
use serde_json::Value;
use url::Url;

use super::given::Given;
use super::key::ConfigArgs;
use super::output::{CliError, print};
use super::url::UrlArgs;
use super::web::{client, unreachable};

const EXAMPLES: &str = "Examples:
  switchboard ready
  switchboard ready --wait 30 --url http://127.0.0.1:8080";

/// The longest time that one response may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// The time between two requests of a command that waits.
const PAUSE: Duration = Duration::from_millis(100);

/// Check that a running service accepts requests
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ReadyArgs {
    #[command(flatten)]
    url: UrlArgs,
    /// Ask again until the service is ready, for at most this time
    #[arg(long, value_name = "SECONDS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=86_400))]
    wait: u64,
    #[command(flatten)]
    config: ConfigArgs,
}

pub(super) fn run(args: &ReadyArgs) -> Result<(), CliError> {
    let url = url(args)?;
    let client = client(PATIENCE)?;
    let wait = Duration::from_secs(args.wait);
    actix_web::rt::System::new().block_on(ready(&client, &url, wait))?;
    print(&format!("ready: {}", url.value))
}

fn url(args: &ReadyArgs) -> Result<Given<Url>, CliError> {
    if let Some(url) = args.url.given() {
        return Ok(url.clone());
    }
    // Without a file there are still the environment and the defaults.
    let settings = args.config.settings_or_variables()?;
    args.url.or_configured(Some(&settings))
}

/// Asks until the service is ready or the time is over; the last reason is the error.
async fn ready(client: &Client, url: &Given<Url>, wait: Duration) -> Result<(), CliError> {
    let start = Instant::now();
    loop {
        match ask(client, url).await {
            Err(_) if start.elapsed() < wait => tokio::time::sleep(PAUSE).await,
            answered => return answered,
        }
    }
}

async fn ask(client: &Client, url: &Given<Url>) -> Result<(), CliError> {
    let address = url
        .value
        .join("readyz")
        .map_err(|error| CliError::Usage(format!("{}: takes no path: {error}", url.source)))?;
    let failed = |error: reqwest::Error| unreachable(url, &error);
    let response = client.get(address).send().await.map_err(failed)?;
    let status = response.status();
    let text = response.text().await.map_err(failed)?;
    if status == StatusCode::OK {
        return Ok(());
    }
    Err(CliError::Failed(reason(&url.value, status, &text)))
}

/// Explains why a service is not ready, in the words of its checks.
fn reason(url: &Url, status: StatusCode, text: &str) -> String {
    let body = serde_json::from_str::<Value>(text).unwrap_or_default();
    let Some(checks) = body.get("checks").and_then(Value::as_object) else {
        return format!("{url} answered {status} to /readyz: it is not a Switchboard service");
    };
    let reasons = checks.iter().map(|(name, value)| {
        let value = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        format!("{name}: {value}")
    });
    let reason_list: Vec<_> = reasons.collect();
    format!("the service is not ready ({})", reason_list.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_is_in_the_words_of_the_checks() {
        let url = Url::parse("http://127.0.0.1:8080/").unwrap();
        let body =
            r#"{"ready":false,"checks":{"store":"the disk is full","index":"ok","draining":true}}"#;
        let text = reason(&url, StatusCode::SERVICE_UNAVAILABLE, body);
        assert_eq!(
            text,
            "the service is not ready (draining: true, index: ok, store: the disk is full)"
        );
        let text = reason(&url, StatusCode::NOT_FOUND, "<html>");
        assert!(text.ends_with("it is not a Switchboard service"), "{text}");
    }
}
