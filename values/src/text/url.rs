//! Addresses of things on the web.

use url::Url;

use crate::text::{bounded_text, has_control, has_length};

bounded_text! {
    /// An absolute `http` or `https` address with a host and without user-info, at most 2,048 characters, kept as it
    /// was given. That says nothing about where the host leads: the code that fetches the address checks that.
    HttpUrl, "an absolute http or https URL of at most 2,048 characters without user name",
    is_http_url;
}

fn is_http_url(text: &str) -> bool {
    has_length(text, 2_048)
        && !has_control(text)
        && text.trim() == text
        && authority(text).is_some_and(|authority| {
            is_plain_host(authority)
                || (!authority.contains(['@', '\\'])
                    && Url::parse(text).is_ok_and(|url| url.has_host()))
        })
}

/// Returns the text between `//` and the path.
///
/// The parser of the web forgives missing and additional slashes and takes `\` for `/`, so that different
/// readers of one text may see different hosts; such text is refused here before it is asked.
fn authority(text: &str) -> Option<&str> {
    let (scheme, rest) = text.split_once("://")?;
    let is_web = scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http");
    let authority = rest.split(['/', '?', '#']).next()?;
    (is_web && !authority.is_empty()).then_some(authority)
}

/// Recognizes most hosts without the parser, which takes ten times as long: letters, digits, dots and hyphens, no
/// punycode to check, and a last label that cannot be part of a numeric address. A property test compares the two.
fn is_plain_host(authority: &str) -> bool {
    let last_label = authority.rsplit('.').next().unwrap_or(authority);
    authority
        .bytes()
        .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-'))
        && last_label.starts_with(|first: char| first.is_ascii_lowercase())
        && !authority.contains("xn--")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_parser_accepts_every_plain_host(host in "[a-z0-9x.-]{1,12}", path in "[/?#]\\PC{0,20}") {
            if is_plain_host(&host) {
                let url = Url::parse(&format!("https://{host}{path}")).unwrap();
                prop_assert_eq!(url.host_str(), Some(host.as_str()));
            }
        }
    }

    #[test]
    fn an_absolute_address_is_kept_as_given() {
        for text in [
            "http://a",
            "HTTPS://Example.COM:8443/a b?c=d#e",
            "https://example.com/users/avatar.png",
            "https://пример.рф/файл.png",
            "http://[::1]:9000/x",
            "http://127.0.0.1/x",
            "https://e.com/x@y\\z",
        ] {
            assert_eq!(text.parse::<HttpUrl>().unwrap().as_str(), text);
        }
    }

    #[test]
    fn a_relative_or_foreign_address_is_refused() {
        for text in [
            "",
            "a",
            "/a",
            "//host/a",
            "example.com/a",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "data:text/html,x",
            "ftp://example.com/a",
            "http:example.com",
            "http:/example.com",
            "http:///etc/passwd",
            "http://",
            "http://?a",
            "http://:80/",
            "http://user:pass@host/",
            "http://user@host/",
            "http://@host/",
            "http://a\\@host/",
            "http://a b/",
            "http://a:99999/",
            "http://[::1/",
            " http://a",
            "http://a ",
            "ht\ntp://a",
            "http://a/\nb",
        ] {
            assert!(text.parse::<HttpUrl>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn an_address_has_up_to_2048_characters() {
        let start = "https://example.com/";
        let at_limit = format!("{start}{}", "é".repeat(2_048 - start.len()));
        assert!(at_limit.parse::<HttpUrl>().is_ok());
        assert!(format!("{at_limit}x").parse::<HttpUrl>().is_err());
    }
}
