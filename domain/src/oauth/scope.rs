//! Scopes: what an OAuth client may do only when the administrator granted it by name. Everything else follows from the
//! rights of the user.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// A scope that is granted by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OauthScope {
    /// Reading the messages of talks.
    ListExternalMessages,
    /// Writing to talks as a bot.
    SendExternalMessages,
}

impl OauthScope {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::ListExternalMessages, Self::SendExternalMessages];
    /// All of them, by their words.
    pub const NAMES: [(&'static str, Self); 2] = [
        (
            Self::ListExternalMessages.word(),
            Self::ListExternalMessages,
        ),
        (
            Self::SendExternalMessages.word(),
            Self::SendExternalMessages,
        ),
    ];
    /// The words of all.
    pub const WORDS: [&'static str; 2] = [
        Self::ListExternalMessages.word(),
        Self::SendExternalMessages.word(),
    ];

    /// Its word in the claims of a token.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::ListExternalMessages => "list_external_messages",
            Self::SendExternalMessages => "send_external_messages",
        }
    }
}

/// Several scopes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OauthScopes(BTreeSet<OauthScope>);

impl OauthScopes {
    /// All scopes, which a user has who acts without an OAuth client.
    #[must_use]
    pub fn all() -> Self {
        OauthScope::ALL.into_iter().collect()
    }

    /// The scopes that claims name; other words are of other parts of the claims.
    pub(crate) fn from_words(words: &[String]) -> Self {
        let names = OauthScope::NAMES.into_iter();
        names
            .filter(|(word, _)| words.iter().any(|named| named == word))
            .map(|(_, scope)| scope)
            .collect()
    }

    /// Returns whether this scope is among them.
    #[must_use]
    pub fn holds(&self, scope: OauthScope) -> bool {
        self.0.contains(&scope)
    }

    /// Those that the others have too.
    #[must_use]
    pub fn within(&self, others: &Self) -> Self {
        Self(self.0.intersection(&others.0).copied().collect())
    }

    /// The scopes, in the order of their declaration.
    pub fn iter(&self) -> impl Iterator<Item = OauthScope> {
        self.0.iter().copied()
    }
}

impl FromIterator<OauthScope> for OauthScopes {
    fn from_iter<I: IntoIterator<Item = OauthScope>>(scopes: I) -> Self {
        Self(scopes.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn scopes_are_stored_under_the_words_of_claims() {
        for (word, scope) in OauthScope::NAMES {
            assert_eq!(json!(scope), word);
            let claims = ["crm".to_owned(), word.to_owned(), "files".to_owned()];
            let scopes = OauthScopes::from_words(&claims);
            assert_eq!(scopes.iter().collect::<Vec<_>>(), [scope]);
            assert_eq!(json!(scopes), json!([word]));
            assert_eq!(scopes.within(&OauthScopes::all()), scopes);
            assert_eq!(
                scopes.within(&OauthScopes::default()),
                OauthScopes::default()
            );
        }
    }
}
