//! Reports to OAuth clients that an account has uninstalled them: a GET request, signed with the client's secret.
//!
//! What waits is in the journal with the grants, so a stop loses no report. A report that the client does not accept is
//! repeated, with longer and longer waits, until it is a day old; then it is given up. Each attempt is stored before it is
//! made: a report during which the process ends waits as long, and is given up after a few of such attempts. One is not sent
//! when the account has installed the client again: the client would end the new installation. How a report ended is in the
//! audit log.

use std::collections::BTreeSet;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use switchboard_actors::System;
use switchboard_actors::domain::id::AccountId;
use switchboard_actors::domain::oauth::grants::attempt_hook::AttemptHook;
use switchboard_actors::domain::oauth::grants::note_hook::NoteHook;
use switchboard_actors::error::UnavailableError;
use switchboard_actors::system::oauth::DueHook;
use tokio::time::{Instant, sleep_until};
use url::Url;

use switchboard_network::outbound::download::Downloads;

/// The time limit of a request, response included.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The number of requests in progress at once.
const AT_ONCE: usize = 8;
/// Returns the outcome of a report that gets no further attempt, because the process ended during each of the last ones.
fn given_up(interrupted: u32) -> Option<String> {
    (interrupted >= INTERRUPTED_MAX).then(|| {
        format!("given up: the service ended during each of the last {interrupted} attempts")
    })
}

/// The pause of a report after an attempt, by the number of attempts before; then as the last.
const WAITS: [Duration; 5] = [
    Duration::from_secs(2),
    Duration::from_secs(30),
    Duration::from_secs(300),
    Duration::from_secs(1_800),
    LAST_WAIT,
];
const LAST_WAIT: Duration = Duration::from_secs(7_200);
/// A report of this age is given up when an attempt fails.
const GIVEN_UP_AFTER: Duration = Duration::from_secs(86_400);
/// A report is given up after so many attempts in a row during which the process ended.
const INTERRUPTED_MAX: u32 = 3;
/// The list is looked through at least this often.
const SELDOM: Duration = Duration::from_secs(60);
/// After something could not be stored, no report is sent for this long.
const UNSTORED: Duration = Duration::from_secs(10);

/// Sends the reports.
pub(crate) struct UninstallHooks {
    pub(crate) system: System,
    pub(crate) downloads: Downloads,
}

/// A report: its account and the grant that ended.
type Name = (AccountId, u64);

/// The result of an attempt, in a few words.
enum Outcome {
    /// The report has ended.
    Ended(String),
    /// The client did not accept it.
    Failed(String),
}

impl UninstallHooks {
    /// Goes on for as long as it is let.
    pub(crate) async fn run(self) {
        let mut busy: BTreeSet<Name> = BTreeSet::new();
        let mut in_progress = FuturesUnordered::new();
        let mut rested = Instant::now();
        loop {
            let mut next = Instant::now() + SELDOM;
            for due in self.due().await {
                let begins = Instant::now() + self.until_due(&due);
                if busy.contains(&name(&due)) {
                    continue;
                } else if in_progress.len() >= AT_ONCE || begins.max(rested) > Instant::now() {
                    next = next.min(begins.max(rested));
                } else {
                    busy.insert(name(&due));
                    in_progress.push(self.attempt(due));
                }
            }
            // While as many requests are in progress as may be, the end of one wakes the loop.
            let has_room = in_progress.len() < AT_ONCE;
            tokio::select! {
                Some((name, stored)) = in_progress.next(), if !in_progress.is_empty() => {
                    busy.remove(&name);
                    if let Err(unavailable) = stored {
                        tracing::warn!(%unavailable, "cannot store an attempt to send an uninstall report");
                        rested = Instant::now() + UNSTORED;
                    }
                }
                () = sleep_until(next), if has_room => {}
                () = self.system.hook_wanted() => {}
            }
        }
    }

    /// The reports that wait; none when they cannot be read now, until the list is looked through again.
    async fn due(&self) -> Vec<DueHook> {
        self.system.due_hooks().await.unwrap_or_else(|unavailable| {
            tracing::warn!(%unavailable, "the uninstall reports that wait cannot be read now");
            Vec::new()
        })
    }

