//! The subdomain of an account: the label of its host in the counterpart's form `<subdomain>.<domain>`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::id::AccountNumber;
use crate::vendor;

/// The beginning of the subdomain of an account that has none of its own, before its number.
const USUAL: &str = "account";
/// The longest label of a host name.
const LENGTH_MAX: usize = 63;

/// The subdomain of an account, in lower case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Subdomain(String);

/// A text is no subdomain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SubdomainError {
    /// It is no label of a host name.
    #[error("write 1 to {LENGTH_MAX} letters, digits and hyphens, with no hyphen at either end")]
    NoLabel,
    /// The accounts share the host with this name.
    #[error("choose another one: all accounts share the host with this name")]
    Shared,
}

impl Subdomain {
    /// That of an account with this number that has none of its own.
    #[must_use]
    pub fn usual(number: AccountNumber) -> Self {
        Self(format!("{USUAL}{number}"))
    }

    /// The account whose usual subdomain this is.
    #[must_use]
    pub fn usual_of(&self) -> Option<AccountNumber> {
        let digits = self.0.strip_prefix(USUAL)?;
        let number = digits.parse().ok()?;
        (Self::usual(number) == *self).then_some(number)
    }

    /// The text of the label.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Subdomain {
    type Err = SubdomainError;
    fn from_str(text: &str) -> Result<Self, SubdomainError> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        let is_label = (1..=LENGTH_MAX).contains(&text.len())
            && text.bytes().all(is_plain)
            && !text.starts_with('-')
            && !text.ends_with('-');
        if !is_label {
            return Err(SubdomainError::NoLabel);
        }
        let label = text.to_ascii_lowercase();
        if vendor::is_shared(&label) {
            return Err(SubdomainError::Shared);
        }
        Ok(Self(label))
    }
}

impl TryFrom<String> for Subdomain {
    type Error = SubdomainError;
    fn try_from(text: String) -> Result<Self, SubdomainError> {
        text.parse()
    }
}

impl From<Subdomain> for String {
    fn from(subdomain: Subdomain) -> Self {
        subdomain.0
    }
}

impl fmt::Display for Subdomain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_hosts_are_taken_but_those_that_accounts_share() {
        for (text, label) in [("shop", "shop"), ("My-Shop1", "my-shop1"), ("x", "x")] {
            assert_eq!(text.parse::<Subdomain>().unwrap().as_str(), label);
        }
        let long = "a".repeat(LENGTH_MAX + 1);
        for text in [
            "",
            "-shop",
            "shop-",
            "my shop",
            "my_shop",
            "a.b",
            "лавка",
            &long,
        ] {
            assert_eq!(
                text.parse::<Subdomain>(),
                Err(SubdomainError::NoLabel),
                "{text}"
            );
        }
        for text in ["www", "WWW", "amojo", "api-b", "drive-c"] {
            assert_eq!(
                text.parse::<Subdomain>(),
                Err(SubdomainError::Shared),
                "{text}"
            );
        }
    }

    #[test]
    fn only_the_usual_form_names_a_number() {
        let usual_of = |text: &str| text.parse::<Subdomain>().unwrap().usual_of();
        assert_eq!(usual_of("Account12"), Some(AccountNumber(12)));
        for text in ["account", "account01", "account1x", "my-account1"] {
            assert_eq!(usual_of(text), None, "{text}");
        }
    }
}
