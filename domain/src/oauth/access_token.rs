//! Access tokens: JSON Web Tokens (RFC 7519), signed here and checked here.
//!
//! Clients read claims of them without checking the signature, so they have the claims of the counterpart. The one
//! algorithm is HMAC with SHA-256 (`HS256`); a token that names another one is refused before anything of it is used. No
//! access token is stored: whether it is still good follows from the grant that it names.

use std::fmt;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use crate::id::{AccountNumber, GrantNumber, OauthClientId, TokenId, UserId};
use crate::oauth::scope::{OauthScope, OauthScopes};
use crate::time::UnixMillis;
use crate::vendor;

/// The lifetime of an access token that comes with a refresh token.
pub const ACCESS_LIFE: Duration = Duration::from_secs(86_400);

/// Lead that the clock of the node that issued a token may have over the clock of the node that checks it. The end of a token
/// is exact: a token is never valid for longer than its claims say.
pub const CLOCK_LEEWAY: Duration = Duration::from_secs(60);

/// The longest text that is read as a token.
const TOKEN_MAX: usize = 4_096;
const ALGORITHM: &str = "HS256";

/// The key that access tokens of the installation are signed with. Debug output never shows it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TokenKey([u8; 32]);

impl TokenKey {
    /// The key of these bytes, which must be random.
    #[must_use]
    pub fn from_random(bytes: [[u8; 16]; 2]) -> Self {
        let mut key = [0; 32];
        key.copy_from_slice(&bytes.concat());
        Self(key)
    }

    fn mac(&self, text: &str) -> Hmac<Sha256> {
        #[expect(clippy::expect_used, reason = "HMAC accepts keys of any length")]
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("a key of any length");
        mac.update(text.as_bytes());
        mac
    }
}

impl fmt::Debug for TokenKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl TryFrom<String> for TokenKey {
    type Error = hex::FromHexError;
    fn try_from(text: String) -> Result<Self, hex::FromHexError> {
        let mut key = [0; 32];
        hex::decode_to_slice(text, &mut key)?;
        Ok(Self(key))
    }
}

impl From<TokenKey> for String {
    fn from(key: TokenKey) -> Self {
        hex::encode(key.0)
    }
}

#[derive(Serialize, Deserialize)]
struct Header {
    #[serde(default)]
    typ: String,
    #[serde(default)]
    alg: String,
}

/// The claims of an access token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    /// The client that it was issued to.
    pub aud: OauthClientId,
    /// Its own id.
    pub jti: String,
    /// The time of issue, in seconds.
    pub iat: u64,
    /// The time from which it is valid, in seconds.
    pub nbf: u64,
    /// The time from which it is refused, in seconds.
    pub exp: u64,
    /// The user for whom the client acts, as text.
    #[serde(with = "as_text")]
    pub sub: UserId,
    /// Always empty; some clients expect the key.
    pub grant_type: String,
    /// The account.
    pub account_id: AccountNumber,
    /// The domain of the host that the client asked.
    pub base_domain: String,
    /// The host that all accounts of that domain share, for requests about tokens.
    pub api_domain: String,
    /// The version of the claims.
    pub version: u8,
    /// The words for what the client may do: those that every client has, and the scopes that it was granted.
    pub scopes: Vec<String>,
    /// The client again; some programs expect the key.
    pub hash_uuid: String,
    /// The number of the grant in the account.
    pub grant: GrantNumber,
    /// The number of a long-lived token; none for those that come with a refresh token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub long_lived: Option<TokenId>,
}

/// The values for a new access token.
#[derive(Clone, Debug)]
pub struct NewAccessToken {
    /// The client.
    pub client: OauthClientId,
    /// The user for whom the client acts.
    pub user: UserId,
    /// The grant.
    pub grant: GrantNumber,
    /// The number of a long-lived token.
    pub long_lived: Option<TokenId>,
    /// The scopes that it was granted.
    pub scopes: OauthScopes,
    /// The domain of the host that the client asked.
    pub base_domain: String,
    /// The time of issue.
    pub issued_at: UnixMillis,
    /// The time from which it is refused.
    pub expires_at: UnixMillis,
}

/// The words in the claims of every client, which has the rights of the user.
const WORDS_OF_ALL: [&str; 2] = ["crm", "notifications"];

impl Claims {
    /// The scopes that the client was granted when the token was issued.
    #[must_use]
    pub fn granted(&self) -> OauthScopes {
        OauthScopes::from_words(&self.scopes)
    }
}

fn words(scopes: &OauthScopes) -> Vec<String> {
    let granted = scopes.iter().map(OauthScope::as_str);
    let words = WORDS_OF_ALL.into_iter().chain(granted);
    words.map(str::to_owned).collect()
}

