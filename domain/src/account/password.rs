//! Passwords, and what is kept of them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;

/// A password in clear text: at least 6 characters with a digit, a lower-case and an upper-case letter, at most 1,024
/// bytes. It is never shown and never stored.
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

/// The text is no password; says what it lacks, and does not repeat it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a password needs {}", .0.join(", "))]
pub struct PasswordError(Vec<&'static str>);

impl FromStr for Password {
    type Err = PasswordError;
    fn from_str(text: &str) -> Result<Self, PasswordError> {
        let needs = [
            ("at least 6 characters", text.chars().nth(5).is_some()),
            ("at most 1,024 bytes", text.len() <= Self::BYTES_MAX),
            ("a digit", text.bytes().any(|byte| byte.is_ascii_digit())),
            ("a lower-case letter", text.chars().any(char::is_lowercase)),
            ("an upper-case letter", text.chars().any(char::is_uppercase)),
        ];
        let missing: Vec<_> = needs
            .into_iter()
            .filter_map(|(need, is_met)| (!is_met).then_some(need))
            .collect();
        if missing.is_empty() {
            Ok(Self(text.to_owned()))
        } else {
            Err(PasswordError(missing))
        }
    }
}

impl PartialEq for Password {
    /// Takes the same time wherever two passwords of one length differ.
    fn eq(&self, other: &Self) -> bool {
        self.0.as_bytes().ct_eq(other.0.as_bytes()).into()
    }
}

impl Eq for Password {}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(***)")
    }
}

/// The stored form of a password: a salted hash in the PHC form, which names its algorithm and parameters
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
    fn a_password_has_6_characters_with_digit_lower_and_upper() {
        let long = format!("Aa1{}", "x".repeat(1_021));
        for text in ["aBcde1@345", "Aa1   ", "Äö1éèü", "Aa1\0\0\0", &long] {
            assert!(text.parse::<Password>().is_ok(), "{text:?}");
        }
        let longer = format!("{long}x");
        for (text, lacks) in [
            (
                "",
                "at least 6 characters, a digit, a lower-case letter, an upper-case letter",
            ),
            ("Aa1aa", "at least 6 characters"),
            ("aaaaa1", "an upper-case letter"),
            ("AAAAA1", "a lower-case letter"),
            ("Aaaaaa", "a digit"),
            (&longer, "at most 1,024 bytes"),
        ] {
            let error = text.parse::<Password>().unwrap_err();
            assert_eq!(error.to_string(), format!("a password needs {lacks}"));
        }
    }

    #[test]
    fn a_password_and_its_hash_are_never_printed() {
        let password: Password = "Secr3tive".parse().unwrap();
        let hash = PasswordHash::new("$argon2id$v=19$secret".to_owned());
        assert_eq!(
            format!("{password:?} {hash:?}"),
            "Password(***) PasswordHash(***)"
        );
    }
}
