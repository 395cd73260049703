//! The token of the operator.

use crate::domain::account::users::TokenHash;
use crate::domain::operator::token::{MadeToken, SettleToken};
use crate::system::System;
use crate::system::operator::unavailable;
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::UnavailableError;

impl System {
    /// Puts the operator's token in force: the configured one, else the one that was made at an earlier start, else a
    /// new one, which is given back to be shown this once.
    ///
    /// # Errors
    /// When nothing can be stored now.
    pub async fn settle_operator_token(
        &self,
        configured: Option<&str>,
    ) -> Result<Option<MadeToken>, UnavailableError> {
        let configured = configured.map(TokenHash::new);
        execute(self.kernel(), &(), SettleToken { configured })
            .await
            .map_err(unavailable)
    }

    /// Returns whether this is the operator's token. Takes the same time for every wrong one of a length.
    #[must_use]
    pub fn is_operator(&self, token: &str) -> bool {
        self.kernel()
            .shared
            .read_cache
            .operator
            .is_token(&TokenHash::new(token))
    }
}
