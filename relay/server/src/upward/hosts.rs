//! The hosts of the account side that bridges may reach through a relay.

use std::fmt;
use std::str::FromStr;

use url::{Host, Url};

/// A host, or all hosts below a name: `shop.amocrm.ru`, `*.amocrm.ru`, or an origin on loopback for tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostRule {
    /// This host, over TLS.
    Host(String),
    /// All hosts whose names end so, with the full stop before it, over TLS.
    Below(String),
    /// This origin on loopback, by its host and port.
    Loopback(Url),
}

/// The text is no such rule; says what would have been one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write a host as in \"shop.amocrm.ru\", or hosts as in \"*.amocrm.ru\"")]
pub struct HostRuleError;

impl HostRule {
    /// Returns the origin of a host in a path, if the rule lets requests go there.
    #[must_use]
    pub fn origin(&self, host: &str) -> Option<Url> {
        let name = host.to_ascii_lowercase();
        match self {
            Self::Host(known) if *known == name => https(&name),
            Self::Below(end) => {
                let label = name.strip_suffix(end.as_str())?;
                (!label.is_empty()).then(|| https(&name)).flatten()
            }
            Self::Loopback(origin) => {
                let port = origin.port().unwrap_or_default();
                let authority = format!("{}:{port}", origin.host_str()?);
                (authority == name).then(|| origin.clone())
            }
            Self::Host(_) => None,
        }
    }
}

/// The origin of a name, over TLS; none of what is no plain name.
fn https(name: &str) -> Option<Url> {
    is_name(name)
        .then(|| Url::parse(&format!("https://{name}")).ok())
        .flatten()
        .filter(|url| matches!(url.host(), Some(Host::Domain(host)) if host == name))
}

fn is_name(name: &str) -> bool {
    let is_label = |label: &str| {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        !label.is_empty() && label.bytes().all(fits)
    };
    name.contains('.') && name.split('.').all(is_label)
}

/// The origin of the counterpart's chat interface: `https`, or loopback for tests, without a path.
///
/// # Errors
/// What to write instead.
pub fn upstream(text: &str) -> Result<Url, &'static str> {
    const EXPECTED: &str = "write the origin of the counterpart, as in \"https://amojo.amocrm.ru\"";
    let url = Url::parse(text).map_err(|_malformed| EXPECTED)?;
    let is_plain = url.path() == "/"
        && url.query().is_none()
        && url.fragment().is_none()
        && url.username().is_empty()
        && url.password().is_none();
    match url.scheme() {
        "https" if is_plain && url.has_host() => Ok(url),
        "http" if is_plain && is_loopback(&url) => Ok(url),
        "http" => Err("write https://: what a bridge sends up is never sent without TLS"),
        _ => Err(EXPECTED),
    }
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(_)) | None => false,
    }
}

impl FromStr for HostRule {
    type Err = HostRuleError;

    fn from_str(text: &str) -> Result<Self, HostRuleError> {
        if text.starts_with("http://") {
            return upstream(text)
                .map(Self::Loopback)
                .map_err(|_wrong| HostRuleError);
        }
        let name = text.to_ascii_lowercase();
        match name.strip_prefix('*') {
            // Two labels at least: `*.ru` lists a whole country.
            Some(end) if is_name(end.strip_prefix('.').unwrap_or_default()) => {
                Ok(Self::Below(end.to_owned()))
            }
            None if https(&name).is_some() => Ok(Self::Host(name)),
            Some(_) | None => Err(HostRuleError),
        }
    }
}

impl fmt::Display for HostRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host(name) => f.write_str(name),
            Self::Below(end) => write!(f, "*{end}"),
            Self::Loopback(origin) => write!(f, "{origin}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_hosts_of_the_list_are_reached() {
        let rules: Vec<HostRule> = ["shop.example.com", "*.amocrm.ru"]
            .map(|text| text.parse().unwrap())
            .into();
        let reached = |host: &str| rules.iter().find_map(|rule| rule.origin(host));
        for host in [
            "shop.example.com",
            "a.amocrm.ru",
            "A.AmoCRM.ru",
            "b.a.amocrm.ru",
        ] {
            let origin = reached(host).unwrap();
            assert_eq!((origin.scheme(), origin.port()), ("https", None), "{host}");
        }
        for host in [
            "",
            "amocrm.ru",
            ".amocrm.ru",
            "evilamocrm.ru",
            "example.com",
            "169.254.169.254",
            "a.amocrm.ru:8443",
            "a.amocrm.ru@evil.test",
            "evil.test#.amocrm.ru",
            "evil.test?.amocrm.ru",
            "evil.test\\.amocrm.ru",
            "evil.test%2f.amocrm.ru",
            "a..amocrm.ru",
            "\u{ff41}.amocrm.ru",
            "[::1]",
            "0x7f.1",
            "shop.example.com.",
        ] {
            assert_eq!(reached(host), None, "{host}");
        }
    }

    #[test]
    fn rules_of_a_whole_country_and_addresses_are_refused() {
        for text in [
            "*",
            "*.ru",
            "*ru",
            "10.0.0.1",
            "localhost",
            "https://a.test",
            "a.test/x",
            "a.test:1",
        ] {
            assert!(text.parse::<HostRule>().is_err(), "{text}");
        }
        for text in ["*.amocrm.ru", "a.test"] {
            assert_eq!(text.parse::<HostRule>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_goes_up_has_tls_but_on_loopback() {
        for text in [
            "https://amojo.amocrm.ru",
            "https://a.test:8443/",
            "http://127.0.0.1:9",
            "http://[::1]:9",
        ] {
            assert!(upstream(text).is_ok(), "{text}");
        }
        for text in [
            "http://amojo.amocrm.ru",
            "http://localhost:1",
            "https://a.test/path",
            "https://u@a.test",
            "ftp://a.test",
            "a.test",
        ] {
            assert!(upstream(text).is_err(), "{text}");
        }
    }
}
