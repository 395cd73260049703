//! The audit log, newest first.

use crate::domain::audit::AuditEntry;
use crate::domain::id::AccountId;
use crate::domain::keys;
use crate::domain::operator::note::Note;
use crate::domain::tables;
use crate::system::System;
use crate::system::inbox::{PAGE_MAX, Page};
use crate::system::operator::unavailable;
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::store::ReadError;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_runtime::error::UnavailableError;

/// A place in the audit log. Opaque to callers; travels as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditCursor(Vec<u8>);

/// The bytes of a row's key behind the name of its log: time and id.
const CURSOR_BYTES: usize = 24;

impl AuditCursor {
    /// The cursor as text.
    #[must_use]
    pub fn to_text(&self) -> String {
        hex::encode(&self.0)
    }

    /// The cursor in a text that [`Self::to_text`] gave.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        let bytes = hex::decode(text).ok()?;
        (bytes.len() == CURSOR_BYTES).then_some(Self(bytes))
    }
}

impl System {
    /// The audit log, newest first: of everything, or of what concerns one account. At most [`PAGE_MAX`] entries.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn audit(
        &self,
        account: Option<AccountId>,
        after: Option<&AuditCursor>,
        limit: usize,
    ) -> Result<Page<AuditEntry, AuditCursor>, UnavailableError> {
        let kernel = self.kernel();
        kernel.caught_up().await;
        let limit = limit.clamp(1, PAGE_MAX);
        let prefix = keys::audit_prefix(account);
        let mut range = KeyRange::prefix(&prefix);
        if let Some(AuditCursor(place)) = after {
            range = range.behind([prefix.as_slice(), place].concat(), ScanOrder::Descending);
        }
        let rows = kernel.index.scan(
            tables::AUDIT,
            &range,
            ScanOrder::Descending,
            limit.saturating_add(1),
        )?;
        let more = rows.len() > limit;
        let mut entries = Vec::with_capacity(limit.min(rows.len()));
        let mut next = None;
        for (key, row) in rows.into_iter().take(limit) {
            let entry = serde_json::from_slice(&row).map_err(|error| ReadError::Damaged {
                file: "the audit log".to_owned(),
                offset: 0,
                reason: error.to_string(),
            })?;
            entries.push(entry);
            next = key
                .get(prefix.len()..)
                .map(|place| AuditCursor(place.to_vec()));
        }
        Ok(Page {
            entries,
            next: next.filter(|_| more),
        })
    }

    /// Notes something that was done and changes no state of its own.
    ///
    /// # Errors
    /// When nothing can be stored now.
    pub async fn note(&self, note: Note) -> Result<(), UnavailableError> {
        execute(self.kernel(), &(), note).await.map_err(unavailable)
    }
}
