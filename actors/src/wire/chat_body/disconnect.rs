//! The body of `DELETE /v2/origin/custom/<channel_id>/disconnect`.

use crate::domain::id::AccountId;
use crate::wire::chat_body::Rules;
use crate::wire::json::{self, BodyError};

/// An account is to be disconnected from the channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DisconnectBody {
    /// The account.
    pub account: AccountId,
}

/// Reads the body. A key that is not listed is refused by name: the signature covers no path, and a captured
/// callback or connect body carries an `account_id` as well.
///
/// # Errors
/// When it is no JSON, or with everything that is wrong in it.
pub fn parse(body: &[u8], rules: Rules) -> Result<DisconnectBody, BodyError> {
    rules.read(|rules| read(body, rules))
}

fn read(body: &[u8], rules: Rules) -> Result<DisconnectBody, BodyError> {
    json::read(body, rules.nulls(), |body| {
        body.refuse_unknown(&["account_id"]);
        let account = body.required_parsed("account_id")?;
        Some(DisconnectBody { account })
    })
}
