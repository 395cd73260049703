//! The id of an endpoint.

use switchboard_values::hook_version::HookVersion;
use switchboard_values::id::{ChannelId, ScopeId};

/// The destination of callbacks: one channel in one version.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EndpointId {
    /// The channel.
    pub channel: ChannelId,
    /// The version.
    pub version: HookVersion,
}

impl EndpointId {
    /// The endpoint of a scope that speaks this version.
    #[must_use]
    pub fn new(scope: &ScopeId, version: HookVersion) -> Self {
        Self {
            channel: scope.channel().clone(),
            version,
        }
    }

    /// The endpoint of the same channel in the other version.
    #[must_use]
    pub fn other_version(&self) -> Self {
        Self {
            channel: self.channel.clone(),
            version: match self.version {
                HookVersion::V1 => HookVersion::V2,
                HookVersion::V2 => HookVersion::V1,
            },
        }
    }
}