    /// The time for which a report still waits; zero when there is nothing to send.
    fn until_due(&self, due: &DueHook) -> Duration {
        match address(due) {
            Ok(_) => due.waiting.due.since(self.system.now()),
            Err(_nothing_to_send) => Duration::ZERO,
        }
    }

    /// Makes an attempt, and stores that it begins and how it ended.
    async fn attempt(&self, due: DueHook) -> (Name, Result<(), UnavailableError>) {
        (name(&due), self.attempt_stored(due).await)
    }

    async fn attempt_stored(&self, due: DueHook) -> Result<(), UnavailableError> {
        let (account, client) = (due.account, due.waiting.hook.client);
        let (attempts, interrupted) = (due.waiting.attempts, due.waiting.interrupted);
        let hook = due.waiting.hook.clone();
        let attempt_outcome = match address(&due) {
            Err(outcome) => Outcome::Ended(outcome.to_owned()),
            Ok(url) => {
                if let Some(outcome) = given_up(interrupted) {
                    let note = NoteHook { hook, outcome };
                    return self.system.note_hook(account, note).await;
                }
                if interrupted > 0 {
                    tracing::warn!(%client, %account, attempts, "the service ended during an attempt to send an uninstall report");
                }
                let begins = AttemptHook::Begins(hook.clone(), wait(attempts));
                self.system.attempt_hook(account, begins).await?;
                // What panics has met an answer that it cannot take.
                let request = AssertUnwindSafe(self.request(&url)).catch_unwind();
                let failed = |_panic| Outcome::Failed("the attempt panicked".to_owned());
                request.await.unwrap_or_else(failed)
            }
        };
        let outcome = match attempt_outcome {
            Outcome::Ended(outcome) => outcome,
            Outcome::Failed(reason) if self.system.now().since(hook.at) >= GIVEN_UP_AFTER => {
                format!("given up: {reason}")
            }
            Outcome::Failed(reason) => {
                tracing::warn!(%client, %account, %reason, "a client does not accept the report that it was uninstalled");
                let failed = AttemptHook::Failed(hook);
                return self.system.attempt_hook(account, failed).await;
            }
        };
        let note = NoteHook { hook, outcome };
        self.system.note_hook(account, note).await
    }

    async fn request(&self, url: &Url) -> Outcome {
        match self.downloads.get(url, TIMEOUT).await {
            Ok(response) if response.status().is_success() => {
                Outcome::Ended(response.status().as_u16().to_string())
            }
            Ok(response) => Outcome::Failed(response.status().as_u16().to_string()),
            Err(failure) => Outcome::Failed(failure.to_string()),
        }
    }
}

/// Returns the pause of a report after an attempt, by the number of attempts before it.
fn wait(before: u32) -> Duration {
    usize::try_from(before)
        .ok()
        .and_then(|before| WAITS.get(before))
        .copied()
        .unwrap_or(LAST_WAIT)
}

fn name(due: &DueHook) -> Name {
    (due.account, due.waiting.hook.grant.0)
}

/// The address of a report: the client's hook with the account, the client and the signature behind its own parameters.
///
/// # Errors
/// Why there is nothing to send.
fn address(due: &DueHook) -> Result<Url, &'static str> {
    if due.is_installed {
        return Err("not sent: installed again");
    }
    let hook = due
        .client
        .settings
        .uninstall_hook
        .as_ref()
        .ok_or("not sent: the client has no uninstall hook")?;
    let mut url = hook.url().clone();
    url.query_pairs_mut()
        .append_pair("account_id", &due.number.to_string())
        .append_pair("client_uuid", &due.client.id.to_string())
        .append_pair("signature", &due.client.uninstall_signature(due.number));
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_that_ends_the_process_three_times_is_given_up() {
        for interrupted in 0..INTERRUPTED_MAX {
            assert_eq!(given_up(interrupted), None);
        }
        let outcome = given_up(INTERRUPTED_MAX).unwrap();
        assert!(outcome.contains("the last 3 attempts"), "{outcome}");
    }

    #[test]
    fn waits_between_attempts_never_shrink() {
        let waits: Vec<Duration> = (0..9).map(wait).collect();
        assert!(waits.is_sorted(), "{waits:?}");
        assert_eq!(waits.last(), Some(&LAST_WAIT));
    }
}
