//! Calls the webhooks of bots.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::RETRY_AFTER;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::bounds::DELIVERIES_MAX;
use crate::shared::Shared;
use crate::state::webhook::{Delivery, Outcome};

/// The header that proves the sender.
const SECRET: &str = "X-Telegram-Bot-Api-Secret-Token";
const ANSWER_WITHIN: Duration = Duration::from_secs(30);

/// Calls webhooks as they become due, until it is dropped.
pub(crate) async fn run(shared: Arc<Shared>, client: reqwest::Client) {
    let places = Arc::new(Semaphore::new(DELIVERIES_MAX));
    let mut tasks = JoinSet::new();
    let mut changes = shared.changes();
    loop {
        while tasks.try_join_next().is_some() {}
        changes.mark_unchanged();
        let (due, next) = shared.quietly(crate::state::Machine::due);
        for delivery in due {
            let (shared, client, places) =
                (Arc::clone(&shared), client.clone(), Arc::clone(&places));
            tasks.spawn(async move {
                // The semaphore is never closed.
                let place = places.acquire().await;
                let outcome = call(&client, &delivery).await;
                drop(place);
                shared.change(|machine, now| machine.outcome(&delivery, outcome, now));
            });
        }
        shared.wait(&mut changes, next).await;
    }
}

async fn call(client: &reqwest::Client, delivery: &Delivery) -> Outcome {
    let mut request = client
        .post(&delivery.settings.url)
        .header("Content-Type", "application/json")
        .timeout(ANSWER_WITHIN)
        .body(delivery.body.to_string());
    if let Some(secret) = &delivery.settings.secret {
        request = request.header(SECRET, secret);
    }
    match request.send().await {
        Ok(response) => {
            let header = response.headers().get(RETRY_AFTER);
            let wait = header.and_then(|it| it.to_str().ok()).map(seconds);
            Outcome::Status(response.status().as_u16(), wait.unwrap_or_default())
        }
        Err(error) if error.is_timeout() => Outcome::Failed("Read timeout expired".to_owned()),
        Err(error) if error.is_connect() => Outcome::Failed("Connection refused".to_owned()),
        Err(_) => Outcome::Failed("Webhook connection closed".to_owned()),
    }
}

/// Reads `Retry-After`: seconds. A date is beyond what the double's clock can compare.
fn seconds(text: &str) -> i64 {
    text.trim().parse().unwrap_or_default()
}
