//! OAuth 2: clients, consents, tokens, and who a token acts for.

mod access;
mod admitted;
mod clients;
mod consent;
mod grants;
mod hooks;
mod long_lived;
mod refresh_tokens;
mod tokens;

pub use self::access::BearerTokenError;
pub use self::admitted::AdmittedUser;
pub use self::consent::{ConsentRejection, ConsentRequest};
pub use self::hooks::DueHook;
pub use self::refresh_tokens::RefreshTokenRejection;
pub use self::tokens::{IssuedTokens, SentGrant, TokenRequest};

use crate::domain::id::AccountId;

/// Codes and refresh tokens begin with their account, so that they are found without a list of all of them.
fn with_account(account: AccountId, secret: &str) -> String {
    format!("{}{secret}", hex::encode(account.bytes()))
}

/// The account and the secret of a text that [`with_account`] made.
pub(in crate::system) fn parts(text: &str) -> Option<(AccountId, &str)> {
    let (account, secret) = text.split_at_checked(32)?;
    let mut bytes = [0; 16];
    hex::decode_to_slice(account, &mut bytes).ok()?;
    Some((AccountId::from_bytes(bytes), secret))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_names_its_account() {
        let account = AccountId::from_random([7; 16]);
        let text = with_account(account, "secret");
        assert_eq!(parts(&text), Some((account, "secret")));
        for text in ["", "secret", &"é".repeat(40), &"g".repeat(64)] {
            assert_eq!(parts(text), None, "{text}");
        }
    }
}
