//! Checks the files that integrations only name, in the background: the requests that named them do not wait.
//!
//! The list of files to check follows from the journal, so that none of it is lost and none of it is held in memory.
//! The fetcher goes through the list, with a bounded number of files at once and few of one server, and leaves a server
//! that fails alone for a while. It stores the result with the message. With the policy `mirror` it keeps a copy.
//!
//! Each attempt is stored before it is made: a file during whose fetch the process ends is not fetched at once after the
//! next start, and not more than a few times.

mod attempt;
mod check;
mod hosts;

use std::collections::BTreeSet;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::LocalBoxFuture;
use futures_util::stream::FuturesUnordered;
use switchboard_actors::System;
use switchboard_actors::domain::chat::fetch::{FetchPlace, FetchSubject, HostMark};
use switchboard_actors::domain::chat::fetch_code::FetchCode;
use switchboard_actors::error::UnavailableError;
use switchboard_actors::system::fetches::DueFetch;
use tokio::time::{Instant, sleep_until};

pub use self::check::FileChecker;
use self::hosts::HostBackoff;

/// Rows of the list that are read at once.
const PAGE: usize = 256;
/// Pages that are read before what is in progress gets its turn.
const PAGES: usize = 8;
/// The time for which additions to the list are collected.
const GATHER: Duration = Duration::from_millis(20);
/// The list is looked through at least this often: for what is tried again.
const SELDOM: Duration = Duration::from_secs(1);
/// After a time through the list, a rest of this length for each row in it that had to wait.
const REST_PER_ROW: Duration = Duration::from_micros(100);
/// After a result could not be stored, no file is checked for this long.
const UNSTORED: Duration = Duration::from_secs(10);
/// The time for which a failing server keeps a file waiting before it is given up.
const GIVEN_UP_AFTER: Duration = Duration::from_secs(86_400);

/// Goes through the list.
pub struct Fetcher {
    pub system: System,
    pub looker: FileChecker,
    /// Files that are checked at the same time.
    pub at_once: usize,
    /// The wait of a file before its second attempt.
    pub retry_after: Duration,
}

/// A finished check.
struct Done {
    subject: FetchSubject,
    host: HostMark,
    /// The result of the request to the server: it answered, or it failed for this reason.
    answered: Option<Result<(), String>>,
    is_stored: bool,
}

/// The place in the list, and the attempts in progress.
struct Progress<'f> {
    in_flight: FuturesUnordered<LocalBoxFuture<'f, Done>>,
    busy: BTreeSet<FetchSubject>,
    hosts: HostBackoff,
    behind: Option<FetchPlace>,
    /// Rows that had to wait, in this time through the list.
    waiting: u32,
    /// The time at which the list is read next.
    next: Instant,
    /// Not before this moment, whatever happens: what waits for failing servers is not gone through all the time.
    rested: Instant,
}

impl Fetcher {
    /// Goes on for as long as it is let.
    pub async fn run(self) {
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
    async fn go_on<'f>(&'f self, progress: &mut Progress<'f>) -> Result<(), UnavailableError> {
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
            let giving_up = self.give_up(due, FetchCode::NoConnection, reason);
            progress.in_flight.push(Box::pin(giving_up));
        } else if progress.hosts.enter(due.host, Instant::now()) {
            progress.busy.insert(subject);
            progress.in_flight.push(Box::pin(self.attempt(due)));
        } else {
            progress.waiting = progress.waiting.saturating_add(1);
        }
    }
}

impl Progress<'_> {
    fn done(&mut self, done: Done) {
        self.busy.remove(&done.subject);
        self.hosts.leave(done.host, done.answered, Instant::now());
        if done.is_stored {
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
