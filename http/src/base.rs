//! The beginning of the absolute addresses in an answer: scheme, host and port as the client knows them.

use std::fmt;
use std::future::{Ready, ready};
use std::ops::Deref;

use actix_http::RequestHead;
use actix_web::dev::Payload;
use actix_web::http::header::{self, HeaderMap};
use actix_web::{FromRequest, HttpRequest, web};
use switchboard_actors::domain::text::url::HttpUrl;
use switchboard_media::PREFIX;
use switchboard_network::host::HostAndPort;

use crate::extract::origin;
use crate::reply::problem::Problem;
use crate::state::AppState;

/// Scheme, host and port of the addresses in an answer, without a slash at the end: the host of the counterpart that a
/// client asked through the development proxy, else `public_url` if it is set, else what the request names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Base(String);

impl Base {
    /// The base of the answer to this request, whose host has been checked.
    pub(crate) fn for_request(request: &RequestHead, state: &AppState) -> Self {
        if let Some(host) = state.vendor_host(&request.headers) {
            return Self(format!("https://{}", host.name));
        }
        if let Some(url) = state.public_url() {
            return Self(url.to_owned());
        }
        let value = request.headers.get(header::HOST);
        match value.and_then(|value| value.to_str().ok()?.parse::<HostAndPort>().ok()) {
            Some(host) => {
                let is_https =
                    origin::is_of_trusted_proxy(request, state) && is_https_by(&request.headers);
                let scheme = if is_https { "https" } else { "http" };
                Self(format!("{scheme}://{host}"))
            }
            // A request without a host does not come here.
            None => Self(state.callback_url().to_owned()),
        }
    }

    /// Returns whether the client uses HTTPS.
    pub(crate) fn is_https(&self) -> bool {
        self.0.starts_with("https://")
    }

    /// The address of a file that is kept here, for this client; it is stored with the base of callbacks.
    pub(crate) fn of_file(&self, stored: &HttpUrl) -> HttpUrl {
        let path = stored.as_str().split_once("://").and_then(|(_, rest)| {
            let (host, path) = rest.split_once(PREFIX)?;
            (!host.contains('/')).then_some(path)
        });
        let address = path.and_then(|path| format!("{}{}{path}", self.0, PREFIX).parse().ok());
        address.unwrap_or_else(|| stored.clone())
    }
}

impl Deref for Base {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromRequest for Base {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(match request.app_data::<web::Data<AppState>>() {
            Some(state) => Ok(Self::for_request(request.head(), state)),
            None => Err(Problem::Unauthorized(None)),
        })
    }
}

/// Returns whether a proxy says that its client uses HTTPS. The last proxy stands at the right, and says so of its own
/// client; nothing is known when two headers disagree.
fn is_https_by(headers: &HeaderMap) -> bool {
    let last = |name: &str| {
        let value = headers.get_all(name).last()?.to_str().ok()?;
        value.rsplit(',').next().map(str::trim)
    };
    let plain = last("x-forwarded-proto");
    let standard = last("forwarded").and_then(|element| {
        let mut pairs = element.split(';').filter_map(|pair| pair.split_once('='));
        let (_, value) = pairs.find(|(name, _)| name.trim().eq_ignore_ascii_case("proto"))?;
        Some(value.trim().trim_matches('"'))
    });
    let mut schemes = plain.into_iter().chain(standard).peekable();
    schemes.peek().is_some() && schemes.all(|scheme| scheme.eq_ignore_ascii_case("https"))
}
