//! Sources: every user of the account knows them, administrators set them.

use std::collections::BTreeSet;

use crate::domain::audit::By;
use crate::domain::crm::Crm;
use crate::domain::crm::source::{Source, SourceSettings};
use crate::domain::crm::sources::{
    CreateSources, DeleteSources, SourceChange, SourceRejection, UpdateSources,
};
use crate::domain::id::SourceNumber;
use crate::system::user_access::UserAccess;
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::state::Command;
use switchboard_runtime::error::{CommandError, UnavailableError};

impl UserAccess {
    /// The sources of the account, by number.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn sources(&self) -> Result<Vec<Source>, UnavailableError> {
        Ok(self.crm().await?.sources)
    }

    /// An administrator adds sources, all of them or none; answers once they are on disk.
    ///
    /// # Errors
    /// When there would be too many, one has the external id of another, or nothing can be stored now.
    pub async fn create_sources(
        &self,
        sources: Vec<SourceSettings>,
    ) -> Result<Vec<Source>, CommandError<SourceRejection>> {
        let by = By::from(&self.caller);
        self.set(CreateSources { by, sources }).await
    }

    /// An administrator changes a source, as [`Self::update_sources`].
    ///
    /// # Errors
    /// As [`Self::update_sources`].
    pub async fn update_source(
        &self,
        id: SourceNumber,
        change: SourceChange,
    ) -> Result<Source, CommandError<SourceRejection>> {
        let edited = self.update_sources(vec![(id, change)]).await?;
        let source = edited.into_iter().next();
        source.ok_or(CommandError::Rejected(SourceRejection::Unknown))
    }

    /// An administrator changes sources, all of them or none; answers once that is on disk.
    ///
    /// # Errors
    /// When one of them is not there, it would have the external id of another, or nothing can be stored now.
    pub async fn update_sources(
        &self,
        changes: Vec<(SourceNumber, SourceChange)>,
    ) -> Result<Vec<Source>, CommandError<SourceRejection>> {
        let by = By::from(&self.caller);
        self.set(UpdateSources { by, changes }).await
    }

    /// An administrator deletes a source, as [`Self::delete_sources`].
    ///
    /// # Errors
    /// As [`Self::delete_sources`].
    pub async fn delete_source(
        &self,
        id: SourceNumber,
    ) -> Result<(), CommandError<SourceRejection>> {
        self.delete_sources(BTreeSet::from([id])).await
    }

    /// An administrator deletes sources, all of them or none; answers once that is on disk.
    ///
    /// # Errors
    /// When one of them is not there, or nothing can be stored now.
    pub async fn delete_sources(
        &self,
        ids: BTreeSet<SourceNumber>,
    ) -> Result<(), CommandError<SourceRejection>> {
        let by = By::from(&self.caller);
        self.set(DeleteSources { by, ids }).await
    }

    async fn set<C: Command<Of = Crm, Rejection = SourceRejection>>(
        &self,
        command: C,
    ) -> Result<C::Reply, CommandError<SourceRejection>> {
        execute(self.system.kernel(), &self.caller.account, command).await
    }
}
