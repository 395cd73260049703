//! The body of `DELETE /v2/origin/custom/<channel_id>/disconnect`.

use crate::body;
use crate::body::Body;
use crate::chat_body::Rules;
use crate::domain::id::AccountId;
use crate::json::{self, BodyError};

body!(
    /// An account is to be disconnected from the channel.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct DisconnectBody {
        account_id: AccountId,
    }
);

/// Reads the body. A key that is not listed is refused by name: the signature covers no path, and a captured
/// callback or connect body carries an `account_id` as well.
///
/// # Errors
/// When it is no JSON, or with everything that is wrong in it.
pub fn parse(body: &[u8], rules: Rules) -> Result<DisconnectBody, BodyError> {
    rules.read(|rules| json::read(body, rules.nulls(), DisconnectBody::from_object))
}
