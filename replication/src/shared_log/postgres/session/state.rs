//! The state of a log and of its nodes, and that of the server.

use crate::shared_log::log::Span;
use crate::shared_log::report::NodeReport;
use tokio::time::Instant;
use tokio_postgres::types::Type;

use super::{Parameter, Session};
use crate::shared_log::postgres::statement_error::StatementError;

/// The entries from a position on.
const SPAN: &str = "SELECT min(position), max(position) FROM switchboard_log WHERE partition = $1 AND position >= $2";
/// A report may be lost: its commit waits for nothing.
const REPORT: &str = "WITH soon AS (SELECT set_config('synchronous_commit', 'off', true)) INSERT INTO switchboard_log_nodes \
    SELECT $1, $2, $3 FROM soon ON CONFLICT (partition, node) DO UPDATE SET body = excluded.body";
const REPORTS: &str =
    "SELECT body FROM switchboard_log_nodes WHERE partition = $1 ORDER BY node LIMIT 64";
const STANDBYS: &str = "SELECT current_setting('synchronous_standby_names')";

impl Session {
    /// The entries from a position on.
    pub(in crate::shared_log::postgres) async fn span(
        &mut self,
        partition: i32,
        from: i64,
    ) -> Result<Option<Span>, StatementError> {
        let parameters: [Parameter<'_>; 2] = [(&partition, Type::INT4), (&from, Type::INT8)];
        let ends = self.ends(SPAN, &parameters).await?;
        Ok(ends.map(|(first, newest)| Span { first, newest }))
    }

    /// Leaves the report of a node.
    pub(in crate::shared_log::postgres) async fn report(
        &self,
        partition: i32,
        report: &NodeReport,
    ) -> Result<(), StatementError> {
        let body = report.encode();
        let parameters: [Parameter<'_>; 3] = [
            (&partition, Type::INT4),
            (&report.node, Type::TEXT),
            (&body, Type::BYTEA),
        ];
        let statement = self.client.execute_typed(REPORT, &parameters);
        self.within(statement).await.map(drop)
    }

    /// The reports of all nodes.
    pub(in crate::shared_log::postgres) async fn reports(
        &self,
        partition: i32,
    ) -> Result<Vec<NodeReport>, StatementError> {
        let rows = self.rows(REPORTS, &[(&partition, Type::INT4)]).await?;
        let bodies: Result<Vec<&[u8]>, _> = rows.iter().map(|row| row.try_get(0)).collect();
        Ok(bodies?.into_iter().filter_map(NodeReport::decode).collect())
    }

    /// The standbys that a commit waits for now; empty: none.
    pub(in crate::shared_log::postgres) async fn standbys(
        &mut self,
    ) -> Result<String, StatementError> {
        self.seen_at = Instant::now();
        let rows = self.rows(STANDBYS, &[]).await?;
        let names = rows.first().map(|row| row.try_get(0)).transpose()?;
        Ok(names.unwrap_or_default())
    }
}
