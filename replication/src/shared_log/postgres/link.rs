//! The session with whichever server takes writes; made anew after anything that leaves a doubt.

use std::time::Duration;

use crate::entry::EntryHeader;
use crate::position::Position;
use crate::shared_log::log::{AppendError, LogRange, Span, Stored};
use crate::shared_log::report::NodeReport;
use tokio::time::{Instant, sleep};

use super::servers::Servers;
use super::session::{Session, Standing};
use super::settings::{PostgresSettingsError, Settings};
use super::statement_error::StatementError;

/// A reader that waits asks so often, and seldom later on.
const PAUSE_FIRST: Duration = Duration::from_millis(50);
const PAUSE_MOST: Duration = Duration::from_millis(200);

const IS_THERE: &str = "SELECT to_regclass('switchboard_log') IS NOT NULL AND to_regclass('switchboard_log_nodes') IS NOT NULL";
/// The time between two questions for the standbys that the server waits for.
const STANDBYS_EVERY: Duration = Duration::from_secs(5);
const IS_KEPT: &str =
    "SELECT relpersistence = 'p' FROM pg_class WHERE oid = to_regclass('switchboard_log')";
/// Two nodes may begin at once, and `IF NOT EXISTS` does not keep them apart. Bodies are compressed already or small.
const TABLE: &str = "BEGIN; SELECT pg_advisory_xact_lock(hashtext('switchboard_log')); \
    CREATE TABLE IF NOT EXISTS switchboard_log (partition integer NOT NULL, position bigint NOT NULL, permanent boolean NOT NULL, \
    body bytea NOT NULL, PRIMARY KEY (partition, position)); \
    ALTER TABLE switchboard_log ALTER COLUMN body SET STORAGE EXTERNAL; \
    CREATE TABLE IF NOT EXISTS switchboard_log_nodes (partition integer NOT NULL, node text NOT NULL, body bytea NOT NULL, \
    PRIMARY KEY (partition, node)); COMMIT";

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

    async fn session(&mut self) -> Result<&mut Session, StatementError> {
        let open_session = match self.session.take().filter(|session| !session.is_lost()) {
            Some(session) => session,
            None => {
                let session = self
                    .servers
                    .connect(&self.settings)
                    .await
                    .map_err(StatementError::NoServer)?;
                if let Some(reason) = unsafe_disk(&session.standing) {
                    return Err(StatementError::NoServer(PostgresSettingsError::Settings(
                        reason,
                    )));
                }
                self.has_standbys(&session.standing.standbys);
                session
            }
        };
        let session = self.session.insert(open_session);
        // The setting may change while a session lasts.
        if session.seen_at.elapsed() >= STANDBYS_EVERY {
            match session.standbys().await {
                Ok(names) => self.has_standbys(&names),
                Err(failed) => {
                    self.session = None;
                    self.servers.turn();
                    return Err(failed);
                }
            }
        }
        self.session.as_mut().ok_or_else(|| {
            StatementError::NoServer(PostgresSettingsError::Now(
                "the session has ended".to_owned(),
            ))
        })
    }

    /// Notes whether the server waits for a standby, and warns when it does not any more.
    fn has_standbys(&self, names: &str) {
        // Who accepts a server alone need not hear that it is.
        if self.settings.alone {
            return;
        }
        let is_replicated = !names.is_empty();
        if self.settings.standing.note(is_replicated) && !is_replicated {
            tracing::warn!(
                "the PostgreSQL of the log waits for no standby: synchronous_standby_names is empty. Its loss would lose the log; docs/standby.md \
                 has the commands for a new standby"
            );
        }
    }

    /// Makes the next call begin with a new session.
    #[cfg(test)]
    pub(super) fn forget_session(&mut self) {
        self.session = None;
    }

    /// Gives up the session when what came of a statement leaves a doubt.
    fn judge<T>(&mut self, outcome: Result<T, StatementError>) -> Result<T, StatementError> {
        match &outcome {
            Ok(_) => return outcome,
            Err(failed) if failed.is_taken() || failed.is_limit() => return outcome,
            // It may be an old primary, whose commits wait for a standby for ever, and other commits for those.
            Err(_) => self.servers.turn(),
        }
        self.session = None;
        outcome
    }

    /// Refuses a server that may lose what it has acknowledged.
    pub(super) async fn check(&mut self) -> Result<(), PostgresSettingsError> {
        let alone = self.settings.alone;
        let reason = match self.session().await {
            Ok(session) => unsafe_setting(&session.standing, alone),
            Err(StatementError::NoServer(reason)) => return Err(reason),
            Err(failed) => return Err(PostgresSettingsError::Now(failed.to_string())),
        };
        match reason {
            None => Ok(()),
            Some(reason) => {
                // What the server says of itself is asked for anew.
                self.session = None;
                Err(PostgresSettingsError::Settings(reason))
            }
        }
    }

    pub(super) async fn prepare(&mut self) -> Result<(), PostgresSettingsError> {
        self.check().await?;
        let session = match self.session().await {
            Ok(session) => session,
            Err(failed) => return Err(PostgresSettingsError::Now(failed.to_string())),
        };
        let durability = Self::make_table(session).await;
        match self.judge(durability) {
            Ok(true) => Ok(()),
            Ok(false) => Err(PostgresSettingsError::Settings(
                "the table switchboard_log is unlogged or temporary, so PostgreSQL may empty it: run ALTER TABLE \
                 switchboard_log SET LOGGED"
                    .to_owned(),
            )),
            Err(failed) => Err(PostgresSettingsError::Now(format!(
                "the table switchboard_log cannot be used: {failed}"
            ))),
        }
    }

    /// Makes the table if it is missing, and returns whether it is of the kind that survives a crash.
    async fn make_table(session: &mut Session) -> Result<bool, StatementError> {
        if !session.holds(IS_THERE).await? {
            session.run(TABLE).await?;
        }
        // Behind this the table is at the standby, and there is one.
        session.prove(Position(0)).await?;
        session.holds(IS_KEPT).await
    }

    pub(super) async fn append(
        &mut self,
        after: Position,
        entry: &[u8],
    ) -> Result<(), AppendError> {
        let Ok(position) = i64::try_from(after.next().0) else {
            let reason = format!("place {} is beyond the table", after.next());
            return Err(AppendError::Refused(reason));
        };
        let is_permanent = EntryHeader::decode(entry).is_ok_and(|it| it.is_permanent());
        let partition = self.settings.partition;
        let insertion = async {
            let session = self.session().await?;
            session
                .insert(partition, position, is_permanent, entry)
                .await
        }
        .await;
        match self.judge(insertion) {
            Ok(()) => Ok(()),
            Err(failed) if failed.is_taken() => Err(AppendError::Taken),
            Err(failed) if failed.is_limit() => Err(AppendError::Refused(failed.to_string())),
            Err(failed) => Err(AppendError::Unknown(failed.to_string())),
        }
    }

    pub(super) async fn read(
        &mut self,
        after: Position,
        patience: Duration,
    ) -> Result<Vec<Stored>, StatementError> {
        let until = Instant::now().checked_add(patience);
        let mut pause = PAUSE_FIRST;
        loop {
            let entries = self.read_now(after).await?;
            let time_left = until.map_or(pause, |until| until.duration_since(Instant::now()));
            if !entries.is_empty() || time_left.is_zero() {
                return Ok(entries);
            }
            sleep(pause.min(time_left)).await;
            pause = pause.mul_f64(1.5).min(PAUSE_MOST);
        }
    }

    async fn read_now(&mut self, after: Position) -> Result<Vec<Stored>, StatementError> {
        let partition = self.settings.partition;
        let Ok(behind) = i64::try_from(after.0) else {
            return Ok(Vec::new());
        };
        let entries = async { self.session().await?.read(partition, behind).await }.await;
        self.judge_or_default(entries)
    }

    /// As [`Self::judge`]; where the table is not there, nothing is found.
    fn judge_or_default<T: Default>(
        &mut self,
        answer: Result<T, StatementError>,
    ) -> Result<T, StatementError> {
        match answer {
            Err(failed) if failed.is_absent() => Ok(T::default()),
            other => self.judge(other),
        }
    }

    pub(super) async fn span(&mut self, from: Position) -> Result<Option<Span>, StatementError> {
        let partition = self.settings.partition;
        let from = i64::try_from(from.0).unwrap_or(i64::MAX);
        let span = async { self.session().await?.span(partition, from).await }.await;
        self.judge_or_default(span)
    }

    pub(super) async fn report(&mut self, report: &NodeReport) -> Result<(), StatementError> {
        let partition = self.settings.partition;
        let reported = async { self.session().await?.report(partition, report).await }.await;
        self.judge_or_default(reported)
    }

    pub(super) async fn reports(&mut self) -> Result<Vec<NodeReport>, StatementError> {
        let partition = self.settings.partition;
        let reports = async { self.session().await?.reports(partition).await }.await;
        self.judge_or_default(reports)
    }

    pub(super) async fn range(&mut self) -> Result<Option<LogRange>, StatementError> {
        let partition = self.settings.partition;
        let range = async { self.session().await?.range(partition).await }.await;
        self.judge_or_default(range)
    }

    pub(super) async fn trim(&mut self, upto: Position) -> Result<(), StatementError> {
        let partition = self.settings.partition;
        let upto = i64::try_from(upto.0).unwrap_or(i64::MAX);
        loop {
            let row_count = async { self.session().await?.trim_some(partition, upto).await }.await;
            if self.judge(row_count)? == 0 {
                return Ok(());
            }
        }
    }
}

/// The reason for which an answer of this server would not survive what it has to survive.
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

/// The reason for which the disk of this server would not have what the server answers.
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
