//! Scopes: what an OAuth client may do only when the administrator granted it by name. Everything else follows from the
//! rights of the user.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::words;

words! {
    /// A scope that is granted by name, by its word in the claims of a token.
    pub enum OauthScope {
        /// Reading the messages of talks.
        ListExternalMessages = "list_external_messages",
        /// Writing to talks as a bot.
        SendExternalMessages = "send_external_messages",
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
        words.iter().flat_map(|word| word.parse()).collect()
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
