//! One attempt at a file: stored before it is made, and its result after.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_util::FutureExt;
use switchboard_actors::domain::chat::fetch::{FetchOutcome, FetchResult};
use switchboard_actors::domain::chat::fetch_code::FetchCode;
use switchboard_actors::system::fetches::{DueFetch, WantedFetch};

use super::check::{Blame, CheckResult};
use super::{Done, Fetcher};

/// The number of attempts, those included during which the process ended.
const ATTEMPTS_MAX: u32 = 4;
/// The waits of a file before its second, third and fourth attempt, in times of the first wait. Of the fourth, which is
/// the last, the result that it was interrupted follows after another first wait.
const WAITS: [u32; 3] = [1, 10, 60];

impl Fetcher {
    /// Makes an attempt, and stores that it begins and how it ended.
    pub(super) async fn attempt(&self, due: DueFetch) -> Done {
        // What panics has met a file that it cannot take. The attempt counts, and others go on.
        let attempt = AssertUnwindSafe(self.look_at(due)).catch_unwind();
        attempt.await.unwrap_or_else(|_panic| {
            let subject = due.place.subject;
            tracing::error!(?subject, "an attempt to fetch a file panicked");
            Done {
                is_stored: true,
                ..Done::nothing(&due)
            }
        })
    }

    async fn look_at(&self, due: DueFetch) -> Done {
        let nothing = Done::nothing(&due);
        let fetch = match self.system.wanted_fetch(&due).await {
            Ok(Some(fetch)) => fetch,
            Ok(None) => {
                let is_stored = self.note(&due, None, false).await;
                return Done {
                    is_stored,
                    ..nothing
                };
            }
            Err(error) => {
                tracing::warn!(%error, "cannot read a message to fetch its file");
                return nothing;
            }
        };
        let earlier = match &fetch.known {
            Some(earlier) => Some(CheckResult::Found(earlier.clone())),
            // A crash came between the copy and the note of it.
            None => self.looker.finished_copy(&fetch).await,
        };
        if let Some(earlier) = earlier {
            return self.end(due, fetch, earlier, nothing).await;
        }
        if due.attempts > fetch.ended {
            let (account, attempts) = (fetch.account, due.attempts);
            let subject = due.place.subject;
            tracing::warn!(%account, ?subject, attempts, "the service ended during an attempt to fetch a file");
        }
        if due.attempts >= ATTEMPTS_MAX {
            let reason = format!(
                "the service ended during the last of {} attempts",
                due.attempts
            );
            return self.give_up(due, FetchCode::Interrupted, reason).await;
        }
        let again_at = self.system.now().plus(self.wait(due.attempts));
        match self.system.begin_fetch(due, again_at).await {
            Ok(begun) => {
                let result = self.looker.look(&fetch).await;
                self.end(begun, fetch, result, nothing).await
            }
            Err(error) => {
                tracing::warn!(%error, "cannot store that a fetch of a file begins");
                nothing
            }
        }
    }

    /// Stores the result of an attempt.
    async fn end(
        &self,
        due: DueFetch,
        wanted: WantedFetch,
        result: CheckResult,
        done: Done,
    ) -> Done {
        let (found, answered, again) = match result {
            CheckResult::Found(found) => (found, Some(Ok(())), false),
            CheckResult::Later(found) => (found, Some(Ok(())), true),
            CheckResult::Failed {
                code,
                reason,
                trouble,
            } => {
                let server_result = match trouble {
                    Blame::Server => Err(reason.clone()),
                    Blame::File => Ok(()),
                };
                let outcome = FetchOutcome::unreachable(code, &reason);
                (outcome, Some(server_result), true)
            }
        };
        let result = FetchResult {
            url: wanted.url,
            found,
        };
        Done {
            is_stored: self.note(&due, Some(result), again).await,
            answered: answered.filter(|_| wanted.known.is_none()),
            ..done
        }
    }

    /// Stores that the file is unreachable: it is not tried any more.
    pub(super) async fn give_up(&self, due: DueFetch, code: FetchCode, reason: String) -> Done {
        let result = match self.system.wanted_fetch(&due).await {
            Ok(wanted) => wanted.map(|wanted| {
                let (account, subject) = (wanted.account, due.place.subject);
                let word = code.as_str();
                tracing::warn!(%account, ?subject, code = word, reason, "gave up fetching a file");
                FetchResult {
                    url: wanted.url,
                    found: FetchOutcome::unreachable(code, &reason),
                }
            }),
            Err(_unreadable_now) => None,
        };
        let is_stored = result.is_some() && self.note(&due, result, false).await;
        Done {
            is_stored,
            ..Done::nothing(&due)
        }
    }

    /// Stores what was seen; whether it worked.
    async fn note(&self, due: &DueFetch, seen: Option<FetchResult>, again: bool) -> bool {
        let is_last = due.attempts >= ATTEMPTS_MAX;
        let wait = (again && !is_last).then(|| self.wait(due.attempts.saturating_sub(1)));
        let again_at = wait.map(|wait| self.system.now().plus(wait));
        match self.system.note_fetch(due, seen, again_at).await {
            Ok(()) => true,
            Err(error) => {
                tracing::warn!(%error, "cannot store the result of fetching a file");
                false
            }
        }
    }

    /// Returns the wait of a file after an attempt, by the number of attempts before it.
    fn wait(&self, before: u32) -> Duration {
        let times = usize::try_from(before)
            .ok()
            .and_then(|place| WAITS.get(place))
            .copied();
        self.retry_after.saturating_mul(times.unwrap_or(1))
    }
}

impl Done {
    /// The server was not asked, and nothing is stored.
    fn nothing(due: &DueFetch) -> Self {
        Self {
            subject: due.place.subject,
            host: due.host,
            answered: None,
            is_stored: false,
        }
    }
}
