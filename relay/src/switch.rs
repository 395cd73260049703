//! A relay that an operator paused: hooks are taken and kept, and nothing goes to its targets.

pub mod pause_relay;

use serde::{Deserialize, Serialize};

use switchboard_domain::audit::AuditEntry;
use switchboard_domain::id::ChannelId;
use switchboard_domain::kinds;
use switchboard_domain::notice::Notice;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::State;
use switchboard_engine::stream::StreamKind;

/// The switch of the relay of a channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelaySwitch {
    /// The channel.
    pub channel: ChannelId,
    /// True when an operator paused it.
    pub is_paused: bool,
}

/// An event of the switch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RelaySwitchEvent {
    /// An operator turned it.
    Turned {
        /// True when the relay is paused from then on.
        is_paused: bool,
        /// The audit entry.
        audit: Box<AuditEntry>,
    },
}

impl State for RelaySwitch {
    type Id = ChannelId;
    type Event = RelaySwitchEvent;
    type Notice = Notice;

    const KIND: StreamKind = kinds::RELAY_SWITCH;

    fn initial(id: &ChannelId) -> Self {
        Self {
            channel: id.clone(),
            is_paused: false,
        }
    }

    fn apply(&mut self, event: &RelaySwitchEvent) {
        let RelaySwitchEvent::Turned { is_paused, .. } = event;
        self.is_paused = *is_paused;
    }

    fn index(&self, event: &RelaySwitchEvent, entries: &mut IndexEntries) {
        let RelaySwitchEvent::Turned { audit, .. } = event;
        audit.index(entries);
    }
}
