//! E-mail addresses.

use email_address::{EmailAddress, Options};

use crate::text::bounded_text;

bounded_text! {
    /// An e-mail address of at most 254 bytes, as it was written: `local@domain.tld`, without a display
    /// name, an address literal or a quoted local part, all of which are better at smuggling than at mail.
    Email, "an e-mail address of at most 254 characters",
    is_address;
}

fn is_address(text: &str) -> bool {
    let options = Options::default()
        .with_required_tld()
        .without_display_text()
        .without_domain_literal();
    let plain = !text.contains(['"', '\r', '\n', '\0']);
    text.len() <= 254 && plain && EmailAddress::parse_with_options(text, options).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_address_is_kept_as_written() {
        for text in [
            "email@domain.com",
            "Ada.Lovelace+x@example.co.uk",
            "пример@почта.рф",
        ] {
            assert_eq!(text.parse::<Email>().unwrap().as_str(), text);
        }
    }

    #[test]
    fn an_invalid_email_address_is_refused() {
        let long = format!("{}@example.com", "a".repeat(250));
        for text in [
            "",
            "a",
            "a@",
            "@b.com",
            "a@b",
            "a@b@c.com",
            "a@b.com\r\nBcc:x@y.com",
            "Ada <a@b.com>",
            "\"a b\"@c.com",
            "a@[127.0.0.1]",
            "a b@c.com",
            " a@b.com",
            &long,
        ] {
            assert!(text.parse::<Email>().is_err(), "{text:?}");
        }
    }
}
