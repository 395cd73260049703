//! The owners of what relays have: the hooks of a conversation, the switch, the news.

use crate::shared::Shared;
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::owner::Owned;
use switchboard_relay::hooks::RelayedHooks;
use switchboard_relay::news::RelayNews;
use switchboard_relay::switch::RelaySwitch;

impl Owned<Shared> for RelayedHooks {
    fn directory(shared: &Shared) -> &Directory<Self, Shared> {
        &shared.directories.relayed_hooks
    }
}

impl Owned<Shared> for RelaySwitch {
    fn directory(shared: &Shared) -> &Directory<Self, Shared> {
        &shared.directories.relay_switches
    }
}

impl Owned<Shared> for RelayNews {
    fn directory(shared: &Shared) -> &Directory<Self, Shared> {
        &shared.directories.relay_news
    }
}
