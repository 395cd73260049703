//! The reasons to reject a code or a refresh token: the broken rule, and the earlier request that used it.

use std::fmt;

use crate::oauth::grants::grant::UsedBy;
use crate::time::{UnixMillis, iso};

/// The credential that a client sends for tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrantType {
    /// An authorization code.
    Code,
    /// A refresh token.
    RefreshToken,
}

impl GrantType {
    /// The value of `grant_type`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Code => "authorization_code",
            Self::RefreshToken => "refresh_token",
        }
    }

    /// Its name in a sentence.
    fn noun(self) -> &'static str {
        match self {
            Self::Code => "authorization code",
            Self::RefreshToken => "refresh token",
        }
    }
}

/// The reason to issue no tokens. Nothing has changed then: a code stays valid when it was rejected for another reason
/// than its age or its use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenRejection {
    /// No account knows it.
    Unknown(GrantType),
    /// It is an access token.
    AccessToken(GrantType),
    /// It is good for the other grant type.
    OtherGrantType(GrantType),
    /// It was issued to another client.
    OtherClient(GrantType),
    /// An earlier request used it.
    Used(GrantType, UsedBy),
    /// It is too old.
    Expired(GrantType, UnixMillis),
    /// The redirect address is another one than that of the consent.
    OtherRedirect {
        /// That of the request.
        given: String,
        /// That of the consent.
        expected: String,
    },
    /// The consent had a code challenge, and the request has no verifier.
    NoVerifier,
    /// The verifier does not fit the challenge of the consent.
    OtherVerifier,
    /// The request has a verifier, and the consent had no code challenge.
    UnexpectedVerifier,
    /// The account uninstalled the client.
    Uninstalled(UnixMillis),
    /// The user who consented is deactivated.
    InactiveUser,
}

impl fmt::Display for TokenRejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(sent) => write!(
                f,
                "The service did not issue this {noun}, or no longer keeps it. Check that the whole text was sent.",
                noun = sent.noun()
            ),
            Self::AccessToken(sent) => write!(
                f,
                "This is an access token. Send the {noun} with grant_type={grant_type}.",
                noun = sent.noun(),
                grant_type = sent.as_str()
            ),
            Self::OtherGrantType(sent) => {
                let credential = match sent {
                    GrantType::Code => GrantType::RefreshToken,
                    GrantType::RefreshToken => GrantType::Code,
                };
                let (noun, other) = (credential.noun(), credential.as_str());
                write!(f, "This is a valid {noun}. Send it with grant_type={other}.")
            }
            Self::OtherClient(sent) => write!(
                f,
                "This {} was issued to another client. Check client_id.",
                sent.noun()
            ),
            Self::Used(sent, by) => used(f, *sent, by),
            Self::Expired(sent, at) => {
                let (noun, remedy) = match sent {
                    GrantType::Code => ("code, which is valid for 20 minutes,", "Ask for the consent again."),
                    GrantType::RefreshToken => (
                        "refresh token, which is valid for 90 days,",
                        "An administrator of the account must consent again.",
                    ),
                };
                write!(f, "The {noun} expired at {}. {remedy}", iso(*at))
            }
            Self::OtherRedirect { given, expected } => write!(
                f,
                "redirect_uri is «{given}», and the consent had «{expected}». Send exactly the same text; the code is still valid."
            ),
            Self::NoVerifier => f.write_str(
                "The consent had a code_challenge. Send the code_verifier; the code is still valid.",
            ),
            Self::OtherVerifier => f.write_str(
                "code_verifier does not fit the code_challenge of the consent; the code is still valid.",
            ),
            Self::UnexpectedVerifier => f.write_str(
                "The consent had no code_challenge. Check that your program began it, or leave code_verifier out; the code is still valid.",
            ),
            Self::Uninstalled(at) => write!(
                f,
                "The account uninstalled the client at {}. An administrator of the account must consent again.",
                iso(*at)
            ),
            Self::InactiveUser => f.write_str(
                "The user who consented is deactivated. An active administrator of the account must consent.",
            ),
        }
    }
}

impl std::error::Error for TokenRejection {}

fn used(f: &mut fmt::Formatter<'_>, sent: GrantType, by: &UsedBy) -> fmt::Result {
    let noun = sent.noun();
    let agent = by
        .user_agent
        .as_ref()
        .map_or("a program without User-Agent", |agent| agent.as_str());
    let (at, address) = (iso(by.at), by.address);
    write!(
        f,
        "This {noun} was used at {at} by {agent} from {address}. "
    )?;
    f.write_str(match sent {
        GrantType::Code => "A code is valid once; use the refresh token of that response.",
        GrantType::RefreshToken => {
            "Each use returns a new refresh token and ends the old one. If two processes refresh, share one token store and refresh under a lock."
        }
    })
}
