//! A relay as the configuration names it.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use switchboard_domain::generation::Generation;
use switchboard_domain::id::{ChannelId, ScopeId};
use switchboard_domain::relays::{
    ACCOUNT_HOOKS, BRIDGE, COPIES_MAX, COUNTERPART, RelayId, RelayTarget,
};
use switchboard_domain::signature::request::Presented;
use switchboard_domain::signature::{SharedSecret, Signer};
use switchboard_domain::time::UnixMillis;
use switchboard_domain::webhook::WebhookAddress;

/// The beginning of all paths that relays listen at.
pub const PREFIX: &str = "/relay/";
/// The placeholder of the scope at the end of a path.
const SCOPE_PLACE: &str = "/:scope_id";
/// The most segments of a path behind [`PREFIX`].
const SEGMENTS_MAX: usize = 4;
/// The longest path.
const PATH_MAX: usize = 200;

/// A path that a relay listens at, without the place of the scope.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelayPath(String);

/// The text is no such path; says what would have been one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RelayPathError(&'static str);

impl RelayPath {
    /// The path.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the part of a request's path behind this one: empty, or a scope. None when the request is for another path.
    #[must_use]
    pub fn rest<'p>(&self, path: &'p str) -> Option<&'p str> {
        let rest = path.strip_prefix(self.0.as_str())?;
        if rest.is_empty() {
            return Some(rest);
        }
        rest.strip_prefix('/').filter(|scope| !scope.is_empty())
    }
}

impl fmt::Display for RelayPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for RelayPath {
    type Err = RelayPathError;

    fn from_str(text: &str) -> Result<Self, RelayPathError> {
        let path = text
            .strip_suffix(SCOPE_PLACE)
            .unwrap_or_else(|| text.strip_suffix('/').unwrap_or(text));
        let Some(rest) = path.strip_prefix(PREFIX).filter(|rest| !rest.is_empty()) else {
            return Err(RelayPathError(
                "write a path that begins with /relay/ and goes on, as in \"/relay/shop\"",
            ));
        };
        let is_plain =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        let segments = rest.split('/');
        let is_name =
            |segment: &str| !matches!(segment, "" | "." | "..") && segment.bytes().all(is_plain);
        if segments.clone().count() > SEGMENTS_MAX
            || path.len() > PATH_MAX
            || !segments.clone().all(is_name)
        {
            return Err(RelayPathError(
                "write at most four parts behind /relay/, of letters, digits, full stops, _ and -",
            ));
        }
        Ok(Self(path.to_owned()))
    }
}

/// The bounds of a relay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelayBounds {
    /// The longest body of a hook, in bytes.
    pub body_bytes_max: usize,
    /// The most hooks that wait for the bridge. Beyond it, hooks are refused.
    pub waiting_max: u64,
    /// The most hooks that wait for the target of copies. Beyond it, it gets no copy.
    pub copies_waiting_max: u64,
    /// The most attempts in flight for one target.
    pub in_flight_max: u16,
    /// The longest time of one attempt.
    pub timeout: Duration,
    /// The days for which hooks are kept that every target has, or that were given up; 0: for ever.
    pub keep_days: u64,
    /// The most bytes of the bodies of kept hooks: beyond it the oldest ones of those go; 0: no bound.
    pub keep_bytes: u64,
    /// The most requests of the bridge that go up in a second; 0: no bound.
    pub upward_per_second: u32,
}

impl Default for RelayBounds {
    fn default() -> Self {
        Self {
            body_bytes_max: 1 << 20,
            waiting_max: 1_000_000,
            copies_waiting_max: 100_000,
            in_flight_max: 32,
            timeout: Duration::from_secs(10),
            keep_days: 30,
            keep_bytes: 0,
            upward_per_second: 0,
        }
    }
}

/// The account side of a relay: its hooks have no signature, and a secret stands in the path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountHooks {
    /// The path, with the secret.
    pub from: RelayPath,
    /// The address of the program that gets the hooks.
    pub to: WebhookAddress,
    /// The ids of the accounts whose hooks are taken.
    pub accounts: Vec<String>,
}

/// A relay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelaySettings {
    /// The channel whose hooks it takes.
    pub channel: ChannelId,
    /// The secret of the channel.
    pub secret: SharedSecret,
    /// The secret before the present one, while the counterpart may still sign with it.
    pub previous_secret: Option<SharedSecret>,
    /// The path that hooks come to.
    pub from: RelayPath,
    /// The address of the bridge.
    pub to: WebhookAddress,
    /// The addresses that get copies.
    pub copies: Vec<WebhookAddress>,
    /// The account side.
    pub account_hooks: Option<AccountHooks>,
    /// The origin of the counterpart, when the relay answers messages of the bridge before they go up.
    pub posts_to: Option<WebhookAddress>,
    /// The bounds.
    pub bounds: RelayBounds,
}

impl RelaySettings {
    /// The relay.
    #[must_use]
    pub fn id(&self) -> RelayId {
        RelayId::from_channel(&self.channel)
    }

