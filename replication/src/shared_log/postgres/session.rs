//! A connection to a server, and what the server says beside its answers.

mod state;

use std::future::poll_fn;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::position::Position;
use crate::shared_log::log::{LogRange, Stored};
use bytes::Bytes;
use tokio::task::AbortHandle;
use tokio::time::{Instant, timeout};
use tokio_postgres::error::{DbError, Severity};
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{AsyncMessage, Client, Config, Row, Socket};

use super::settings::Settings;
use super::statement_error::StatementError;

/// An end of the log that was proven so long ago is proven anew.
const FRESH: Duration = Duration::from_secs(10);
/// The number of bytes, about, that the rows of an answer have at most.
const ANSWER_BYTES: i64 = 4 << 20;
/// The number of entries that one statement removes.
const TRIMMED_AT_ONCE: i64 = 128;

/// The settings of a session: those of the operator cut no wait for the standby short, and what the role has is not
/// what this log needs.
const SETTINGS: &str = "SELECT set_config(name, CASE name WHEN 'synchronous_commit' THEN 'on' \
    WHEN 'lock_timeout' THEN $1 ELSE '0' END, false) FROM pg_settings WHERE name IN ('synchronous_commit', 'lock_timeout', \
    'statement_timeout', 'transaction_timeout', 'idle_session_timeout', 'idle_in_transaction_session_timeout')";
const STANDING: &str = "SELECT pg_is_in_recovery(), current_setting('transaction_read_only') = 'on', \
    current_setting('synchronous_standby_names'), current_setting('synchronous_commit'), current_setting('fsync') = 'on', \
    current_setting('full_page_writes') = 'on', CASE WHEN pg_is_in_recovery() THEN '' \
    ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END";
const INSERT: &str =
    "INSERT INTO switchboard_log (partition, position, permanent, body) VALUES ($1, $2, $3, $4)";
const PROVE: &str = "SELECT pg_logical_emit_message(true, 'switchboard', '')";
/// Rows until those before them have enough bytes.
const READ: &str = "SELECT position, body FROM (SELECT position, body, \
    sum(octet_length(body)) OVER (ORDER BY position) - octet_length(body) AS before FROM (SELECT position, body FROM \
    switchboard_log WHERE partition = $1 AND position > $2 ORDER BY position LIMIT 1024) AS following) AS summed \
    WHERE before < $3 ORDER BY position";
/// The entries are without a gap from the first one that is not permanent, and from the permanent ones directly before that.
const RANGE: &str = "WITH RECURSIVE newest AS (SELECT max(position) AS position FROM switchboard_log WHERE partition = $1), \
    down AS (SELECT coalesce((SELECT position FROM switchboard_log WHERE partition = $1 AND NOT permanent ORDER BY position LIMIT 1), \
    newest.position) AS position FROM newest UNION ALL SELECT log.position FROM down JOIN switchboard_log AS log \
    ON log.partition = $1 AND log.position = down.position - 1) \
    SELECT (SELECT min(position) FROM down), newest.position FROM newest";
/// The newest entry stays: behind it is the position of the next one.
const TRIM: &str = "DELETE FROM switchboard_log WHERE partition = $1 AND position IN (SELECT position FROM switchboard_log \
    WHERE partition = $1 AND NOT permanent AND position <= $2 \
    AND position < (SELECT max(position) FROM switchboard_log WHERE partition = $1) ORDER BY position LIMIT $3)";

/// Warnings of these parts of the server say nothing of a commit: numbers of transactions are running out.
const HARMLESS: [&str; 2] = ["GetNewTransactionId", "GetNewMultiXactId"];

/// The state of a server when the session began.
#[derive(Clone, Debug, Default)]
pub(super) struct Standing {
    /// It follows another server.
    pub(super) in_recovery: bool,
    /// It takes no writes of this user.
    pub(super) read_only: bool,
    /// The standbys that a commit waits for; empty: none.
    pub(super) standbys: String,
    /// The setting `synchronous_commit` of this session.
    pub(super) commit: String,
    /// True when it asks its disk to store anything.
    pub(super) fsync: bool,
    /// True when it survives a write that a power cut tears.
    pub(super) full_page_writes: bool,
    /// The branch of history that it writes: a failover begins the next one.
    pub(super) timeline: u32,
}

