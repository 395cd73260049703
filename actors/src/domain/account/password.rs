//! Passwords, and what is kept of them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::domain::text::InvalidText;

/// A password as somebody chose it: at least 6 characters with a digit, a lower-case and an upper-case letter, at most
/// 1,024 bytes. Never shown, never stored.
#[derive(Clone)]
pub struct Password(String);

impl Password {
    /// The most bytes that a password has.
    pub const BYTES_MAX: usize = 1_024;

    /// The text itself, for hashing only.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl FromStr for Password {
    type Err = InvalidText;
    fn from_str(text: &str) -> Result<Self, InvalidText> {
        // Interface B, add users: «at least 6 characters, with at least one digit, one lowercase and one uppercase
        // letter».
        let fits = text.len() <= Self::BYTES_MAX
            && text.chars().nth(5).is_some()
            && text.bytes().any(|byte| byte.is_ascii_digit())
            && text.chars().any(char::is_lowercase)
            && text.chars().any(char::is_uppercase);
        if fits {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidText {
                expected: "a password of at least 6 characters and at most 1,024 bytes with a digit, a lower-case \
                           and an upper-case letter",
            })
        }
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(***)")
    }
}

/// What is kept of a password: a salted hash in the PHC form, which names its algorithm and parameters
/// (`$argon2id$v=19$m=…`), so that stronger ones can be chosen later.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PasswordHash(String);

impl PasswordHash {
    /// The hash from its PHC form.
    #[must_use]
    pub fn new(phc: String) -> Self {
        Self(phc)
    }

    /// The PHC form, for checking a password against it only.
    #[must_use]
    pub fn phc(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash(***)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_has_6_characters_a_digit_a_lower_and_an_upper_case_letter() {
        let long = format!("Aa1{}", "x".repeat(1_021));
        for text in ["aBcde1@345", "Aa1   ", "Äö1éèü", "Aa1\0\0\0", &long] {
            assert!(text.parse::<Password>().is_ok(), "{text:?}");
        }
        let longer = format!("{long}x");
        for text in ["", "Aa1aa", "aaaaa1", "AAAAA1", "Aaaaaa", &longer] {
            assert!(text.parse::<Password>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn neither_a_password_nor_its_hash_is_printed() {
        let password: Password = "Secr3tive".parse().unwrap();
        let hash = PasswordHash::new("$argon2id$v=19$secret".to_owned());
        assert_eq!(
            format!("{password:?} {hash:?}"),
            "Password(***) PasswordHash(***)"
        );
    }
}
