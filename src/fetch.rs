//! Checks the files that integrations only name, in the background: the requests that named them do not wait.
//!
//! The list of files to check follows from the journal, so that none of it is lost and none of it is held in memory.
//! The fetcher goes through the list, with a bounded number of files at once and few of one server, and leaves a server
//! that fails alone for a while. It stores the result with the message. With the policy `mirror` it keeps a copy.

mod check;
mod hosts;

use std::collections::BTreeSet;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::LocalBoxFuture;
use futures_util::stream::FuturesUnordered;
use switchboard_actors::System;
use switchboard_actors::domain::chat::fetch::{
    FetchOutcome, FetchPlace, FetchResult, FetchSubject, HostMark,
};
use switchboard_actors::error::Unavailable;
use switchboard_actors::system::fetches::DueFetch;
use tokio::time::{Instant, sleep_until};

pub(crate) use self::check::FileChecker;
use self::check::{Blame, CheckResult};
use self::hosts::HostBackoff;

/// Rows of the list that are read at once.
const PAGE: usize = 256;
/// Pages that are read before what is in progress gets its turn.
const PAGES: usize = 8;
/// What came to the list meanwhile is collected for this long.
const GATHER: Duration = Duration::from_millis(20);
/// The list is looked through at least this often: for what is tried again.
const SELDOM: Duration = Duration::from_secs(1);
/// After a time through the list, a rest of this length for each row in it that had to wait.
const REST_PER_ROW: Duration = Duration::from_micros(100);
/// After a result could not be stored, no file is checked for this long.
const UNSTORED: Duration = Duration::from_secs(10);
/// How long a file that could not be checked waits for the next attempt, by the number of attempts before.
const AGAIN: [Duration; 3] = [
    Duration::from_secs(60),
    Duration::from_secs(600),
    Duration::from_secs(3_600),
];
/// What a failing server has kept waiting for this long is not tried any more.
const GIVEN_UP_AFTER: Duration = Duration::from_secs(86_400);

/// Goes through the list.
pub(crate) struct Fetcher {
    pub(crate) system: System,
    pub(crate) looker: FileChecker,
    /// Files that are checked at the same time.
    pub(crate) at_once: usize,
}

/// A finished check.
struct Done {
    subject: FetchSubject,
    host: HostMark,
    /// What the server did, when it was asked: it answered, or it failed for this reason.
    answered: Option<Result<(), String>>,
    stored: bool,
}

/// Where in the list it is, and what is in progress.
struct Progress<'f> {
    in_flight: FuturesUnordered<LocalBoxFuture<'f, Done>>,
    busy: BTreeSet<FetchSubject>,
    hosts: HostBackoff,
    behind: Option<FetchPlace>,
    /// Rows that had to wait, in this time through the list.
    waiting: u32,
    /// When the list is read next.
    next: Instant,
    /// Not before this moment, whatever happens: what waits for failing servers is not gone through all the time.
    rested: Instant,
}

impl Fetcher {
    /// Goes on for as long as it is let.
    pub(crate) async fn run(self) {
        let mut progress = Progress {
            in_flight: FuturesUnordered::new(),
            busy: BTreeSet::new(),
            hosts: HostBackoff::default(),
            behind: None,
            waiting: 0,
            next: Instant::now(),
            rested: Instant::now(),
        };
        loop {
            if progress.next <= Instant::now()
                && progress.in_flight.len() < self.at_once
                && let Err(error) = self.go_on(&mut progress).await
            {
                tracing::warn!(%error, "cannot read the list of files to fetch");
                progress.next = Instant::now() + SELDOM;
            }
            let room = progress.in_flight.len() < self.at_once;
            tokio::select! {
                Some(done) = progress.in_flight.next(), if !progress.in_flight.is_empty() => {
                    progress.done(done);
                }
                () = sleep_until(progress.next), if room => {}
                () = self.system.fetch_wanted(), if room => progress.soon(),
            }
        }
    }