impl NewAccessToken {
    fn claims(self, account: AccountNumber, random: [u8; 16]) -> Claims {
        Claims {
            jti: hex::encode(random),
            iat: self.issued_at.secs(),
            nbf: self.issued_at.secs(),
            exp: self.expires_at.secs(),
            sub: self.user,
            grant_type: String::new(),
            account_id: account,
            api_domain: vendor::api_host(&self.base_domain),
            base_domain: self.base_domain,
            version: 2,
            scopes: words(&self.scopes),
            hash_uuid: self.client.to_string(),
            grant: self.grant,
            long_lived: self.long_lived,
            aud: self.client,
        }
    }

    /// The token for this account, signed with the key; its id is made of random bytes.
    #[must_use]
    pub fn sign(self, account: AccountNumber, random: [u8; 16], key: &TokenKey) -> String {
        signed(&self.claims(account, random), key.mac(""))
    }
}

/// The JSON Web Token with these claims, signed by a MAC that has the key and nothing yet.
pub(super) fn signed(claims: &impl Serialize, mut mac: Hmac<Sha256>) -> String {
    let header = Header {
        typ: "JWT".to_owned(),
        alg: ALGORITHM.to_owned(),
    };
    let text = format!("{}.{}", encoded(&header), encoded(claims));
    mac.update(text.as_bytes());
    let signature = mac.finalize().into_bytes();
    format!("{text}.{}", URL_SAFE_NO_PAD.encode(signature))
}

fn encoded(part: &impl Serialize) -> String {
    #[expect(
        clippy::expect_used,
        reason = "structs of text and numbers always have a JSON form"
    )]
    let json = serde_json::to_vec(part).expect("a part of a token becomes JSON");
    URL_SAFE_NO_PAD.encode(json)
}

/// The reason that a text is no valid access token, whatever its grant allows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AccessTokenError {
    /// It names another algorithm.
    #[error(
        "the access token names another algorithm than {ALGORITHM}; only tokens that this service issued are valid"
    )]
    OtherAlgorithm,
    /// It is signed with another key, or changed.
    #[error(
        "the signature of the access token is invalid: another service issued it, or the text was changed"
    )]
    OtherSignature,
    /// It is signed here and does not have the claims.
    #[error("the access token has invalid claims")]
    InvalidClaims,
    /// It is not good yet.
    #[error("the access token is valid from {} on (Unix time)", .0)]
    NotYet(u64),
    /// It has expired.
    #[error("the access token expired at {} (Unix time); get another one with the refresh token", .0)]
    Expired(u64),
}

/// The claims of a text in the form of a JSON Web Token, if it is signed with the key and good now; `None` when the text
/// has another form.
#[must_use]
pub fn verify(
    key: Option<&TokenKey>,
    text: &str,
    now: UnixMillis,
) -> Option<Result<Claims, AccessTokenError>> {
    if text.len() > TOKEN_MAX {
        return None;
    }
    let (signed, signature) = text.rsplit_once('.')?;
    let (header, claims) = signed.split_once('.')?;
    let header: Header = decoded(header)?;
    Some(checked(key, &header, signed, claims, signature, now))
}

fn checked(
    key: Option<&TokenKey>,
    header: &Header,
    signed: &str,
    claims: &str,
    signature: &str,
    now: UnixMillis,
) -> Result<Claims, AccessTokenError> {
    if header.alg != ALGORITHM {
        return Err(AccessTokenError::OtherAlgorithm);
    }
    let signature = URL_SAFE_NO_PAD
        .decode(signature)
        .map_err(|_not_base64| AccessTokenError::OtherSignature)?;
    let key = key.ok_or(AccessTokenError::OtherSignature)?;
    let right = key.mac(signed).verify_slice(&signature);
    right.map_err(|_other| AccessTokenError::OtherSignature)?;
    let claims: Claims = decoded(claims).ok_or(AccessTokenError::InvalidClaims)?;
    let from = claims.nbf.max(claims.iat);
    if now.plus(CLOCK_LEEWAY).secs() < from {
        return Err(AccessTokenError::NotYet(from));
    }
    if now.secs() >= claims.exp {
        return Err(AccessTokenError::Expired(claims.exp));
    }
    Ok(claims)
}

fn decoded<T: for<'de> Deserialize<'de>>(part: &str) -> Option<T> {
    let json = URL_SAFE_NO_PAD.decode(part).ok()?;
    serde_json::from_slice(&json).ok()
}

/// A number that stands as text.
mod as_text {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::id::UserId;

    pub(super) fn serialize<S: Serializer>(id: &UserId, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(id)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<UserId, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests;
