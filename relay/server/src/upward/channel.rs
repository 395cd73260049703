//! The way up of one relay, as the configuration has it.

use switchboard_actors::domain::id::ChannelId;
use url::Url;

use super::hosts::HostRule;

/// The beginning of paths that name the host that a request is for: that of an account.
pub const HOST_PREFIX: &str = "/relay/to/";

/// The way up of one relay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpwardChannel {
    /// The channel.
    pub channel: ChannelId,
    /// The origin of the counterpart's chat interface.
    pub upstream: Url,
    /// The hosts of the account side.
    pub hosts: Vec<HostRule>,
}
