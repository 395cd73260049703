//! Reports to OAuth clients that an account has uninstalled them: a GET request, signed with the client's secret.
//!
//! What waits is in the journal with the grants, so a stop loses no report. A report that the client does not accept is
//! repeated, with longer and longer waits, for about a day; then it is given up. How a report ended is in the audit log.
//! The number of attempts counts from the last start of the service.

use std::collections::BTreeMap;
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
/// How long a report waits after an attempt that failed, by the number of attempts before.
const WAITS: [Duration; 7] = [
    Duration::from_secs(5),
    Duration::from_secs(30),
    Duration::from_secs(300),
    Duration::from_secs(1_800),
    Duration::from_secs(7_200),
    Duration::from_secs(21_600),
    Duration::from_secs(57_600),
];
/// The list is looked through at least this often.
const SELDOM: Duration = Duration::from_secs(60);

/// Sends the reports.
pub(crate) struct UninstallHooks {
    pub(crate) system: System,
    pub(crate) downloads: Downloads,
}

/// A report, by the account and what happened.
type Report = (AccountId, PendingHook);

/// What is known of a report that waits.
#[derive(Clone, Copy)]
struct Waiting {
    attempts: u32,
    from: Instant,
    in_progress: bool,
}

/// What an attempt came to, in a few words: the status, or the reason why there is none.
type Outcome = Result<String, String>;

impl UninstallHooks {
    /// Goes on for as long as it is let.
    pub(crate) async fn run(self) {
        let mut waiting: BTreeMap<(AccountId, u64), Waiting> = BTreeMap::new();
        let mut in_progress = FuturesUnordered::new();
        loop {
            let due = self.system.due_hooks();
            let names: Vec<_> = due.iter().map(name).collect();
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
            let idle = waiting.values().filter(|known| !known.in_progress);
            let next = idle.map(|known| known.from.max(now + Duration::from_millis(10)));
            let next = next.min().unwrap_or(now + SELDOM).min(now + SELDOM);
            tokio::select! {
                Some((report, outcome)) = in_progress.next(), if !in_progress.is_empty() => {
                    self.end(&mut waiting, report, outcome).await;
                }
                () = sleep_until(next) => {}
                () = self.system.hook_wanted() => {}
            }
        }
    }

    async fn attempt(&self, due: DueHook) -> (Report, Outcome) {
        let outcome = match address(&due) {
            None => Err("the client has no uninstall hook any more".to_owned()),
            Some(url) => match self.downloads.get(&url, TIMEOUT).await {
                Ok(response) if response.status().is_success() => {
                    Ok(response.status().as_u16().to_string())
                }
                Ok(response) => Err(response.status().as_u16().to_string()),
                Err(failure) => Err(failure.to_string()),
            },
        };
        ((due.account, due.hook), outcome)
    }

    async fn end(
        &self,
        waiting: &mut BTreeMap<(AccountId, u64), Waiting>,
        (account, hook): Report,
        outcome: Outcome,
    ) {
        let known = waiting.entry((account, hook.grant.0));
        let known = known.or_insert(Waiting {
            attempts: 0,
            from: Instant::now(),
            in_progress: false,
        });
        known.in_progress = false;
        let wait = usize::try_from(known.attempts).ok();
        let wait = wait.and_then(|attempts| WAITS.get(attempts)).copied();
        known.attempts = known.attempts.saturating_add(1);
        let attempts = known.attempts;
        known.from = Instant::now() + wait.unwrap_or(SELDOM);
        let outcome = match (outcome, wait) {
            (Ok(status), _) => status,
            (Err(reason), Some(_)) => {
                let client = hook.client;
                tracing::warn!(%client, %account, %reason, "a client does not accept the report that it was uninstalled");
                return;
            }
            (Err(reason), None) => format!("given up: {reason}"),
        };
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

fn name(due: &DueHook) -> (AccountId, u64) {
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
