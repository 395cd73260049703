//! The users by e-mail address, in any spelling.

use std::sync::Arc;

use crate::id::UserId;
use crate::text::email::Email;
use crate::text::normal_form::NormalForm;
use switchboard_engine::collections::shared_map::SharedMap;

/// The users of an account by e-mail address. Addresses that look the same to every reader are the same: letter case and
/// composed letters make no difference. Cheap to copy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Emails(SharedMap<Arc<str>, UserId>);

impl Emails {
    /// The form in which two addresses are compared.
    #[must_use]
    pub fn folded(email: &Email) -> String {
        NormalForm::new(email.as_str()).as_str().to_owned()
    }

    /// Returns the user with this address.
    #[must_use]
    pub fn get(&self, email: &Email) -> Option<UserId> {
        self.0.get(Self::folded(email).as_str()).copied()
    }

    /// This user has this address.
    pub fn insert(&mut self, email: &Email, user: UserId) {
        self.0.insert(Self::folded(email).into(), user);
    }

    /// This user does not have this address any more.
    pub fn remove(&mut self, email: &Email, user: UserId) {
        let key = Self::folded(email);
        if self.0.get(key.as_str()) == Some(&user) {
            self.0.remove(key.as_str());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_found_in_any_spelling() {
        let mut emails = Emails::default();
        emails.insert(&"Jos\u{e9}@Example.com".parse().unwrap(), UserId(1));
        let find = |text: &str| emails.get(&text.parse().unwrap());
        // In letters of full width.
        assert_eq!(find("\u{ff2a}OS\u{c9}@example.com"), Some(UserId(1)));
        assert_eq!(find("jose@example.com"), None, "another address");
    }

    #[test]
    fn an_address_is_found_in_any_case_and_others_are_not() {
        let mut emails = Emails::default();
        let before = emails.clone();
        for number in 1..=1_000 {
            let email = format!("User{number}@Example.com").parse().unwrap();
            emails.insert(&email, UserId(number));
        }
        let find = |text: &str| emails.get(&text.parse().unwrap());
        assert_eq!(find("uSER7@eXAMPLE.com"), Some(UserId(7)));
        assert_eq!(find("user1001@example.com"), None);
        assert_eq!(before.get(&"user7@example.com".parse().unwrap()), None);
        emails.remove(&"user8@example.com".parse().unwrap(), UserId(7));
        assert!(emails.get(&"user8@example.com".parse().unwrap()).is_some());
        emails.remove(&"USER8@example.com".parse().unwrap(), UserId(8));
        assert_eq!(emails.get(&"user8@example.com".parse().unwrap()), None);
        assert_eq!(emails.get(&"user8@example.com".parse().unwrap()), None);
    }
}
