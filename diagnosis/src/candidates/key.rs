//! The message is right, the way it was hashed is not.

use crate::digest::{MacKey, md5_mac, sha1, sha1_mac, sha256_mac};
use crate::given::GivenSignature;
use crate::mistake::Mistake;
use switchboard_domain::id::{ChannelId, ScopeId};
use switchboard_domain::signature::request::Presented;

/// The number of segments before the first id in the path of every operation.
const IDS_AT: usize = 4;

pub(in super::super) fn with_the_key(
    key: MacKey<'_>,
    message: &[u8],
    presented: &Presented<'_>,
    given: &GivenSignature,
) -> Option<Mistake> {
    let MacKey(secret) = key;
    if let Some((mistake, _)) = other_keys(secret, presented)
        .iter()
        .find(|(_, other)| other != secret && given.is(&sha1_mac(MacKey(other), message)))
    {
        return Some(*mistake);
    }
    if given.is(&sha256_mac(key, message)) {
        return Some(Mistake::Sha256);
    }
    if given.is(&md5_mac(key, message)) {
        return Some(Mistake::HmacMd5);
    }
    let plain = [
        [message, secret].concat(),
        [secret, message].concat(),
        message.to_vec(),
    ];
    if plain.iter().any(|plain| given.is(&sha1(plain))) {
        return Some(Mistake::PlainHash);
    }
    given
        .is(&sha1_mac(MacKey(message), secret))
        .then_some(Mistake::Swapped)
}

/// Returns the keys that a signer may use by mistake in place of the secret.
fn other_keys(secret: &[u8], presented: &Presented<'_>) -> Vec<(Mistake, Vec<u8>)> {
    let around = |before: &[u8], after: &[u8]| [before, secret, after].concat();
    let mut keys = vec![
        (Mistake::SecretWithNewline, around(b"", b"\n")),
        (Mistake::SecretWithNewline, around(b"", b"\r\n")),
        (Mistake::SecretDecorated, around(b" ", b"")),
        (Mistake::SecretDecorated, around(b"", b" ")),
        (Mistake::SecretDecorated, around(b"\"", b"\"")),
        (Mistake::SecretDecorated, around(b"'", b"'")),
        (Mistake::SecretInOtherCase, secret.to_ascii_uppercase()),
        (Mistake::SecretInOtherCase, secret.to_ascii_lowercase()),
    ];
    if let Ok(decoded) = hex::decode(secret) {
        keys.push((Mistake::HexDecodedSecret, decoded));
    }
    let ids = Ids::from_request(presented);
    if let Some(channel) = ids.channel {
        keys.push((Mistake::ChannelIdAsKey, channel.into_bytes()));
    }
    let others = [ids.account, ids.scope].into_iter().flatten();
    keys.extend(others.map(|id| (Mistake::AccountIdAsKey, id.into_bytes())));
    keys
}

/// The ids that a request names.
pub(super) struct Ids {
    pub(super) channel: Option<String>,
    pub(super) account: Option<String>,
    pub(super) scope: Option<String>,
}

impl Ids {
    /// Those in the path; an account may be named by the body alone.
    pub(super) fn from_request(presented: &Presented<'_>) -> Self {
        let first = presented.path.split('/').nth(IDS_AT).unwrap_or_default();
        if let Ok(scope) = first.parse::<ScopeId>() {
            return Self {
                channel: Some(scope.channel().to_string()),
                account: Some(scope.account().to_string()),
                scope: Some(scope.to_string()),
            };
        }
        let channel = first.parse::<ChannelId>().ok().map(|id| id.to_string());
        let body = serde_json::from_slice::<serde_json::Value>(presented.body).ok();
        let account = body
            .as_ref()
            .and_then(|body| body.get("account_id"))
            .and_then(|id| id.as_str())
            .map(str::to_owned);
        let both = channel.as_ref().zip(account.as_ref());
        let scope = both.map(|(channel, account)| format!("{channel}_{account}"));
        Self {
            channel,
            account,
            scope,
        }
    }
}
