//! The names under which integrations know the counterpart.

/// The hosts of its chat interface.
pub const CHAT_HOSTS: [&str; 3] = ["amojo.amocrm.ru", "amojo.amocrm.com", "amojo.kommo.com"];

/// The domains of its accounts: each account has a host `<subdomain>.<domain>`.
pub const DOMAINS: [&str; 3] = ["amocrm.ru", "amocrm.com", "kommo.com"];

/// The names of the hosts that all accounts of a domain share, besides its site `www` and its chats `amojo`; each may
/// stand alone or with a letter or digit of its region, as in `drive-b`.
const SHARED: [&str; 2] = ["api", "drive"];

/// Returns whether the host `<label>.<domain>` belongs to all accounts of a domain, unless an account has this label.
#[must_use]
pub fn is_shared(label: &str) -> bool {
    let (word, place) = label.split_once('-').unwrap_or((label, "a"));
    let is_place = |place: &str| matches!(place.as_bytes(), [byte] if byte.is_ascii_alphanumeric());
    matches!(label, "www" | "amojo") || (SHARED.contains(&word) && is_place(place))
}

/// The host that answers questions about tokens of all accounts of this domain; the domain itself if it is none of the
/// counterpart's.
#[must_use]
pub fn api_host(domain: &str) -> String {
    if DOMAINS.contains(&domain) {
        format!("api-b.{domain}")
    } else {
        domain.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_that_all_accounts_share_are_known_by_their_labels() {
        for label in [
            "www", "amojo", "api", "api-a", "api-b", "api-z", "drive", "drive-c", "drive-1",
        ] {
            assert!(is_shared(label), "{label}");
        }
        for label in [
            "",
            "shop",
            "api-",
            "api-team",
            "drive-a-b",
            "apis",
            "www-a",
            "-a",
            "account1",
        ] {
            assert!(!is_shared(label), "{label}");
        }
    }

    #[test]
    fn only_a_domain_of_the_counterpart_has_a_host_for_tokens() {
        assert_eq!(api_host("kommo.com"), "api-b.kommo.com");
        assert_eq!(api_host("127.0.0.1:8080"), "127.0.0.1:8080");
    }
}
