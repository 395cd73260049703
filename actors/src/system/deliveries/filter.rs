//! Filters of deliveries.

use std::str::FromStr;

use crate::domain::fate::Fate;
use crate::domain::id::{ChannelId, ConversationId, ScopeId};

/// A filter of deliveries; a field of `None` takes all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeliveryFilter {
    /// The state of the delivery.
    pub state: Option<StateFilter>,
    /// The group of the state.
    pub group: Option<StateGroup>,
    /// Their channel.
    pub channel: Option<ChannelId>,
    /// Their scope; outranks the channel.
    pub scope: Option<ScopeId>,
    /// Their conversation; outranks the scope.
    pub conversation: Option<ConversationId>,
}

impl DeliveryFilter {
    /// Returns whether the filter takes deliveries in this state.
    pub(crate) fn means(&self, state: StateFilter) -> bool {
        self.state.is_none_or(|meant| meant == state)
            && self.group.is_none_or(|group| group == state.group())
    }

    /// Returns whether the filter takes queued deliveries in some state.
    pub(crate) fn means_queued(&self) -> bool {
        let is_queued = |state: &StateFilter| state.group() == StateGroup::Waiting;
        StateFilter::ALL
            .iter()
            .filter(|state| is_queued(state))
            .any(|state| self.means(*state))
    }
}

/// A state of deliveries that a filter names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateFilter {
    /// Waits for its turn.
    Queued,
    /// Is being sent.
    Sending,
    /// Waits for its next attempt.
    Waiting,
    /// Waits for its endpoint.
    Held,
    /// The integration has it.
    Delivered,
    /// Was given up.
    Dead,
    /// Is not to be sent any more.
    Cancelled,
}

/// Several states that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateGroup {
    /// On its way: queued, sending, waiting or held.
    Waiting,
    /// Not delivered and not on its way: dead or cancelled.
    Failed,
    /// Delivered.
    Delivered,
}

/// The text is no state that can be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be one of queued, sending, waiting, held, delivered, dead and cancelled")]
pub struct StateFilterError;

/// The text is no group of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be one of all, waiting, failed and delivered")]
pub struct GroupFilterError;

impl StateFilter {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Queued,
        Self::Sending,
        Self::Waiting,
        Self::Held,
        Self::Delivered,
        Self::Dead,
        Self::Cancelled,
    ];

    /// The name that people read.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Sending => "sending",
            Self::Waiting => "waiting",
            Self::Held => "held",
            Self::Delivered => "delivered",
            Self::Dead => "dead",
            Self::Cancelled => "cancelled",
        }
    }

    /// The group that it belongs to.
    #[must_use]
    pub fn group(self) -> StateGroup {
        match self {
            Self::Queued | Self::Sending | Self::Waiting | Self::Held => StateGroup::Waiting,
            Self::Delivered => StateGroup::Delivered,
            Self::Dead | Self::Cancelled => StateGroup::Failed,
        }
    }

    pub(crate) fn fate(self) -> Option<Fate> {
        match self {
            Self::Queued | Self::Sending | Self::Waiting | Self::Held | Self::Delivered => None,
            Self::Dead => Some(Fate::Dead),
            Self::Cancelled => Some(Fate::Cancelled),
        }
    }
}

impl StateGroup {
    /// The names that people write; `all` is no group.
    pub const NAMES: [&'static str; 4] = ["all", "waiting", "failed", "delivered"];

    /// The group of this name; `None` of `all`.
    ///
    /// # Errors
    /// When the text is none of [`Self::NAMES`].
    pub fn of_name(text: &str) -> Result<Option<Self>, GroupFilterError> {
        match text {
            "all" => Ok(None),
            "waiting" => Ok(Some(Self::Waiting)),
            "failed" => Ok(Some(Self::Failed)),
            "delivered" => Ok(Some(Self::Delivered)),
            _ => Err(GroupFilterError),
        }
    }
}

impl FromStr for StateFilter {
    type Err = StateFilterError;
    fn from_str(text: &str) -> Result<Self, StateFilterError> {
        let state_filter = Self::ALL.into_iter().find(|state| state.as_str() == text);
        state_filter.ok_or(StateFilterError)
    }
}