    /// The places of its targets, each with its address.
    pub fn targets(&self) -> impl Iterator<Item = (u8, &WebhookAddress)> {
        let copies = (BRIDGE.saturating_add(1)..=COPIES_MAX).zip(&self.copies);
        let account = self.account_hooks.iter().map(|it| (ACCOUNT_HOOKS, &it.to));
        let counterpart = self.posts_to.iter().map(|origin| (COUNTERPART, origin));
        std::iter::once((BRIDGE, &self.to))
            .chain(copies)
            .chain(account)
            .chain(counterpart)
    }

    /// The places that hooks of the channel go to: that of the bridge, and those of copies.
    pub fn signed_places(&self) -> impl Iterator<Item = u8> {
        let places = self.targets().map(|(place, _)| place);
        places.filter(|place| !matches!(*place, ACCOUNT_HOOKS | COUNTERPART))
    }

    /// The target at a place.
    #[must_use]
    pub fn target(&self, place: u8) -> RelayTarget {
        RelayTarget {
            relay: self.id(),
            place,
        }
    }

    /// The address of a target, for a hook of this scope; none when the relay has no such target.
    #[must_use]
    pub fn address(&self, place: u8, scope: Option<&ScopeId>) -> Option<String> {
        let (_, address) = self.targets().find(|(known, _)| *known == place)?;
        Some(scope.map_or_else(
            || address.as_str().to_owned(),
            |scope| address.for_scope(scope),
        ))
    }

    /// The address of a path at the counterpart; none when the relay stores no posts.
    #[must_use]
    pub fn address_of_posts(&self, target: &str) -> Option<String> {
        let origin = self.posts_to.as_ref()?.as_str();
        Some(format!("{}{target}", origin.trim_end_matches('/')))
    }

    /// The generation that the signature of a request of the bridge proves by a secret in force.
    #[must_use]
    pub fn proves(
        &self,
        request: &Presented<'_>,
        signature: &[u8],
        now: UnixMillis,
    ) -> Option<Generation> {
        let mut secrets = std::iter::once(&self.secret).chain(&self.previous_secret);
        secrets.find_map(|secret| request.proven(&Signer::new(secret), signature, None, now))
    }

    /// Returns whether this is the signature of the bytes by a secret in force.
    #[must_use]
    pub fn verifies(&self, body: &[u8], signature: &[u8]) -> bool {
        let secrets = std::iter::once(&self.secret).chain(&self.previous_secret);
        secrets
            .map(Signer::new)
            .any(|signer| signer.verify(body, signature))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_takes_its_scope_and_nothing_else() {
        let path: RelayPath = "/relay/shop/:scope_id".parse().unwrap();
        assert_eq!(path.as_str(), "/relay/shop");
        assert_eq!(path, "/relay/shop".parse().unwrap());
        assert_eq!(path, "/relay/shop/".parse().unwrap());
        for (request, rest) in [
            ("/relay/shop", Some("")),
            ("/relay/shop/a_b", Some("a_b")),
            ("/relay/shop/", None),
            ("/relay/shopping", None),
            ("/relay/sho", None),
            ("/relay", None),
        ] {
            assert_eq!(path.rest(request), rest, "{request}");
        }
    }

    #[test]
    fn paths_of_other_parts_of_the_service_are_refused() {
        for text in [
            "",
            "/",
            "relay/shop",
            "/relay",
            "/relay/",
            "/v2/origin",
            "/api/v4/leads",
            "/relay/a//b",
            "/relay/../admin",
            "/relay/./a",
            "/relay/a b",
            "/relay/a%2Fb",
            "/relay/a/b/c/d/e",
            "/relay/:scope_id",
            "/relay/a?b",
        ] {
            assert!(text.parse::<RelayPath>().is_err(), "{text}");
        }
    }

    #[test]
    fn either_secret_verifies_while_two_are_in_force() {
        let mut relay = RelaySettings {
            channel: "shop".parse().unwrap(),
            secret: "new".parse().unwrap(),
            previous_secret: Some("old".parse().unwrap()),
            from: "/relay/shop".parse().unwrap(),
            to: "https://bridge.test/in/:scope_id".parse().unwrap(),
            copies: vec!["https://staging.test/in".parse().unwrap()],
            account_hooks: None,
            posts_to: None,
            bounds: RelayBounds::default(),
        };
        let sign = |secret: &str| Signer::new(&secret.parse().unwrap()).sign(b"x").to_string();
        for secret in ["new", "old"] {
            assert!(relay.verifies(b"x", sign(secret).as_bytes()));
        }
        assert!(!relay.verifies(b"x", sign("other").as_bytes()));
        assert!(!relay.verifies(b"y", sign("new").as_bytes()));
        relay.previous_secret = None;
        assert!(!relay.verifies(b"x", sign("old").as_bytes()));
        let scope = "shop_af9945ff-1490-4cad-807d-945c15d88bec".parse().unwrap();
        let address = relay.address(0, Some(&scope)).unwrap();
        assert_eq!(address, format!("https://bridge.test/in/{scope}"));
        assert_eq!(relay.address(2, Some(&scope)), None);
    }
}
