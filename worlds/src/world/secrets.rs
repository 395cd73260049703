//! Secrets of a world, which a stranger must not know: its account, the secret of its channel, the tokens of its users,
//! and whatever the system draws by chance.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use switchboard_actors::domain::id::{AccountId, ChannelId, ScopeId};
use switchboard_actors::domain::installation::accounts::subdomain::Subdomain;
use switchboard_actors::domain::installation::channels::Channel;
use switchboard_actors::domain::signature::SharedSecret;
use switchboard_engine::runtime::entropy::Generator;

use crate::fixtures;

/// The length of what is derived, in bytes.
const LENGTH: usize = 32;

/// The secrets of a world. Those of the [fixtures] are the same in every world, which suits a world without a socket.
#[derive(Clone, Default)]
pub struct Secrets {
    key: Option<[u8; LENGTH]>,
    channel: Option<ChannelId>,
    /// The choice of what is drawn by chance, beside that of the seed.
    chance: [u8; 16],
}

impl Secrets {
    /// Secrets that only the holder of this key can compute. The same key and the same seed give the same secrets to worlds
    /// with the same subdomain and channel.
    #[must_use]
    pub fn derive(
        key: &[u8],
        seed: u64,
        subdomain: Option<&Subdomain>,
        channel: Option<&ChannelId>,
    ) -> Self {
        let names = (
            subdomain.map_or("", Subdomain::as_str),
            channel.map_or("", ChannelId::as_str),
        );
        let purpose = format!("world {} {}", names.0, names.1);
        Self {
            key: Some(digest(key, &purpose, &seed.to_be_bytes())),
            channel: channel.cloned(),
            chance: [0; 16],
        }
    }

    /// The same, with another choice of what is drawn by chance.
    pub(crate) fn with_chance(self, chance: [u8; 16]) -> Self {
        Self { chance, ..self }
    }

    /// The same, with this channel if there is one.
    pub(super) fn with_channel(self, channel: Option<&ChannelId>) -> Self {
        Self {
            channel: channel.cloned().or(self.channel),
            ..self
        }
    }

    /// The account.
    #[must_use]
    pub fn account(&self) -> AccountId {
        let derived = self.derived("account", &[]).map(|derived| {
            let [id, _] = halves(derived);
            AccountId::from_random(id)
        });
        derived.unwrap_or_else(fixtures::account_id)
    }

    /// The scope: the account, connected to the channel.
    #[must_use]
    pub fn scope(&self) -> ScopeId {
        ScopeId::new(self.channel_id(), self.account())
    }

    /// The id of the channel.
    #[must_use]
    pub fn channel_id(&self) -> ChannelId {
        self.channel.clone().unwrap_or_else(fixtures::channel_id)
    }

    /// The channel, with addresses for both versions of callbacks.
    #[must_use]
    pub fn channel(&self) -> Channel {
        let mut channel = Channel {
            id: self.channel_id(),
            ..fixtures::channel()
        };
        if let Some(derived) = self.derived("channel", &[]) {
            channel.secret = SharedSecret::from_random(halves(derived));
        }
        channel
    }

    /// The bearer token of the user with this name.
    #[must_use]
    pub fn token(&self, user: &str) -> String {
        let mut letters = user.chars();
        let first = letters.next().map(char::to_uppercase);
        let name: String = first.into_iter().flatten().chain(letters).collect();
        match self.derived("user", name.as_bytes()) {
            Some(derived) => hex::encode(derived),
            None => format!("token of {name}"),
        }
    }

    /// The source of ids, jitter and secrets of a system in this world.
    pub(super) fn generator(&self, seed: u64) -> Generator {
        let choice = [&seed.to_be_bytes()[..], &self.chance].concat();
        match self.derived("chance", &choice) {
            Some(derived) => Generator::from_key(derived),
            None => Generator::from_seed(seed),
        }
    }

    fn derived(&self, purpose: &str, name: &[u8]) -> Option<[u8; LENGTH]> {
        self.key.map(|key| digest(&key, purpose, name))
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

#[expect(clippy::expect_used, reason = "a key may have any length")]
fn digest(key: &[u8], purpose: &str, name: &[u8]) -> [u8; LENGTH] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key of any length");
    mac.update(purpose.as_bytes());
    mac.update(&[0]);
    mac.update(name);
    mac.finalize().into_bytes().into()
}

fn halves(bytes: [u8; LENGTH]) -> [[u8; 16]; 2] {
    let mut halves = [[0; 16]; 2];
    for (to, from) in halves.as_flattened_mut().iter_mut().zip(bytes) {
        *to = from;
    }
    halves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_follow_from_key_and_seed_and_from_nothing_less() {
        let texts = |secrets: &Secrets| {
            let channel = secrets.channel().secret.expose().to_owned();
            let generator = secrets.generator(1);
            let bytes = switchboard_engine::runtime::entropy::Entropy::bytes(&generator);
            [
                secrets.account().to_string(),
                channel,
                secrets.token("ada"),
                secrets.token("bob"),
                hex::encode(bytes),
            ]
        };
        let derive = |key: &[u8], seed| Secrets::derive(key, seed, None, None);
        let shop = "shop".parse().unwrap();
        let first = texts(&derive(b"one key", 7));
        assert_eq!(first, texts(&derive(b"one key", 7)));
        let all = [
            first,
            texts(&derive(b"one key", 8)),
            texts(&derive(b"another key", 7)),
            texts(&Secrets::derive(b"one key", 7, Some(&shop), None)),
            texts(&Secrets::default()),
        ];
        let different: std::collections::BTreeSet<_> = all.as_flattened().iter().collect();
        assert_eq!(different.len(), all.as_flattened().len(), "{all:?}");
        let other_ids = texts(&derive(b"one key", 7).with_chance([1; 16]));
        let [facts @ .., bytes] = texts(&derive(b"one key", 7));
        assert_eq!(other_ids[..4], facts);
        assert_ne!(other_ids[4], bytes);
        let secrets = derive(b"one key", 7);
        assert_eq!(secrets.token("ada"), secrets.token("Ada"));
        assert_eq!(format!("{secrets:?}"), "***");
    }
}
