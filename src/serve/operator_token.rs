//! The operator's token: the configured one, or one that is made.

use anyhow::Result;
use switchboard_actors::System;

use crate::config::Settings;
use crate::config::values::Secret;
use crate::serve::announce;

/// Puts the operator's token in force. One that is made is shown once.
pub(super) async fn settle_token(system: &System, settings: &Settings) -> Result<()> {
    let token = settings.operator.token.as_ref().map(Secret::expose);
    if let Some(new_token) = system.settle_operator_token(token).await? {
        announce::operator_token(&new_token);
    }
    Ok(())
}