/// A connection.
pub(super) struct Session {
    client: Client,
    driver: AbortHandle,
    last_warning: Arc<LastWarning>,
    pub(super) standing: Standing,
    answer_within: Duration,
    /// Up to which position the entries are known to be on the standby, and when that was found out.
    proven: Position,
    proven_at: Option<Instant>,
    /// The time of the last question for the standbys.
    pub(super) seen_at: Instant,
}

/// The last warning of the server beside its answers.
#[derive(Default)]
struct LastWarning(Mutex<Option<String>>);

impl LastWarning {
    fn note(&self, notice: &DbError) {
        let is_warning = !matches!(
            notice.parsed_severity(),
            Some(Severity::Notice | Severity::Debug | Severity::Info | Severity::Log)
        );
        if is_warning && !notice.routine().is_some_and(|it| HARMLESS.contains(&it)) {
            let mut warning = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            *warning = Some(format!("PostgreSQL warns: {}", notice.message()));
        }
    }

    fn take(&self) -> Option<String> {
        let mut warning = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        warning.take()
    }
}

/// A parameter and its type: statements are parsed, bound and run in one round trip.
type Parameter<'a> = (&'a (dyn ToSql + Sync), Type);

impl Session {
    /// Connects to a server, and asks how it is.
    pub(super) async fn open<T>(
        config: &Config,
        tls: T,
        settings: &Settings,
    ) -> Result<Self, tokio_postgres::Error>
    where
        T: MakeTlsConnect<Socket>,
        T::Stream: Send + 'static,
    {
        let (client, mut connection) = config.connect(tls).await?;
        let last_warning = Arc::new(LastWarning::default());
        let driver_warning = Arc::clone(&last_warning);
        let driver = tokio::spawn(async move {
            // An error ends the statement that waits, too. A warning is noted before the end of the answer behind it.
            while let Some(Ok(message)) = poll_fn(|it| connection.poll_message(it)).await {
                if let AsyncMessage::Notice(notice) = message {
                    driver_warning.note(&notice);
                }
            }
        });
        let mut session = Self {
            client,
            driver: driver.abort_handle(),
            last_warning,
            standing: Standing::default(),
            answer_within: settings.answer_within,
            proven: Position(0),
            proven_at: None,
            seen_at: Instant::now(),
        };
        // Shorter than the time that an answer may take: an abandoned statement does not wait at the server for ever.
        let locks = (settings.answer_within * 4 / 5).as_millis().to_string();
        let parameters: [Parameter<'_>; 1] = [(&locks, Type::TEXT)];
        session.client.query_typed(SETTINGS, &parameters).await?;
        let rows = session.client.query_typed(STANDING, &[]).await?;
        if let Some(row) = rows.first() {
            session.standing = standing(row)?;
        }
        Ok(session)
    }

    /// Returns whether the connection is lost.
    pub(super) fn is_lost(&self) -> bool {
        self.client.is_closed()
    }

    /// Waits for an answer of the server, no longer than it may take.
    async fn within<T>(
        &self,
        answer: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, StatementError> {
        let answer = timeout(self.answer_within, answer)
            .await
            .ok()
            .ok_or(StatementError::Late(self.answer_within))?;
        answer.map_err(|error| match self.last_warning.take() {
            // It has warned why it ends the session.
            Some(warning) if error.as_db_error().is_none() => StatementError::Warned(warning),
            Some(_) | None => StatementError::Error(error),
        })
    }

    async fn rows(
        &self,
        query: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<Vec<Row>, StatementError> {
        self.within(self.client.query_typed(query, parameters))
            .await
    }

    /// Runs a statement whose commit is on the standby when this returns.
    async fn commit(
        &self,
        statement: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<u64, StatementError> {
        drop(self.last_warning.take());
        let row_count = self
            .within(self.client.execute_typed(statement, parameters))
            .await?;
        match self.last_warning.take() {
            None => Ok(row_count),
            Some(warning) => Err(StatementError::Warned(warning)),
        }
    }

    /// Runs statements without parameters, in one transaction if they say so.
    pub(super) async fn run(&self, statements: &str) -> Result<(), StatementError> {
        self.within(self.client.batch_execute(statements)).await
    }

    /// The only value of a query: a yes or a no.
    pub(super) async fn holds(&self, query: &str) -> Result<bool, StatementError> {
        let rows = self.rows(query, &[]).await?;
        let value = rows.first().map(|row| row.try_get(0)).transpose()?;
        Ok(value.unwrap_or_default())
    }

    /// Stores an entry.
    pub(super) async fn insert(
        &self,
        partition: i32,
        position: i64,
        is_permanent: bool,
        body: &[u8],
    ) -> Result<(), StatementError> {
        let parameters: [Parameter<'_>; 4] = [
            (&partition, Type::INT4),
            (&position, Type::INT8),
            (&is_permanent, Type::BOOL),
            (&body, Type::BYTEA),
        ];
        self.commit(INSERT, &parameters).await.map(drop)
    }

    /// Makes sure that what this connection has seen is on the standby, up to this position.
    pub(super) async fn prove(&mut self, upto: Position) -> Result<(), StatementError> {
        let is_fresh = self.proven_at.is_some_and(|at| at.elapsed() < FRESH);
        if is_fresh && upto <= self.proven {
            return Ok(());
        }
        self.commit(PROVE, &[]).await?;
        self.proven = self.proven.max(upto);
        self.proven_at = Some(Instant::now());
        Ok(())
    }

    /// Entries behind a position.
    pub(super) async fn read(
        &mut self,
        partition: i32,
        after: i64,
    ) -> Result<Vec<Stored>, StatementError> {
        let parameters: [Parameter<'_>; 3] = [
            (&partition, Type::INT4),
            (&after, Type::INT8),
            (&ANSWER_BYTES, Type::INT8),
        ];
        let rows = self.rows(READ, &parameters).await?;
        let entries = rows
            .iter()
            .map(|row| {
                Ok(Stored {
                    position: position(row.try_get(0)?),
                    bytes: Bytes::copy_from_slice(row.try_get(1)?),
                })
            })
            .collect::<Result<Vec<_>, tokio_postgres::Error>>()?;
        self.prove(entries.last().map_or(Position(0), |entry| entry.position))
            .await?;
        Ok(entries)
    }

    /// From where to where there are entries without a gap.
    pub(super) async fn range(
        &mut self,
        partition: i32,
    ) -> Result<Option<LogRange>, StatementError> {
        let parameters: [Parameter<'_>; 1] = [(&partition, Type::INT4)];
        let ends = self.ends(RANGE, &parameters).await?;
        Ok(ends.map(|(oldest, newest)| LogRange { oldest, newest }))
    }

    /// The first and the newest position that a query gives, proven; `None`: there are none.
    async fn ends(
        &mut self,
        query: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<Option<(Position, Position)>, StatementError> {
        let rows = self.rows(query, parameters).await?;
        let mut ends = (None, None);
        if let Some(row) = rows.first() {
            ends = (row.try_get(0)?, row.try_get(1)?);
        }
        let (Some(first), Some(newest)) = ends else {
            self.prove(Position(0)).await?;
            return Ok(None);
        };
        let newest = position(newest);
        self.prove(newest).await?;
        Ok(Some((position(first), newest)))
    }

    /// Removes some entries up to a position; how many these were.
    pub(super) async fn trim_some(&self, partition: i32, upto: i64) -> Result<u64, StatementError> {
        let parameters: [Parameter<'_>; 3] = [
            (&partition, Type::INT4),
            (&upto, Type::INT8),
            (&TRIMMED_AT_ONCE, Type::INT8),
        ];
        self.commit(TRIM, &parameters).await
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // A statement that has no answer yet would keep the connection.
        self.driver.abort();
    }
}

fn standing(row: &Row) -> Result<Standing, tokio_postgres::Error> {
    let timeline: &str = row.try_get(6)?;
    Ok(Standing {
        in_recovery: row.try_get(0)?,
        read_only: row.try_get(1)?,
        standbys: row.try_get(2)?,
        commit: row.try_get(3)?,
        fsync: row.try_get(4)?,
        full_page_writes: row.try_get(5)?,
        timeline: u32::from_str_radix(timeline, 16).unwrap_or_default(),
    })
}

fn position(number: i64) -> Position {
    Position(u64::try_from(number).unwrap_or_default())
}
