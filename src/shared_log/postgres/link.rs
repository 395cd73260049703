//! The session with whichever server takes writes; made anew after anything that leaves a doubt.

use std::time::Duration;

use switchboard_engine::store::shared_log::entry::Entry;
use switchboard_engine::store::shared_log::{Extent, NotAppended, Place, Stored};
use tokio::time::{Instant, sleep};

use super::failed::Failed;
use super::servers::Servers;
use super::session::{Session, Standing};
use super::{CannotUse, Settings};

/// A reader that waits asks so often, and seldom later on.
const PAUSE_FIRST: Duration = Duration::from_millis(50);
const PAUSE_MOST: Duration = Duration::from_millis(200);

const IS_THERE: &str = "SELECT to_regclass('switchboard_log') IS NOT NULL";
const IS_KEPT: &str =
    "SELECT relpersistence = 'p' FROM pg_class WHERE oid = to_regclass('switchboard_log')";
/// Two nodes may begin at once, and `IF NOT EXISTS` does not keep them apart. Bodies are compressed already or small.
const TABLE: &str = "BEGIN; SELECT pg_advisory_xact_lock(hashtext('switchboard_log')); \
    CREATE TABLE IF NOT EXISTS switchboard_log (partition integer NOT NULL, place bigint NOT NULL, claim boolean NOT NULL, \
    body bytea NOT NULL, PRIMARY KEY (partition, place)); \
    ALTER TABLE switchboard_log ALTER COLUMN body SET STORAGE EXTERNAL; COMMIT";

/// The session, and where the next one comes from.
#[derive(Debug)]
pub(super) struct Link {
    servers: Servers,
    settings: Settings,
    session: Option<Session>,
}

impl Link {
    pub(super) fn new(servers: Servers, settings: Settings) -> Self {
        Self {
            servers,
            settings,
            session: None,
        }
    }

    async fn session(&mut self) -> Result<&mut Session, Failed> {
        let session = match self.session.take().filter(|session| !session.is_lost()) {
            Some(session) => session,
            None => {
                let session = self.servers.connect(&self.settings).await;
                let session = session.map_err(Failed::NoServer)?;
                if let Some(reason) = unsafe_disk(&session.standing) {
                    return Err(Failed::NoServer(CannotUse::Settings(reason)));
                }
                if session.standing.standbys.is_empty() && !self.settings.alone {
                    tracing::warn!(
                        "the PostgreSQL of the log waits for no standby: synchronous_standby_names is empty"
                    );
                }
                session
            }
        };
        Ok(self.session.insert(session))
    }

    /// Makes the next call begin with a new session.
    #[cfg(test)]
    pub(super) fn forget_session(&mut self) {
        self.session = None;
    }

    /// Gives up the session when what came of a statement leaves a doubt.
    fn judge<T>(&mut self, outcome: Result<T, Failed>) -> Result<T, Failed> {
        match &outcome {
            Ok(_) => return outcome,
            Err(failed) if failed.is_taken() || failed.is_limit() => return outcome,
            // It may be an old primary, whose commits wait for a standby for ever, and other commits for those.
            Err(_) => self.servers.turn(),
        }
        self.session = None;
        outcome
    }

    pub(super) async fn prepare(&mut self) -> Result<(), CannotUse> {
        let alone = self.settings.alone;
        let session = match self.session().await {
            Ok(session) => session,
            Err(Failed::NoServer(reason)) => return Err(reason),
            Err(failed) => return Err(CannotUse::Now(failed.to_string())),
        };
        if let Some(reason) = unsafe_setting(&session.standing, alone) {
            self.session = None;
            return Err(CannotUse::Settings(reason));
        }
        let kept = Self::make_table(session).await;
        match self.judge(kept) {
            Ok(true) => Ok(()),
            Ok(false) => Err(CannotUse::Settings(
                "the table switchboard_log is unlogged or temporary, so PostgreSQL may empty it: run ALTER TABLE \
                 switchboard_log SET LOGGED"
                    .to_owned(),
            )),
            Err(failed) => Err(CannotUse::Now(format!(
                "the table switchboard_log cannot be used: {failed}"
            ))),
        }
    }

