//! The host of an account, as the client of a request knows it.

use actix_http::RequestHead;
use switchboard_actors::domain::installation::accounts::Account;
use switchboard_actors::domain::vendor::DOMAINS;

use crate::base::Base;
use crate::state::AppState;

/// The domain of the hosts of accounts.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct AccountDomain {
    /// The domain of the counterpart that the client asked; else the host of this service, with its port.
    pub(crate) name: String,
    /// A flag: each account has a host of its own there.
    has_subdomains: bool,
}

/// The part of the counterpart's world with Russian accounts; all other domains belong to the second one.
const FIRST_PLATFORM: &str = "amocrm.ru";

impl AccountDomain {
    /// The domain that this request asked.
    pub(crate) fn from_request(request: &RequestHead, state: &AppState) -> Self {
        let base = Base::for_request(request, state);
        let host = base.split_once("://").map_or(&*base, |(_, host)| host);
        let vendor = state.vendor_host(&request.headers);
        let domain = vendor.and_then(|asked| {
            let mut domains = DOMAINS.iter();
            domains.find(|domain| asked.name.ends_with(**domain))
        });
        match domain {
            Some(domain) => Self {
                name: (*domain).to_owned(),
                has_subdomains: true,
            },
            None => Self {
                name: host.to_owned(),
                has_subdomains: false,
            },
        }
    }

    /// The domain that the redirect of a consent names. Behind the development proxy it is always one of the counterpart's:
    /// the client asks that host next, through the proxy, and may take no other for an account. A browser that has no
    /// proxy consents at the address of the service.
    pub(crate) fn for_consent(request: &RequestHead, state: &AppState) -> Self {
        let domain = Self::from_request(request, state);
        if domain.has_subdomains || !state.has_proxy() {
            return domain;
        }
        Self {
            name: FIRST_PLATFORM.to_owned(),
            has_subdomains: true,
        }
    }

    /// The last label of the domain; empty of an IP address.
    pub(crate) fn top_level(&self) -> &str {
        let host = self
            .name
            .rsplit_once(':')
            .map_or(&*self.name, |(host, _)| host);
        let last = host.rsplit('.').next().unwrap_or_default();
        if last.bytes().any(|byte| byte.is_ascii_alphabetic()) && !host.contains('[') {
            last
        } else {
            ""
        }
    }

    /// The host of this account: `referer` of a redirect.
    pub(crate) fn host(&self, account: &Account) -> String {
        if self.has_subdomains {
            format!("{}.{}", account.subdomain(), self.name)
        } else {
            self.name.clone()
        }
    }

    /// `platform` of a redirect.
    pub(crate) fn platform(&self) -> &'static str {
        if self.has_subdomains && self.name != FIRST_PLATFORM {
            "2"
        } else {
            "1"
        }
    }
}
