//! The hosts of the counterpart that integrations have built in.

use switchboard_actors::domain::vendor::{CHAT_HOSTS, DOMAINS, is_shared};

/// The labels of hosts that all accounts share and that programs ask most.
const SITES: [&str; 2] = ["www", "api-b"];

/// A host of the counterpart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct VendorHost {
    /// The name, in lower case.
    pub(super) name: String,
    /// The subdomain of an account; none of the hosts that all accounts share.
    pub(super) subdomain: Option<String>,
}

impl VendorHost {
    /// The host with this name, if it is one of the counterpart's.
    pub(super) fn parse(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        if CHAT_HOSTS.contains(&name.as_str()) {
            return Some(Self {
                name,
                subdomain: None,
            });
        }
        let label = DOMAINS.iter().find_map(|domain| {
            let label = name.strip_suffix(domain)?.strip_suffix('.')?;
            is_label(label).then(|| label.to_owned())
        })?;
        let subdomain = (!is_shared(&label)).then_some(label);
        Some(Self { name, subdomain })
    }
}

fn is_label(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    (1..=63).contains(&text.len()) && text.bytes().all(plain)
}

/// The names of hosts that all accounts share.
pub(super) fn shared() -> Vec<String> {
    let chat = CHAT_HOSTS.map(str::to_owned);
    let sites = SITES.iter().flat_map(|site| of_label(site));
    chat.into_iter().chain(sites).collect()
}

/// The names of the hosts with this label.
pub(super) fn of_label(label: &str) -> Vec<String> {
    DOMAINS
        .iter()
        .map(|domain| format!("{label}.{domain}"))
        .collect()
}

/// The hosts, for people.
pub(super) fn shown() -> String {
    let domains = DOMAINS.iter().map(|domain| format!("*.{domain}"));
    domains.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_the_counterpart_are_known_and_no_others() {
        for (name, subdomain) in [
            ("amojo.amocrm.ru", None),
            ("AMOJO.kommo.com", None),
            ("www.amocrm.ru", None),
            ("api-b.amocrm.ru", None),
            ("drive-c.kommo.com", None),
            ("My-Shop.amocrm.ru", Some("my-shop")),
            ("x7.amocrm.com", Some("x7")),
            ("shop.kommo.com", Some("shop")),
        ] {
            let host = VendorHost::parse(name).expect(name);
            assert_eq!(host.name, name.to_ascii_lowercase());
            assert_eq!(host.subdomain.as_deref(), subdomain, "{name}");
        }
        for name in [
            "",
            "amocrm.ru",
            ".amocrm.ru",
            "a.b.amocrm.ru",
            "evilamocrm.ru",
            "amocrm.ru.evil.example",
            "x_y.amocrm.ru",
            "example.com",
            "shop.kommo.com.",
        ] {
            assert_eq!(VendorHost::parse(name), None, "{name}");
        }
    }
}
