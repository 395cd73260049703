//! The host of an account, as the client of a request knows it.

use actix_http::RequestHead;
use switchboard_actors::domain::installation::accounts::Account;
use switchboard_actors::domain::vendor::DOMAINS;

use crate::http::base::Base;
use crate::http::state::AppState;

/// Where the hosts of accounts are.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct AccountDomain {
    /// The domain of the counterpart that the client asked; else the host of this service, with its port.
    pub(crate) name: String,
    /// Whether each account has a host of its own there.
    has_subdomains: bool,
}

/// The part of the counterpart's world with Russian accounts; all other domains belong to the second one.
const FIRST_PLATFORM: &str = "amocrm.ru";

impl AccountDomain {
    /// The domain that this request asked.
    pub(crate) fn of(request: &RequestHead, state: &AppState) -> Self {
        let base = Base::of(request, state);
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