    /// Whether the table, which is there then, is of the kind that survives a crash.
    async fn make_table(session: &mut Session) -> Result<bool, Failed> {
        if !session.holds(IS_THERE).await? {
            session.run(TABLE).await?;
        }
        // Behind this the table is at the standby, and there is one.
        session.prove(Place(0)).await?;
        session.holds(IS_KEPT).await
    }

    pub(super) async fn append(&mut self, after: Place, entry: &[u8]) -> Result<(), NotAppended> {
        let Ok(place) = i64::try_from(after.next().0) else {
            let reason = format!("place {} is beyond the table", after.next());
            return Err(NotAppended::Refused(reason));
        };
        let is_claim = Entry::decode(entry).is_ok_and(|entry| entry.is_claim());
        let partition = self.settings.partition;
        let stored = match self.session().await {
            Ok(session) => session.insert(partition, place, is_claim, entry).await,
            Err(failed) => Err(failed),
        };
        match self.judge(stored) {
            Ok(()) => Ok(()),
            Err(failed) if failed.is_taken() => Err(NotAppended::Taken),
            Err(failed) if failed.is_limit() => Err(NotAppended::Refused(failed.to_string())),
            Err(failed) => Err(NotAppended::Unknown(failed.to_string())),
        }
    }

    pub(super) async fn read(
        &mut self,
        after: Place,
        patience: Duration,
    ) -> Result<Vec<Stored>, Failed> {
        let until = Instant::now().checked_add(patience);
        let mut pause = PAUSE_FIRST;
        loop {
            let found = self.read_now(after).await?;
            let left = until.map_or(pause, |until| until.duration_since(Instant::now()));
            if !found.is_empty() || left.is_zero() {
                return Ok(found);
            }
            sleep(pause.min(left)).await;
            pause = pause.mul_f64(1.5).min(PAUSE_MOST);
        }
    }

    async fn read_now(&mut self, after: Place) -> Result<Vec<Stored>, Failed> {
        let partition = self.settings.partition;
        let Ok(behind) = i64::try_from(after.0) else {
            return Ok(Vec::new());
        };
        let found = match self.session().await {
            Ok(session) => session.read(partition, behind).await,
            Err(failed) => Err(failed),
        };
        self.judge(found)
    }

    pub(super) async fn extent(&mut self) -> Result<Option<Extent>, Failed> {
        let partition = self.settings.partition;
        let extent = match self.session().await {
            Ok(session) => session.extent(partition).await,
            Err(failed) => Err(failed),
        };
        self.judge(extent)
    }

    pub(super) async fn trim(&mut self, upto: Place) -> Result<(), Failed> {
        let partition = self.settings.partition;
        let upto = i64::try_from(upto.0).unwrap_or(i64::MAX);
        loop {
            let removed = match self.session().await {
                Ok(session) => session.trim_some(partition, upto).await,
                Err(failed) => Err(failed),
            };
            if self.judge(removed)? == 0 {
                return Ok(());
            }
        }
    }
}

/// Why an answer of this server would not survive what it has to survive.
fn unsafe_setting(standing: &Standing, alone: bool) -> Option<String> {
    if let Some(reason) = unsafe_disk(standing) {
        return Some(reason);
    }
    // A server that was promoted has no standby until there is a new one: to refuse it would end what the promotion saved.
    let is_promoted = standing.timeline > 1;
    (standing.standbys.is_empty() && !alone && !is_promoted).then(|| {
        "synchronous_standby_names is empty, so PostgreSQL answers before a second machine has the log: name the standby there, \
         or set shared_log.single_server if its loss may lose the log"
            .to_owned()
    })
}

/// Why the disk of this server would not have what the server answers.
fn unsafe_disk(standing: &Standing) -> Option<String> {
    if !standing.fsync {
        return Some(
            "fsync is off, so a power cut can lose the log: set it to on in PostgreSQL".to_owned(),
        );
    }
    if !standing.full_page_writes {
        let reason = "full_page_writes is off, so a power cut can tear a page of the log: set it to on in PostgreSQL";
        return Some(reason.to_owned());
    }
    matches!(standing.commit.as_str(), "off" | "local").then(|| {
        format!(
            "synchronous_commit is {} and cannot be changed: let the user of the log set it to on",
            standing.commit
        )
    })
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session")
            .field("standing", &self.standing)
            .finish_non_exhaustive()
    }
}
