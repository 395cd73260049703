//! The questions of salesbots, as those see them who wait for the programs.

use crate::domain::id::AccountId;
use crate::domain::salesbots::{Run, Salesbots};
use crate::system::System;
use switchboard_runtime::error::UnavailableError;

impl System {
    /// The runs of an account whose question no program has taken yet, and will be asked again.
    ///
    /// # Errors
    /// When they cannot be read now.
    pub async fn open_questions(&self, account: AccountId) -> Result<Vec<Run>, UnavailableError> {
        let bots = self.look::<Salesbots>(&account).await?;
        let now = self.now();
        Ok(bots.map_or_else(Vec::new, |bots| bots.open_questions(now).collect()))
    }
}