    /// Starts what may be started of the next rows.
    async fn go_on<'f>(&'f self, progress: &mut Progress<'f>) -> Result<(), Unavailable> {
        for _ in 0..PAGES {
            let rows = self.system.due_fetches(progress.behind, PAGE).await?;
            let complete = rows.len() < PAGE;
            for due in rows {
                if progress.in_flight.len() >= self.at_once {
                    // Goes on with this row.
                    progress.next = Instant::now();
                    return Ok(());
                }
                progress.behind = Some(due.place);
                self.start(progress, due);
            }
            if complete {
                progress.behind = None;
                let rest = REST_PER_ROW.saturating_mul(progress.waiting);
                progress.rested = Instant::now() + rest;
                progress.next = Instant::now() + SELDOM.max(rest);
                progress.waiting = 0;
                return Ok(());
            }
        }
        progress.next = Instant::now() + GATHER;
        Ok(())
    }

    fn start<'f>(&'f self, progress: &mut Progress<'f>, due: DueFetch) {
        let subject = due.place.subject;
        if progress.busy.contains(&subject) {
            return;
        }
        let doomed = || due.place.due.plus(GIVEN_UP_AFTER) < self.system.now();
        if let Some(reason) = progress.hosts.failing(due.host).filter(|_| doomed()) {
            let reason = format!("not tried for a day, because its server failed: {reason}");
            progress.busy.insert(subject);
            progress.in_flight.push(Box::pin(self.give_up(due, reason)));
        } else if progress.hosts.enter(due.host, Instant::now()) {
            progress.busy.insert(subject);
            progress.in_flight.push(Box::pin(self.look_at(due)));
        } else {
            progress.waiting = progress.waiting.saturating_add(1);
        }
    }

    async fn look_at(&self, due: DueFetch) -> Done {
        let mut done = Done {
            subject: due.place.subject,
            host: due.host,
            answered: None,
            stored: false,
        };
        let wanted = match self.system.wanted_fetch(&due).await {
            Ok(Some(wanted)) => wanted,
            Ok(None) => {
                done.stored = self.note(&due, None, false).await;
                return done;
            }
            Err(error) => {
                tracing::warn!(%error, "cannot read a message to fetch its file");
                return done;
            }
        };
        let (found, again) = match &wanted.known {
            Some(known) => (known.clone(), false),
            None => match self.looker.look(&wanted).await {
                CheckResult::Found(found) => {
                    done.answered = Some(Ok(()));
                    (found, false)
                }
                CheckResult::Later(found) => {
                    done.answered = Some(Ok(()));
                    (found, true)
                }
                CheckResult::Failed { reason, trouble } => {
                    done.answered = Some(match trouble {
                        Blame::Server => Err(reason.clone()),
                        Blame::File => Ok(()),
                    });
                    (FetchOutcome::unreachable(&reason), true)
                }
            },
        };
        let seen = FetchResult {
            url: wanted.url,
            found,
        };
        done.stored = self.note(&due, Some(seen), again).await;
        done
    }

    /// Stores that the file is unreachable: it is not tried any more.
    async fn give_up(&self, due: DueFetch, reason: String) -> Done {
        let seen = match self.system.wanted_fetch(&due).await {
            Ok(wanted) => wanted.map(|wanted| FetchResult {
                url: wanted.url,
                found: FetchOutcome::unreachable(&reason),
            }),
            Err(_unreadable_now) => None,
        };
        let stored = seen.is_some() && self.note(&due, seen, false).await;
        Done {
            subject: due.place.subject,
            host: due.host,
            answered: None,
            stored,
        }
    }

    /// Stores what was seen; whether it worked.
    async fn note(&self, due: &DueFetch, seen: Option<FetchResult>, again: bool) -> bool {
        let tried = usize::try_from(due.attempts).unwrap_or(usize::MAX);
        let wait = AGAIN.get(tried).filter(|_| again);
        let again_at = wait.map(|wait| self.system.now().plus(*wait));
        match self.system.note_fetch(due, seen, again_at).await {
            Ok(()) => true,
            Err(error) => {
                tracing::warn!(%error, "cannot store the result of fetching a file");
                false
            }
        }
    }
}

impl Progress<'_> {
    fn done(&mut self, done: Done) {
        self.busy.remove(&done.subject);
        self.hosts.leave(done.host, done.answered, Instant::now());
        if done.stored {
            // Others of the same server may have waited for this.
            self.soon();
        } else {
            // It would be asked for again at once, and the answer could not be stored either.
            self.rested = Instant::now() + UNSTORED;
            self.next = self.rested;
        }
    }

    fn soon(&mut self) {
        let soon = (Instant::now() + GATHER).max(self.rested);
        self.next = self.next.min(soon);
    }
}
