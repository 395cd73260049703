//! Requests that come through the development proxy: the host of the counterpart that their client asked.
//!
//! A header names the host, and begins with a key that only the proxy of this process knows. Without that proxy there is
//! no key.

use std::fmt;

use actix_web::http::header::HeaderMap;
use subtle::ConstantTimeEq as _;
use switchboard_actors::domain::id::AccountId;

/// The header that the proxy adds: the key, the host and, if the host has one, the account.
pub const HEADER: &str = "x-switchboard-vendor";

/// The secret by which the proxy proves that a request comes through it.
#[derive(Clone)]
pub struct VendorKey(String);

/// The host of the counterpart that a client asked.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct AskedHost<'r> {
    /// Its name.
    pub name: &'r str,
    /// The account of the host; none of a host that all accounts share.
    pub account: Option<AccountId>,
}

impl VendorKey {
    /// The key of these bytes, which must be random.
    pub fn from_random(random: [u8; 16]) -> Self {
        Self(hex::encode(random))
    }

    /// The value of the header.
    pub fn header(&self, host: &str, account: Option<AccountId>) -> String {
        match account {
            Some(account) => format!("{} {host} {account}", self.0),
            None => format!("{} {host}", self.0),
        }
    }

    /// The host that the client asked, if the request came through the proxy.
    pub(crate) fn asked<'r>(&self, headers: &'r HeaderMap) -> Option<AskedHost<'r>> {
        let mut values = headers.get_all(HEADER);
        let (value, None) = (values.next()?, values.next()) else {
            return None;
        };
        let mut words = value.to_str().ok()?.split(' ');
        let key = words.next()?;
        if !bool::from(key.as_bytes().ct_eq(self.0.as_bytes())) {
            return None;
        }
        Some(AskedHost {
            name: words.next()?,
            account: words.next().and_then(|account| account.parse().ok()),
        })
    }
}

impl fmt::Debug for VendorKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderName, HeaderValue};

    use super::*;

    fn headers(values: &[&str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for value in values {
            let value = HeaderValue::from_str(value).unwrap();
            headers.append(HeaderName::from_static(HEADER), value);
        }
        headers
    }

    #[test]
    fn only_the_key_of_the_proxy_counts() {
        let (ours, other) = (
            VendorKey::from_random([1; 16]),
            VendorKey::from_random([2; 16]),
        );
        let account = AccountId::from_random([3; 16]);
        for account in [None, Some(account)] {
            let value = ours.header("www.amocrm.ru", account);
            let request = headers(&[&value]);
            let host = ours.asked(&request);
            let name = "www.amocrm.ru";
            assert_eq!(host, Some(AskedHost { name, account }));
            assert_eq!(other.asked(&request), None);
            assert_eq!(ours.asked(&headers(&[&value, &value])), None);
        }
        for value in ["", " www.amocrm.ru", "0 www.amocrm.ru"] {
            assert_eq!(ours.asked(&headers(&[value])), None, "{value}");
        }
        assert_eq!(ours.asked(&headers(&[])), None);
        assert_eq!(format!("{ours:?}"), "***");
    }
}
