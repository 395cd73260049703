//! The holder of credentials: the user with the tokens and sessions.

use serde::{Deserialize, Serialize};

use crate::id::{AccountId, UserId};

/// A user of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Holder {
    /// The account.
    pub account: AccountId,
    /// The user.
    pub user: UserId,
}
