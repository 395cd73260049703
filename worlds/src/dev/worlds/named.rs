//! A world that a request for a host of the counterpart names.

use std::sync::Arc;

use bytes::Bytes;
use http_body_util::BodyExt as _;
use hyper::Response;
use hyper::body::Incoming;
use hyper::http::request::Parts;
use switchboard_http::vendor::{HEADER, VendorKey};
use switchboard_loopback::Place;

use crate::dev::body::Body;
use crate::dev::vendor_host::VendorHost;
use crate::dev::worlds::listener::{Content, Front, OwnHeader};
use crate::dev::worlds::names::Names;

/// A world that a request names.
pub(in crate::dev) struct NamedWorld {
    pub(super) front: Arc<Front>,
    pub(super) names: Arc<Names>,
    pub(super) address: String,
    pub(super) key: VendorKey,
}

impl NamedWorld {
    /// The answer of the world; `None`: the connection breaks.
    pub(in crate::dev) async fn answer(
        &self,
        head: &Parts,
        body: Incoming,
        host: &VendorHost,
        place: &Arc<Place>,
    ) -> Option<Response<Body>> {
        let own = self.headers(host);
        let answer = self.front.take(head, body, place, &own).await;
        answer.map(boxed)
    }

    /// As [`Self::answer`], to a request whose body is there.
    pub(in crate::dev) async fn answer_read(
        &self,
        head: &Parts,
        body: Bytes,
        host: &VendorHost,
    ) -> Option<Response<Body>> {
        let own = self.headers(host);
        self.front.ask(head, Ok(body), &own).await.map(boxed)
    }

    /// The world knows itself by its address, and believes who names another host with the key.
    fn headers(&self, host: &VendorHost) -> [OwnHeader; 2] {
        let account = host.subdomain.as_ref().map(|_| self.names.account);
        [
            ("host", self.address.clone()),
            (HEADER, self.key.header(&host.name, account)),
        ]
    }
}

fn boxed(answer: Response<Content>) -> Response<Body> {
    answer.map(|content| content.map_err(Into::into).boxed_unsync())
}
