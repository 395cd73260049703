//! Reports to OAuth clients that an account has uninstalled them: a GET request, signed with the client's secret.
//!
//! What waits is in the journal with the grants, so a stop loses no report. A report that the client does not accept is
//! repeated, with longer and longer waits, until it is a day old; then it is given up. One is not sent when the account
//! has installed the client again: the client would end the new installation. How a report ended is in the audit log.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use switchboard_actors::System;
use switchboard_actors::domain::id::AccountId;
use switchboard_actors::domain::oauth::grants::grant::PendingHook;
use switchboard_actors::domain::oauth::grants::note_hook::NoteHook;
use switchboard_actors::system::oauth::DueHook;
use tokio::time::{Instant, sleep_until};
use url::Url;

use crate::outbound::download::Downloads;

/// How long a request may take, answer included.
const TIMEOUT: Duration = Duration::from_secs(10);
/// How many requests are in progress at once.
const AT_ONCE: usize = 8;
/// How long a report waits after an attempt that failed, by the number of attempts before since the start; then as the last.
const WAITS: [Duration; 5] = [
    Duration::from_secs(5),
    Duration::from_secs(30),
    Duration::from_secs(300),
    Duration::from_secs(1_800),
    Duration::from_secs(7_200),
];
/// A report of this age is given up when an attempt fails.
const GIVEN_UP_AFTER: Duration = Duration::from_secs(86_400);
/// The list is looked through at least this often.
const SELDOM: Duration = Duration::from_secs(60);

/// Sends the reports.
pub(crate) struct UninstallHooks {
    pub(crate) system: System,
    pub(crate) downloads: Downloads,
}

/// A report: its account and the grant that ended.
type Name = (AccountId, u64);

/// What is known of a report that waits.
#[derive(Clone, Copy)]
struct Waiting {
    attempts: u32,
    from: Instant,
    in_progress: bool,
}

/// What came of an attempt, in a few words.
enum Outcome {
    /// The report has ended.
    Ended(String),
    /// The client did not accept it.
    Failed(String),
}

impl UninstallHooks {
    /// Goes on for as long as it is let.
    pub(crate) async fn run(self) {
        let mut waiting: BTreeMap<Name, Waiting> = BTreeMap::new();
        let mut in_progress = FuturesUnordered::new();
        loop {
            let due = self.due().await;
            let names: BTreeSet<Name> = due.iter().map(name).collect();
            waiting.retain(|name, known| known.in_progress || names.contains(name));
            let now = Instant::now();
            for due in due {
                let known = waiting.entry(name(&due)).or_insert(Waiting {
                    attempts: 0,
                    from: now,
                    in_progress: false,
                });
                if in_progress.len() < AT_ONCE && !known.in_progress && known.from <= now {
                    known.in_progress = true;
                    in_progress.push(self.attempt(due));
                }
            }
            let next = next(&waiting, in_progress.len(), now);
            tokio::select! {
                Some((account, hook, outcome)) = in_progress.next(), if !in_progress.is_empty() => {
                    if let Some(known) = waiting.get_mut(&(account, hook.grant.0)) {
                        self.end(known, account, hook, outcome).await;
                    }
                }
                () = sleep_until(next) => {}
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

    async fn attempt(&self, due: DueHook) -> (AccountId, PendingHook, Outcome) {
        let outcome = match address(&due) {
            _ if due.is_installed => Outcome::Ended("not sent: installed again".to_owned()),
            None => Outcome::Ended("not sent: the client has no uninstall hook".to_owned()),
            Some(url) => match self.downloads.get(&url, TIMEOUT).await {
                Ok(response) if response.status().is_success() => {
                    Outcome::Ended(response.status().as_u16().to_string())
                }
                Ok(response) => Outcome::Failed(response.status().as_u16().to_string()),
                Err(failure) => Outcome::Failed(failure.to_string()),
            },
        };
        (due.account, due.hook, outcome)
    }

    async fn end(
        &self,
        known: &mut Waiting,
        account: AccountId,
        hook: PendingHook,
        outcome: Outcome,
    ) {
        known.in_progress = false;
        let wait = usize::try_from(known.attempts).ok();
        let wait = wait.and_then(|attempts| WAITS.get(attempts)).copied();
        known.attempts = known.attempts.saturating_add(1);
        known.from = Instant::now() + wait.unwrap_or(Duration::from_secs(7_200));
        let outcome = match outcome {
            Outcome::Ended(outcome) => outcome,
            Outcome::Failed(reason) if self.system.now().since(hook.at) >= GIVEN_UP_AFTER => {
                format!("given up: {reason}")
            }
            Outcome::Failed(reason) => {
                let client = hook.client;
                tracing::warn!(%client, %account, %reason, "a client does not accept the report that it was uninstalled");
                return;
            }
        };
        let attempts = known.attempts;
        let note = NoteHook {
            hook,
            outcome,
            attempts,
        };
        if let Err(unavailable) = self.system.note_hook(account, note).await {
            tracing::warn!(%unavailable, "the end of an uninstall report cannot be stored; it is sent again");
        }
    }
}

/// When the list is looked through again. While as many requests are in progress as may be, the end of one wakes the loop.
fn next(waiting: &BTreeMap<Name, Waiting>, in_progress: usize, now: Instant) -> Instant {
    let seldom = now + SELDOM;
    if in_progress >= AT_ONCE {
        return seldom;
    }
    let idle = waiting.values().filter(|known| !known.in_progress);
    idle.map(|known| known.from)
        .min()
        .unwrap_or(seldom)
        .min(seldom)
}

fn name(due: &DueHook) -> Name {
    (due.account, due.hook.grant.0)
}

/// The address of a report: the client's hook with the account, the client and the signature behind its own parameters.
fn address(due: &DueHook) -> Option<Url> {
    let hook = due.client.settings.uninstall_hook.as_ref()?;
    let mut url = hook.url().clone();
    url.query_pairs_mut()
        .append_pair("account_id", &due.number.to_string())
        .append_pair("client_uuid", &due.client.id.to_string())
        .append_pair("signature", &due.client.uninstall_signature(due.number));
    Some(url)
}
