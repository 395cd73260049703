//! Who has which e-mail address, whatever the case it is written in.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::domain::id::UserId;
use crate::domain::text::email::Email;

/// The number of parts of the index. A change copies one part if a reader still holds the old one.
const PARTS: usize = 256;

/// The users of an account by e-mail address. Addresses that differ in case only are the same. Cheap to copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emails {
    parts: Vec<Arc<BTreeMap<String, UserId>>>,
}

impl Default for Emails {
    fn default() -> Self {
        Self {
            parts: vec![Arc::default(); PARTS],
        }
    }
}

impl Emails {
    /// The form in which two addresses are compared.
    #[must_use]
    pub fn folded(email: &Email) -> String {
        email.as_str().to_lowercase()
    }

    /// Who has this address.
    #[must_use]
    pub fn get(&self, email: &Email) -> Option<UserId> {
        let key = Self::folded(email);
        self.parts.get(part_of(&key))?.get(&key).copied()
    }

    /// This user has this address.
    pub fn insert(&mut self, email: &Email, user: UserId) {
        let key = Self::folded(email);
        if let Some(part) = self.parts.get_mut(part_of(&key)) {
            Arc::make_mut(part).insert(key, user);
        }
    }

    /// This user does not have this address any more.
    pub fn remove(&mut self, email: &Email, user: UserId) {
        let key = Self::folded(email);
        if let Some(part) = self.parts.get_mut(part_of(&key))
            && part.get(&key) == Some(&user)
        {
            Arc::make_mut(part).remove(&key);
        }
    }
}

/// Any spread will do: names of one company share their end, and often their beginning.
fn part_of(key: &str) -> usize {
    let mixed = key.bytes().fold(0_u32, |mixed, byte| {
        mixed.wrapping_mul(31).wrapping_add(u32::from(byte))
    });
    usize::try_from(mixed).unwrap_or_default() % PARTS
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let used = emails.parts.iter().filter(|part| !part.is_empty()).count();
        assert!(used > PARTS / 2, "{used}");
    }
}
