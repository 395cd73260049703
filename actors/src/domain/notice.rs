//! What others hear of once it is on disk: the dispatcher, the live feed. Never stored, always derivable.

use crate::domain::dispatch::lane::OutNumber;
use crate::domain::id::{AccountId, ConversationId, DealId, MessageId, ScopeId};
use crate::domain::time::UnixMillis;

/// Something that is on disk now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// A customer's message came in.
    Received {
        /// The scope it came through.
        scope: ScopeId,
        /// Its conversation.
        conversation: ConversationId,
        /// Its id.
        message: MessageId,
        /// Whether people are to be told: false for a silent import.
        loud: bool,
    },
    /// An account user's message waits for its callback.
    Replied {
        /// The scope it leaves through.
        scope: ScopeId,
        /// Its conversation.
        conversation: ConversationId,
        /// Its id.
        message: MessageId,
        /// Its number among the callbacks of its conversation.
        number: OutNumber,
    },
    /// A message has a new version, or other signs on it.
    Changed {
        /// The account.
        account: AccountId,
        /// The conversation of the message.
        conversation: ConversationId,
        /// The message.
        message: MessageId,
    },
    /// A job that sends callbacks again was begun.
    ReplayBegun,
    /// A message that was final waits for its callback again.
    Replayed {
        /// The scope it leaves through.
        scope: ScopeId,
        /// Its conversation.
        conversation: ConversationId,
    },
    /// The integration reported on an account user's message.
    Reported {
        /// The account.
        account: AccountId,
        /// The conversation of the message.
        conversation: ConversationId,
        /// The message.
        message: MessageId,
    },
    /// A deal came into being.
    DealOpened {
        /// The account.
        account: AccountId,
        /// The deal.
        deal: DealId,
        /// The conversation it came from.
        conversation: ConversationId,
    },
    /// An account was connected to a channel, or its connection changed.
    Connected {
        /// The scope.
        scope: ScopeId,
    },
    /// A channel is new, or its addresses or secrets changed.
    ChannelChanged,
    /// An account was disconnected from a channel: what is queued for it is cancelled.
    Disconnected {
        /// The scope.
        scope: ScopeId,
        /// When: what was queued later came after another connection.
        at: UnixMillis,
    },
}
