//! Gets a file from an address that a stranger named.
//!
//! Every hop is judged anew: a redirect is followed by hand, at most [`HOPS_MAX`] times, and each address passes the
//! guard and the resolver like the first. What comes is neither decoded nor believed; how much of it is read is the
//! caller's business, and so is how long all of it may take.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{ACCEPT, ACCEPT_ENCODING, HeaderValue, LOCATION};
use reqwest::{Client, Method, Request, Response, Url};

use super::error::{FailureKind, RequestError};
use super::guard::AddressGuard;

/// The number of redirects that are followed.
pub const HOPS_MAX: usize = 3;

/// Gets files. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Downloads {
    client: Client,
    guard: Arc<AddressGuard>,
}

impl Downloads {
    /// Gets through `client` (see [`super::client::build`]) what `guard` lets pass.
    #[must_use]
    pub const fn new(client: Client, guard: Arc<AddressGuard>) -> Self {
        Self { client, guard }
    }

    /// Asks for a file; what comes back has a complete head, whatever its status, and is no redirect. `timeout` is for
    /// each hop with the body behind it.
    ///
    /// # Errors
    /// When an address is refused or no server answers.
    pub async fn get(&self, url: &Url, timeout: Duration) -> Result<Response, RequestError> {
        let mut url = url.clone();
        for _ in 0..=HOPS_MAX {
            // It is never sent, and harmless behind the address of a file.
            url.set_fragment(None);
            let response = self.hop(url.clone(), timeout).await?;
            if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
                return Ok(response);
            }
            let location = response
                .headers()
                .get(LOCATION)
                .and_then(|value| value.to_str().ok());
            let next = location.and_then(|location| url.join(location).ok());
            url = next
                .ok_or_else(|| RequestError::new(FailureKind::Protocol, "a redirect to nowhere"))?;
        }
        let detail = format!("more than {HOPS_MAX} redirects");
        Err(RequestError::new(FailureKind::Protocol, &detail))
    }

    async fn hop(&self, url: Url, timeout: Duration) -> Result<Response, RequestError> {
        self.guard
            .check(&url)
            .map_err(|reason| RequestError::refused(&reason))?;
        let mut request = Request::new(Method::GET, url);
        let headers = request.headers_mut();
        headers.insert(ACCEPT, HeaderValue::from_static("*/*"));
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        *request.timeout_mut() = Some(timeout);
        let result = self.client.execute(request).await;
        result.map_err(|error| RequestError::classify(&error))
    }
}
